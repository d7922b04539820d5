/* Rows and columns of a matrix.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <string.h>
#define REDUCTION_INSTANTIATE
#include "library/rows.h"
#include "reduction.h"
#include "reduction_rows/prelude.h"

#define VALUE_TYPE TYPE_FLOAT
#define OPERATION  OP_SUM
#define SPACE      float_sum
#include "kernels/matrix_instance.h"
#define OPERATION OP_MIN
#define SPACE     float_min
#include "kernels/matrix_instance.h"
#define OPERATION OP_MAX
#define SPACE     float_max
#include "kernels/matrix_instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_DOUBLE
#define OPERATION  OP_SUM
#define SPACE      double_sum
#include "kernels/matrix_instance.h"
#define OPERATION OP_MIN
#define SPACE     double_min
#include "kernels/matrix_instance.h"
#define OPERATION OP_MAX
#define SPACE     double_max
#include "kernels/matrix_instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_INT
#define OPERATION  OP_SUM
#define SPACE      int_sum
#include "kernels/matrix_instance.h"
#define OPERATION OP_MIN
#define SPACE     int_min
#include "kernels/matrix_instance.h"
#define OPERATION OP_MAX
#define SPACE     int_max
#include "kernels/matrix_instance.h"
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_LONG
#define OPERATION  OP_SUM
#define SPACE      long_sum
#include "kernels/matrix_instance.h"
#define OPERATION OP_MIN
#define SPACE     long_min
#include "kernels/matrix_instance.h"
#define OPERATION OP_MAX
#define SPACE     long_max
#include "kernels/matrix_instance.h"
#undef VALUE_TYPE

extern "C" void lr_reduce_matrix(struct reduction *r, int type, int op, const void *x)
{
    static void (*const table[TYPE_COUNT][OP_COUNT])(struct reduction *, const void *) = {
        {float_sum::reduce, float_min::reduce, float_max::reduce},
        {double_sum::reduce, double_min::reduce, double_max::reduce},
        {int_sum::reduce, int_min::reduce, int_max::reduce},
        {long_sum::reduce, long_min::reduce, long_max::reduce},
    };
    table[type][op](r, x);
}
