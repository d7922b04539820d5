#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input_formats.h"
#include "harness/scalar.h"

bool input_fail(const struct reader *r, const char *format, ...)
{
    int used = snprintf(r->message, INPUT_MESSAGE_MAX, "%s %.200s: ", r->option, r->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->message + used, INPUT_MESSAGE_MAX - (size_t)used, format, arguments);
    va_end(arguments);
    for (char *c = r->message; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    return false;
}

/* ---- the file as it is ---- */

static bool read_all(const struct reader *r, int file, struct bytes *b)
{
    size_t capacity = (size_t)1 << 16, size = 0;
    char *data = malloc(capacity);
    ssize_t got = 1;

    while (data != NULL && got != 0) {
        got = read(file, data + size, capacity - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            int error = errno;
            free(data);
            return input_fail(
                r, "cannot be read: %s; give a readable file, or - for the standard input",
                strerror(error));
        }
        size += (size_t)got;
        if (size == capacity) {
            char *larger = capacity > SIZE_MAX / 2 ? NULL : realloc(data, 2 * capacity);
            if (larger == NULL)
                free(data);
            data = larger;
            capacity *= 2;
        }
    }
    if (data == NULL)
        return input_fail(r,
                          "does not fit into the memory of this machine (%zu bytes read so far); "
                          "give a shorter file",
                          size);
    *b = (struct bytes){data, size, false};
    return true;
}

/* A regular file at its beginning is mapped; if that fails, and for everything else, it is read. */
static bool read_file(const struct reader *r, int file, struct bytes *b)
{
    struct stat about;

    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
        lseek(file, 0, SEEK_CUR) == 0 && (uintmax_t)about.st_size <= SIZE_MAX) {
        size_t size = (size_t)about.st_size;
        void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data != MAP_FAILED) {
            posix_madvise(data, size, POSIX_MADV_SEQUENTIAL);
            *b = (struct bytes){data, size, true};
            return true;
        }
    }
    return read_all(r, file, b);
}

static bool open_file(const struct reader *r, const char *path, struct bytes *b)
{
    if (strcmp(path, "-") == 0)
        return read_file(r, STDIN_FILENO, b);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return input_fail(r,
                          "cannot be opened: %s; check the name, or give - for the standard input",
                          strerror(errno));
    bool right = read_file(r, file, b);
    close(file);
    return right;
}

static bool begins_with(const struct bytes *b, const char *text)
{
    size_t length = strlen(text);
    return b->size >= length && memcmp(b->data, text, length) == 0;
}

/* ---- raw ---- */

