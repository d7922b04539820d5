/* Includes INSTANCES once for each type and operation, which defines something in the namespace SPACE. TABLE(what) is that
 * of all of them, by type and operation.
 * SPDX-License-Identifier: MIT */

#define VALUE_TYPE TYPE_FLOAT
#define OPERATION  OP_SUM
#define SPACE      float_sum
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MIN
#define SPACE     float_min
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MAX
#define SPACE     float_max
#include INSTANCES
#undef OPERATION
#undef SPACE
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_DOUBLE
#define OPERATION  OP_SUM
#define SPACE      double_sum
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MIN
#define SPACE     double_min
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MAX
#define SPACE     double_max
#include INSTANCES
#undef OPERATION
#undef SPACE
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_INT
#define OPERATION  OP_SUM
#define SPACE      int_sum
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MIN
#define SPACE     int_min
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MAX
#define SPACE     int_max
#include INSTANCES
#undef OPERATION
#undef SPACE
#undef VALUE_TYPE

#define VALUE_TYPE TYPE_LONG
#define OPERATION  OP_SUM
#define SPACE      long_sum
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MIN
#define SPACE     long_min
#include INSTANCES
#undef OPERATION
#undef SPACE
#define OPERATION OP_MAX
#define SPACE     long_max
#include INSTANCES
#undef OPERATION
#undef SPACE
#undef VALUE_TYPE

#define TABLE(what)                                                                                \
    {                                                                                              \
        {float_sum::what, float_min::what, float_max::what},                                       \
            {double_sum::what, double_min::what, double_max::what},                                \
            {int_sum::what, int_min::what, int_max::what},                                         \
            {long_sum::what, long_min::what, long_max::what},                                      \
    }
