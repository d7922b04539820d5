/* The input as a matrix, row by row: which elements it has, and whether the results of its rows or columns are right.
 * For variants that reduce along an axis; --axis, --columns and --padding are the first of their options.
 *
 * Included by prelude.h in the variant's folder, because these are C functions: the namespaces of instantiate.hip share
 * them. C++ sources include hip/hip_runtime.h first.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_MATRIX_H
#define REDUCTION_MATRIX_H

#include <stddef.h>

#include "verdict/extras.h"

#ifdef __cplusplus
extern "C" {
#endif

struct reduction;

/* Row k has the elements k * stride ... k * stride + columns - 1 of n; the last row may be cut off. */
struct matrix {
    size_t n, rows, columns, stride;
};

enum { AXIS, WIDTH, PADDING, MATRIX_OPTION_COUNT }; /* indices into r->option[] */
enum { ROWS, COLUMNS };                             /* values of AXIS */
// clang-format off
#define MATRIX_OPTIONS                                                                            \
    {"axis", "rows|columns", ROWS, 0, 0, "one result for each row, or for each column"},                             \
    {"columns", NULL, 1024, 1, 1L << 40, "elements of a row"},                                    \
    {"padding", NULL, 0, 0, 1L << 30, "unused elements between two rows"}
// clang-format on

/* The matrix that r->n elements are by the options. It has a row and a column, though perhaps no element. */
struct matrix matrix_of(const struct reduction *r);

/* What row or column k should reduce to under OP_*. */
struct reference matrix_reference(const struct matrix *m, int axis, const struct input_view *in, int op, size_t k);

/* Verifies the result of every row or column: values of the input's type, on the device, each with a chain of so many
 * additions. Returns the number of extras: how many results there are, how many are wrong, and the largest error divided
 * by its bound. */
size_t matrix_check(const struct matrix *m, int axis, const struct input_view *in, int op, const void *d_results,
                    size_t chain, struct extra out[EXTRAS_MAX]);

#ifdef __cplusplus
}
#endif

#endif
