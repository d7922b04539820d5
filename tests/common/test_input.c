/* Files that are right give their numbers; every other file gives one line that says what to do.
 * SPDX-License-Identifier: MIT */
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "scalar.h"

static char folder[64];
static char path[256];
static char message[INPUT_MESSAGE_MAX];
static struct input in;

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

/* Writes a file and names it in path. */
static void write_file(const char *name, const void *data, size_t size)
{
    unlink(path);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}

/* Writes a .npy file with this header text, padded as numpy does to a multiple of pad. Returns its size. */
static size_t write_npy(int version, const char *header, size_t pad, const void *data, size_t size)
{
    static char bytes[1 << 17];
    size_t start = version == 1 ? 10 : 12, length = strlen(header) + 1;
    length += (pad - (start + length) % pad) % pad;
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (char)version;
    bytes[7] = 0;
    for (size_t k = 0; k < start - 8; k++)
        bytes[8 + k] = (char)(length >> 8 * k & 255);
    memset(bytes + start, ' ', length);
    memcpy(bytes + start, header, strlen(header));
    bytes[start + length - 1] = '\n';
    memcpy(bytes + start + length, data, size);
    write_file("values.npy", bytes, start + length + size);
    return start + length + size;
}

/* The file is refused, in one line that names it and holds both words. */
static void refused(int type, const char *what, const char *next)
{
    memset(message, 'x', sizeof message);
    ck_assert_msg(!input_read(path, type, &in, message), "accepted although %s", what);
    ck_assert_ptr_nonnull(memchr(message, '\0', sizeof message));
    ck_assert_ptr_nonnull(strstr(message, path));
    ck_assert_msg(strstr(message, what) != NULL, "'%s' lacks '%s'", message, what);
    ck_assert_msg(strstr(message, next) != NULL, "'%s' lacks '%s'", message, next);
    ck_assert_ptr_null(strchr(message, '\n'));
    ck_assert_ptr_null(in.memory);
}

static void accepted(int type)
{
    ck_assert_msg(input_read(path, type, &in, message), "%s", message);
}

static const double doubles[] = {1, -2.5, 0.1};
static const float floats[] = {1, -2.5f, 0.1f};
static const int32_t ints[] = {1, -2, INT32_MIN};
static const int64_t longs[] = {1, -2, INT64_MAX};
static const void *const three[TYPE_COUNT] = {floats, doubles, ints, longs};
static const char *const descr[TYPE_COUNT] = {"<f4", "<f8", "<i4", "<i8"};

/* ---- .npy ---- */

START_TEST(npy_types_and_versions)
{
    for (int version = 1; version <= 3; version++)
        for (int type = 0; type < TYPE_COUNT; type++)
            for (size_t pad = 1; pad <= 64;
                 pad *= 4) { /* 1: the numbers are misaligned in the file */
                char header[128];
                snprintf(header, sizeof header,
                         "{'descr': '%s', 'fortran_order': %s, 'shape': (3,), }", descr[type],
                         version == 2 ? "True" : "False");
                write_npy(version, header, pad, three[type], 3 * type_size(type));
                accepted(pad == 1 ? type : -1);
                ck_assert_int_eq(in.type, type);
                ck_assert_uint_eq(in.n, 3);
                ck_assert_mem_eq(in.data, three[type], 3 * type_size(type));
                ck_assert_uint_eq((uintptr_t)in.data % type_size(type), 0);
                input_free(&in);
                ck_assert_ptr_null(in.data);
            }
}
END_TEST

START_TEST(npy_variations)
{
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }", 64, "", 0);
    accepted(-1);
    ck_assert_uint_eq(in.n, 0);
    input_free(&in);
    write_npy(1, "{'descr':'<f8','fortran_order':False,'shape':(3L,)}", 16, doubles,
              sizeof doubles);
    accepted(-1); /* written by Python 2 */
    ck_assert_uint_eq(in.n, 3);
    input_free(&in);
}
END_TEST

