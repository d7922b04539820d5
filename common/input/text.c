/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/narrow.h"
#include "values/scalar.h"

enum parsed { PARSED, PARSED_NO_NUMBER, PARSED_RANGE };

/* Text is a NUL-terminated word without blanks. */
static enum parsed parse_number(const char *text, int type, void *values, size_t index)
{
    char *end = NULL;
    bool range = false;

    errno = 0;
    switch ((enum type_row)type) {
    case TYPE_FLOAT: {
        float value = strtof(text, &end);
        range = errno == ERANGE && isinf(value); /* not for values that underflow */
        ((float *)values)[index] = value;
        break;
    }
    case TYPE_DOUBLE: {
        double value = strtod(text, &end);
        range = errno == ERANGE && isinf(value);
        ((double *)values)[index] = value;
        break;
    }
    case TYPE_HALF:
    case TYPE_BFLOAT16: {
        float value = strtof(text, &end);
        uint16_t bits = narrow_of(type, value);
        range = isinf(value) ? errno == ERANGE : isinf(narrow_widen(type, bits)) != 0;
        ((uint16_t *)values)[index] = bits;
        break;
    }
    case TYPE_INT: {
        long long value = strtoll(text, &end, 10);
        range = errno == ERANGE || value < INT32_MIN || value > INT32_MAX;
        ((int32_t *)values)[index] = range ? 0 : (int32_t)value;
        break;
    }
    case TYPE_LONG: {
        long long value = strtoll(text, &end, 10);
        range = errno == ERANGE;
        ((int64_t *)values)[index] = value;
        break;
    }
    }
    if (end == text || *end != '\0')
        return PARSED_NO_NUMBER;
    return range ? PARSED_RANGE : PARSED;
}

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f';
}

/* The next type that may hold what this one cannot, as advice. */
static const char *wider(int type)
{
    switch ((enum type_row)type) {
    case TYPE_INT:
        return "use --type long or correct it";
    case TYPE_HALF:
    case TYPE_BFLOAT16:
        return "use --type float or correct it";
    case TYPE_LONG:
    case TYPE_FLOAT:
        return "use --type double or correct it";
    case TYPE_DOUBLE:
        break;
    }
    return "correct it, there is no wider type";
}

#define WORD_USUAL 2048 /* a double in full has 1077 digits; longer words are copied elsewhere */

/* Appends the number that begins at word. */
static bool add_number(const struct reader *r, struct input *in, size_t *capacity, const char *word, size_t length,
                       size_t line)
{
    char text[WORD_USUAL];
    size_t size = type_size(in->type);
    bool whole = !type_is_floating(in->type);

    if (in->n == *capacity) {
        *capacity = *capacity == 0 ? 1024 : 2 * *capacity;
        void *larger = *capacity > SIZE_MAX / size ? NULL : realloc(in->memory, *capacity * size);
        if (larger == NULL)
            return reader_fail(r, "its numbers do not fit into the memory of this machine; give a shorter file");
        in->memory = larger;
    }
    char *copy = length < WORD_USUAL ? text : malloc(length + 1);
    if (copy == NULL)
        return reader_fail(r, "line %zu: a number does not fit into the memory of this machine", line);
    memcpy(copy, word, length);
    copy[length] = '\0';
    enum parsed parsed = parse_number(copy, in->type, in->memory, in->n);
    if (copy != text) {
        snprintf(text, sizeof text, "%s", copy);
        free(copy);
    }
    if (parsed == PARSED_NO_NUMBER)
        return reader_fail(r, "line %zu: '%.40s' is not a %s; correct it%s", line, text,
                           whole ? "whole number" : "number",
                           r->type_fixed ? ""
                           : whole       ? " or use --type double"
                                         : ", or name raw binary *.bin and give --type");
    if (parsed == PARSED_RANGE)
        return reader_fail(r, "line %zu: %.40s is outside the range of %s; %s", line, text, type_name(in->type),
                           r->type_fixed ? "correct it" : wider(in->type));
    in->n++;
    return true;
}

/* Digits, a comma, digits: true, and *end is after it. */
static bool is_decimal_comma(const char *c, const char **end, const char *stop)
{
    const char *digits;

    c += c < stop && (*c == '-' || *c == '+');
    for (digits = c; c < stop && *c >= '0' && *c <= '9';)
        c++;
    if (c == digits || c == stop || *c++ != ',')
        return false;
    for (digits = c; c < stop && *c >= '0' && *c <= '9';)
        c++;
    *end = c;
    return c > digits;
}

/* Does all of it look like numbers with decimal commas? */
static bool has_decimal_commas(const struct bytes *b)
{
    const char *c = b->data, *end = b->data + b->size;
    bool any = false;

    while (c < end) {
        if (is_separator(*c) && *c != ',') {
            c++;
            continue;
        }
        if (*c == '#') {
            const char *newline = memchr(c, '\n', (size_t)(end - c));
            c = newline == NULL ? end : newline;
            continue;
        }
        if (!is_decimal_comma(c, &c, end))
            return false;
        any = true;
        if (c < end && *c != '#' && (!is_separator(*c) || *c == ','))
            return false;
    }
    return any;
}

bool text_read(const struct reader *r, const struct bytes *b, struct input *in)
{
    const char *c = b->data, *end = b->data + b->size;

    if (bytes_begin_with(b, "\xff\xfe") || bytes_begin_with(b, "\xfe\xff"))
        return reader_fail(r, "is text in UTF-16; save it as UTF-8 or ASCII");
    if (memchr(b->data, '\0', b->size) != NULL)
        return reader_fail(r, r->type_fixed
                                  ? "is binary; give numbers as text, or as .npy"
                                  : "is binary; name it *.bin and give its type with --type, or save it as .npy");
    if (bytes_begin_with(b, "\xef\xbb\xbf")) /* the byte order mark of UTF-8, as some editors write it */
        c += 3;

    in->type = r->type < 0 ? TYPE_DOUBLE : r->type;
    size_t capacity = 0, line = 1;
    while (c < end) {
        if (*c == '#') {
            const char *newline = memchr(c, '\n', (size_t)(end - c));
            c = newline == NULL ? end : newline;
            continue;
        }
        if (is_separator(*c)) {
            line += *c++ == '\n';
            continue;
        }
        const char *word = c;
        while (c < end && *c != '#' && !is_separator(*c))
            c++;
        if (!add_number(r, in, &capacity, word, (size_t)(c - word), line))
            return false;
    }
    if (in->n == 0)
        return reader_fail(r, "holds no numbers; give at least one");
    in->data = in->memory;
    if (has_decimal_commas(b))
        snprintf(in->warning, sizeof in->warning,
                 "%s %.200s: a comma separates numbers, so each of these is read as two; write a "
                 "point if it is a decimal comma",
                 r->option, r->name);
    return true;
}
