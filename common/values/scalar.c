/* SPDX-License-Identifier: MIT */
#include "scalar.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "narrow.h"

#define IN_ORDER(name)                        "types.h: the row of " #name " is not in the order of the numbers"
#define CHECK_TYPE(x, number, name, ...)      _Static_assert((int)number == (int)TYPE_AT_##name, IN_ORDER(name));
#define CHECK_OPERATION(x, number, name, ...) _Static_assert((int)number == (int)OPERATION_AT_##name, IN_ORDER(name));
TYPES(CHECK_TYPE, )
OPERATIONS(CHECK_OPERATION, )

/* A type of values that is new is none of these, and the compiler says so. */
#define LARGEST_OF(value)  _Generic((value)0, float : (double)FLT_MAX, double : DBL_MAX, int32_t : 0, int64_t : 0)
#define SMALLEST_OF(value) _Generic((value)0, float : 0x1p-149, double : 0x1p-1074, int32_t : 0, int64_t : 0)

#define TYPE_ROW(x, number, name, element, result, value, kind, digits, ...)                                           \
    {#name, sizeof(element), result, KIND_##kind, digits, LARGEST_OF(value), SMALLEST_OF(value)},
static const struct {
    const char *name;
    size_t size;
    int result;
    bool floating;
    unsigned digits;
    double largest, smallest;
} types[] = {TYPES(TYPE_ROW, )};

#define OPERATION_ROW(x, number, name, ...) #name,
static const char *const op_names[] = {OPERATIONS(OPERATION_ROW, )};

size_t type_size(int type) { return types[type].size; }

int type_of_result(int type) { return types[type].result; }

bool type_is_floating(int type) { return types[type].floating; }

unsigned type_digits(int type) { return types[type].digits; }

double type_largest(int type) { return types[type].largest; }

double type_smallest(int type) { return types[type].smallest; }

const char *type_name(int type) { return types[type].name; }

const char *op_name(int op) { return op_names[op]; }

int type_from_name(const char *name)
{
    for (int type = 0; type < TYPE_ALL; type++)
        if (strcmp(types[type].name, name) == 0)
            return type;
    return -1;
}

int op_from_name(const char *name)
{
    for (int op = 0; op < OP_ALL; op++)
        if (strcmp(op_names[op], name) == 0)
            return op;
    return -1;
}

/* Each function below is a switch with a case for each row. */

struct scalar scalar_from_double(int type, double x)
{
    struct scalar s = {.type = type_of_result(type)};

    switch (type) {
#define FROM_DOUBLE(x, number, name, element, result, value, kind, digits, bits, member, ...)                          \
    case number:                                                                                                       \
        s.as.member = (value)(x);                                                                                      \
        break;
        TYPES(FROM_DOUBLE, x)
    }
    return s;
}

#define WRAP_FLOATING(value, bits, x) (value)(x)
#define WRAP_WHOLE(value, bits, x)    (value)(bits)(uint64_t)(x)

struct scalar scalar_from_long(int type, int64_t x)
{
    struct scalar s = {.type = type_of_result(type)};

    switch (type) {
#define FROM_LONG(x, number, name, element, result, value, kind, digits, bits, member, ...)                            \
    case number:                                                                                                       \
        s.as.member = WRAP_##kind(value, bits, x);                                                                     \
        break;
        TYPES(FROM_LONG, x)
    }
    return s;
}

struct scalar scalar_from_element(int type, const void *element)
{
    struct scalar s = {.type = type_of_result(type)};
    uint16_t narrow;

    switch (type) {
#define FROM_COMMON(x, number, name, element, result, value, kind, digits, bits, member, ...)                          \
    case number:                                                                                                       \
        memcpy(&s.as.member, x, sizeof s.as.member);                                                                   \
        break;
        COMMON_TYPES(FROM_COMMON, element)
#define FROM_NARROW(x, number, name, element, result, value, kind, digits, bits, member, ...)                          \
    case number:                                                                                                       \
        memcpy(&narrow, x, sizeof narrow);                                                                             \
        s.as.member = name##_widen(narrow);                                                                            \
        break;
        NARROW_TYPES(FROM_NARROW, element)
    }
    return s;
}

struct scalar scalar_from_pattern(int type, const struct pattern *p, uint64_t i)
{
    struct scalar s = {.type = type_of_result(type)};

    switch (type) {
#define FROM_PATTERN(x, number, name, element, result, value, kind, digits, bits, member, ...)                         \
    case number:                                                                                                       \
        s.as.member = pattern_##name(p, i);                                                                            \
        break;
        TYPES(FROM_PATTERN, )
    }
    return s;
}

struct scalar scalar_identity(int type, int op)
{
    struct scalar s = {.type = type_of_result(type)};

    switch (type) {
#define IDENTITY_OF(member, number, name, combined, identity, ...)                                                     \
    case number:                                                                                                       \
        s.as.member = identity;                                                                                        \
        break;
#define IDENTITIES_OF(x, number, name, element, result, value, kind, digits, bits, member, largest, lowest, ...)       \
    case number: {                                                                                                     \
        const value LARGEST = largest, LOWEST = lowest;                                                                \
        switch (op) {                                                                                                  \
            OPERATIONS(IDENTITY_OF, member)                                                                            \
        }                                                                                                              \
        break;                                                                                                         \
    }
        TYPES(IDENTITIES_OF, )
    }
    return s;
}

double scalar_to_double(struct scalar s)
{
    switch (s.type) {
#define TO_DOUBLE(x, number, name, element, result, value, kind, digits, bits, member, ...)                            \
    case number:                                                                                                       \
        return (double)s.as.member;
        COMMON_TYPES(TO_DOUBLE, )
    }
    abort(); /* no such row */
}

int64_t scalar_to_long(struct scalar s)
{
    switch (s.type) {
#define TO_LONG(x, number, name, element, result, value, kind, digits, bits, member, ...)                              \
    case number:                                                                                                       \
        return (int64_t)s.as.member;
        COMMON_TYPES(TO_LONG, )
    }
    abort();
}

static double ulp_of_float(float x) { return (double)nextafterf(fabsf(x), INFINITY) - (double)fabsf(x); }

static double ulp_of_double(double x) { return nextafter(fabs(x), INFINITY) - fabs(x); }

#define ULP_FLOATING(x) _Generic((x), float : ulp_of_float, double : ulp_of_double)(x)
#define ULP_WHOLE(x)    1

double scalar_ulp(struct scalar s)
{
    switch (s.type) {
#define ULP(x, number, name, element, result, value, kind, digits, bits, member, ...)                                  \
    case number:                                                                                                       \
        return ULP_##kind(s.as.member);
        COMMON_TYPES(ULP, )
    }
    abort();
}

static const char *special_text(char text[SCALAR_TEXT_MAX], double value)
{
    snprintf(text, SCALAR_TEXT_MAX, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return text;
}

const char *double_text(char text[SCALAR_TEXT_MAX], double value)
{
    if (!isfinite(value))
        return special_text(text, value);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, SCALAR_TEXT_MAX, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

static const char *float_text(char text[SCALAR_TEXT_MAX], float value)
{
    if (!isfinite(value))
        return special_text(text, value);
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, SCALAR_TEXT_MAX, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    return text;
}

static const char *int_text(char text[SCALAR_TEXT_MAX], int32_t value)
{
    snprintf(text, SCALAR_TEXT_MAX, "%" PRId32, value);
    return text;
}

static const char *long_text(char text[SCALAR_TEXT_MAX], int64_t value)
{
    snprintf(text, SCALAR_TEXT_MAX, "%" PRId64, value);
    return text;
}

const char *scalar_text(char text[SCALAR_TEXT_MAX], struct scalar s)
{
    switch (s.type) {
#define TEXT(x, number, name, element, result, value, kind, digits, bits, member, ...)                                 \
    case number:                                                                                                       \
        return name##_text(text, s.as.member);
        COMMON_TYPES(TEXT, )
    }
    abort();
}
