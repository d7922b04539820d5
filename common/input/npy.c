/* https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 * SPDX-License-Identifier: MIT */
#include "npy.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/narrow.h"
#include "values/scalar.h"

static const char magic[] = "\x93NUMPY";
#define MAGIC_SIZE (sizeof magic - 1)

/* The type of the file's elements. */
struct element {
    const char *code;   /* NumPy's, without the byte order */
    const char *letter; /* its other code; "": none */
    const char *name;
    size_t size;
    char kind;     /* f, b (bfloat16), i, u */
    int type;      /* the smallest of our types that holds all its values */
    unsigned bits; /* of a value without its sign; of a significand */
};

static const struct element elements[] = {
    {"f4", "f", "float32", 4, 'f', TYPE_FLOAT, 24},
    {"f8", "d", "float64", 8, 'f', TYPE_DOUBLE, 53},
    {"i4", "i", "int32", 4, 'i', TYPE_INT, 31},
    {"i8", "q", "int64", 8, 'i', TYPE_LONG, 63},
    {"f2", "e", "float16", 2, 'f', TYPE_FLOAT, 11},
    {"V2", "", "bfloat16", 2, 'b', TYPE_FLOAT, 8},
    {"bfloat16", "", "bfloat16", 2, 'b', TYPE_FLOAT, 8},
    {"b1", "?", "bool", 1, 'u', TYPE_INT, 1},
    {"i1", "b", "int8", 1, 'i', TYPE_INT, 7},
    {"u1", "B", "uint8", 1, 'u', TYPE_INT, 8},
    {"i2", "h", "int16", 2, 'i', TYPE_INT, 15},
    {"u2", "H", "uint16", 2, 'u', TYPE_INT, 16},
    {"u4", "I", "uint32", 4, 'u', TYPE_LONG, 32},
};
#define ELEMENTS (sizeof elements / sizeof elements[0])

struct layout {
    unsigned version; /* of the format */
    const struct element *element;
    bool big_endian, fortran;
    char shape[64]; /* as in the file */
    size_t dimensions, n;
};

bool npy_is(const struct bytes *b) { return b->size >= MAGIC_SIZE && memcmp(b->data, magic, MAGIC_SIZE) == 0; }

static size_t little_endian(const char *bytes, size_t count)
{
    size_t value = 0;
    while (count-- > 0)
        value = value << 8 | (unsigned char)bytes[count];
    return value;
}

/* ---- the header: a dictionary in Python's notation, of which NumPy takes these three keys and no other. NumPy takes
 * any expression; we take what numpy.save writes, with other blanks, quotes and order, but no comments, prefixed
 * strings, numbers in other bases, brackets around a value or names of types that only NumPy has. ---- */

static const char *after_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

/* The text in quotes at `at`; what follows it, or NULL. */
static const char *quoted(const char *at, const char **text, size_t *length)
{
    if (*at != '\'' && *at != '"')
        return NULL;
    const char *end = strchr(at + 1, *at);
    if (end == NULL || memchr(at, '\\', (size_t)(end - at)) != NULL || memchr(at, '\n', (size_t)(end - at)) != NULL)
        return NULL;
    *text = at + 1;
    *length = (size_t)(end - at - 1);
    return end + 1;
}

static bool is_code(const char *text, size_t length, const char *code)
{
    return strlen(code) == length && strncmp(text, code, length) == 0;
}

/* 'descr' */
static const char *read_element(const struct reader *r, const char *at, struct layout *l)
{
    const char *name;
    size_t length;

    if (*at == '[' || *at == '(') {
        reader_fail(r, "is a structured array; save one field of it as float64, for example");
        return NULL;
    }
    const char *end = quoted(at, &name, &length);
    if (end == NULL) {
        reader_fail(r, "its .npy header has an impossible 'descr'; write it again with numpy.save");
        return NULL;
    }
    size_t order = length > 0 && strchr("<>|=", *name) != NULL;
    l->big_endian = *name == '>';
    for (size_t i = 0; i < ELEMENTS; i++)
        if (length > order && (is_code(name + order, length - order, elements[i].code) ||
                               is_code(name + order, length - order, elements[i].letter) ||
                               (order == 0 && is_code(name, length, elements[i].name)))) {
            l->element = &elements[i];
            return end;
        }
    reader_fail(r, "holds '%.*s'; save a.astype with 'f4', 'f8', 'i4' or 'i8' instead", length < 32 ? (int)length : 32,
                name);
    return NULL;
}

