/* Element types and operations, as numbers that both the compiler and the preprocessor can compare
 * (element.h selects with #if, so these are macros and not enumerators). */
#ifndef REDUCTION_TYPES_H
#define REDUCTION_TYPES_H

#include <stdint.h>

#define TYPE_FLOAT  0 /* float, 4 bytes */
#define TYPE_DOUBLE 1 /* double, 8 bytes */
#define TYPE_INT    2 /* int32_t; sums wrap */
#define TYPE_LONG   3 /* int64_t; sums wrap */
#define TYPE_COUNT  4

#define OP_SUM   0
#define OP_MIN   1 /* propagates NaN; -0 is below +0 */
#define OP_MAX   2 /* propagates NaN; -0 is below +0 */
#define OP_COUNT 3

#endif
