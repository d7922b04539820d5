/* Device memory: its contents before a reduction, and how fast it can be read at all. */
#ifndef REDUCTION_INIT_H
#define REDUCTION_INIT_H

#include <stddef.h>
#include <stdint.h>

#include <hip/hip_runtime_api.h>

#include "pattern.h"

/* Writes elements first ... first + n - 1 of a pattern to d_data[0 ... n - 1] of type TYPE_*, by a kernel
 * on stream. Does not wait for it. Errors end the program (hip_check). */
void init_fill(void *d_data, int type, const struct pattern *p, uint64_t first, size_t n,
               hipStream_t stream);

/* The best read bandwidth, in GB/s (10^9 bytes), that plain kernels reach on this buffer: several launch
 * shapes are tried, each a few times, for half a second at most once one has been measured. d_data is
 * aligned to 16 bytes, as hipMalloc returns it. To say anything about memory and not about caches the
 * buffer has to be much larger than they are. 0 for less than 16 bytes. Errors end the program (hip_check). */
double init_read_ceiling(const void *d_data, size_t bytes, hipStream_t stream);

#endif