static const struct bad_header {
    const char *header, *what, *next;
} bad_headers[] = {
    {"{'descr': '<u8', 'fortran_order': False, 'shape': (3,), }", "'<u8'", "a.astype"},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': (3,), }", "'<f16'", "a.astype"},
    {"{'descr': '<<f8', 'fortran_order': False, 'shape': (3,), }", "'<<f8'", "a.astype"},
    {"{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }", "'<c16'", "a.astype"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", "'|O'", "a.astype"},
    {"{'descr': '>', 'fortran_order': False, 'shape': (3,), }", "holds '>'", "a.astype"},
    {"{'descr': '', 'fortran_order': False, 'shape': (3,), }", "holds ''", "a.astype"},
    {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (3,), }", "structured",
     "one field"},
    {"{'fortran_order': False, 'shape': (3,), }", "'descr'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False}", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': 3}", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "single value", "reshape(-1)"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3;), }", "impossible", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967297), }", "cut off",
     "copy"}, /* 2^32 modulo 2^64 */
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", "4 elements, there are 3",
     "copy"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }", "impossible", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (x,), }", "impossible", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
     "impossible", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693955,), }", "cut off",
     "copy"}, /* 3 modulo 2^61 */
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551615,), }", "cut off",
     "copy"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", "4 elements, there are 3",
     "copy"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "8 bytes after its 2 elements",
     "numpy.save"},
    {"", "no dictionary", "numpy.save"},
    /* what NumPy 2.4 refuses */
    {"{'descr': '<f8', 'shape': (3,), }", "'fortran_order'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3), }", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (03,), }", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,,), }", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': 0, 'shape': (3,), }", "'fortran_order'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': Falsehood, 'shape': (3,), }", "dictionary", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'x': 1}", "key 'x'", "numpy.save"},
    {"{'xdescr': '<f8', 'fortran_order': False, 'shape': (3,)}", "key 'xdescr'", "numpy.save"},
    {"x{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", "dictionary", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }x", "dictionary", "numpy.save"},
    {"{'descr': '<f8' 'fortran_order': False, 'shape': (3,), }", "dictionary", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,),,}", "dictionary", "numpy.save"},
};

START_TEST(npy_bad_headers)
{
    const struct bad_header *b = &bad_headers[_i];
    write_npy(1, b->header, 64, doubles, sizeof doubles);
    refused(-1, b->what, b->next);
}
END_TEST

static const char good_header[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";

/* What NumPy 2.4 takes. */
START_TEST(npy_good_headers)
{
    static const char *const headers[] = {
        "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (3,)}",
        "{'shape': (3,), 'fortran_order': False, 'descr': '<f8'}",
        "{ 'descr' : '<f8' ,\n'fortran_order' :\nFalse , 'shape' : ( 3 , ) , }",
        "\n{'descr': 'float64', 'fortran_order': True, 'shape': (3, 1,)}",
        "{'descr': '<d', 'fortran_order': False, 'shape': (3, 1)}",
        "{'descr': '<i4', 'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
    };

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        write_npy(1, headers[i], 64, doubles, sizeof doubles);
        accepted(-1);
        ck_assert_mem_eq(in.data, doubles, sizeof doubles);
        input_free(&in);
    }
}
END_TEST

/* Any byte but 0 is true. */
START_TEST(npy_bool)
{
    write_npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", 64, "\0\1\2\xff", 4);
    accepted(-1);
    const int32_t *i = in.data;
    ck_assert(i[0] == 0 && i[1] == 1 && i[2] == 1 && i[3] == 1);
    input_free(&in);
}
END_TEST

START_TEST(npy_wrong_type)
{
    write_npy(1, good_header, 64, doubles, sizeof doubles);
    refused(TYPE_FLOAT, "holds float64, which type float cannot hold", "leave out --type");
}
END_TEST

/* Cut off anywhere, the file is refused and never read beyond its end. */
START_TEST(npy_truncated)
{
    char bytes[512];
    size_t size = write_npy(_i, good_header, 64, doubles, sizeof doubles);
    FILE *file = fopen(path, "rb");
    ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, file), size);
    fclose(file);
    for (size_t kept = 6; kept < size; kept++) {
        write_file("values.npy", bytes, kept);
        refused(-1, "cut off", "copy it again");
    }
    for (size_t kept = 0; kept < 6; kept++) {
        write_file("values.npy", bytes, kept);
        refused(-1, "does not begin like a .npy file", "numpy.save");
    }
}
END_TEST

