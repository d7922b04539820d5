/* Valid files give their numbers; every other file gives one line that says what to do.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/files.h"

static char folder[64];
char path[256], message[INPUT_MESSAGE_MAX];
struct input in;

const double doubles[] = {1, -2.5, 0.1};
const float floats[] = {1, -2.5f, 0.1f};
const int32_t ints[] = {1, -2, INT32_MIN};
const int64_t longs[] = {1, -2, INT64_MAX};
const void *const three[TYPE_COMMON] = {floats, doubles, ints, longs};

static void make_folder(void)
{
    strcpy(folder, "/tmp/test_input_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}
SUITE_EACH(make_folder, remove_folder)

void write_file(const char *name, const void *data, size_t size)
{
    unlink(path);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ALL(file != NULL, fwrite(data, 1, size, file) == size, fclose(file) == 0);
}

void write_text(const char *name, const char *text) { write_file(name, text, strlen(text)); }

void write_npy(const char *header, const void *data, size_t size)
{
    unsigned char bytes[1024];
    size_t start = npy_begin(bytes, 1, header, 64);

    memcpy(bytes + start, data, size);
    write_file("values.npy", bytes, start + size);
}

void refused(int type, const char *what, const char *next)
{
    memset(message, 'x', sizeof message);
    ck_assert_msg(!input_read(path, type, &in, message), "accepted although %s", what);
    ALL(memchr(message, '\0', sizeof message) != NULL, strstr(message, path) != NULL);
    ck_assert_msg(strstr(message, what) != NULL, "'%s' lacks '%s'", message, what);
    ck_assert_msg(strstr(message, next) != NULL, "'%s' lacks '%s'", message, next);
    ALL(strchr(message, '\n') == NULL, in.memory == NULL);
}

void accepted(int type) { ck_assert_msg(input_read(path, type, &in, message), "%s", message); }

void gives(int asked, int type, const void *data, size_t n)
{
    accepted(asked);
    ALL(in.type == type, in.n == n, n == 0 || (uintptr_t)in.data % type_size(type) == 0,
        data == NULL || memcmp(in.data, data, n * type_size(type)) == 0);
    input_free(&in);
    ck_assert_ptr_null(in.data);
}

TEST(raw)
{
    static const char *const names[] = {"values.bin", "values.raw"};
    for (int type = 0; type < TYPE_COMMON; type++)
        for (size_t k = 0; k < 2; k++) {
            write_file(names[k], three[type], 3 * type_size(type));
            gives(type, type, three[type], 3);
            refused(-1, "raw binary", "--type");
        }
    static const uint16_t halves[] = {0x3c00, 0xc000, 0x7c00}; /* 1, -2, infinity */
    write_file("values.bin", halves, sizeof halves);
    gives(TYPE_HALF, TYPE_HALF, halves, 3);
    write_file("values.bin", doubles, 23);
    refused(TYPE_DOUBLE, "23 bytes, which is not a multiple of 8", "--type");
    write_file("values.bin", "", 0);
    refused(TYPE_DOUBLE, "empty", "give");
}

TEST(no_file)
{
    snprintf(path, sizeof path, "%s/not_there", folder);
    refused(-1, "No such file", "check the name");
    snprintf(path, sizeof path, "%s", folder);
    refused(-1, "directory", "give a readable file");
    path[0] = '\0';
    ck_assert(!input_read("", -1, &in, message));

    static char long_name[3000];
    memset(long_name, 'n', sizeof long_name - 1);
    ALL(!input_read(long_name, -1, &in, message), strstr(message, "check the name") != NULL);
}

TEST(standard_input)
{
    write_text("values.txt", "3 4\n");
    ALL(freopen(path, "r", stdin) != NULL, input_read("-", TYPE_INT, &in, message), in.n == 2,
        ((const int32_t *)in.data)[1] == 4);
    input_free(&in);

    write_npy(NPY_GOOD, doubles, sizeof doubles);
    ALL(freopen(path, "r", stdin) != NULL, input_read("-", -1, &in, message), in.n == 3);
    input_free(&in);
}

TEST(archive)
{
    write_file("values.npz", "PK\x03\x04rest", 8);
    refused(-1, ".npz", "unzip");
    write_file("values.data", "PK\x03\x04rest", 8);
    refused(-1, ".npz", "unzip");
    write_file("values.bin", "PK\x03\x04rest", 8); /* raw bytes, whatever they look like */
    gives(TYPE_INT, TYPE_INT, NULL, 2);
}

/* A file for another option: the message names that option and does not mention --type. */
TEST(other_option)
{
    static const char *const texts[] = {"0 x", "0 1.5", "0 99999999999999999999", "", "1\0"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_file("offsets", texts[i], i == 4 ? 2 : strlen(texts[i]));
        ck_assert(!input_read_for("--offsets", path, TYPE_LONG, &in, message));
        ck_assert_msg(strncmp(message, "--offsets ", 10) == 0, "%s", message);
        ck_assert_msg(strstr(message, "--type") == NULL, "%s", message);
    }
}

/* A regular file is mapped: its pages belong to the page cache, not to the process. */
TEST(mapped)
{
    write_file("values.bin", doubles, sizeof doubles);
    accepted(TYPE_DOUBLE);
    ALL(in.memory == NULL, in.mapping != NULL);
    input_free(&in);
    ck_assert_ptr_null(in.mapping);
    write_npy(NPY_GOOD, doubles, sizeof doubles);
    accepted(-1);
    ck_assert_ptr_null(in.memory);
    input_free(&in);

    /* 1 TiB, all of it a hole: too much for any memory. */
    write_file("values.bin", "", 0);
    if (truncate(path, (off_t)1 << 40) != 0)
        return; /* the file system does not support such files */
    accepted(TYPE_DOUBLE);
    ALL(in.n == (size_t)1 << 37, ((const double *)in.data)[in.n - 1] == 0);
    input_free(&in);
}
