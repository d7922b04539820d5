/* Mistakes of users: each one gives one line on standard error that names it, and the documented exit code.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "npy.h"
#include "program.h"
#include "suite.h"

static char folder[] = "/tmp/reduction_bad_XXXXXX";

static void write_file(const char *name, const void *bytes, size_t size)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* A .npy file with this header and five doubles 1.0. */
static void write_npy(const char *name, const char *header)
{
    static const double ones[] = {1, 1, 1, 1, 1};
    unsigned char bytes[512];
    size_t start = npy_begin(bytes, 1, header, 64);

    memcpy(bytes + start, ones, sizeof ones);
    write_file(name, bytes, start + sizeof ones);
}

static void set_up(void)
{
    program_need_device();
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_file("word.txt", "1 2 three 4\n", 12);
    write_file("fraction.txt", "1 2.5 3\n", 8);
    write_file("large.txt", "2147483648\n", 11);
    write_file("ten.bin", "0123456789", 10);
    write_npy("good.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }");
    write_npy("short.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }");
    write_npy("big_endian.npy", "{'descr': '>f8', 'fortran_order': False, 'shape': (5,), }");
}

static void tear_down(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* line: arguments, in which @ stands for the folder of files. words: what the message has to contain, the
 * alternatives separated by |. */
struct mistake {
    int status;
    const char *line, *words, *input;
};

static const struct mistake usage[] = {
    {2, "--sise 5", "--sise", NULL},
    {2, "-z", "-z", NULL},
    {2, "--no-verify", "--no-verify", NULL},
    {2, "data.npy", "data.npy", NULL},
    {2, "-n", "--size", NULL},
    {2, "-n -1", "negative", NULL},
    {2, "-n 5X", "suffix", NULL},
    {2, "-n 12KB", "suffix", NULL},
    {2, "-n 1,,2", "empty item", NULL},
    {2, "-n 99999999999999999999999", "too large", NULL},
    {2, "-n 65537T", "too large", NULL},
    {2, "-n 8..4", "range", NULL},
    {2, "-t half", "reduction_mixed does", NULL},
    {2, "-o mean", "sum, min, max", NULL},
    {2, "-p noise", "onehot", NULL},
    {2, "-n 10 -p onehot:10", "onehot:10", NULL},
    {2, "-b 0", "1 to 1024", NULL},
    {2, "-b 1025", "1 to 1024", NULL},
    {2, "-g 0", "from 1", NULL},
    {2, "-i 0", "from 1", NULL},
    {2, "-f yaml", "table, csv, json", NULL},
    {2, "-d 4711 -n 10", "--device 4711", NULL},
    {2, "-d -1", "--device", NULL},
    {2, "--ceiling fast", "--ceiling", NULL},
};

/* test_input.c has all that can be wrong with a file. */
static const struct mistake files[] = {
    {2, "--input @/gone.npy", "gone.npy", NULL},
    {2, "--input @/word.txt", "three", NULL},
    {2, "--input @/ten.bin", "--type", NULL},
    {2, "--input @/ten.bin -t int", "10 bytes|multiple|whole", NULL},
    {2, "--input @/good.npy -t float", "float", NULL},
    {2, "--input @/good.npy -n 6", "5 elements", NULL},
    {2, "--input @/good.npy -p ones", "--pattern", NULL},
    {2, "--input @/short.npy", "short.npy", NULL},
    {2, "--input @/good.npy -s 3", "--seed", NULL},
    {2, "--input @", "directory", NULL},
    {2, "--input -", "1x", "1 1x 3"},
    {2, "--input -", "empty|no numbers|no number", ""},
};

/* More memory than any machine has: refused before anything is allocated, with both numbers. */
static const struct mistake memory[] = {
    {3, "-n 64T -t double", "70368744177664 elements", NULL},
    {3, "-n 64T -t float", "256.0 TiB", NULL},
    {3, "-n 1K,64T,1K -f json", "free", NULL},
    {3, "-n 65536T -t long -f csv", "give a smaller --size", NULL},
};

static bool contains_one(const char *text, const char *words)
{
    char copy[256];

    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|"))
        if (strstr(text, word) != NULL)
            return true;
    return false;
}

static void expect(const struct mistake *m)
{
    char line[512];
    size_t length = 0;

    for (const char *c = m->line; *c != '\0'; c++)
        length +=
            (size_t)snprintf(line + length, sizeof line - length, *c == '@' ? folder : "%c", *c);
    struct ran r = program_run_words(program_path("reduction_striding"), line, m->input);
    ck_assert_msg(r.status == m->status, "%s: exit %d, not %d: %s", line, r.status, m->status,
                  r.error);
    ck_assert_msg(contains_one(r.error, m->words), "%s: the message lacks '%s': %s", line, m->words,
                  r.error);
    const char *end = strchr(r.error, '\n');
    ck_assert_msg(end != NULL && end[1] == '\0' && end != r.error, "%s: not exactly one line: %s",
                  line, r.error);
    ck_assert_msg(*r.out == '\0', "%s: writes to standard output as well: %s", line, r.out);
    ran_free(&r);
}

START_TEST(usage_mistakes)
{
    expect(&usage[_i]);
}
END_TEST

START_TEST(file_mistakes)
{
    expect(&files[_i]);
}
END_TEST

START_TEST(memory_mistakes)
{
    expect(&memory[_i]);
}
END_TEST

#ifdef __HIP_PLATFORM_CPU__
/* The device's memory is the host's, so both lists of 16 GiB of partials have to fit together. */
START_TEST(grid_mistake)
{
    if ((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) < 32e9)
        expect(&(struct mistake){3, "-n 10 -g 2147483647 -t double", "with --grid 2147483647 need",
                                 NULL});
}
END_TEST
#endif

/* A result that could not be written is no result. */
START_TEST(full_disk)
{
    char command[1200];

    if (access("/dev/full", W_OK) != 0)
        return;
    snprintf(command, sizeof command, "exec %s -n 1K --ceiling 1 >/dev/full",
             program_path("reduction_striding"));
    char *arguments[] = {"/bin/sh", "-c", command, NULL};
    struct ran r = program_run(arguments, NULL);
    ck_assert_int_eq(r.status, 3);
    ck_assert_ptr_nonnull(strstr(r.error, "could not be written"));
    ran_free(&r);
}
END_TEST

/* The valid neighbours of the mistakes above are accepted: the suite does not pass because everything fails. */
START_TEST(right_neighbours)
{
    static const struct mistake right[] = {
        {0, "-n 10 -p onehot:9", NULL, NULL},
        {0, "--input @/good.npy", NULL, NULL},
        {0, "--input @/good.npy -n 5 -t double", NULL, NULL},
        {0, "--input @/big_endian.npy", NULL, NULL},
        {0, "--input @/large.txt -t long", NULL, NULL},
        {0, "--input @/fraction.txt -t float", NULL, NULL},
        {0, "--input -", NULL, "1 1 3"},
        {0, "-n 1K -b 1024 -g 1", NULL, NULL},
    };

    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        char line[512];
        size_t length = (size_t)snprintf(line, sizeof line, "-i 1 -w 0 --ceiling 1 ");
        for (const char *c = right[i].line; *c != '\0'; c++)
            length += (size_t)snprintf(line + length, sizeof line - length,
                                       *c == '@' ? folder : "%c", *c);
        struct ran r = program_run_words(program_path("reduction_striding"), line, right[i].input);
        ck_assert_msg(r.status == 0, "%s: exit %d: %s", line, r.status, r.error);
        ck_assert_str_eq(r.error, "");
        ran_free(&r);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bad input");
    TCase *mistakes = suite_case(suite, "mistakes");

    tcase_add_unchecked_fixture(mistakes, set_up, tear_down); /* once, for all of them */
    tcase_add_loop_test(mistakes, usage_mistakes, 0, COUNT(usage));
    tcase_add_loop_test(mistakes, file_mistakes, 0, COUNT(files));
    tcase_add_loop_test(mistakes, memory_mistakes, 0, COUNT(memory));
#ifdef __HIP_PLATFORM_CPU__
    tcase_add_test(mistakes, grid_mistake);
#endif
    tcase_add_test(mistakes, full_disk);
    tcase_add_test(mistakes, right_neighbours);
    return suite_run(suite);
}