START_TEST(npy_other_versions)
{
    write_npy(1, good_header, 64, doubles, sizeof doubles);
    FILE *file = fopen(path, "r+b");
    fseek(file, 6, SEEK_SET);
    fputc(4, file);
    fclose(file);
    refused(-1, "format 4", "numpy.save");

    static const char huge[] = "\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'";
    write_file("values.npy", huge, sizeof huge - 1);
    refused(-1, "cut off", "copy");
}
END_TEST

/* ---- raw ---- */

START_TEST(raw)
{
    static const char *const names[] = {"values.bin", "values.raw"};
    for (int type = 0; type < TYPE_COUNT; type++)
        for (size_t k = 0; k < 2; k++) {
            write_file(names[k], three[type], 3 * type_size(type));
            accepted(type);
            ck_assert_int_eq(in.type, type);
            ck_assert_uint_eq(in.n, 3);
            ck_assert_mem_eq(in.data, three[type], 3 * type_size(type));
            input_free(&in);
            refused(-1, "raw binary", "--type");
        }
    write_file("values.bin", doubles, 23);
    refused(TYPE_DOUBLE, "23 bytes, which is not a multiple of 8", "--type");
    write_file("values.bin", "", 0);
    refused(TYPE_DOUBLE, "empty", "give");
}
END_TEST

/* Longer than the first buffer. */
START_TEST(raw_large)
{
    size_t n = 300001;
    int32_t *x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = (int32_t)i;
    write_file("values.bin", x, n * sizeof *x);
    accepted(TYPE_INT);
    ck_assert_uint_eq(in.n, n);
    ck_assert_int_eq(memcmp(in.data, x, n * sizeof *x), 0);
    input_free(&in);
    free(x);
}
END_TEST

/* ---- text ---- */

START_TEST(text)
{
    write_text("values.csv", "# three numbers\n1, -2.5\t# and\r\n\n,0.1");
    accepted(-1);
    ck_assert_int_eq(in.type, TYPE_DOUBLE);
    ck_assert_uint_eq(in.n, 3);
    ck_assert_mem_eq(in.data, doubles, sizeof doubles);
    input_free(&in);
    accepted(TYPE_FLOAT);
    ck_assert_mem_eq(in.data, floats, sizeof floats);
    input_free(&in);

    write_text("values", "1 -2 -2147483648");
    accepted(TYPE_INT);
    ck_assert_uint_eq(in.n, 3);
    ck_assert_mem_eq(in.data, ints, sizeof ints);
    input_free(&in);

    write_text("values.txt", "+1,-2,9223372036854775807,");
    accepted(TYPE_LONG);
    ck_assert_uint_eq(in.n, 3);
    ck_assert_mem_eq(in.data, longs, sizeof longs);
    input_free(&in);

    write_text("values.txt", "nan inf -inf 1e-400 4.9e-324");
    accepted(TYPE_DOUBLE);
    const double *d = in.data;
    ck_assert(isnan(d[0]) && d[1] == INFINITY && d[2] == -INFINITY && d[3] == 0 && d[4] > 0);
    input_free(&in);
}
END_TEST

START_TEST(text_of_many_digits)
{
    char *digits = calloc(1, 100000);

    memset(digits, '1', 50000);
    digits[1] = '.';
    write_text("values.txt", digits);
    accepted(-1);
    ck_assert(in.n == 1 && *(const double *)in.data == 1.1111111111111111);
    input_free(&in);
    digits[40000] = 'x';
    write_text("values.txt", digits);
    refused(-1, "line 1: '1.1111", "not a number");
    free(digits);
}
END_TEST

/* A warning, and two numbers all the same. */
START_TEST(text_with_decimal_commas)
{
    static const struct {
        const char *text;
        bool warned;
    } texts[] = {{"1,5", true},          {"# x\n-1,5\r\n+2,25 # y\n\n", true},
                 {"1,5 2,5\n3,5", true}, {"1,5\n2", false},
                 {"1, 5", false},        {"1,2,3", false},
                 {"1,5\n1.5", false},    {"1.5,2", false},
                 {",5", false},          {"1,", false},
                 {"1e3,5", false}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text("values.txt", texts[i].text);
        accepted(-1);
        ck_assert_msg((strstr(in.warning, "decimal comma") != NULL) == texts[i].warned, "%s: '%s'",
                      texts[i].text, in.warning);
        input_free(&in);
    }
}
END_TEST

