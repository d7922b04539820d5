/* Element types and operations: a row each, and everything else follows.
 *
 * The names, options and their help, the words that make takes, references, instances of variants and the loops of tests come
 * from these rows, and so do kernels and references of whole numbers. Floating-point numbers need to be told more: a row
 * `product` does not link without floating_product (verdict/floating.h).
 *
 * The preprocessor compares numbers, so these are macros and not enumerators. Rows are in the order of their numbers.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_TYPES_H
#define REDUCTION_TYPES_H

#include <stdint.h>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__) ||                         \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "sums, -0 and NaN need IEEE 754: remove -ffast-math, -Ofast and the like from the flags"
#endif

// clang-format off

/* A type. Its functions: pattern_NAME(); of two bytes also NAME_widen() and NAME_narrow().
 *   element         in memory; of a half its 16 bits
 *   result, value   what a reduction of such elements is: the number of that type, and value_t
 *   kind            FLOATING or WHOLE; whole numbers wrap
 *   digits          of an element's significand; of a whole number those without the sign
 *   bits            an unsigned integer as wide as value_t
 *   member          of a struct scalar (values/scalar.h)
 *   nccl, mpi       of a value; mpi sums: of an operation that wraps
 *
 *             number         name      element   result       value    kind      digits
 *             bits                member  LARGEST    LOWEST     nccl  mpi          mpi sums */
#define TYPE_FLOAT 0
#define TYPE_0(row, x) \
        row(x, TYPE_FLOAT,    float,    float,    TYPE_FLOAT,  float,   FLOATING, 24, \
               uint32_t,           f,      INFINITY,  -INFINITY, 7,    MPI_FLOAT,   MPI_FLOAT)
#define TYPE_DOUBLE 1
#define TYPE_1(row, x) \
        row(x, TYPE_DOUBLE,   double,   double,   TYPE_DOUBLE, double,  FLOATING, 53, \
               unsigned long long, d,      INFINITY,  -INFINITY, 8,    MPI_DOUBLE,  MPI_DOUBLE)
#define TYPE_INT 2
#define TYPE_2(row, x) \
        row(x, TYPE_INT,      int,      int32_t,  TYPE_INT,    int32_t, WHOLE,    31, \
               uint32_t,           i,      INT32_MAX, INT32_MIN, 2,    MPI_INT32_T, MPI_UINT32_T)
#define TYPE_LONG 3
#define TYPE_3(row, x) \
        row(x, TYPE_LONG,     long,     int64_t,  TYPE_LONG,   int64_t, WHOLE,    63, \
               unsigned long long, l,      INT64_MAX, INT64_MIN, 4,    MPI_INT64_T, MPI_UINT64_T)
#define TYPE_HALF 4
#define TYPE_4(row, x) \
        row(x, TYPE_HALF,     half,     uint16_t, TYPE_FLOAT,  float,   FLOATING, 11, \
               uint32_t,           f,      INFINITY,  -INFINITY, 7,    MPI_FLOAT,   MPI_FLOAT)
#define TYPE_BFLOAT16 5
#define TYPE_5(row, x) \
        row(x, TYPE_BFLOAT16, bfloat16, uint16_t, TYPE_FLOAT,  float,   FLOATING, 8, \
               uint32_t,           f,      INFINITY,  -INFINITY, 7,    MPI_FLOAT,   MPI_FLOAT)

/* Every variant has these; and of two bytes, those that say HAS_NARROW (instances/instances.h). */
#define COMMON_TYPES(row, x) TYPE_0(row, x) TYPE_1(row, x) TYPE_2(row, x) TYPE_3(row, x)
#define NARROW_TYPES(row, x) TYPE_4(row, x) TYPE_5(row, x)

/* An operation. It is commutative, and associative up to rounding; the identity is its identity element.
 *   sum            whole numbers wrap
 *   min, max       NaN if either is NaN; -0 is below +0, so that the order makes no difference
 *   and, or, xor   of whole numbers, bit by bit
 * combined: a and b, by operators of C (whole numbers are unsigned there), LESSER and GREATER.
 * identity: in terms of LARGEST and LOWEST, above and below which there is no value.
 * hot, cold: elements of which the hot one decides the result. nccl: -1 where it has none.
 *                             number  name combined        identity hot cold nccl mpi */
