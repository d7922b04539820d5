/* How lr_moments() starts its kernels.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_MOMENTS_H
#define LIBRARY_MOMENTS_H

#include "libreduction.h"
#include "reduction.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Plans and launches the kernels of reduction_statistics, and stores a struct lr_moments at r->result. */
void lr_reduce_moments(struct reduction *r, int type, const void *x);
#ifdef __cplusplus
}
#endif

#define MOMENTS_BLOCK   256          /* reduction_statistics' own choice */
#define MOMENTS_PARTIAL ((size_t)64) /* bytes of a block's partial, at most */
/* Workspace on a device with so many compute units and threads on each; need not be zero. */
#define MOMENTS_BYTES(units, threads)                                                              \
    (MOMENTS_PARTIAL * 4 * ((size_t)(units) * ((threads) / MOMENTS_BLOCK + 1) + 1))

#endif
