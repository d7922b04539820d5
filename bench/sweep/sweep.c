/* Sweeps sizes, types and operations over several programs and writes one CSV: what `make bench` does.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sweep.h"
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
    struct sweep *s = tool;
    const char *v;

    if ((v = argument_value(argument, "--sizes=")) != NULL)
        s->sizes = v;
    else if ((v = argument_value(argument, "--types=")) != NULL)
        s->types = v;
    else if ((v = argument_value(argument, "--ops=")) != NULL)
        s->ops = v;
    else if ((v = argument_value(argument, "--time=")) != NULL)
        s->seconds = number(argument, v, 0, 1e7);
    else if ((v = argument_value(argument, "--spread=")) != NULL)
        s->spread = number(argument, v, 0, 1000) / 100;
    else if ((v = argument_value(argument, "--change=")) != NULL)
        s->change = number(argument, v, 0, 1000) / 100;
    else if ((v = argument_value(argument, "--rounds=")) != NULL)
        s->rounds = (unsigned)number(argument, v, 1, ROUNDS_MAX);
    else if ((v = argument_value(argument, "--iterations=")) != NULL)
        snprintf(s->iterations, sizeof s->iterations, "--iterations=%.0f",
                 number(argument, v, 1, 1e6));
    else if ((v = argument_value(argument, "--output=")) != NULL)
        s->output = v;
    else if ((v = argument_value(argument, "--baseline=")) != NULL)
        s->baseline = v;
    else if ((v = argument_value(argument, "--from=")) != NULL)
        s->from = v;
    else if (argument_value(argument, "--ceiling=") != NULL)
        snprintf(s->ceiling, sizeof s->ceiling, "%s", argument);
    else if (argument_value(argument, "--warm") != NULL)
        s->cold = false;
    else if (argument_value(argument, "--probe") != NULL)
        s->probe = true;
    else if (argument_value(argument, "--clock=total") != NULL)
        s->clock = CLOCK_TOTAL;
    else if (argument_value(argument, "--clock=kernel") != NULL)
        s->clock = CLOCK_KERNEL;
    else if (argument_value(argument, "--clock=") != NULL)
        refuse(argument, "use total or kernel");
    else
        return false;
    return true;
}

/* Options for every program, which also label the rows: a file that was measured with others is not
 * continued. */
static void settle_options(struct sweep *s)
{
    struct arguments *a = &s->arguments;
    const char *ours[] = {s->cold ? "--cold" : "", s->iterations};
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
    s->given = text;
    s->call.launch = a->launch;
    s->call.options = a->options;
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
static size_t print(const struct sweep *s, const struct results *old)
{
    size_t slower = 0;

    if (s->results.count == 0) {
        fprintf(stderr, "nothing was measured\n");
        return 0;
    }
    results_print(stdout, &s->results, s->clock, s->spread, screen_width());
    if (s->baseline != NULL)
        slower = results_compare(stdout, old, &s->results, s->clock, s->change);
    if (s->from == NULL)
        printf("# all rows: %s\n", s->output);
    if (s->failures > 0)
        printf("# %zu failures, see above\n", s->failures);
    size_t wrong = results_wrong(&s->results), unproven = results_unproven(&s->results);
    if (wrong > 0)
        printf("# %zu of all %zu rows are wrong\n", wrong, s->results.rows);
    if (unproven > 0)
        printf("# %zu of all %zu rows are unproven\n", unproven, s->results.rows);
    return slower;
}

static int exit_code(const struct sweep *s, size_t slower)
{
    if (s->file_error != 0) {
        fprintf(stderr,
                "%s: %s: free some space there and run the same command again, it continues from "
                "here\n",
                s->output, strerror(s->file_error));
        return EXIT_DEVICE;
    }
    if (s->other) {
        fprintf(stderr, "%s is of %s, and now a program ran elsewhere: name another --output\n",
                s->output, s->results.device);
        return EXIT_USAGE;
    }
    if (child_interrupted())
        return EXIT_INTERRUPTED;
    if (s->failures > 0 || slower > 0 || results_wrong(&s->results) > 0)
        return EXIT_WRONG;
    return results_unproven(&s->results) > 0 ? EXIT_UNPROVEN : EXIT_RIGHT;
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
    static struct sweep s = {.types = "double",
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
    arguments_parse(&s.arguments, argc, argv, usage, set, &s);
    if (s.probe) {
        const char *device = arguments_passed(&s.arguments, "device", '\0');
        return plan_probe(device != NULL ? (int)number("--device", device, 0, 1e6) : 0);
    }
    if (s.from == NULL && s.arguments.program_count == 0)
        refuse("bench", "name the programs to measure, or use make bench");
    settle_options(&s);
    read_csv(&old, s.baseline); /* before hours of measuring, not after */
    read_csv(&s.results, s.from);
    s.terminal = isatty(STDERR_FILENO);
    if (s.from == NULL) {
        child_catch_signals();
        plan_make(&s);
        record_open(&s);
        rounds_run(&s);
        record_close(&s);
    }
    size_t slower = print(&s, &old);
    int code =
        exit_code(&s, slower); /* reports what went wrong even if the tables cannot be written */
    output_check(stdout);
    results_free(&s.results);
    results_free(&old);
    return code;
}
