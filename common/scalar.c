/* SPDX-License-Identifier: MIT */
#include "scalar.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[TYPE_ALL] = {"float", "double", "int",
                                                 "long",  "half",   "bfloat16"};
static const char *const op_names[OP_ALL] = {"sum", "min", "max", "and", "or", "xor"};

size_t type_size(int type)
{
    return type >= TYPE_COUNT ? 2 : type == TYPE_FLOAT || type == TYPE_INT ? 4 : 8;
}

int type_of_result(int type)
{
    return type >= TYPE_COUNT ? TYPE_FLOAT : type;
}

bool type_is_floating(int type)
{
    return type == TYPE_FLOAT || type == TYPE_DOUBLE;
}

double type_largest(int type)
{
    return type == TYPE_FLOAT ? (double)FLT_MAX : DBL_MAX;
}

double type_smallest(int type)
{
    return type == TYPE_FLOAT ? 0x1p-149 : 0x1p-1074;
}

double scalar_to_double(struct scalar value)
{
    return value.type == TYPE_FLOAT ? (double)value.as.f : value.as.d;
}

double scalar_ulp(struct scalar value)
{
    if (value.type == TYPE_FLOAT)
        return (double)nextafterf(fabsf(value.as.f), INFINITY) - (double)fabsf(value.as.f);
    if (value.type == TYPE_DOUBLE)
        return nextafter(fabs(value.as.d), INFINITY) - fabs(value.as.d);
    return 1;
}

const char *type_name(int type)
{
    return type_names[type];
}

const char *op_name(int op)
{
    return op_names[op];
}

static int find(const char *const *names, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return k;
    return -1;
}

int type_from_name(const char *name)
{
    return find(type_names, TYPE_ALL, name);
}

int op_from_name(const char *name)
{
    return find(op_names, OP_ALL, name);
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

const char *scalar_text(char text[SCALAR_TEXT_MAX], struct scalar value)
{
    switch (value.type) {
    case TYPE_FLOAT:
        return float_text(text, value.as.f);
    case TYPE_DOUBLE:
        return double_text(text, value.as.d);
    case TYPE_INT:
        snprintf(text, SCALAR_TEXT_MAX, "%" PRId32, value.as.i);
        return text;
    default:
        snprintf(text, SCALAR_TEXT_MAX, "%" PRId64, value.as.l);
        return text;
    }
}