START_TEST(text_large)
{
    size_t n = 50000, size = 0;
    char *text = malloc(8 * n);
    for (size_t i = 0; i < n; i++)
        size += (size_t)sprintf(text + size, "%zu\n", i);
    write_text("values.txt", text);
    accepted(TYPE_LONG);
    ck_assert_uint_eq(in.n, n);
    for (size_t i = 0; i < n; i += 777)
        ck_assert_int_eq(((const int64_t *)in.data)[i], (int64_t)i);
    input_free(&in);
    free(text);
}
END_TEST

static const struct bad_text {
    const char *text;
    int type;
    const char *what, *next;
} bad_texts[] = {
    {"", -1, "no numbers", "at least one"},
    {" \n# nothing\n,", -1, "no numbers", "at least one"},
    {"1\n2\nthree\n", -1, "line 3: 'three' is not a number", "correct"},
    {"1 2x", -1, "'2x' is not a number", "correct"},
    {"1;2", -1, "'1;2'", "correct"},
    {"1.5", TYPE_INT, "'1.5' is not a whole number", "--type double"},
    {"nan", TYPE_LONG, "'nan' is not a whole number", "--type double"},
    {"2147483648", TYPE_INT, "outside the range of int", "--type long"},
    {"-2147483649", TYPE_INT, "outside the range of int", "--type long"},
    {"99999999999999999999", TYPE_INT, "outside the range of int", "--type long"},
    {"9223372036854775808", TYPE_LONG, "outside the range of long", "--type double"},
    {"1e39", TYPE_FLOAT, "outside the range of float", "--type double"},
    {"1\n1e309", TYPE_DOUBLE, "line 2: 1e309 is outside the range of double", "correct it"},
    {"1e309", TYPE_DOUBLE, "outside the range of double", "there is no wider type"},
    {"\xff\xfe"
     "1",
     -1, "UTF-16", "save it as UTF-8"},
    {"\xfe\xff"
     "1",
     -1, "UTF-16", "save it as UTF-8"},
    {"1\n\001\002\177", -1, "line 2: '?", "correct"}, /* still one printable line */
};

START_TEST(text_bad)
{
    const struct bad_text *b = &bad_texts[_i];
    write_text("values.txt", b->text);
    refused(b->type, b->what, b->next);
}
END_TEST

START_TEST(text_is_binary)
{
    write_file("values.dat", doubles, sizeof doubles);
    refused(TYPE_DOUBLE, "is binary", "*.bin");
    static char word[3000];
    memset(word, 'z', sizeof word);
    write_file("values.txt", word, sizeof word);
    refused(-1, "is not a number", "correct");
}
END_TEST

/* ---- files ---- */

START_TEST(no_file)
{
    snprintf(path, sizeof path, "%s/not_there", folder);
    refused(-1, "No such file", "check the name");
    snprintf(path, sizeof path, "%s", folder);
    refused(-1, "directory", "give a readable file");
    path[0] = '\0';
    ck_assert(!input_read("", -1, &in, message));

    static char long_name[3000];
    memset(long_name, 'n', sizeof long_name - 1);
    ck_assert(!input_read(long_name, -1, &in, message));
    ck_assert_ptr_nonnull(strstr(message, "check the name"));
}
END_TEST

START_TEST(no_permission)
{
    write_text("values.txt", "1");
    ck_assert_int_eq(chmod(path, 0), 0);
    if (geteuid() != 0) /* root reads everything */
        refused(-1, "Permission denied", "check the name");
}
END_TEST

START_TEST(standard_input)
{
    write_text("values.txt", "3 4\n");
    ck_assert_ptr_nonnull(freopen(path, "r", stdin));
    ck_assert(input_read("-", TYPE_INT, &in, message));
    ck_assert_uint_eq(in.n, 2);
    ck_assert_int_eq(((const int32_t *)in.data)[1], 4);
    input_free(&in);

    write_npy(1, good_header, 64, doubles, sizeof doubles);
    ck_assert_ptr_nonnull(freopen(path, "r", stdin));
    ck_assert(input_read("-", -1, &in, message));
    ck_assert_uint_eq(in.n, 3);
    input_free(&in);
}
END_TEST

