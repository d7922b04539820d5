/* Runs programs one after another on the same data and prints one table: what `make run` does, and a program that is given
 * others.
 *
 * Every program reports its result as CSV; this one only starts them and reads that. In a wide table the two baselines run
 * first, so that each further row can be completed and printed as soon as it is measured.
 * SPDX-License-Identifier: MIT */
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/programs/program.h"
#include "run.h"
#include "exit_codes.h"
#include "bench/programs/failure.h"
#include "process/child.h"
#include "harness/report/output.h"
#include "bench/programs/system_load.h"
#include "comparison.h"

static const char usage[] =
    "Usage: run [OPTION]... PROGRAM...\n"
    "Runs reduction programs on the same data and compares them in one table.\n"
    "\n"
    "  --format=wide     more columns: speed-ups\n"
    "  --count           they are traced: show no times, but what a GPU would do,\n"
    "  --warp=32         with this many lanes in a warp,\n"
    "  --machine=gfx942  or like this machine\n"
    "  --await           standard input has the names of those that have been built, as\n"
    "                    'built PROGRAM'; other lines say how far that is\n"
    "  --launch=WORDS    put these in front of every program: --launch='srun -n1 --gpus=1'\n"
    "  --help            this text\n"
    "\n"
    "Every other option goes to each program and must be one word: --size=64M, -n64M,\n"
    "--type=float. A PROGRAM may bring options of its own:\n"
    "'./reduction_atomic/reduction_atomic --atomics=warp'.\n"
    "Where a program's name ends in _to_fix, a wrong result is an exercise, not a failure.\n"
    "\n"
    "Exit codes: 0 all right, 1 a program failed, 2 bad usage, 3 the output cannot be written,\n"
    "4 nothing is wrong, but a result is unproven, 77 no device of this kind, 130 interrupted.\n"
    "Whatever happens, the rows measured so far are printed.\n";

struct run {
    struct program *words; /* as on the command line */
    struct program_call call;
    struct compared *programs;
    size_t count;
    size_t shown; /* programs that have been printed */
    struct comparison table;
    struct counting counting;
    bool await, size_given, ceiling_given, begun, terminal;
    /* option for the programs after the one that measured the ceiling; "": none */
    char ceiling[64];
};

/* ---- the command line ------------------------------------------------------------------------------ */

/* The rest of the argument after `name`, or NULL if it is a different option. */
static const char *value_of(const char *argument, const char *name)
{
    size_t length = strlen(name);

    return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

/* VALUE of "--name=VALUE" or "-nVALUE" among the programs' options; NULL: not given. */
static const char *passed(const struct run *r, const char *name, const char *letter)
{
    const char *found = NULL, *value;

    for (const char *const *option = r->call.options; *option != NULL; option++)
        if ((value = value_of(*option, name)) != NULL ||
            (letter != NULL && (value = value_of(*option, letter)) != NULL))
            found = value;
    return found;
}

static bool is_wide(const char *argument, const char *format)
{
    if (strcmp(format, "wide") != 0 && strcmp(format, "table") != 0)
        refuse(argument, "run takes --format=table and wide; a program itself also csv and json");
    return *format == 'w';
}

static void parse(struct run *r, int argc, char **argv)
{
    const char **options = allocate(((size_t)argc + 1) * sizeof *options), *value;

    r->words = allocate((size_t)argc * sizeof *r->words);
    r->call.options = options;
    r->call.launch = program_words("");
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            fputs(usage, stdout);
            output_check(stdout);
            exit(EXIT_RIGHT);
        } else if ((value = value_of(argument, "--launch=")) != NULL)
            r->call.launch = program_words(value);
        else if ((value = value_of(argument, "--format=")) != NULL)
            r->table.wide = is_wide(argument, value);
        else if (strcmp(argument, "--count") == 0)
            r->counting.wanted = true;
        else if (strcmp(argument, "--await") == 0)
            r->await = true;
        else if ((value = value_of(argument, "--warp=")) != NULL)
            r->counting.warp = value;
        else if ((value = value_of(argument, "--machine=")) != NULL)
            r->counting.machine = value;
        else if (strcmp(argument, "--input=-") == 0)
            refuse(argument, "several programs cannot share standard input: name a file");
        else if (argument[0] == '-')
            *options++ = argument;
        else if (argument[strspn(argument, " ")] == '\0')
            refuse("''", "give the name of a program");
        else
            program_set(&r->words[r->count++], argument);
    }
}

