/* The command line: what is accepted, what is refused, and the messages.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "harness/options/options.h"
#include "harness/options/sizes.h"
#include "suite.h"

static const struct variant_option own[] = {
    {"shuffle", "down|xor|up", 1, 0, 0, "who receives from whom"},
    {"fast", "", 0, 0, 0, "skip the checks"},
    {"unroll", NULL, 4, 1, 64, "elements per thread"},
    {"edges", "<FILE>", 0, 0, 0, "where segments start"},
    VARIANT_OPTIONS_END,
};
static const struct variant variant = {.name = "reduction_test", .options = own};

static struct options o;
static char message[OPTIONS_MESSAGE_MAX];

/* line: arguments separated by single spaces; two spaces make an empty one */
static enum options_status parse(const char *line)
{
    char copy[4096], *argv[64] = {"reduction_test"};
    int argc = 1;

    strcpy(copy, line);
    for (char *at = copy; at != NULL && *line != '\0';) {
        char *space = strchr(at, ' ');
        if (space != NULL)
            *space++ = '\0';
        argv[argc++] = at;
        at = space;
    }
    /* -n and --input point into argv, which ends with this call */
    enum options_status status = options_parse(&o, &variant, argc, argv, message);
    o.input = o.input == NULL ? NULL : "kept";
    return status;
}

static void refused(const char *line, const char *words)
{
    ck_assert_msg(parse(line) == OPTIONS_ERROR, "taken: %s", line);
    ck_assert_msg(strstr(message, words) != NULL, "%s\n  says: %s\n  and not: %s", line, message, words);
    ck_assert_msg(strchr(message, '\n') == NULL, "%s says more than a line", line);
    /* What is wrong, and what to do. */
    ck_assert_msg(strpbrk(message, ":;") != NULL, "%s gives no advice: %s", line, message);
}

TEST(defaults)
{
    ALL(parse("") == OPTIONS_RUN, o.size_count == 0, o.type == TYPE_DOUBLE, !o.type_given, o.op == OP_SUM,
        o.pattern.kind == PATTERN_RANDOM, o.pattern.seed == 1, o.pattern.hot == PATTERN_HOT_LAST,
        (o.grid | o.block | o.iterations | o.warmup) == 0,
        !o.warmup_given && !o.cold && !o.quiet && !o.list_devices && o.input == NULL, o.format == FORMAT_TABLE,
        o.device == 0);
    ALL(o.ceiling == 0, o.option[0] == 1, o.option[1] == 0, o.option[2] == 4, o.option[3] == 0, o.text[3] == NULL);
}

TEST(everything)
{
    ck_assert_int_eq(parse("--size 3K --type float --op max --pattern onehot:5 --seed 18446744073709551615 "
                           "--grid 7 --block 96 --iterations 9 --warmup 0 --device 2 --format json --cold "
                           "--quiet --list-devices --ceiling 12.5 --offset 3 --shuffle up --fast --unroll 64 "
                           "--edges x"),
                     OPTIONS_DEVICES);
    ALL(o.size_count == 1, o.sizes[0] == 3072, o.type == TYPE_FLOAT,
        o.type_given && o.warmup_given && o.cold && o.quiet, o.op == OP_MAX, o.pattern.kind == PATTERN_ONEHOT,
        o.pattern.hot == 5, o.pattern.seed == UINT64_MAX, o.grid == 7, o.block == 96, o.iterations == 9, o.warmup == 0);
    ALL(o.device == 2, o.format == FORMAT_JSON, o.ceiling == 12.5, o.offset == 3, o.option[0] == 2, o.option[1] == 1,
        o.option[2] == 64, o.option[3] == 1, o.text[3] != NULL);
}

TEST(by_name)
{
    struct reduction r = {.n = 0};

    variant_options_default(&variant, &r);
    ALL(r.option[0] == 1, r.option[1] == 0, r.option[2] == 4, r.option[3] == 0,
        variant_option_set(&variant, &r, "shuffle", "up") && r.option[0] == 2,
        variant_option_set(&variant, &r, "fast", NULL) && r.option[1] == 1,
        variant_option_set(&variant, &r, "unroll", "64") && r.option[2] == 64,
        variant_option_set(&variant, &r, "edges", "x") && strcmp(r.text[3], "x") == 0);
    ALL(!variant_option_set(&variant, &r, "shuffle", "sideways"), !variant_option_set(&variant, &r, "shuffle", NULL),
        !variant_option_set(&variant, &r, "unroll", "0"), !variant_option_set(&variant, &r, "unroll", "65"),
        !variant_option_set(&variant, &r, "no-such-option", "1"));
}

