/* Device memory: its contents before a reduction, and the highest speed at which it can be read.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_INIT_H
#define REDUCTION_INIT_H

#include <stddef.h>
#include <stdint.h>

#include <hip/hip_runtime_api.h>

#include "pattern.h"

/* Writes elements first ... first + n - 1 of a pattern to d_data[0 ... n - 1] of type TYPE_*, by a kernel
 * on stream. Does not wait for it. Errors end the program (hip_check). */
void init_fill(void *d_data, int type, const struct pattern *p, uint64_t first, size_t n, hipStream_t stream);

/* The best read bandwidth, in GB/s (10^9 bytes), that plain kernels reach on this buffer: tries several
 * launch shapes a few times each, and starts no further one after half a second. d_data is aligned to 16
 * bytes, as hipMalloc returns it. To measure memory instead of caches, the buffer has to be much larger
 * than the caches. 0 for less than 16 bytes. Errors end the program (hip_check). */
double init_read_ceiling(const void *d_data, size_t bytes, hipStream_t stream);

#endif
