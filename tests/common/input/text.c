/* Text: numbers, separators, and words that are not numbers.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "files.h"

TEST(numbers)
{
    write_text("values.csv", "# three numbers\n1, -2.5\t# and\r\n\n,0.1");
    gives(-1, TYPE_DOUBLE, doubles, 3);
    gives(TYPE_FLOAT, TYPE_FLOAT, floats, 3);
    write_text("values", "1 -2 -2147483648");
    gives(TYPE_INT, TYPE_INT, ints, 3);
    write_text("values.txt", "+1,-2,9223372036854775807,");
    gives(TYPE_LONG, TYPE_LONG, longs, 3);
    write_text("values.txt", "1 2049 -inf 1e-9 65519"); /* rounded to nearest */
    gives(TYPE_HALF, TYPE_HALF, (const uint16_t[]){0x3c00, 0x6800, 0xfc00, 0, 0x7bff}, 5);
    gives(TYPE_BFLOAT16, TYPE_BFLOAT16, (const uint16_t[]){0x3f80, 0x4500, 0xff80, 0x3089, 0x4780}, 5);
    write_text("values.txt", "1 65520");
    refused(TYPE_HALF, "65520 is outside the range of half", "--type float");

    write_text("values.txt", "nan inf -inf 1e-400 4.9e-324");
    accepted(TYPE_DOUBLE);
    const double *d = in.data;
    ck_assert(isnan(d[0]) && d[1] == INFINITY && d[2] == -INFINITY && d[3] == 0 && d[4] > 0);
    input_free(&in);
}

TEST(many_digits)
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

/* A decimal comma causes a warning, but is still read as two numbers. */
TEST(decimal_commas)
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

    for (size_t i = 0; i < COUNT(texts); i++) {
        write_text("values.txt", texts[i].text);
        accepted(-1);
        ck_assert_msg((strstr(in.warning, "decimal comma") != NULL) == texts[i].warned, "%s: '%s'", texts[i].text,
                      in.warning);
        input_free(&in);
    }
}

TEST(many_numbers)
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

static const struct bad_text {
    const char *text;
    int type;
    const char *what, *next;
} bad_texts[] = {
    {"", -1, "no numbers", "at least one"},
    {" \n# nothing\n,", -1, "no numbers", "at least one"},
    {"1\n2\nthree\n", -1, "line 3: 'three' is not a number", "correct"},
    {"1 2x", -1, "'2x' is not a number", "correct"},
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
    {"1\n\001\002\177", -1, "line 2: '?", "correct"}, /* the message stays one printable line */
};

TESTS(refusals, COUNT(bad_texts))
{
    const struct bad_text *b = &bad_texts[_i];
    write_text("values.txt", b->text);
    refused(b->type, b->what, b->next);
}

TEST(binary)
{
    write_file("values.dat", doubles, sizeof doubles);
    refused(TYPE_DOUBLE, "is binary", "*.bin");
    static char word[3000];
    memset(word, 'z', sizeof word);
    write_file("values.txt", word, sizeof word);
    refused(-1, "is not a number", "correct");
}

/* Text that ends at a page boundary has no NUL after it. */
TEST(whole_pages)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *text = malloc(size);
    memset(text, '7', size);
    for (size_t i = 0; i < size; i += 8)
        text[i] = i % 16 == 0 ? ' ' : '\n';
    write_file("values.txt", text, size);
    accepted(TYPE_INT);
    ALL(in.n == size / 8, ((const int32_t *)in.data)[in.n - 1] == 7777777);
    input_free(&in);
    memset(text, ' ', size);
    text[size - 1] = '#';
    text[0] = '5';
    write_file("values.txt", text, size);
    gives(TYPE_INT, TYPE_INT, NULL, 1);
    write_text("values.txt", "\xef\xbb\xbf"
                             "1 2");
    gives(-1, TYPE_DOUBLE, NULL, 2);
    free(text);
}
