/* Element types and operations, as numbers that both the compiler and the preprocessor can compare
 * (element.h selects with #if, so these are macros and not enumerators).
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_TYPES_H
#define REDUCTION_TYPES_H

#include <stdint.h>

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__) ||     \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "sums, -0 and NaN need IEEE 754: remove -ffast-math, -Ofast and the like from the flags"
#endif

#define TYPE_FLOAT  0 /* float, 4 bytes */
#define TYPE_DOUBLE 1 /* double, 8 bytes */
#define TYPE_INT    2 /* int32_t; sums wrap */
#define TYPE_LONG   3 /* int64_t; sums wrap */
#define TYPE_COUNT  4 /* every variant has these */

/* Elements of two bytes whose sum, minimum or maximum is a float: for variants that say HAS_NARROW (instances.h). */
#define TYPE_HALF     4 /* 5 bits of exponent, 11 digits */
#define TYPE_BFLOAT16 5 /* 8 bits of exponent, 8 digits: the upper half of a float */
#define TYPE_ALL      6

#define OP_SUM   0
#define OP_MIN   1 /* propagates NaN; -0 is below +0 */
#define OP_MAX   2 /* propagates NaN; -0 is below +0 */
#define OP_COUNT 3 /* every variant has these */

/* Of integers, bit by bit: for variants that say HAS_BITWISE (instances.h). */
#define OP_AND 3
#define OP_OR  4
#define OP_XOR 5
#define OP_ALL 6

#endif
