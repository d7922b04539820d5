/* Launches of the kernels in device_kernels.hip, for init.c and arithmetic.c.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_DEVICE_KERNELS_H
#define REDUCTION_DEVICE_KERNELS_H

#include <hip/hip_runtime_api.h>

#include "pattern.h"

/* types.h refuses fast math wherever a compiler has a macro for it. gcc says in this one that constants are single,
 * divisions inexact, or that C11 contracts expressions; here, because one C file and one file of kernels are enough for
 * the flags of all. */
#if (defined(__GCC_IEC_559) && __GCC_IEC_559 == 0) || __FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2
#error "IEEE 754: no -freciprocal-math, -ffp-contract=fast, -fsingle-precision-constant, ..."
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Elements first ... first + n - 1 of the pattern to data[0 ... n - 1] of type TYPE_*; any grid and block. */
void device_fill(void *data, int type, const struct pattern *p, uint64_t first, size_t n, unsigned grid, unsigned block,
                 hipStream_t stream);

/* Vectors of 16 bytes that a thread of device_read() has in flight: one of these. */
#define READ_FEW  4
#define READ_MANY 8

/* Reads count vectors of 16 bytes and computes almost nothing; any grid and block. Writes one word to
 * *sink in the unlikely case that the exclusive or of a thread's words is a certain number: otherwise
 * the compiler would remove the loads. */
void device_read(const void *data, size_t count, uint32_t *sink, unsigned in_flight, unsigned grid, unsigned block,
                 hipStream_t stream);

/* Numbers that no compiler knows, what the first three add up to, and what the last one, a NaN, compares to; for
 * arithmetic.c. */
struct terms {
    float f[4];
    double d[4];
};
struct sums {
    float f;
    unsigned nans;
    double d;
};
#define ADDITIONS(x) (((x)[0] + (x)[1] - (x)[0]) + ((x)[2] + (x)[2]))
#define NANS(x)      ((unsigned)((x)[3] != (x)[3]) | (unsigned)!((x)[0] < (x)[3] || (x)[0] >= (x)[3]) << 1)
#define NANS_ALL     15 /* NANS(f) | NANS(d) << 2 */
void device_add(const struct terms *terms, struct sums *d_sums, hipStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
