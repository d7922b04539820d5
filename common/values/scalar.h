/* One value of any element type, and the names and sizes of types and operations.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_SCALAR_H
#define REDUCTION_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pattern.h"
#include "types.h"

/* The rows of types.h. A switch over these has a case for each, or it is an error that names the missing one. */
#ifndef __CUDACC__
#pragma GCC diagnostic error "-Wswitch"
#endif
#define TYPE_ENUMERATOR(x, number, name, ...)      TYPE_AT_##name,
#define OPERATION_ENUMERATOR(x, number, name, ...) OPERATION_AT_##name,
enum type_row { TYPES(TYPE_ENUMERATOR, ) };
enum operation_row { OPERATIONS(OPERATION_ENUMERATOR, ) };

struct scalar {
    int type; /* TYPE_*, below TYPE_COMMON */
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
/* The words of --type and --op. */
const char *type_name(int type);
const char *op_name(int op);
/* As opposed to whole numbers. */
bool type_is_floating(int type);
/* Of an element's significand; of a whole number those without the sign. */
unsigned type_digits(int type);
/* Of a float or a double: the largest finite number, and the smallest above 0. */
double type_largest(int type);
double type_smallest(int type);
/* A value of the result's type; whole numbers wrap. */
struct scalar scalar_from_double(int type, double x);
struct scalar scalar_from_long(int type, int64_t x);
/* The element at this address, as it is in memory, as a value. */
struct scalar scalar_from_element(int type, const void *element);
/* Element i of a pattern, as a value. */
struct scalar scalar_from_pattern(int type, const struct pattern *p, uint64_t i);
/* What a reduction of no elements is. */
struct scalar scalar_identity(int type, int op);
/* Any value as a double, rounded; a whole number as it is. */
double scalar_to_double(struct scalar value);
int64_t scalar_to_long(struct scalar value);
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