static struct compared *find(const struct run *r, const char *name)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->programs[i].name, name) == 0)
            return &r->programs[i];
    return NULL;
}

/* ---- output ---------------------------------------------------------------------------------------- */

static const struct csv_row *first_row(const struct run *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->programs[i].row.count > 0)
            return &r->programs[i].row;
    return NULL;
}

static void begin(struct run *r)
{
    const struct csv_row *first = first_row(r);

    comparison_begin(&r->table, first, r->size_given);
    r->begun = true;
}

/* Prints all rows that are due: in the order of the command line, after the header lines, which need one row. all: no more
 * rows will come. */
static void show(struct run *r, bool all)
{
    bool known = all || first_row(r) != NULL;

    for (; known && r->shown < r->count && (r->programs[r->shown].done || all); r->shown++) {
        const struct compared *e = &r->programs[r->shown];
        if (!r->begun)
            begin(r);
        if (e->done)
            comparison_row(&r->table, e);
    }
    output_check(stdout);
}

static void finish(struct run *r)
{
    show(r, true);
    comparison_end(&r->table, r->programs, r->count);
    output_check(stdout);
}

/* ---- running --------------------------------------------------------------------------------------- */

static bool take_row(void *context, const char *values)
{
    struct run *r = ((void **)context)[0];
    struct compared *e = ((void **)context)[1];

    if (strncmp(values, PROGRAM_COUNTED, strlen(PROGRAM_COUNTED)) == 0)
        counts_add(&e->counts, &e->row, values);
    else if (e->row.count == 0)
        (void)csv_row_read(&e->row, r->call.names, values);
    return true;
}

static void show_progress(const struct run *r, const char *text)
{
    if (r->terminal)
        fprintf(stderr, "\r\033[K[%zu/%zu] %.60s", r->shown + 1, r->count, text);
}

static void end_progress(const struct run *r)
{
    if (r->terminal)
        fprintf(stderr, "\r\033[K");
}

/* Reads standard input until it says that this program has been built. False: it has not been. */
static bool wait_for(struct run *r, size_t index)
{
    static char *line;
    static size_t room;
    ssize_t length;

    while (!r->programs[index].built && !child_interrupted() && (length = getline(&line, &room, stdin)) > 0) {
        const char *name;
        line[length - 1] = line[length - 1] == '\n' ? '\0' : line[length - 1];
        if ((name = value_of(line, "built ")) == NULL)
            show_progress(r, line + strspn(line, " "));
        for (size_t i = 0; name != NULL && i < r->count; i++)
            r->programs[i].built |= strcmp(r->words[i].words[0], name) == 0;
    }
    end_progress(r);
    return r->programs[index].built;
}