TEST(letters)
{
    ck_assert_int_eq(parse("-n1M -t long -o min -p mixed -s 0 -g 1 -b 1024 -i 1 -w 2 -d 1 -f csv -c -q -L"),
                     OPTIONS_DEVICES);
    ALL(o.sizes[0] == 1 << 20, o.type == TYPE_LONG, o.op == OP_MIN, o.pattern.kind == PATTERN_MIXED,
        o.pattern.seed == 0, o.block == 1024, o.warmup == 2, o.format == FORMAT_CSV, o.cold && o.quiet,
        parse("--input x") == OPTIONS_RUN, o.input != NULL, parse("-q -h -z") == OPTIONS_HELP);
    ALL(parse("--version") == OPTIONS_VERSION, parse("-V") == OPTIONS_VERSION);
}

TEST(sizes)
{
    /* clang-format off */
    static const struct {
        const char *text;
        size_t value;
    } right[] = {
        {"0", 0}, {"1", 1}, {"007", 7}, {"1K", 1024}, {"1k", 1024}, {"3M", 3145728}, {"1G", (size_t)1 << 30},
        {"8g", (size_t)1 << 33}, {"1T", (size_t)1 << 40}, {"65536T", SIZE_MOST}, {"72057594037927936", SIZE_MOST}
    };
    static const char *const bad[] = {
        "", "-1", "K", "1KB", "1.5M", "1e6", " 1", "1 ", "0x1", "1P", "+1", "72057594037927937", "65537T",
        "18446744073709551616", "99999999999999999999999T"
    };
    /* clang-format on */
    size_t value;

    for (size_t i = 0; i < COUNT(right); i++) {
        ck_assert_msg(sizes_one(right[i].text, &value) == NULL, "refused: %s", right[i].text);
        ck_assert_uint_eq(value, right[i].value);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        ck_assert_msg(sizes_one(bad[i], &value) != NULL, "taken: '%s' as %zu", bad[i], value);
}

TEST(lists)
{
    ALL(parse("-n 1K,5M,0,1K") == OPTIONS_RUN, o.size_count == 4, o.sizes[0] == 1024, o.sizes[1] == 5 << 20,
        o.sizes[2] == 0, o.sizes[3] == 1024);

    ALL(parse("-n 1..1G") == OPTIONS_RUN, o.size_count == 31, o.sizes[30] == 1 << 30,
        parse("-n 3,5..21,7") == OPTIONS_RUN, o.size_count == 5, o.sizes[1] == 5, o.sizes[3] == 20, o.sizes[4] == 7);
    ck_assert_int_eq(parse("-n 9 -n 4"), OPTIONS_RUN); /* the last one wins */
    ALL(o.size_count == 1, o.sizes[0] == 4);

    char line[4096] = "-n 0";
    for (int i = 1; i < SIZES_MAX; i++)
        strcat(line, ",0");
    ALL(parse(line) == OPTIONS_RUN, o.size_count == SIZES_MAX);
    strcat(line, ",0");
    refused(line, "more than 256 sizes");
}

static const struct {
    const char *line, *words;
} mistakes[] = {
    {"--sise 5", "unknown option '--sise'"},
    {"-z", "unknown option '-z'"},
    {"-qz", "unknown option '-z'"},
    {"--no-verify", "unknown option '--no-verify'"},
    {"--type", "--type needs a value"},
    {"-n", "--size needs a value"},
    {"--unroll", "--unroll needs a value"},
    {"--cold=1", "--cold takes no value"},
    {"--fast=1", "--fast takes no value"},
    {"file.npy", "unexpected 'file.npy'"},
    {"-n -5", "'-5' is negative"},
    {"-n 5X", "'5X' has a suffix that is not K, M, G or T"},
    {"-n many", "'many' is not a number"},
    {"-n 99999999999999999999", "too large"},
    {"-n 1,,2", "'1,,2' has an empty item"},
    {"-n 1,", "'1,' has an empty item"},
    {"-n ", "'' is empty"},
    {"-n 0x10", "'0x10' is not a decimal number"},
    {"-n 4..2", "'4..2' is not a range"},
    {"-n 0..2", "'0..2' is not a range"},
    {"-n 1..", "'1..' has a range without one of its ends"},
    {"-n ..5", "'..5' has a range without"},
    {"-n 1..2..3", "'2..3'"},
    {"-t half", "--type half: reduction_test does not support it; reduction_mixed does"},
    {"-t bfloat16", "--type bfloat16: reduction_test does not support it"},
    {"-t halves", "give one of float, double, int, long"},
    {"-o mean", "give one of sum, min, max"},
    {"-p noise", "give one of random, ones, constant, ramp, mixed, onehot"},
    {"-p onehot:", "the index is not a number"},
    {"-p onehot:-1", "the index is negative"},
    {"-s -1", "whole number from 0 to 18446744073709551615"},
    {"-s 18446744073709551616", "whole number"},
    {"-g 0", "whole number from 1 to 2147483647"},
    {"-g 2147483648", "whole number"},
    {"-b 0", "whole number from 1 to 1024"},
    {"-b 1025", "whole number from 1 to 1024"},
    {"-b 32x", "whole number from 1 to 1024"},
    {"-i 0", "whole number from 1"},
    {"-w -1", "whole number from 0"},
    {"-d -1", "whole number from 0"},
    {"-f xml", "give one of table, csv, json"},
    {"--offset -1", "whole number from 0"},
    {"--ceiling 0", "above 0"},
    {"--ceiling nan", "above 0"},
    {"--ceiling 5GB", "above 0"},
    {"--input ", "name of a file"},
    {"--input x -p ones", "give only one of them"},
    {"--input x -s 5", "--seed has no effect"},
    {"--shuffle sideways", "give one of down|xor|up"},
    {"--shuffle dow", "give one of down|xor|up"},
    {"--shuffle ", "give one of down|xor|up"},
    {"--unroll 0", "whole number from 1 to 64"},
    {"--unroll 65", "whole number from 1 to 64"},
    {"-t a\nb", "a?b"}, /* stays one line */
};

TESTS(errors, COUNT(mistakes)) { refused(mistakes[_i].line, mistakes[_i].words); }

/* The parser accepts every option that --help names, and --help names every option in a second list, kept here: no option
 * can get lost. */
TEST(help)
{
    static const char *const names[] = {"size",    "type",   "op",           "pattern",    "seed",   "input",
                                        "offset",  "grid",   "block",        "iterations", "warmup", "cold",
                                        "ceiling", "device", "list-devices", "format",     "quiet",  "help",
                                        "version", "edges",  "shuffle",      "fast",       "unroll"};
    char *text = NULL, wanted[64];
    size_t size, seen = 0;
    FILE *file = open_memstream(&text, &size);

    options_help(file, &variant);
    fclose(file);
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(wanted, sizeof wanted, "--%s", names[i]);
        ck_assert_msg(strstr(text, wanted) != NULL, "--help is silent about %s", wanted);
    }
    ALL(strstr(text, "who receives from whom. Default: xor") != NULL, strstr(text, "--unroll 1..64") != NULL,
        strstr(text, "--edges <FILE>") != NULL, strstr(text, "Default: 4") != NULL, strstr(text, "Examples") != NULL,
        strstr(text, "powers of two") != NULL);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        ck_assert_msg(strlen(line) <= 100, "too wide: %s", line);
        const char *name =
            strncmp(line, "  -", 3) == 0 || strncmp(line, "      --", 8) == 0 ? strstr(line, "--") : NULL;
        if (name == NULL)
            continue;
        snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(name, " "), name);
        enum options_status status = parse(wanted);
        ck_assert_msg(status != OPTIONS_ERROR || strstr(message, "unknown") == NULL, "not taken: %s", wanted);
        seen++;
    }
    ck_assert_uint_eq(seen, COUNT(names));
    free(text);
}