/* A file in another format, the values read from it, and the words of the note. */
static const struct form {
    const char *descr, *rest; /* after the descr */
    const unsigned char *bytes;
    size_t size;
    int asked, type;
    double values[4]; /* of as many elements as there are */
    size_t n;
    const char *note;
} forms[] = {
    {">f8",
     "'fortran_order': False, 'shape': (2,)",
     (const unsigned char *)"\x3f\xf8\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0",
     16,
     -1,
     TYPE_DOUBLE,
     {1.5, -2},
     2,
     "big-endian float64, read as 2 elements of type double"},
    {">i4",
     "'fortran_order': False, 'shape': (2,)",
     (const unsigned char *)"\0\0\1\2\xff\xff\xff\xfe",
     8,
     -1,
     TYPE_INT,
     {258, -2},
     2,
     "big-endian int32, read as 2 elements of type int"},
    {">i8",
     "'fortran_order': False, 'shape': (1,)",
     (const unsigned char *)"\xff\xff\xff\xff\xff\xff\xff\xfb",
     8,
     -1,
     TYPE_LONG,
     {-5},
     1,
     "big-endian int64"},
    {"<f2",
     "'fortran_order': False, 'shape': (4,)",
     (const unsigned char *)"\0\x3c\0\xc0\1\0\xff\x7b",
     8,
     -1,
     TYPE_FLOAT,
     {1, -2, 0x1p-24, 65504},
     4,
     "float16, read as 4 elements of type float"},
    {">f2",
     "'fortran_order': False, 'shape': (2,)",
     (const unsigned char *)"\x7c\0\xfc\0",
     4,
     TYPE_DOUBLE,
     TYPE_DOUBLE,
     {INFINITY, -INFINITY},
     2,
     "big-endian float16, read as 2 elements of type double"},
    {"<V2",
     "'fortran_order': False, 'shape': (2,)",
     (const unsigned char *)"\x80\x3f\x40\xc0",
     4,
     -1,
     TYPE_FLOAT,
     {1, -3},
     2,
     "bfloat16, read as 2 elements of type float"},
    {"bfloat16",
     "'fortran_order': False, 'shape': (1,)",
     (const unsigned char *)"\x80\x3f",
     2,
     -1,
     TYPE_FLOAT,
     {1},
     1,
     "bfloat16"},
    {"|b1",
     "'fortran_order': False, 'shape': (3,)",
     (const unsigned char *)"\1\0\1",
     3,
     -1,
     TYPE_INT,
     {1, 0, 1},
     3,
     "bool"},
    {"|u1",
     "'fortran_order': False, 'shape': (3,)",
     (const unsigned char *)"\1\xff\x80",
     3,
     -1,
     TYPE_INT,
     {1, 255, 128},
     3,
     "uint8, read as 3 elements of type int"},
    {"|i1",
     "'fortran_order': False, 'shape': (3,)",
     (const unsigned char *)"\1\xff\x80",
     3,
     -1,
     TYPE_INT,
     {1, -1, -128},
     3,
     "int8"},
    {"|i1",
     "'fortran_order': False, 'shape': (3,)",
     (const unsigned char *)"\1\xff\x80",
     3,
     TYPE_FLOAT,
     TYPE_FLOAT,
     {1, -1, -128},
     3,
     "int8, read as 3 elements of type float"},
    {"<i2",
     "'fortran_order': False, 'shape': (2,)",
     (const unsigned char *)"\2\1\xff\xff",
     4,
     -1,
     TYPE_INT,
     {258, -1},
     2,
     "int16"},
    {">u2",
     "'fortran_order': False, 'shape': (2,)",
     (const unsigned char *)"\1\2\xff\xff",
     4,
     TYPE_LONG,
     TYPE_LONG,
     {258, 65535},
     2,
     "big-endian uint16, read as 2 elements of type long"},
    {"<u4",
     "'fortran_order': False, 'shape': (2,)",
     (const unsigned char *)"\1\0\0\0\xff\xff\xff\xff",
     8,
     -1,
     TYPE_LONG,
     {1, 4294967295.0},
     2,
     "uint32, read as 2 elements of type long"},
    {"<i4",
     "'fortran_order': False, 'shape': (1,)",
     (const unsigned char *)"\xff\xff\xff\xff",
     4,
     TYPE_DOUBLE,
     TYPE_DOUBLE,
     {-1},
     1,
     "int32, read as 1 elements of type double"},
    {"|u1",
     "'fortran_order': False, 'shape': (2, 2)",
     (const unsigned char *)"\1\2\3\4",
     4,
     -1,
     TYPE_INT,
     {1, 2, 3, 4},
     4,
     "uint8, shape (2, 2), read as 4"},
    {"|u1",
     "'fortran_order': True, 'shape': (2, 1,2)",
     (const unsigned char *)"\1\2\3\4",
     4,
     -1,
     TYPE_INT,
     {1, 2, 3, 4},
     4,
     "shape (2, 1,2) in Fortran order"},
    {"<f4",
     "'fortran_order': False, 'shape': (3, 0)",
     (const unsigned char *)"",
     0,
     -1,
     TYPE_FLOAT,
     {0},
     0,
     "shape (3, 0)"},
    {"<f4",
     "'fortran_order': True, 'shape': (1,)",
     (const unsigned char *)"\0\0\x80\x3f",
     4,
     -1,
     TYPE_FLOAT,
     {1},
     1,
     ""},
};