static void run(struct run *r, size_t index)
{
    struct compared *e = &r->programs[index];
    const char *own[6] = {"--format=csv"};
    size_t given = 1;

    if (r->await && !wait_for(r, index))
        return;
    if (r->counting.wanted) {
        own[given++] = "--iterations=1";
        own[given++] = "--warmup=0";
        own[given++] = "--ceiling=1";
        if (!r->size_given && passed(r, "--input=", NULL) == NULL)
            own[given++] = "--size=" COUNTED_SIZE;
    } else if (*r->ceiling != '\0') {
        own[given++] = r->ceiling;
    }
    struct outcome outcome;

    show_progress(r, e->name);
    struct system_load before = system_load_now();
    program_run(&outcome, &r->words[index], &r->call, own, take_row, (void *[]){r, e});
    double others = system_load_of_others(before, system_load_now(), outcome.busy);
    end_progress(r);
    if (child_interrupted()) {
        csv_row_free(&e->row);
        return;
    }
    e->done = true;
    e->status = outcome.status;
    /* The tool's own exit code says that nothing was counted. */
    if (r->counting.wanted && e->status == EXIT_UNPROVEN && strcmp(csv_field(&e->row, "check"), "OK") == 0)
        e->status = EXIT_RIGHT;
    if (outcome.reason[0] == '\0' && e->row.count == 0)
        snprintf(outcome.reason, sizeof outcome.reason, "a row that does not fit its header");
    if (outcome.reason[0] != '\0')
        csv_row_free(&e->row);
    memcpy(e->reason, outcome.reason, sizeof e->reason);
    if (e->status == EXIT_NO_DEVICE) { /* all others would end in the same way */
        e->done = false;
        if (first_row(r) != NULL)
            finish(r);
        fputs(outcome.said, stderr);
        exit(e->status);
    }
    if (outcome.foreign) {
        e->refused = e->foreign = true;
        snprintf(e->reason, sizeof e->reason, "they do not measure one reduction");
    } else if (e->status == EXIT_USAGE) {
        e->refused = true;
        snprintf(e->reason, sizeof e->reason, "%.*s", (int)strcspn(outcome.said, "\n"), outcome.said);
    }
    /* With a launcher it may run on another machine, so its processor time is unknown. */
    if (e->row.count > 0)
        e->noise = comparison_noise(&e->row, r->call.launch[0] == NULL ? others : 0);
    /* Measured once; all others use the same number. */
    if (!r->ceiling_given && *r->ceiling == '\0' && e->row.count > 0 && csv_number(&e->row, "ceiling_gbps") > 0)
        snprintf(r->ceiling, sizeof r->ceiling, "--ceiling=%.32s", csv_field(&e->row, "ceiling_gbps"));
}

static void run_all(struct run *r)
{
    const struct compared *first[] = {r->table.library, r->table.slow};

    for (size_t i = 0; r->table.wide && i < 2 && !child_interrupted(); i++)
        if (first[i] != NULL) {
            run(r, (size_t)(first[i] - r->programs));
            show(r, false);
        }
    for (size_t i = 0; i < r->count && !child_interrupted(); i++)
        if (!r->programs[i].done) {
            run(r, i);
            show(r, false);
        }
}

/* ---- */

static void prepare(struct run *r, int argc, char **argv)
{
    parse(r, argc, argv);
    r->table.counting = &r->counting;
    if (r->counting.wanted)
        counts_begin(&r->counting);
    if (r->count == 0)
        refuse("run", "name the programs to compare, or use make run");
    const char *size = passed(r, "--size=", "-n");
    r->size_given = size != NULL;
    if (size != NULL && (strchr(size, ',') != NULL || strstr(size, "..") != NULL))
        refuse(size, "run takes one size; make bench SIZES=1K..1G measures many");
    r->ceiling_given = passed(r, "--ceiling=", NULL) != NULL;
    r->programs = allocate(r->count * sizeof *r->programs);
    r->table.name_width = 7;
    for (size_t i = 0; i < r->count; i++) {
        struct compared *e = &r->programs[i];
        e->name = r->words[i].label;
        e->exercise = r->words[i].exercise;
        if ((int)strlen(e->name) > r->table.name_width)
            r->table.name_width = (int)strlen(e->name);
    }
    r->table.slow = find(r, "no_striding");
    r->table.library = find(r, "prim");
    r->terminal = isatty(STDERR_FILENO);
}

/* All were refused: a mistake on the command line, said once. */
static void check_refused(const struct run *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (!r->programs[i].refused)
            return;
    fprintf(stderr, "%s\n", r->programs[0].reason);
    exit(EXIT_USAGE);
}

int run_programs(int argc, char **argv)
{
    static struct run r;
    bool failed = false, unproven = false, refused = false;

    output_begin();
    setlocale(LC_CTYPE, ""); /* for the bars; numbers keep the decimal point */
    prepare(&r, argc, argv);
    child_catch_signals();
    run_all(&r);
    check_refused(&r);
    finish(&r);
    if (child_interrupted())
        return EXIT_INTERRUPTED;
    for (size_t i = 0; i < r.count; i++) {
        const struct compared *e = &r.programs[i];
        failed |= !e->refused && (e->row.count == 0 || (e->status == EXIT_WRONG && !e->exercise));
        unproven |= e->status == EXIT_UNPROVEN;
        refused |= e->refused && r.words[i].words[1] != NULL; /* by options of its own */
    }
    return refused ? EXIT_USAGE : failed ? EXIT_WRONG : unproven ? EXIT_UNPROVEN : EXIT_RIGHT;
}