static bool read_raw(const struct reader *r, const struct bytes *b, struct input *in)
{
    if (r->type < 0)
        return input_fail(r, "is raw binary: give its type with --type float, double, int or long");
    size_t size = type_size(r->type);
    if (b->size == 0)
        return input_fail(r, "is empty; give a file with at least one number");
    if (b->size % size != 0)
        return input_fail(r,
                          "has %zu bytes, which is not a multiple of %zu, the size of %s; check %s",
                          b->size, size, type_name(r->type), r->type_fixed ? "the file" : "--type");
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
        range = errno == ERANGE && isinf(wide); /* not for values that underflow */
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

/* The next type that may hold what this one cannot, as advice. */
static const char *wider(int type)
{
    switch (type) {
    case TYPE_INT:
        return "use --type long or correct it";
    case TYPE_LONG:
    case TYPE_FLOAT:
        return "use --type double or correct it";
    default:
        return "correct it, there is no wider type";
    }
}

#define WORD_MAX 2048 /* a double in full has 1077 digits */

/* Appends the number that begins at word. */
static bool add_number(const struct reader *r, struct input *in, size_t *capacity, const char *word,
                       size_t length, size_t line)
{
    char text[WORD_MAX];
    size_t size = type_size(in->type);
    bool whole = in->type == TYPE_INT || in->type == TYPE_LONG;

    if (in->n == *capacity) {
        *capacity = *capacity == 0 ? 1024 : 2 * *capacity;
        void *larger = *capacity > SIZE_MAX / size ? NULL : realloc(in->memory, *capacity * size);
        if (larger == NULL)
            return input_fail(
                r, "its numbers do not fit into the memory of this machine; give a shorter file");
        in->memory = larger;
    }
    snprintf(text, sizeof text, "%.*s", length < WORD_MAX ? (int)length : WORD_MAX - 1, word);
    enum parsed parsed =
        length < WORD_MAX ? parse_number(text, in->type, in->memory, in->n) : PARSED_NO_NUMBER;
    if (parsed == PARSED_NO_NUMBER)
        return input_fail(r, "line %zu: '%.40s' is not a %s; correct it%s", line, text,
                          whole ? "whole number" : "number",
                          r->type_fixed ? ""
                          : whole       ? " or use --type double"
                                        : ", or name raw binary *.bin and give --type");
    if (parsed == PARSED_RANGE)
        return input_fail(r, "line %zu: %.40s is outside the range of %s; %s", line, text,
                          type_name(in->type), r->type_fixed ? "correct it" : wider(in->type));
    in->n++;
    return true;
}

static bool read_text(const struct reader *r, const struct bytes *b, struct input *in)
{
    const char *c = b->data, *end = b->data + b->size;

    if (begins_with(b, "\xff\xfe") || begins_with(b, "\xfe\xff"))
        return input_fail(r, "is text in UTF-16; save it as UTF-8 or ASCII");
    if (memchr(b->data, '\0', b->size) != NULL)
        return input_fail(
            r, r->type_fixed
                   ? "is binary; give numbers as text, or as .npy"
                   : "is binary; name it *.bin and give its type with --type, or save it as .npy");
    if (begins_with(b, "\xef\xbb\xbf")) /* the byte order mark of UTF-8, as some editors write it */
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
        return input_fail(r, "holds no numbers; give at least one");
    in->data = in->memory;
    return true;
}

/* ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool read_as(const struct reader *r, const char *path, const struct bytes *b,
                    struct input *in)
{
    bool raw = ends_with(path, ".bin") || ends_with(path, ".raw");

    if (npy_is(b))
        return npy_read(r, b, in);
    if (ends_with(path, ".npz") || (begins_with(b, "PK\x03\x04") && !raw))
        return input_fail(
            r, "is an archive of arrays (.npz); unpack it with unzip and give one .npy file");
    if (ends_with(path, ".npy"))
        return input_fail(
            r, "does not begin like a .npy file; write it with numpy.save, or rename it");
    return raw ? read_raw(r, b, in) : read_text(r, b, in);
}

static void release(const struct bytes *b)
{
    if (b->mapped)
        munmap((void *)b->data, b->size);
    else
        free((void *)b->data);
}

static bool read_input(const struct reader *r, const char *path, struct input *in)
{
    struct bytes b;

    memset(in, 0, sizeof *in);
    if (!open_file(r, path, &b))
        return false;
    bool right = read_as(r, path, &b, in);
    if (!right || in->memory != NULL) {
        release(&b);
    } else if (b.mapped) {
        in->mapping = (void *)b.data;
        in->mapping_bytes = b.size;
    } else {
        in->memory = (void *)b.data;
    }
    if (!right)
        input_free(in);
    return right;
}

bool input_read(const char *path, int type, struct input *in, char *message)
{
    return read_input(&(struct reader){"--input", path, type, false, message}, path, in);
}

bool input_read_for(const char *option, const char *path, int type, struct input *in, char *message)
{
    return read_input(&(struct reader){option, path, type, true, message}, path, in);
}

void input_free(struct input *in)
{
    if (in->mapping != NULL)
        munmap(in->mapping, in->mapping_bytes);
    free(in->memory);
    memset(in, 0, sizeof *in);
}
