/* One value of any element type, and the names and sizes of types and operations.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_SCALAR_H
#define REDUCTION_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "types.h"

struct scalar {
    int type; /* TYPE_*, below TYPE_COUNT */
    union {
        float f;
        double d;
        int32_t i;
        int64_t l;
    } as;
};

/* Bytes of one element: 2, 4 or 8. */
size_t type_size(int type);
/* What a reduction of such elements is: TYPE_FLOAT for half and bfloat16, else the type itself. */
int type_of_result(int type);
/* "float", "double", "int", "long", "half", "bfloat16"; "sum", "min", "max", "and", "or", "xor". */
const char *type_name(int type);
const char *op_name(int op);
/* Is it TYPE_FLOAT or TYPE_DOUBLE? And its largest finite number. */
bool type_is_floating(int type);
double type_largest(int type);
/* Its smallest number above 0. */
double type_smallest(int type);
/* A float or a double as a double. */
double scalar_to_double(struct scalar value);
/* The distance from |value| to the next larger number of its type; 1 for integers. */
double scalar_ulp(struct scalar value);
/* The number for a name, or -1 when there is no such name. */
int type_from_name(const char *name);
int op_from_name(const char *name);

#define SCALAR_TEXT_MAX 32
/* The shortest text that reads back as the same value; "nan", "inf" and "-inf". Returns text. */
const char *scalar_text(char text[SCALAR_TEXT_MAX], struct scalar value);
const char *double_text(char text[SCALAR_TEXT_MAX], double value);

#endif
