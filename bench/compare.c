/* Runs programs one after another on the same data and prints one table: what `make run` does.
 *
 * Every program reports its result as CSV; this one only starts them and reads that. The two that the
 * others are compared with run first, so that each further row is complete, and printed, as soon as it is
 * measured.
 */
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "exit_codes.h"
#include "failure.h"
#include "process/child.h"
#include "harness/output.h"
#include "load.h"
#include "table.h"

static const char usage[] =
    "Usage: compare [OPTION]... PROGRAM...\n"
    "Runs reduction programs on the same data and compares them in one table.\n"
    "\n"
    "  --format=csv      their CSV rows in one file instead of the table\n" ARGUMENTS_HELP
    "Where a program's name ends in _to_fix, a wrong result is an exercise, not a failure.\n"
    "\n"
    "Exit codes: 0 all right, 1 a program failed, 2 bad usage, 3 the output cannot be written,\n"
    "4 nothing is wrong, but a result is unproven, 77 no device of this kind, 130 interrupted.\n"
    "Whatever happens, the rows measured so far are printed.\n";

struct comparison {
    struct arguments arguments;
    struct program_call call;
    struct entry *entries;
    size_t count;
    size_t shown; /* entries that have been printed */
    struct table table;
    bool csv, size_given, ceiling_given, begun, terminal;
    char ceiling[64]; /* option for the programs after the one that measured it; "": none */
};

static bool set(void *tool, const char *argument)
{
    struct comparison *c = tool;
    const char *value = argument_value(argument, "--format=");

    if (value == NULL)
        return false;
    c->csv = strcmp(value, "csv") == 0;
    if (!c->csv && strcmp(value, "table") != 0)
        refuse(argument, "compare takes --format=table and --format=csv");
    return true;
}

static struct entry *find(const struct comparison *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->entries[i].name, name) == 0)
            return &c->entries[i];
    return NULL;
}

/* ---- output ---------------------------------------------------------------------------------------- */

static const struct csv_row *first_row(const struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->entries[i].row.count > 0)
            return &c->entries[i].row;
    return NULL;
}

static void begin(struct comparison *c)
{
    const struct csv_row *first = first_row(c);

    if (c->csv && first != NULL)
        puts(c->call.names);
    if (!c->csv)
        table_begin(&c->table, first, c->size_given);
    c->begun = true;
}

/* One line of CSV from its fields. */
static void print_csv(const struct entry *e)
{
    for (size_t i = 0; i < e->row.count; i++) {
        if (i > 0)
            putchar(',');
        csv_put(stdout, e->row.values[i]);
    }
    if (e->row.count > 0)
        puts("");
    else
        fprintf(stderr, "%s: %s\n", e->name, e->reason);
}

/* Prints what it can: rows in the order of the command line, after the header lines, which need one row.
 * all: there will be no more. */
static void show(struct comparison *c, bool all)
{
    bool known = all || first_row(c) != NULL;

    for (; known && c->shown < c->count && (c->entries[c->shown].done || all); c->shown++) {
        const struct entry *e = &c->entries[c->shown];
        if (!c->begun)
            begin(c);
        if (e->done && c->csv)
            print_csv(e);
        else if (e->done)
            table_row(&c->table, e);
    }
    output_check(stdout);
}

static void finish(struct comparison *c)
{
    show(c, true);
    if (!c->csv)
        table_end(c->entries, c->count);
    output_check(stdout);
}

/* ---- running --------------------------------------------------------------------------------------- */

static bool take_row(void *context, const char *values)
{
    struct comparison *c = ((void **)context)[0];
    struct entry *e = ((void **)context)[1];

    if (e->row.count == 0)
        (void)csv_row_read(&e->row, c->call.names, values);
    return true;
}

