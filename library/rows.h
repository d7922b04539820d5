/* How the functions for matrices and segments start their kernels.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_ROWS_H
#define LIBRARY_ROWS_H

#include "checks.h"
#include "reduction.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Plans and launches the kernels of reduction_rows, with its options in r->option[]; the results go to r->result. */
void lr_reduce_matrix(struct reduction *r, int type, int op, const void *x);
/* The same for reduction_segmented: count segments, with count + 1 offsets on the device. */
void lr_reduce_segments(struct reduction *r, int type, int op, const void *x,
                        const int64_t *offsets, size_t count);
#ifdef __cplusplus
}
#endif

#define SEGMENTS_BLOCK 256 /* reduction_segmented's own choice */

/* Bytes of workspace on a device with this many compute units. It begins with tickets, for rows and columns that several
 * blocks share, which are zero between launches; the rest need not be. */
#define TICKETS_BYTES(units) ((size_t)(units)*256)
#define MATRIX_BYTES(units)  (TICKETS_BYTES(units) + (size_t)(units)*65536 + 65536)

#endif
