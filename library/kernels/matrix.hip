/* Rows and columns of a matrix.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#include <string.h>
#define REDUCTION_INSTANTIATE
#include "library/handle.h"
#include "library/rows.h"
#include "reduction.h"
#include "reduction_rows/prelude.h"

#define INSTANCES "kernels/matrix_instance.h"
#include "kernels/instances_of_all.h"

extern "C" void lr_reduce_matrix(struct reduction *r, int type, int op, const void *x)
{
    static void (*const table[TYPE_ALL][OP_COMMON])(struct reduction *, const void *) = TABLE(reduce);
    table[type][op](r, x);
}