static void run(struct comparison *c, size_t index)
{
    struct entry *e = &c->entries[index];
    const char *own[] = {"--format=csv", *c->ceiling != '\0' ? c->ceiling : NULL, NULL};
    struct outcome outcome;

    if (c->terminal)
        fprintf(stderr, "\r\033[K[%zu/%zu] %s", c->shown + 1, c->count, e->name);
    struct load before = load_now();
    program_run(&outcome, &c->arguments.programs[index], &c->call, own, take_row, (void *[]){c, e});
    double others = load_of_others(before, load_now(), outcome.busy);
    if (c->terminal)
        fprintf(stderr, "\r\033[K");
    if (child_interrupted()) {
        csv_row_free(&e->row);
        return;
    }
    e->done = true;
    e->status = outcome.status;
    if (outcome.reason[0] == '\0' && e->row.count == 0)
        snprintf(outcome.reason, sizeof outcome.reason, "a row that does not fit its header");
    if (outcome.reason[0] != '\0')
        csv_row_free(&e->row);
    memcpy(e->reason, outcome.reason, sizeof e->reason);
    if (e->status == EXIT_USAGE || e->status == EXIT_NO_DEVICE) { /* the same for all others */
        e->done = false;
        if (first_row(c) != NULL)
            finish(c);
        fputs(outcome.said, stderr);
        exit(e->status);
    }
    /* With a launcher it may run elsewhere, so its processor time is not known. */
    if (e->row.count > 0)
        e->noise = table_noise(&e->row, c->arguments.launch[0] == NULL ? others : 0);
    /* Measured once; the others are compared with the same number. */
    if (!c->ceiling_given && *c->ceiling == '\0' && e->row.count > 0 &&
        csv_number(&e->row, "ceiling_gbps") > 0)
        snprintf(c->ceiling, sizeof c->ceiling, "--ceiling=%.32s",
                 csv_field(&e->row, "ceiling_gbps"));
}

static void run_all(struct comparison *c)
{
    const struct entry *first[] = {c->table.library, c->table.slow};

    for (size_t i = 0; i < 2 && !child_interrupted(); i++)
        if (first[i] != NULL) {
            run(c, (size_t)(first[i] - c->entries));
            show(c, false);
        }
    for (size_t i = 0; i < c->count && !child_interrupted(); i++)
        if (!c->entries[i].done) {
            run(c, i);
            show(c, false);
        }
}

/* ---- */

static void prepare(struct comparison *c, int argc, char **argv)
{
    arguments_parse(&c->arguments, argc, argv, usage, set, c);
    c->count = c->arguments.program_count;
    if (c->count == 0)
        refuse("compare", "there are no programs to compare, name some, or start it with make run");
    const char *size = arguments_passed(&c->arguments, "size", 'n');
    c->size_given = size != NULL;
    if (size != NULL && (strchr(size, ',') != NULL || strstr(size, "..") != NULL))
        refuse(size, "compare takes one size; make bench SIZES=1K..1G measures many");
    c->call.launch = c->arguments.launch;
    c->call.options = c->arguments.options;
    c->ceiling_given = arguments_passed(&c->arguments, "ceiling", '\0') != NULL;
    c->entries = allocate(c->count * sizeof *c->entries);
    c->table.name_width = 7;
    for (size_t i = 0; i < c->count; i++) {
        struct entry *e = &c->entries[i];
        e->name = c->arguments.programs[i].label;
        e->exercise = c->arguments.programs[i].exercise;
        if ((int)strlen(e->name) > c->table.name_width)
            c->table.name_width = (int)strlen(e->name);
    }
    c->table.slow = find(c, "no_striding");
    c->table.library = find(c, "prim");
    c->terminal = isatty(STDERR_FILENO);
}

int main(int argc, char **argv)
{
    static struct comparison c;
    bool failed = false, unproven = false;

    output_begin();
    setlocale(LC_CTYPE, ""); /* for the bars; numbers keep the decimal point */
    prepare(&c, argc, argv);
    child_catch_signals();
    run_all(&c);
    finish(&c);
    if (child_interrupted())
        return EXIT_INTERRUPTED;
    for (size_t i = 0; i < c.count; i++) {
        const struct entry *e = &c.entries[i];
        failed |= e->row.count == 0 || (e->status == EXIT_WRONG && !e->exercise);
        unproven |= e->status == EXIT_UNPROVEN;
    }
    return failed ? EXIT_WRONG : unproven ? EXIT_UNPROVEN : EXIT_RIGHT;
}