/* 'shape': "(5,)" is that of five elements, "(2, 3)" of six; "()" has no dimension, and "(5)" is no tuple. */
static const char *read_shape(const struct reader *r, const char *at, struct layout *l)
{
    const char *begin = at;
    bool empty = false, overflow = false, comma = false;

    l->n = 1;
    l->dimensions = 0;
    at = *at == '(' ? after_blanks(at + 1) : "";
    while (*at >= '0' && *at <= '9' && (l->dimensions == 0 || comma)) {
        char *end;
        errno = 0;
        unsigned long long count = strtoull(at, &end, 10);
        if (errno != 0 || count > SIZE_MAX || (*at == '0' && count != 0))
            break;
        end += *end == 'L' && l->version < 3; /* Python 2 */
        empty |= count == 0;
        overflow |= count != 0 && l->n > SIZE_MAX / count;
        if (!overflow && count != 0)
            l->n *= (size_t)count;
        l->dimensions++;
        at = after_blanks(end);
        comma = *at == ',';
        at = after_blanks(at + comma);
    }
    if (*at != ')' || (l->dimensions == 1 && !comma)) {
        reader_fail(r, "its .npy header has an impossible 'shape'; write it again with numpy.save");
        return NULL;
    }
    snprintf(l->shape, sizeof l->shape, "%.*s", (int)(at - begin < 60 ? at - begin + 1 : 60), begin);
    if (empty)
        l->n = 0;
    else if (overflow)
        l->n = SIZE_MAX; /* more elements than any file has */
    return at + 1;
}

/* The value of one key; what follows it, or NULL after a message. */
static const char *read_value(const struct reader *r, const char *key, size_t length, const char *at, struct layout *l,
                              unsigned *seen)
{
    if (is_code(key, length, "descr")) {
        *seen |= 1;
        return read_element(r, at, l);
    }
    if (is_code(key, length, "shape")) {
        *seen |= 2;
        return read_shape(r, at, l);
    }
    if (is_code(key, length, "fortran_order")) {
        *seen |= 4;
        l->fortran = strncmp(at, "True", 4) == 0;
        if (l->fortran || strncmp(at, "False", 5) == 0)
            return at + (l->fortran ? 4 : 5);
        reader_fail(r, "its .npy header has an impossible 'fortran_order'; write it again with numpy.save");
        return NULL;
    }
    reader_fail(r,
                "its .npy header has a key '%.*s' that NumPy does not know; write it again with "
                "numpy.save",
                length < 32 ? (int)length : 32, key);
    return NULL;
}

/* Blanks at the beginning of a line are an indentation for Python, which refuses it outside of brackets; those on an
 * empty line are not. lines: what ends a line. */
static bool indented(const char *at, const char *end, const char *lines)
{
    for (; at < end; at++)
        if (strchr(lines, *at) != NULL && strncmp(at, "\r\n", 2) != 0) {
            const char *text = at + 1 + strspn(at + 1, " \t");
            if (text > at + 1 && (*text == '\0' || strchr("\r\n", *text) == NULL))
                return true;
        }
    return false;
}

static bool read_dictionary(const struct reader *r, const char *at, struct layout *l)
{
    static const char no_dictionary[] = "its .npy header is no dictionary; write it again with numpy.save";
    unsigned seen = 0;
    const char *begin = at;

    at = after_blanks(at);
    if (*at != '{' || indented(begin, at, "\r\n"))
        return reader_fail(r, no_dictionary);
    for (at = after_blanks(at + 1); *at != '}';) {
        const char *key;
        size_t length;
        at = quoted(at, &key, &length);
        at = at != NULL ? after_blanks(at) : "";
        if (*at != ':')
            return reader_fail(r, no_dictionary);
        at = read_value(r, key, length, after_blanks(at + 1), l, &seen);
        if (at == NULL)
            return false;
        at = after_blanks(at);
        if (*at != ',' && *at != '}')
            return reader_fail(r, no_dictionary);
        at = after_blanks(at + (*at == ','));
    }
    const char *end = after_blanks(at + 1); /* NumPy tidies up the lines of formats 1 and 2 */
    if (*end != '\0' || indented(at, end, l->version == 3 ? "\r\n" : "\r"))
        return reader_fail(r, no_dictionary);
    if (seen != 7)
        return reader_fail(r, "its .npy header names no '%s'; write it again with numpy.save",
                           !(seen & 1)   ? "descr"
                           : !(seen & 2) ? "shape"
                                         : "fortran_order");
    if (l->dimensions == 0)
        return reader_fail(r, "is a single value, not an array; save a.reshape(-1) instead");
    l->fortran &= l->dimensions > 1;
    return true;
}

/* Whether the type holds every value of e. */
static bool holds(int type, const struct element *e)
{
    bool from_whole = e->kind == 'i' || e->kind == 'u';

    if (type_of_result(type) != type) /* its own bits and no others */
        return e->size == type_size(type) && e->bits == type_digits(type) && !from_whole;
    return e->bits <= type_digits(type) && (type_is_floating(type) || from_whole);
}

/* ---- converting ---- */

static double real_value(const struct element *e, uint64_t bits)
{
    double wide;

    if (e->kind == 'b')
        return (double)bfloat16_widen((uint16_t)bits);
    if (e->size == 2)
        return (double)half_widen((uint16_t)bits);
    if (e->size == 4)
        return (double)narrow_float_of((uint32_t)bits);
    memcpy(&wide, &bits, sizeof wide);
    return wide;
}

static int64_t whole_value(const struct element *e, uint64_t bits)
{
    unsigned unused = (unsigned)(64 - 8 * e->size);

    if (e->bits == 1) /* bool: any bit makes it true */
        return bits != 0;
    if (e->kind == 'u')
        return (int64_t)bits;
    uint64_t sign = (uint64_t)1 << (63 - unused); /* extended by a subtraction that cannot overflow */
    return (int64_t)((bits ^ sign) - sign);
}

