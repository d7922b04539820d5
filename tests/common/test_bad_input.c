/* Users' mistakes: each causes one line on standard error that names it, and the documented exit code. Here are those that
 * need a whole program; test_options.c and test_input.c have all mistakes in options and files.
 * Suite: programs
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "suite.h"

static char folder[] = "/tmp/reduction_bad_XXXXXX";

static void set_up(void)
{
    static const char script[] =
        "cd %s; echo 1 1 1 1 1 >five; echo 0 5 3 10 >unordered; echo 1 10 >late; echo 0 10 >ten; "
        "echo 0 ten >words";
    char command[256];

    program_need_device();
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(command, sizeof command, script, folder);
    ck_assert_int_eq(system(command), 0);
}

static void tear_down(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}
SUITE_ONCE(set_up, tear_down)

/* line: arguments, in which @ stands for the folder of files, of striding, unless it begins with another variant; words: what
 * the message has; input: on standard input */
static const struct {
    int status;
    const char *line, *words, *input;
} cases[] = {
    {2, "--sise 5", "--sise", NULL},
    {2, "-n 10 -p onehot:10", "onehot:10", NULL},
    {0, "-n 10 -p onehot:9", NULL, NULL},
    {2, "-d 4711 -n 10", "--device 4711", NULL},
    {0, "-n 1K -b 1024 -g 1", NULL, NULL},
    {2, "--input @/gone", "gone", NULL},
    {2, "--input @/five -n 6", "5 elements", NULL},
    {0, "--input @/five -n 5 -t double", NULL, NULL},
    {2, "--input -", "1x", "1 1x 3"},
    {0, "--input -", NULL, "1 1 3"},
    /* More memory than any machine has: refused before any allocation, with both numbers. */
    {3, "-n 64T -t double", "70368744177664 elements", NULL},
    {3, "-n 64T -t float", "256.0 TiB", NULL},
    {3, "-n 1K,64T,1K -f json", "free", NULL},
    {3, "-n 65536T -t long -f csv", "give a smaller --size", NULL},
    /* Operations on bits: only for integers, and only if a variant has them. */
    {2, "atomic --op xor", "--op xor needs integers, not double: give --type int or long\n", NULL},
    {2, "atomic --type float --op and", "--op and needs integers, not float: give --type int or long\n", NULL},
    {2, "shfl --op or --type int", "--op or: reduction_shfl does not support it; reduction_atomic does\n", NULL},
    /* Segments. */
    {2, "segmented --offsets @/unordered -n 10", "--offsets: number 3 is 3, after 5; put them in order\n", NULL},
    {2, "segmented --offsets @/late -n 10", "--offsets: the first number must be 0, where the first segment begins\n",
     NULL},
    {2, "segmented --offsets @/ten -n 11", "--offsets: the last one is 10, but there are 11 elements; give --size 10\n",
     NULL},
    {2, "segmented --offsets @/ten -n 10 --ragged",
     "--ragged and --offsets both define the segments: give only one of them\n", NULL},
    {2, "segmented --offsets @/words -n 10", "--offsets ", NULL},
#ifdef __HIP_PLATFORM_CPU__ /* whose memory is the host's: both lists of 16 GiB of partials have to fit together */
    {3, "-n 10 -g 2147483647 -t double", "with --grid 2147483647 need", NULL},
#endif
};

TESTS(mistakes_and_their_neighbours, COUNT(cases))
{
    char line[512], name[32] = "reduction_striding";
    size_t length = (size_t)snprintf(line, sizeof line, "-i 1 -w 0 --ceiling 1 ");
    const char *options = cases[_i].line;

    if (strstr(cases[_i].line, "2147483647") != NULL &&
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) >= 32e9)
        return; /* there is room for them */
    if (*options != '-')
        snprintf(name, sizeof name, "reduction_%.*s", (int)strcspn(options, " "), options);
    for (const char *c = options + (*options == '-' ? 0 : strcspn(options, " ")); *c != '\0'; c++)
        length += (size_t)snprintf(line + length, sizeof line - length, *c == '@' ? folder : "%c", *c);
    struct ran r = program_run_words(program_path(name), line, cases[_i].input);
    ck_assert_msg(r.status == cases[_i].status, "%s: exit %d, not %d: %s", line, r.status, cases[_i].status, r.error);
    if (r.status == 0) {
        ck_assert_str_eq(r.error, "");
    } else {
        ck_assert_msg(strstr(r.error, cases[_i].words) != NULL, "%s: the message lacks '%s': %s", line, cases[_i].words,
                      r.error);
        ck_assert_msg(strchr(r.error, '\n') == r.error + strlen(r.error) - 1, "%s: not exactly one line: %s", line,
                      r.error);
        ck_assert_msg(*r.out == '\0', "%s: writes to standard output as well: %s", line, r.out);
    }
    ran_free(&r);
}
