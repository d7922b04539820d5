/* .npy files: every accepted type and format, and refusals.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "elements.h"
#include "files.h"

static unsigned char bytes[1 << 12];

static size_t write_version(int version, const char *header, size_t pad, const void *data, size_t size)
{
    size_t start = npy_begin(bytes, version, header, pad);

    memcpy(bytes + start, data, size);
    write_file("values.npy", bytes, start + size);
    return start + size;
}

TEST(types_and_versions)
{
    static const char *const descr[TYPE_COMMON] = {"<f4", "<f8", "<i4", "<i8"};

    for (int version = 1; version <= 3; version++)
        for (int type = 0; type < TYPE_COMMON; type++)
            for (size_t pad = 1; pad <= 64; pad *= 4) { /* 1: misaligned in the file */
                char header[128];
                snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (3,), }", descr[type],
                         version == 2 ? "True" : "False");
                write_version(version, header, pad, three[type], 3 * type_size(type));
                gives(pad == 1 ? type : -1, type, three[type], 3);
            }
}

/* Two-byte elements stay as they are, if requested. */
TEST(two_bytes)
{
    static const unsigned char little[] = {0x00, 0x3c, 0x00, 0xc0, 0xff, 0x7b},
                               big[] = {0x3c, 0x00, 0xc0, 0x00, 0x7b, 0xff};
    static const uint16_t bits[] = {0x3c00, 0xc000, 0x7bff};
    static const float values[] = {1, -2, 65504};

    for (int turn = 0; turn < 2; turn++) {
        write_npy(turn == 0 ? "{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }"
                            : "{'descr': '>f2', 'fortran_order': False, 'shape': (3,), }",
                  turn == 0 ? little : big, sizeof little);
        accepted(TYPE_HALF);
        ck_assert(in.type == TYPE_HALF && in.n == 3);
        ck_assert_mem_eq(in.data, bits, sizeof bits);
        ck_assert((in.note[0] == '\0') == (turn == 0));
        input_free(&in);
        gives(-1, TYPE_FLOAT, values, 3);
        refused(TYPE_BFLOAT16, "float16", "leave out --type");
    }
    write_npy("{'descr': '<V2', 'fortran_order': False, 'shape': (3,), }", little, sizeof little);
    gives(TYPE_BFLOAT16, TYPE_BFLOAT16, bits, 3);
    refused(TYPE_HALF, "bfloat16", "leave out --type");
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", floats, sizeof floats);
    refused(TYPE_HALF, "float32", "leave out --type");
}

static const struct bad_header {
    const char *header, *what, *next;
} bad_headers[] = {
    {"{'descr': '<u8', 'fortran_order': False, 'shape': (3,), }", "'<u8'", "a.astype"},
    {"{'descr': '<<f8', 'fortran_order': False, 'shape': (3,), }", "'<<f8'", "a.astype"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", "'|O'", "a.astype"},
    {"{'descr': '>', 'fortran_order': False, 'shape': (3,), }", "holds '>'", "a.astype"},
    {"{'descr': '', 'fortran_order': False, 'shape': (3,), }", "holds ''", "a.astype"},
    {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (3,), }", "structured", "one field"},
    {"{'descr': [('shape', '<f8')], 'fortran_order': False, 'shape': (3,), }", "structured", "one field"},
    {"{'descr': '<i8', 'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", "'descr'", "numpy.save"},
    {"{'fortran_order': False, 'shape': (3,), }", "'descr'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False}", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': 3}", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "single value", "reshape(-1)"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3;), }", "impossible", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967297), }", "cut off",
     "copy"}, /* 2^32 modulo 2^64 */
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", "4 elements, there are 3", "copy"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }", "impossible", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }", "impossible", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693955,), }", "cut off",
     "copy"}, /* 3 modulo 2^61 */
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551615,), }", "cut off", "copy"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", "4 elements, there are 3", "copy"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "8 bytes after its 2 elements", "numpy.save"},
    {"", "no dictionary", "numpy.save"},
    {"{'descr': '<f8', 'shape': (3,), }", "'fortran_order'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3), }", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,,), }", "'shape'", "numpy.save"},
    {"{'descr': '<f8', 'fortran_order': 0, 'shape': (3,), }", "'fortran_order'", "numpy.save"},
    {"{'xdescr': '<f8', 'fortran_order': False, 'shape': (3,)}", "no 'descr'", "numpy.save"},
};

