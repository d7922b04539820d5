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
void lr_reduce_segments(struct reduction *r, int type, int op, const void *x, const int64_t *offsets, size_t count);

/* Whole calls. */
struct lr_handle;
enum { ROWS_OF_MATRIX, COLUMNS_OF_MATRIX };
/* The operation of LR_OP_SUM, LR_OP_MIN or LR_OP_MAX; -1: of another function, which these kernels do not have. */
int lr_operation_of(int function);
int lr_matrix_reduce(struct lr_handle *h, int axis, int function, int type, int place, const void *x, size_t rows,
                     size_t columns, size_t stride, void *results, void *stream);
int lr_segments_reduce(struct lr_handle *h, int function, int type, int place, const void *x, size_t n,
                       const int64_t *offsets, size_t segments, void *results, void *stream);
#ifdef __cplusplus
}
#endif

#endif
