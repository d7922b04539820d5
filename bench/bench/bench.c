/* Sweeps sizes, types and operations over several programs and writes one CSV: what `make bench` does.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench.h"
#include "device_facts.h"
#include "bench/programs/failure.h"
#include "harness/report/output.h"

/* Facts from the build. */
#ifndef REVISION
#define REVISION "unknown"
#endif
#ifndef COMPILER
#define COMPILER "unknown"
#endif

/* On the CPU: a first result within a minute. */
#if DEVICE_IS_GPU
#define DEFAULT_SECONDS    600
#define DEFAULT_ITERATIONS "" /* the programs choose */
#else
#define DEFAULT_SECONDS    60
#define DEFAULT_ITERATIONS "--iterations=20"
#endif

#define ROUNDS_MAX 1000

static const char usage[] =
    "Usage: bench [OPTION]... PROGRAM...\n"
    "       bench --from=FILE [--baseline=FILE] [--clock=CLOCK]\n"
    "Measures reduction programs over many sizes, round by round, and writes one CSV.\n"
    "\n"
    "  --sizes=LIST      elements: 1K..8G doubles, 1K,5M is a list; K M G are powers of two.\n"
    "                    Default: 1K to half of the device's memory, at most 8G; on the CPU\n"
    "                    1K,8K,64K,512K\n"
    "  --types=LIST      float,double,int,long. Default: double\n"
    "  --ops=LIST        sum,min,max. Default: sum\n"
    "  --time=SECONDS    measure that long, within 10 %; 0: one round, however long it takes.\n"
    "                    Default: 600, on the CPU 60\n"
    "  --spread=PERCENT  a size is done when half of the 95 % interval of each median is below\n"
    "                    that. Default: 1\n"
    "  --rounds=COUNT    at most. Default: 1000\n"
    "  --iterations=N    timed runs of each program, size and round. Default: the programs\n"
    "                    choose; on the CPU 20\n"
    "  --warm            keep the caches warm. Default: evict them before every run\n"
    "  --clock=CLOCK     total or kernel: which one is shown and judged; the CSV has both.\n"
    "                    Default: total\n"
    "  --output=FILE     the CSV. One that the same command began is continued; any other\n"
    "                    file is left alone. Default: results/ARCHITECTURE-DATE.csv\n"
    "  --baseline=FILE   report what became faster or slower than in that CSV\n"
    "  --change=PERCENT  smaller differences from the baseline do not count. Default: 3\n"
    "  --from=FILE       measure nothing, take that CSV\n"
    "  --probe           describe the device in one line, measure nothing\n" ARGUMENTS_HELP "\n"
    "Exit codes, from all rows of the CSV: 0 all right, 1 a program failed, a result is wrong or\n"
    "something is slower than in the baseline, 2 bad usage, 3 device or file error, 4 nothing is\n"
    "wrong, but a result is unproven, 77 no device of this kind, 130 interrupted.\n"
    "Whatever happens, the rows measured so far are in the CSV.\n";

/* ---- the command line ------------------------------------------------------------------------------ */

static double number(const char *argument, const char *text, double least, double most)
{
    char *end, why[100];
    double value = strtod(text, &end);

    if (end != text && *end == '\0' && value >= least && value <= most)
        return value;
    snprintf(why, sizeof why, "give a number from %g to %g", least, most);
    refuse(argument, why);
}

static bool set(void *tool, const char *argument)
{
    struct bench *b = tool;
    const char *v;

    if ((v = argument_value(argument, "--sizes=")) != NULL)
        b->sizes = v;
    else if ((v = argument_value(argument, "--types=")) != NULL)
        b->types = v;
    else if ((v = argument_value(argument, "--ops=")) != NULL)
        b->ops = v;
    else if ((v = argument_value(argument, "--time=")) != NULL)
        b->seconds = number(argument, v, 0, 1e7);
    else if ((v = argument_value(argument, "--spread=")) != NULL)
        b->spread = number(argument, v, 0, 1000) / 100;
    else if ((v = argument_value(argument, "--change=")) != NULL)
        b->change = number(argument, v, 0, 1000) / 100;
    else if ((v = argument_value(argument, "--rounds=")) != NULL)
        b->rounds = (unsigned)number(argument, v, 1, ROUNDS_MAX);
    else if ((v = argument_value(argument, "--iterations=")) != NULL)
        snprintf(b->iterations, sizeof b->iterations, "--iterations=%.0f",
                 number(argument, v, 1, 1e6));
    else if ((v = argument_value(argument, "--output=")) != NULL)
        b->output = v;
    else if ((v = argument_value(argument, "--baseline=")) != NULL)
        b->baseline = v;
    else if ((v = argument_value(argument, "--from=")) != NULL)
        b->from = v;
    else if (argument_value(argument, "--ceiling=") != NULL)
        snprintf(b->ceiling, sizeof b->ceiling, "%s", argument);
    else if (argument_value(argument, "--warm") != NULL)
        b->cold = false;
    else if (argument_value(argument, "--probe") != NULL)
        b->probe = true;
    else if (argument_value(argument, "--clock=total") != NULL)
        b->clock = CLOCK_TOTAL;
    else if (argument_value(argument, "--clock=kernel") != NULL)
        b->clock = CLOCK_KERNEL;
    else if (argument_value(argument, "--clock=") != NULL)
        refuse(argument, "use total or kernel");
    else
        return false;
    return true;
}