TESTS(headers_refused, COUNT(bad_headers))
{
    const struct bad_header *b = &bad_headers[_i];
    write_npy(b->header, doubles, sizeof doubles);
    refused(-1, b->what, b->next);
}

TEST(headers_taken)
{
    static const char *const headers[] = {
        "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (3,)}",
        "{'shape': (3,), 'fortran_order': False, 'descr': '<f8'}",
        "{ 'descr' : '<f8' ,\n'fortran_order' :\nFalse , 'shape' : ( 3 , ) , }",
        "\n{'descr': 'float64', 'fortran_order': True, 'shape': (3, 1,)}",
        "{'descr': '<d', 'fortran_order': False, 'shape': (3, 1)}",
    };

    for (size_t i = 0; i < COUNT(headers); i++) {
        write_npy(headers[i], doubles, sizeof doubles);
        gives(-1, TYPE_DOUBLE, doubles, 3);
    }
}

/* A file cut off anywhere is refused, and never read beyond its end. */
TESTS(truncated, 3)
{
    size_t size = write_version(_i + 1, NPY_GOOD, 64, doubles, sizeof doubles);

    for (size_t kept = 0; kept < size; kept++) {
        write_file("values.npy", bytes, kept);
        if (kept < 6)
            refused(-1, "does not begin like a .npy file", "numpy.save");
        else
            refused(-1, "cut off", "copy it again");
    }
}

TEST(other_versions)
{
    write_version(4, NPY_GOOD, 64, doubles, sizeof doubles);
    refused(-1, "format 4.0", "numpy.save");
    size_t size = write_version(1, NPY_GOOD, 64, doubles, sizeof doubles);
    bytes[7] = 1;
    write_file("values.npy", bytes, size);
    refused(-1, "format 1.1", "numpy.save");

    static const char huge[] = "\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'";
    write_file("values.npy", huge, sizeof huge - 1);
    refused(-1, "cut off", "copy");
}

/* A file in another format: its bytes, the type it is read as, its values, and words of the note. */
static const struct form {
    const char *descr, *shape; /* the shape after F: in Fortran order */
    const char *hex;
    int asked, type;
    const char *values, *note;
} forms[] = {
    {">f8", "(2,)", "3ff8000000000000c000000000000000", -1, TYPE_DOUBLE, "1.5 -2",
     "big-endian float64, read as 2 elements of type double"},
    {">i4", "(2,)", "00000102fffffffe", -1, TYPE_INT, "258 -2", "big-endian int32, read as 2 elements of type int"},
    {">i8", "(1,)", "fffffffffffffffb", -1, TYPE_LONG, "-5", "big-endian int64"},
    {"<f2", "(4,)", "003c00c00100ff7b", -1, TYPE_FLOAT, "1 -2 0x1p-24 65504",
     "float16, read as 4 elements of type float"},
    {">f2", "(2,)", "7c00fc00", TYPE_DOUBLE, TYPE_DOUBLE, "inf -inf",
     "big-endian float16, read as 2 elements of type double"},
    {"<V2", "(2,)", "803f40c0", -1, TYPE_FLOAT, "1 -3", "bfloat16, read as 2 elements of type float"},
    {"bfloat16", "(1,)", "803f", -1, TYPE_FLOAT, "1", "bfloat16"},
    {"|b1", "(4,)", "000102ff", -1, TYPE_INT, "0 1 1 1", "bool"},
    {"|u1", "(3,)", "01ff80", -1, TYPE_INT, "1 255 128", "uint8, read as 3 elements of type int"},
    {"|i1", "(3,)", "01ff80", -1, TYPE_INT, "1 -1 -128", "int8"},
    {"|i1", "(3,)", "01ff80", TYPE_FLOAT, TYPE_FLOAT, "1 -1 -128", "int8, read as 3 elements of type float"},
    {"<i2", "(2,)", "0201ffff", -1, TYPE_INT, "258 -1", "int16"},
    {">u2", "(2,)", "0102ffff", TYPE_LONG, TYPE_LONG, "258 65535",
     "big-endian uint16, read as 2 elements of type long"},
    {"<u4", "(2,)", "01000000ffffffff", -1, TYPE_LONG, "1 4294967295", "uint32, read as 2 elements of type long"},
    {"<i4", "(1,)", "ffffffff", TYPE_DOUBLE, TYPE_DOUBLE, "-1", "int32, read as 1 elements of type double"},
    {"|u1", "(2, 2)", "01020304", -1, TYPE_INT, "1 2 3 4", "uint8, shape (2, 2), read as 4"},
    {"|u1", "F(2, 1,2)", "01020304", -1, TYPE_INT, "1 2 3 4", "shape (2, 1,2) in Fortran order"},
    {"<f4", "(3, 0)", "", -1, TYPE_FLOAT, "", "shape (3, 0)"},
    {"<f4", "F(1,)", "0000803f", -1, TYPE_FLOAT, "1", ""},
    {"<f2", "(2,)", "017e0080", -1, TYPE_FLOAT, "nan -0", "float16"},
    {"<f8", "(0,)", "", -1, TYPE_DOUBLE, "", ""},
};