START_TEST(npy_forms)
{
    const struct form *f = &forms[_i];
    char header[128];

    for (size_t pad = 1; pad <= 64; pad += 63) {
        snprintf(header, sizeof header, "{'descr': '%s', %s, }", f->descr, f->rest);
        write_npy(1, header, pad, f->bytes, f->size);
        accepted(f->asked);
        ck_assert_int_eq(in.type, f->type);
        ck_assert_uint_eq(in.n, f->n);
        for (size_t i = 0; i < in.n; i++) {
            double value = in.type == TYPE_FLOAT    ? (double)((const float *)in.data)[i]
                           : in.type == TYPE_DOUBLE ? ((const double *)in.data)[i]
                           : in.type == TYPE_INT    ? (double)((const int32_t *)in.data)[i]
                                                    : (double)((const int64_t *)in.data)[i];
            ck_assert_msg(value == f->values[i], "%s: element %zu is %g", header, i, value);
        }
        ck_assert_msg(*f->note == '\0' ? *in.note == '\0' : strstr(in.note, f->note) != NULL,
                      "%s: the note is '%s'", header, in.note);
        input_free(&in);
    }
}
END_TEST

/* NaN stays NaN, -0 stays -0. */
START_TEST(npy_half_specials)
{
    write_npy(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", 64, "\1\x7e\0\x80",
              4);
    accepted(-1);
    const float *f = in.data;
    ck_assert(isnan(f[0]) && f[1] == 0 && signbit(f[1]));
    input_free(&in);
}
END_TEST

/* A requested type that cannot hold all values of the file's type is refused. */
START_TEST(npy_too_narrow)
{
    static const struct {
        const char *descr;
        int type;
    } narrow[] = {{"<i4", TYPE_FLOAT}, {"<u4", TYPE_INT},   {"<i8", TYPE_DOUBLE},
                  {"<f4", TYPE_LONG},  {"<f8", TYPE_FLOAT}, {"<f2", TYPE_INT},
                  {"<V2", TYPE_LONG},  {"<u4", TYPE_FLOAT}};

    for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++) {
        char header[128];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }",
                 narrow[i].descr);
        write_npy(1, header, 64, "\0\0\0\0\0\0\0", (size_t)(narrow[i].descr[2] - '0'));
        refused(narrow[i].type, "cannot hold", "--type");
    }
}
END_TEST

START_TEST(archive)
{
    write_file("values.npz", "PK\x03\x04rest", 8);
    refused(-1, ".npz", "unzip");
    write_file("values.data", "PK\x03\x04rest", 8);
    refused(-1, ".npz", "unzip");
    write_file("values.bin", "PK\x03\x04rest", 8); /* raw is raw */
    accepted(TYPE_INT);
    ck_assert_uint_eq(in.n, 2);
    input_free(&in);
}
END_TEST

/* Another option's file: the message names that option, and does not mention --type. */
START_TEST(other_option)
{
    static const char *const texts[] = {"0 x", "0 1.5", "0 99999999999999999999", "", "1\0"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_file("offsets", texts[i], i == 4 ? 2 : strlen(texts[i]));
        ck_assert(!input_read_for("--offsets", path, TYPE_LONG, &in, message));
        ck_assert_msg(strncmp(message, "--offsets ", 10) == 0, "%s", message);
        ck_assert_msg(strstr(message, "--type") == NULL, "%s", message);
    }
}
END_TEST

