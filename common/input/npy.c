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

/* ---- the header: a dictionary in Python's notation, of which numpy.save writes three keys ---- */

static const char *after_blanks(const char *at) { return at + strspn(at, " \t\r\n"); }

/* What follows 'key': in the dictionary; NULL without that key, or with several, of which Python takes the last. */
static const char *value_of(const char *header, const char *key)
{
    const char *value = NULL;
    size_t length = strlen(key);

    for (const char *at = header; (at = strstr(at, key)) != NULL; at += length) {
        if (at == header || strchr("'\"", at[-1]) == NULL || at[length] != at[-1])
            continue;
        const char *colon = after_blanks(at + length + 1);
        if (*colon == ':' && value != NULL)
            return NULL;
        if (*colon == ':')
            value = after_blanks(colon + 1);
    }
    return value;
}

static bool is_code(const char *text, size_t length, const char *code)
{
    return strlen(code) == length && strncmp(text, code, length) == 0;
}

/* 'descr' */
static bool read_element(const struct reader *r, const char *at, struct layout *l)
{
    const char *name = at + 1, *end = *at == '\'' || *at == '"' ? strchr(name, *at) : NULL;

    if (*at == '[' || *at == '(')
        return reader_fail(r, "is a structured array; save one field of it as float64, for example");
    if (end == NULL)
        return reader_fail(r, "its .npy header has an impossible 'descr'; write it again with numpy.save");
    size_t length = (size_t)(end - name), order = length > 0 && strchr("<>|=", *name) != NULL;
    l->big_endian = *name == '>';
    for (size_t i = 0; i < ELEMENTS; i++)
        if (length > order && (is_code(name + order, length - order, elements[i].code) ||
                               is_code(name + order, length - order, elements[i].letter) ||
                               (order == 0 && is_code(name, length, elements[i].name)))) {
            l->element = &elements[i];
            return true;
        }
    return reader_fail(r, "holds '%.*s'; save a.astype with 'f4', 'f8', 'i4' or 'i8' instead",
                       length < 32 ? (int)length : 32, name);
}

/* 'shape': "(5,)" is that of five elements, "(2, 3)" of six; "()" has no dimension, and "(5)" is no tuple. */
static bool read_shape(const struct reader *r, const char *at, struct layout *l)
{
    const char *begin = at;
    bool empty = false, overflow = false, comma = false;

    l->n = 1;
    at = *at == '(' ? after_blanks(at + 1) : "";
    while (*at >= '0' && *at <= '9' && (l->dimensions == 0 || comma)) {
        char *end;
        errno = 0;
        unsigned long long count = strtoull(at, &end, 10);
        if (errno != 0 || count > SIZE_MAX)
            break;
        empty |= count == 0;
        overflow |= count != 0 && l->n > SIZE_MAX / count;
        if (!overflow && count != 0)
            l->n *= (size_t)count;
        l->dimensions++;
        at = after_blanks(end);
        comma = *at == ',';
        at = after_blanks(at + comma);
    }
    if (*at != ')' || (l->dimensions == 1 && !comma))
        return reader_fail(r, "its .npy header has an impossible 'shape'; write it again with numpy.save");
    snprintf(l->shape, sizeof l->shape, "%.*s", (int)(at - begin < 60 ? at - begin + 1 : 60), begin);
    if (empty)
        l->n = 0;
    else if (overflow)
        l->n = SIZE_MAX; /* more elements than any file has */
    return true;
}

static bool read_dictionary(const struct reader *r, const char *header, struct layout *l)
{
    static const char *const keys[] = {"descr", "shape", "fortran_order"};
    const char *value[3];

    if (*after_blanks(header) != '{')
        return reader_fail(r, "its .npy header is no dictionary; write it again with numpy.save");
    for (size_t k = 0; k < 3; k++)
        if ((value[k] = value_of(header, keys[k])) == NULL)
            return reader_fail(r, "its .npy header names no '%s', or two; write it again with numpy.save", keys[k]);
    l->fortran = strncmp(value[2], "True", 4) == 0;
    if (!l->fortran && strncmp(value[2], "False", 5) != 0)
        return reader_fail(r, "its .npy header has an impossible 'fortran_order'; write it again with numpy.save");
    if (!read_element(r, value[0], l) || !read_shape(r, value[1], l))
        return false;
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
    bool right = read_dictionary(r, header, l);
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