static double value_of(size_t i) { return (double)element_at(in.type, in.data, i); }

TESTS(other_forms, COUNT(forms))
{
    const struct form *f = &forms[_i];
    bool fortran = *f->shape == 'F';
    unsigned char data[16];
    char header[128];
    size_t size = strlen(f->hex) / 2;

    for (size_t k = 0; k < size; k++)
        sscanf(f->hex + 2 * k, "%2hhx", &data[k]);
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", f->descr,
             fortran ? "True" : "False", f->shape + fortran);
    for (size_t pad = 1; pad <= 64; pad += 63) {
        char *rest = (char *)f->values;
        size_t n = 0;
        write_version(1, header, pad, data, size);
        accepted(f->asked);
        ck_assert_int_eq(in.type, f->type);
        for (; *rest != '\0'; n++) {
            double wanted = strtod(rest, &rest);
            ck_assert_uint_lt(n, in.n);
            ck_assert_msg(isnan(wanted) ? isnan(value_of(n))
                                        : value_of(n) == wanted && !signbit(value_of(n)) == !signbit(wanted),
                          "%s: element %zu is %g", header, n, value_of(n));
        }
        ck_assert_uint_eq(in.n, n);
        ck_assert_msg(*f->note == '\0' ? *in.note == '\0' : strstr(in.note, f->note) != NULL, "%s: the note is '%s'",
                      header, in.note);
        input_free(&in);
    }
}

/* A requested type that cannot hold all values of the file's type is refused. */
TEST(too_narrow)
{
    static const struct {
        const char *descr;
        int type;
    } narrow[] = {{"<i4", TYPE_FLOAT}, {"<u4", TYPE_INT}, {"<i8", TYPE_DOUBLE}, {"<f4", TYPE_LONG},
                  {"<f8", TYPE_FLOAT}, {"<f2", TYPE_INT}, {"<V2", TYPE_LONG},   {"<u4", TYPE_FLOAT}};

    for (size_t i = 0; i < COUNT(narrow); i++) {
        char header[128];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }", narrow[i].descr);
        write_npy(header, "\0\0\0\0\0\0\0", (size_t)(narrow[i].descr[2] - '0'));
        refused(narrow[i].type, "cannot hold", "--type");
    }
    write_npy(NPY_GOOD, doubles, sizeof doubles);
    refused(TYPE_FLOAT, "holds float64, which type float cannot hold", "leave out --type");
}
