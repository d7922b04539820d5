/* Includes INSTANCES, which defines something in the namespace SPACE, once for each type and operation. TABLE(what) is the
 * table of these, by type and operation.
 * SPDX-License-Identifier: MIT */
#define JOIN_OF(a, b) a##b
#define JOIN(a, b)    JOIN_OF(a, b)

#define VALUE_TYPE TYPE_FLOAT
#define TYPE_NAME  float
#include "kernels/instances_of_type.h"
#define VALUE_TYPE TYPE_DOUBLE
#define TYPE_NAME  double
#include "kernels/instances_of_type.h"
#define VALUE_TYPE TYPE_INT
#define TYPE_NAME  int
#include "kernels/instances_of_type.h"
#define VALUE_TYPE TYPE_LONG
#define TYPE_NAME  long
#include "kernels/instances_of_type.h"

#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_HALF
#define VALUE_TYPE   TYPE_FLOAT
#define TYPE_NAME    half
#include "kernels/instances_of_type.h"
#undef ELEMENT_TYPE
#define ELEMENT_TYPE TYPE_BFLOAT16
#define VALUE_TYPE   TYPE_FLOAT
#define TYPE_NAME    bfloat16
#include "kernels/instances_of_type.h"

#define ROW(type, what)                                                                                                \
    {                                                                                                                  \
        type##_sum::what, type##_min::what, type##_max::what                                                           \
    }
#define TABLE(what)                                                                                                    \
    {                                                                                                                  \
        ROW(float, what), ROW(double, what), ROW(int, what), ROW(long, what), ROW(half, what), ROW(bfloat16, what),    \
    }