/* Options for every program, which also label the rows: a file that was measured with others is not
 * continued. */
static void settle_options(struct bench *b)
{
    struct arguments *a = &b->arguments;
    const char *ours[] = {b->cold ? "--cold" : "", b->iterations};
    char *text;
    size_t size;
    FILE *given = open_memstream(&text, &size);

    if (given == NULL)
        give_up("memory on the host", "give fewer options");
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (*ours[i] != '\0')
            arguments_pass(a, ours[i]);
    for (char **word = a->launch; *word != NULL; word++)
        fprintf(given, "%s ", *word);
    for (size_t i = 0; i < a->option_count; i++)
        fprintf(given, "%s%s", i > 0 ? " " : "", a->options[i]);
    fclose(given);
    b->given = text;
    b->call.launch = a->launch;
    b->call.options = a->options;
}

/* ---- the end --------------------------------------------------------------------------------------- */

static int screen_width(void)
{
    struct winsize window;

    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 &&
        window.ws_col > 0)
        return window.ws_col;
    return 100;
}

/* The tables; returns how many are slower than in the baseline. */
static size_t print(const struct bench *b, const struct results *old)
{
    size_t slower = 0;

    if (b->results.count == 0) {
        fprintf(stderr, "nothing was measured\n");
        return 0;
    }
    results_print(stdout, &b->results, b->clock, b->spread, screen_width());
    if (b->baseline != NULL)
        slower = results_compare(stdout, old, &b->results, b->clock, b->change);
    if (b->from == NULL)
        printf("# all rows: %s\n", b->output);
    if (b->failures > 0)
        printf("# %zu failures, see above\n", b->failures);
    size_t wrong = results_wrong(&b->results), unproven = results_unproven(&b->results);
    if (wrong > 0)
        printf("# %zu of all %zu rows are wrong\n", wrong, b->results.rows);
    if (unproven > 0)
        printf("# %zu of all %zu rows are unproven\n", unproven, b->results.rows);
    return slower;
}

static int exit_code(const struct bench *b, size_t slower)
{
    if (b->file_error != 0) {
        fprintf(stderr,
                "%s: %s: free some space there and run the same command again, it continues from "
                "here\n",
                b->output, strerror(b->file_error));
        return EXIT_DEVICE;
    }
    if (b->other) {
        fprintf(stderr, "%s is of %s, and now a program ran elsewhere: name another --output\n",
                b->output, b->results.device);
        return EXIT_USAGE;
    }
    if (child_interrupted())
        return EXIT_INTERRUPTED;
    if (b->failures > 0 || slower > 0 || results_wrong(&b->results) > 0)
        return EXIT_WRONG;
    return results_unproven(&b->results) > 0 ? EXIT_UNPROVEN : EXIT_RIGHT;
}

static void read_csv(struct results *r, const char *path)
{
    char message[RESULTS_MESSAGE_MAX];

    if (path == NULL || results_read(r, path, message))
        return;
    fprintf(stderr, "%s\n", message);
    exit(EXIT_USAGE);
}

int main(int argc, char **argv)
{
    static struct bench b = {.types = "double",
                             .ops = "sum",
                             .iterations = DEFAULT_ITERATIONS,
                             .cold = true,
                             .clock = CLOCK_TOTAL,
                             .seconds = DEFAULT_SECONDS,
                             .spread = 0.01,
                             .change = 0.03,
                             .rounds = ROUNDS_MAX,
                             .revision = REVISION,
                             .compiler = COMPILER};
    static struct results old;

    output_begin();
    arguments_parse(&b.arguments, argc, argv, usage, set, &b);
    if (b.probe) {
        const char *device = arguments_passed(&b.arguments, "device", '\0');
        return plan_probe(device != NULL ? (int)number("--device", device, 0, 1e6) : 0);
    }
    if (b.from == NULL && b.arguments.program_count == 0)
        refuse("bench", "name the programs to measure, or use make bench");
    settle_options(&b);
    read_csv(&old, b.baseline); /* before hours of measuring, not after */
    read_csv(&b.results, b.from);
    b.terminal = isatty(STDERR_FILENO);
    if (b.from == NULL) {
        child_catch_signals();
        plan_make(&b);
        record_open(&b);
        rounds_run(&b);
        record_close(&b);
    }
    size_t slower = print(&b, &old);
    int code =
        exit_code(&b, slower); /* reports what went wrong even if the tables cannot be written */
    output_check(stdout);
    results_free(&b.results);
    results_free(&old);
    return code;
}