static void convert(void *values, int type, const char *from, const struct layout *l)
{
    const struct element *e = l->element;

    for (size_t i = 0; i < l->n; i++) {
        const unsigned char *at = (const unsigned char *)from + i * e->size;
        uint64_t bits = 0;
        for (size_t k = 0; k < e->size; k++)
            bits = bits << 8 | at[l->big_endian ? k : e->size - 1 - k];
        bool whole = e->kind == 'i' || e->kind == 'u';
        switch (type) {
#define CONVERT_FLOATING whole ? (double)whole_value(e, bits) : real_value(e, bits)
#define CONVERT_WHOLE    whole_value(e, bits)
#define CONVERT(x, number, name, element, result, value, kind, ...)                                                    \
    case number:                                                                                                       \
        ((element *)values)[i] = (element)(CONVERT_##kind);                                                            \
        break;
            COMMON_TYPES(CONVERT, )
#define CONVERT_NARROW(x, number, name, element, ...)                                                                  \
    case number:                                                                                                       \
        ((element *)values)[i] = (element)bits;                                                                        \
        break;
            NARROW_TYPES(CONVERT_NARROW, )
        }
    }
}

/* ---- all of it ---- */

static bool read_header(const struct reader *r, const struct bytes *b, struct layout *l, size_t *body)
{
    static const char cut_off[] = "is cut off inside the .npy header; copy it again";

    if (b->size < MAGIC_SIZE + 4)
        return reader_fail(r, cut_off);
    unsigned version = (unsigned char)b->data[MAGIC_SIZE];
    unsigned minor = (unsigned char)b->data[MAGIC_SIZE + 1];
    if (version < 1 || version > 3 || minor != 0)
        return reader_fail(r,
                           "is .npy of format %u.%u; formats 1.0, 2.0 and 3.0 are supported: write "
                           "it again with numpy.save",
                           version, minor);
    size_t field = version == 1 ? 2 : 4, start = MAGIC_SIZE + 2 + field;
    if (b->size < start || b->size - start < little_endian(b->data + start - field, field))
        return reader_fail(r, cut_off);
    size_t length = little_endian(b->data + start - field, field);

    char *header = malloc(length + 1);
    if (header == NULL)
        return reader_fail(r, "its .npy header of %zu bytes does not fit into memory", length);
    memcpy(header, b->data + start, length);
    header[length] = '\0';
    *body = start + length;
    l->version = version;
    bool right = memchr(header, '\0', length) == NULL && read_dictionary(r, header, l);
    if (memchr(header, '\0', length) != NULL)
        reader_fail(r, "has a .npy header with NUL in it; write it again with numpy.save");
    free(header);
    return right;
}

/* How the file's numbers were converted, if they were. */
static void explain(struct input *in, const struct layout *l)
{
    char shape[96] = "";
    bool other = l->element->type != type_of_result(in->type) || l->element->size != type_size(in->type);

    if (l->dimensions > 1)
        snprintf(shape, sizeof shape, ", shape %s%s", l->shape, l->fortran ? " in Fortran order" : "");
    if (other || l->big_endian || l->dimensions > 1)
        snprintf(in->note, sizeof in->note, "%s%s%s, read as %zu elements of type %s",
                 l->big_endian ? "big-endian " : "", l->element->name, shape, in->n, type_name(in->type));
}

bool npy_read(const struct reader *r, const struct bytes *b, struct input *in)
{
    struct layout l = {.n = 0};
    size_t start = 0;

    if (!read_header(r, b, &l, &start))
        return false;
    size_t size = l.element->size, body = b->size - start;
    in->type = r->type >= 0 ? r->type : l.element->type;
    in->n = l.n;
    if (!holds(in->type, l.element))
        return reader_fail(r, "holds %s, which type %s cannot hold; %sconvert the file", l.element->name,
                           type_name(in->type), r->type_fixed ? "" : "leave out --type or ");
    if (in->n > body / size)
        return reader_fail(r, "is cut off: its header says %zu elements, there are %zu; copy it again", in->n,
                           body / size);
    if (in->n * size != body)
        return reader_fail(r, "has %zu bytes after its %zu elements; write it again with numpy.save",
                           body - in->n * size, in->n);
    explain(in, &l);

    in->data = b->data + start;
    size_t own = type_size(in->type);
    bool same = own == size && type_of_result(in->type) == l.element->type && !l.big_endian;
    if (same && (uintptr_t)in->data % own == 0)
        return true;
    in->memory = in->n > SIZE_MAX / own ? NULL : malloc(in->n > 0 ? in->n * own : 1);
    if (in->memory == NULL)
        return reader_fail(r,
                           "its %zu elements of type %s do not fit into the memory of this machine; "
                           "give a shorter file",
                           in->n, type_name(in->type));
    if (same)
        memcpy(in->memory, in->data, body);
    else
        convert(in->memory, in->type, in->data, &l);
    in->data = in->memory;
    return true;
}