#define OP_SUM 0
#define OPERATION_0(row, x) row(x, OP_SUM, sum, a + b,          0,       1,  0,   0,   MPI_SUM)
#define OP_MIN 1
#define OPERATION_1(row, x) row(x, OP_MIN, min, LESSER(a, b),   LARGEST, -1, 0,   3,   MPI_MIN)
#define OP_MAX 2
#define OPERATION_2(row, x) row(x, OP_MAX, max, GREATER(a, b),  LOWEST,  1,  0,   2,   MPI_MAX)
#define OP_AND 3
#define OPERATION_3(row, x) row(x, OP_AND, and, a & b,          -1,      0,  -1,  -1,  MPI_BAND)
#define OP_OR  4
#define OPERATION_4(row, x) row(x, OP_OR,  or,  a | b,          0,       1,  0,   -1,  MPI_BOR)
#define OP_XOR 5
#define OPERATION_5(row, x) row(x, OP_XOR, xor, a ^ b,          0,       1,  0,   -1,  MPI_BXOR)

/* Every variant has these, of every type; and of whole numbers, those that say HAS_BITWISE (instances/instances.h). */
#define COMMON_OPERATIONS(row, x)  OPERATION_0(row, x) OPERATION_1(row, x) OPERATION_2(row, x)
#define BITWISE_OPERATIONS(row, x) OPERATION_3(row, x) OPERATION_4(row, x) OPERATION_5(row, x)

// clang-format on

#define TYPES(row, x)      COMMON_TYPES(row, x) NARROW_TYPES(row, x)
#define OPERATIONS(row, x) COMMON_OPERATIONS(row, x) BITWISE_OPERATIONS(row, x)

/* How many: those of every variant, and all. */
#define PLUS_ONE(...) +1
#define TYPE_COMMON   (0 COMMON_TYPES(PLUS_ONE, ))
#define TYPE_ALL      (0 TYPES(PLUS_ONE, ))
#define OP_COMMON     (0 COMMON_OPERATIONS(PLUS_ONE, ))
#define OP_ALL        (0 OPERATIONS(PLUS_ONE, ))

/* A column of the row with this number, which may be a macro: TYPE_COLUMN(VALUE_TYPE, TYPE_BITS). #if can compare it. */
#define TYPE_COLUMN(number, column)         TYPE_COLUMN_OF(number, column)
#define TYPE_COLUMN_OF(number, column)      TYPE_##number(column, )
#define OPERATION_COLUMN(number, column)    OPERATION_COLUMN_OF(number, column)
#define OPERATION_COLUMN_OF(number, column) OPERATION_##number(column, )

// clang-format off
#define TYPE_WORD(x, number, name, ...)                                                         name
#define TYPE_PATTERN(x, number, name, ...)                                                      pattern_##name
#define TYPE_ELEMENT(x, number, name, element, ...)                                             element
#define TYPE_RESULT(x, number, name, element, result, ...)                                      result
#define TYPE_VALUE(x, number, name, element, result, value, ...)                                value
#define TYPE_KIND(x, number, name, element, result, value, kind, ...)                           KIND_##kind
#define TYPE_BITS(x, number, name, element, result, value, kind, digits, bits, ...)             bits
#define TYPE_LARGEST(x, number, name, element, result, value, kind, digits, bits, member, largest, ...) largest
#define TYPE_LOWEST(x, number, name, element, result, value, kind, digits, bits, member, largest, lowest, ...) lowest
#define OPERATION_WORD(x, number, name, ...)                         name
#define OPERATION_FUNCTION(x, number, name, ...)                     value_##name
#define OPERATION_IDENTITY(x, number, name, combined, identity, ...) identity
// clang-format on

/* For #if, too. */
#define IS_FLOATING(type) TYPE_COLUMN(type, TYPE_KIND)
#define KIND_FLOATING     1
#define KIND_WHOLE        0

#endif
