/* Checks one exercise; see checker.h. Exit codes: 0 solved, 1 not solved, 2 bad usage, 3 no check is
 * possible, 77 no device.
 * SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "checker.h"
#include "exit_codes.h"
#include "process/child.h"

static int usage(const char *program)
{
    fprintf(
        stderr,
        "usage: %s --runner PROGRAM [--exercise EXERCISE.TXT] [--gpu LOG] [--warnings LOG] [--name NAME] [--seed SEED] "
        "[--traced] [--json FILE]: make check gives it what it needs\n",
        program);
    return EXIT_USAGE;
}

/* "fd:3": a descriptor that is open already; then the file has no name that others could use. */
static FILE *open_json(const char *where)
{
    if (strncmp(where, "fd:", 3) != 0)
        return fopen(where, "we");
    int number = atoi(where + 3);
    fcntl(number, F_SETFD, FD_CLOEXEC);
    return fdopen(number, "w");
}

static bool parse(int argc, char **argv)
{
    static const struct option longs[] = {
        {"name", 1, NULL, 'n'},     {"seed", 1, NULL, 's'}, {"runner", 1, NULL, 'r'},
        {"traced", 0, NULL, 't'},   {"gpu", 1, NULL, 'g'},  {"warnings", 1, NULL, 'w'},
        {"exercise", 1, NULL, 'e'}, {"json", 1, NULL, 'j'}, {NULL, 0, NULL, 0}};
    static const char **const texts[128] = {
        ['n'] = &settings.name, ['r'] = &settings.runner, ['w'] = &settings.warnings, ['g'] = &settings.gpu};
    int letter;
    bool right = true;

    settings.name = "the exercise";
    if (getrandom(&settings.seed, sizeof settings.seed, 0) != sizeof settings.seed)
        settings.seed = 1;
    while (right && (letter = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (texts[letter] != NULL)
            *texts[letter] = optarg;
        else if (letter == 's')
            settings.seed = strtoull(optarg, NULL, 10);
        else if (letter == 'e')
            right = exercise_read(optarg);
        else if (letter == 't')
            settings.traced = true;
        else
            right = letter == 'j' && (settings.json = open_json(optarg)) != NULL;
        if (letter == 'j' && !right)
            perror(optarg);
    }
    return right && optind == argc && settings.runner != NULL;
}

/* Of this process and of those that it has waited for. */
static double processor_seconds(void)
{
    double seconds = 0;

    for (int k = 0; k < 2; k++) {
        struct rusage u;
        getrusage(k == 0 ? RUSAGE_SELF : RUSAGE_CHILDREN, &u);
        seconds +=
            (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    }
    return seconds;
}

static bool check_results(void)
{
    static const struct round *const rounds[] = {&round_trials, &round_specials, &round_late};

    return rounds_run(NO_TOOL, rounds, 3);
}

static bool check_many(void)
{
    static const struct round *const rounds[] = {&round_same, &round_large};

    return rounds_run(PARALLEL, rounds, 2);
}

static bool check_huge(void)
{
    static const struct round *const rounds[] = {&round_huge};

    return rounds_run(TOOL_WORK, rounds, 1);
}

int main(int argc, char **argv)
{
    bool (*const rounds[])(void) = {check_compiles, check_results, check_memory, check_rules,
                                    check_many,     check_huge,    check_program};

    if (!parse(argc, argv))
        return usage(argv[0]);
    child_catch_signals();
    bool right = true;
    for (size_t k = 0; right && k < sizeof rounds / sizeof rounds[0]; k++)
        right = rounds[k]();
    if (!right && !explain_warning())
        explain_race();
    return report_verdict(right, processor_seconds());
}
