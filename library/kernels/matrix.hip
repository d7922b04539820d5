/* Rows and columns of a matrix.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_fp16.h> /* before hip_runtime.h: on NVIDIA it declares shuffles by names of CUDA */

#include <hip/hip_runtime.h>
#include <string.h>
#define REDUCTION_INSTANTIATE
#include "library/rows.h"
#include "reduction.h"
#include "reduction_rows/prelude.h"

#define INSTANCES "kernels/matrix_instance.h"
#include "kernels/instances_of_all.h"

/* Replaces common/layout/matrix.c: the library has already checked that the last row is whole. */
extern "C" struct matrix matrix_of(const struct reduction *r)
{
    size_t columns = (size_t)r->option[WIDTH], stride = columns + (size_t)r->option[PADDING];
    struct matrix m = {r->n, ceil_div(r->n, stride), columns, stride};

    return m;
}

extern "C" void lr_reduce_matrix(struct reduction *r, int type, int op, const void *x)
{
    static void (*const table[TYPE_ALL][OP_COUNT])(struct reduction *, const void *) =
        TABLE(reduce);
    table[type][op](r, x);
}
