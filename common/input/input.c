/* SPDX-License-Identifier: MIT */
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

#include "npy.h"
#include "reader.h"
#include "text.h"
#include "values/scalar.h"

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
            return reader_fail(r, "cannot be read: %s; give a readable file, or - for the standard input",
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
        return reader_fail(r,
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

    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 && lseek(file, 0, SEEK_CUR) == 0 &&
        (uintmax_t)about.st_size <= SIZE_MAX) {
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
        return reader_fail(r, "cannot be opened: %s; check the name, or give - for the standard input",
                           strerror(errno));
    bool right = read_file(r, file, b);
    close(file);
    return right;
}

/* ---- raw ---- */

static bool read_raw(const struct reader *r, const struct bytes *b, struct input *in)
{
    if (r->type < 0)
        return reader_fail(r, "is raw binary: give its type with --type float, double, int or long");
    size_t size = type_size(r->type);
    if (b->size == 0)
        return reader_fail(r, "is empty; give a file with at least one number");
    if (b->size % size != 0)
        return reader_fail(r, "has %zu bytes, which is not a multiple of %zu, the size of %s; check %s", b->size, size,
                           type_name(r->type), r->type_fixed ? "the file" : "--type");
    in->type = r->type;
    in->n = b->size / size;
    in->data = b->data;
    return true;
}

/* ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool read_as(const struct reader *r, const char *path, const struct bytes *b, struct input *in)
{
    bool raw = ends_with(path, ".bin") || ends_with(path, ".raw");

    if (npy_is(b))
        return npy_read(r, b, in);
    if (ends_with(path, ".npz") || (bytes_begin_with(b, "PK\x03\x04") && !raw))
        return reader_fail(r, "is an archive of arrays (.npz); unpack it with unzip and give one .npy file");
    if (ends_with(path, ".npy"))
        return reader_fail(r, "does not begin like a .npy file; write it with numpy.save, or rename it");
    return raw ? read_raw(r, b, in) : text_read(r, b, in);
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
