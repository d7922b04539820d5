/* How the functions of a matrix and of segments start their kernels.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_ROWS_H
#define LIBRARY_ROWS_H

#include "reduction.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Plans and launches the kernels of reduction_rows, with its options in r->option[]; the results go to r->result. */
void lr_reduce_matrix(struct reduction *r, int type, int op, const void *x);
/* The same of reduction_segmented, for count segments at count + 1 offsets on the device. */
void lr_reduce_segments(struct reduction *r, int type, int op, const void *x,
                        const int64_t *offsets, size_t count);
#ifdef __cplusplus
}
#endif

#define SEGMENTS_BLOCK 256 /* reduction_segmented's own choice */

/* Workspace on a device with so many compute units. It begins with the tickets of rows and columns that several blocks
 * share, which are zero between two launches; the rest need not be. */
#define TICKETS_BYTES(units) ((size_t)(units)*256)
#define MATRIX_BYTES(units)  (TICKETS_BYTES(units) + (size_t)(units)*65536 + 65536)

#endif
