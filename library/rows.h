/* How the functions of a matrix start their kernels.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_ROWS_H
#define LIBRARY_ROWS_H

#include "reduction.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Plans and launches the kernels of reduction_rows, with its options in r->option[]; the results go to r->result. */
void lr_reduce_matrix(struct reduction *r, int type, int op, const void *x);
#ifdef __cplusplus
}
#endif

/* Workspace on a device with so many compute units; need not be zero. */
#define MATRIX_BYTES(units) ((size_t)(units)*65536 + 65536)

#endif