/* A regular file is mapped: its pages belong to the page cache and not to the process. */
START_TEST(mapped)
{
    write_file("values.bin", doubles, sizeof doubles);
    accepted(TYPE_DOUBLE);
    ck_assert_ptr_null(in.memory);
    ck_assert_ptr_nonnull(in.mapping);
    input_free(&in);
    ck_assert_ptr_null(in.mapping);
    write_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 64, doubles,
              sizeof doubles);
    accepted(-1);
    ck_assert_ptr_null(in.memory);
    input_free(&in);

    /* 1 TiB, all of it a hole: no memory could take it. */
    write_file("values.bin", "", 0);
    if (truncate(path, (off_t)1 << 40) != 0)
        return; /* a file system without such files */
    accepted(TYPE_DOUBLE);
    ck_assert_uint_eq(in.n, (size_t)1 << 37);
    ck_assert(((const double *)in.data)[in.n - 1] == 0);
    input_free(&in);
}
END_TEST

/* Text that ends with a page has no NUL behind it. */
START_TEST(text_of_pages)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *text = malloc(size);
    memset(text, '7', size);
    for (size_t i = 0; i < size; i += 8)
        text[i] = i % 16 == 0 ? ' ' : '\n';
    write_file("values.txt", text, size);
    accepted(TYPE_INT);
    ck_assert_uint_eq(in.n, size / 8);
    ck_assert_int_eq(((const int32_t *)in.data)[in.n - 1], 7777777);
    input_free(&in);
    memset(text, ' ', size);
    text[size - 1] = '#';
    text[0] = '5';
    write_file("values.txt", text, size);
    accepted(TYPE_INT);
    ck_assert_uint_eq(in.n, 1);
    input_free(&in);
    write_text("values.txt", "\xef\xbb\xbf"
                             "1 2");
    accepted(-1);
    ck_assert_uint_eq(in.n, 2);
    input_free(&in);
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("input");
    TCase *npy = suite_case(suite, "npy");
    tcase_add_checked_fixture(npy, make_folder, remove_folder);
    tcase_add_test(npy, npy_types_and_versions);
    tcase_add_test(npy, npy_variations);
    tcase_add_loop_test(npy, npy_bad_headers, 0, (int)(sizeof bad_headers / sizeof *bad_headers));
    tcase_add_test(npy, npy_good_headers);
    tcase_add_test(npy, npy_bool);
    tcase_add_test(npy, npy_wrong_type);
    tcase_add_loop_test(npy, npy_truncated, 1, 4);
    tcase_add_test(npy, npy_other_versions);
    tcase_add_loop_test(npy, npy_forms, 0, (int)(sizeof forms / sizeof *forms));
    tcase_add_test(npy, npy_half_specials);
    tcase_add_test(npy, npy_too_narrow);
    TCase *raw_files = suite_case(suite, "raw");
    tcase_add_checked_fixture(raw_files, make_folder, remove_folder);
    tcase_add_test(raw_files, raw);
    tcase_add_test(raw_files, raw_large);
    TCase *text_files = suite_case(suite, "text");
    tcase_add_checked_fixture(text_files, make_folder, remove_folder);
    tcase_add_test(text_files, text);
    tcase_add_test(text_files, text_of_many_digits);
    tcase_add_test(text_files, text_with_decimal_commas);
    tcase_add_test(text_files, text_large);
    tcase_add_loop_test(text_files, text_bad, 0, (int)(sizeof bad_texts / sizeof *bad_texts));
    tcase_add_test(text_files, text_is_binary);
    TCase *files = suite_case(suite, "files");
    tcase_add_checked_fixture(files, make_folder, remove_folder);
    tcase_add_test(files, archive);
    tcase_add_test(files, other_option);
    tcase_add_test(files, mapped);
    tcase_add_test(files, text_of_pages);
    tcase_add_test(files, no_file);
    tcase_add_test(files, no_permission);
    tcase_add_test(files, standard_input);
    return suite_run(suite);
}
