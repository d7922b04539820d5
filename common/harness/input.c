#include "input.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scalar.h"

/* A whole file in memory, followed by a NUL. */
struct bytes {
    char *data;
    size_t size;
};

struct reader {
    const char *name; /* of the file, for messages */
    int type;         /* what the user wants, or -1 */
    char *message;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static bool
fail(const struct reader *r, const char *format, ...)
{
    int used = snprintf(r->message, INPUT_MESSAGE_MAX, "--input %.200s: ", r->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->message + used, INPUT_MESSAGE_MAX - (size_t)used, format, arguments);
    va_end(arguments);
    for (char *c = r->message; *c != '\0'; c++) /* one line, whatever was in the file */
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    return false;
}

/* ---- the file as it is ---- */

static bool read_all(const struct reader *r, FILE *file, struct bytes *b)
{
    size_t capacity = (size_t)1 << 16;
    char *data = malloc(capacity);
    size_t size = 0;
    while (data != NULL) {
        size += fread(data + size, 1, capacity - 1 - size, file);
        if (size < capacity - 1)
            break; /* the end, or an error */
        char *larger = capacity > SIZE_MAX / 2 ? NULL : realloc(data, 2 * capacity);
        if (larger == NULL)
            free(data);
        data = larger;
        capacity *= 2;
    }
    if (data == NULL)
        return fail(r,
                    "does not fit into the memory of this machine (%zu bytes read so far); give a "
                    "shorter file",
                    size);
    if (ferror(file)) {
        int error = errno;
        free(data);
        return fail(r, "cannot be read: %s; give a readable file, or - for the standard input",
                    strerror(error));
    }
    data[size] = '\0';
    *b = (struct bytes){data, size};
    return true;
}

static bool slurp(const struct reader *r, const char *path, struct bytes *b)
{
    if (strcmp(path, "-") == 0)
        return read_all(r, stdin, b);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail(r, "cannot be opened: %s; check the name, or give - for the standard input",
                    strerror(errno));
    bool right = read_all(r, file, b);
    fclose(file);
    return right;
}

/* ---- .npy: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html ---- */

static const char npy_magic[] = "\x93NUMPY";
#define NPY_MAGIC_SIZE (sizeof npy_magic - 1)

static size_t little_endian(const char *bytes, size_t count)
{
    size_t value = 0;
    while (count-- > 0)
        value = value << 8 | (unsigned char)bytes[count];
    return value;
}

/* What follows 'key': in the header, a dictionary in Python's notation; NULL if it is not there. */
static const char *npy_entry(const char *header, const char *key)
{
    const char *found = strstr(header, key);
    if (found == NULL)
        return NULL;
    found += strlen(key);
    found += strspn(found, " ");
    if (*found != ':')
        return NULL;
    found++;
    return found + strspn(found, " ");
}

static bool npy_type(const struct reader *r, const char *header, int *type)
{
    static const char *const descr[TYPE_COUNT] = {"<f4", "<f8", "<i4", "<i8"};
    const char *entry = npy_entry(header, "'descr'");
    if (entry == NULL)
        return fail(r, "its .npy header names no 'descr'; write it again with numpy.save");
    if (*entry != '\'')
        return fail(r, "is a structured array; save one field of it as float64, for example");
    const char *name = entry + 1;
    size_t length = strcspn(name, "'");
    for (int t = 0; t < TYPE_COUNT; t++)
        if (length == strlen(descr[t]) && strncmp(name, descr[t], length) == 0) {
            *type = t;
            return true;
        }
    int shown = length < 32 ? (int)length : 32;
    if (*name == '>')
        return fail(r, "is big endian ('%.*s'); save a.astype('<%.*s') instead", shown, name,
                    shown - 1, name + 1);
    return fail(r, "holds '%.*s'; save a.astype with '<f4', '<f8', '<i4' or '<i8' instead", shown,
                name);
}

/* "(5,)" is the shape of five elements, "()" and "(2, 3)" are none of one dimension. */
static bool npy_shape(const struct reader *r, const char *header, size_t *n)
{
    const char *entry = npy_entry(header, "'shape'");
    if (entry == NULL || *entry != '(' || strchr(entry, ')') == NULL)
        return fail(r, "its .npy header names no 'shape'; write it again with numpy.save");
    entry++;
    if (*entry == ')')
        return fail(r, "is a single value and no array; save a.reshape(-1) instead");
    char *end;
    errno = 0;
    unsigned long long count = strtoull(entry, &end, 10);
    if (end == entry || *entry < '0' || *entry > '9' || errno != 0 || count > SIZE_MAX)
        return fail(r, "its .npy header has an impossible 'shape'; write it again with numpy.save");
    end += *end == 'L'; /* Python 2 */
    if (strncmp(end, ",)", 2) != 0)
        return fail(r, "has more than one dimension; save a.reshape(-1) instead");
    *n = (size_t)count;
    return true;
}

static bool read_npy(const struct reader *r, struct bytes *b, struct input *in)
{
    if (b->size < NPY_MAGIC_SIZE + 4)
        return fail(r, "is cut off inside the .npy header; copy it again");
    unsigned version = (unsigned char)b->data[NPY_MAGIC_SIZE];
    if (version < 1 || version > 3)
        return fail(
            r, "is .npy of format %u; formats 1, 2 and 3 are known: write it again with numpy.save",
            version);
    size_t field = version == 1 ? 2 : 4, start = NPY_MAGIC_SIZE + 2 + field;
    if (b->size < start || b->size - start < little_endian(b->data + start - field, field))
        return fail(r, "is cut off inside the .npy header; copy it again");
    size_t length = little_endian(b->data + start - field, field), body = b->size - start - length;

    char *header = malloc(length + 1);
    if (header == NULL)
        return fail(r, "its .npy header of %zu bytes does not fit into memory", length);
    memcpy(header, b->data + start, length);
    header[length] = '\0';
    bool right = npy_type(r, header, &in->type) && npy_shape(r, header, &in->n);
    free(header);
    if (!right)
        return false;

    size_t size = type_size(in->type);
    if (r->type >= 0 && r->type != in->type)
        return fail(r, "holds type %s, not %s; leave out --type or convert the file",
                    type_name(in->type), type_name(r->type));
    if (in->n > body / size)
        return fail(r, "is cut off: its header says %zu elements, there are %zu; copy it again",
                    in->n, body / size);
    if (in->n * size != body)
        return fail(r, "has %zu bytes after its %zu elements; write it again with numpy.save",
                    body - in->n * size, in->n);
    memmove(b->data, b->data + start + length, body); /* aligned for every type */
    in->data = b->data;
    return true;
}

/* ---- raw ---- */

static bool read_raw(const struct reader *r, struct bytes *b, struct input *in)
{
    if (r->type < 0)
        return fail(r, "is raw binary: say what is in it with --type float, double, int or long");
    size_t size = type_size(r->type);
    if (b->size == 0)
        return fail(r, "is empty; give a file with at least one number");
    if (b->size % size != 0)
        return fail(r, "has %zu bytes, which is no multiple of %zu, the size of %s; check --type",
                    b->size, size, type_name(r->type));
    in->type = r->type;
    in->n = b->size / size;
    in->data = b->data;
    return true;
}

/* ---- text ---- */

enum parsed { PARSED, PARSED_NO_NUMBER, PARSED_RANGE };

/* Text is a NUL-terminated word without blanks. */
static enum parsed parse_number(const char *text, int type, void *values, size_t index)
{
    char *end;
    bool range;
    errno = 0;
    if (type == TYPE_FLOAT || type == TYPE_DOUBLE) {
        double wide = type == TYPE_FLOAT ? (double)strtof(text, &end) : strtod(text, &end);
        range = errno == ERANGE && isinf(wide); /* not for what is merely close to 0 */
        if (type == TYPE_FLOAT)
            ((float *)values)[index] = (float)wide;
        else
            ((double *)values)[index] = wide;
    } else {
        long long whole = strtoll(text, &end, 10);
        range = errno == ERANGE;
        if (type == TYPE_INT) {
            range |= whole < INT32_MIN || whole > INT32_MAX;
            ((int32_t *)values)[index] = range ? 0 : (int32_t)whole;
        } else {
            ((int64_t *)values)[index] = whole;
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

static bool read_text(const struct reader *r, struct bytes *b, struct input *in)
{
    if (memchr(b->data, '\0', b->size) != NULL)
        return fail(
            r, "is binary; name it *.bin and say what is in it with --type, or save it as .npy");

    in->type = r->type < 0 ? TYPE_DOUBLE : r->type;
    size_t size = type_size(in->type), capacity = 0, line = 1;
    for (char *c = b->data; *c != '\0';) {
        if (*c == '#')
            c += strcspn(c, "\n");
        if (*c == '\0')
            break;
        if (is_separator(*c)) {
            line += *c++ == '\n';
            continue;
        }
        char *word = c;
        while (*c != '\0' && *c != '#' && !is_separator(*c))
            c++;
        char after = *c;
        *c = '\0';
        if (in->n == capacity) {
            capacity = capacity == 0 ? 1024 : 2 * capacity;
            void *larger = capacity > SIZE_MAX / size ? NULL : realloc(in->memory, capacity * size);
            if (larger == NULL)
                return fail(
                    r,
                    "its numbers do not fit into the memory of this machine; give a shorter file");
            in->memory = larger;
        }
        switch (parse_number(word, in->type, in->memory, in->n)) {
        case PARSED_NO_NUMBER:
            return fail(r, "line %zu: '%.40s' is no %s; correct it%s", line, word,
                        in->type == TYPE_INT || in->type == TYPE_LONG ? "whole number" : "number",
                        in->type == TYPE_INT || in->type == TYPE_LONG
                            ? " or use --type double"
                            : ", or name raw binary *.bin and give --type");
        case PARSED_RANGE:
            return fail(r,
                        "line %zu: %.40s is outside the range of %s; use --type %s or correct it",
                        line, word, type_name(in->type), in->type == TYPE_INT ? "long" : "double");
        default:
            in->n++;
        }
        *c = after;
    }
    if (in->n == 0)
        return fail(r, "holds no numbers; give at least one");
    in->data = in->memory;
    return true;
}

/* ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

bool input_read(const char *path, int type, struct input *in, char *message)
{
    struct reader r = {path, type, message};
    struct bytes b;
    bool right;

    memset(in, 0, sizeof *in);
    if (!slurp(&r, path, &b))
        return false;
    if (b.size >= NPY_MAGIC_SIZE && memcmp(b.data, npy_magic, NPY_MAGIC_SIZE) == 0)
        right = read_npy(&r, &b, in);
    else if (ends_with(path, ".npy"))
        right = fail(&r, "does not begin like a .npy file; write it with numpy.save, or rename it");
    else if (ends_with(path, ".bin") || ends_with(path, ".raw"))
        right = read_raw(&r, &b, in);
    else
        right = read_text(&r, &b, in);

    if (right && in->memory == NULL)
        in->memory = b.data; /* the file is the array */
    else
        free(b.data);
    if (!right)
        input_free(in);
    return right;
}

void input_free(struct input *in)
{
    free(in->memory);
    memset(in, 0, sizeof *in);
}
