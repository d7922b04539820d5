/* The CSV of bench: each row is written as soon as it is measured, and an interrupted file can be
 * continued.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sweep.h"
#include "bench/programs/failure.h"
#include "harness/report/csv.h"

/* The columns before and after those of the programs. */
static const char own_columns[] = "date,revision,compiler,round,variant,", last_column[] = ",given";

static void write_date(char text[32], const char *format)
{
    time_t now = time(NULL);

    strftime(text, 32, format, gmtime(&now));
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* One write per row, so that lines are whole even if we are killed; a line that a full disk cut short is
 * removed. */
static bool append(struct sweep *s, const char *text)
{
    size_t length = strlen(text);
    off_t before = lseek(s->file, 0, SEEK_END);
    ssize_t written = write(s->file, text, length);

    if (written == (ssize_t)length)
        return true;
    s->file_error = written < 0 ? errno : ENOSPC;
    if (written > 0 && ftruncate(s->file, before) != 0)
        fprintf(stderr, "%s: the last line is not whole\n", s->output);
    return false;
}

bool record_row(struct sweep *s, const struct program *p, const char *values)
{
    char *line = NULL, *names = NULL, date[32], round[16], message[RESULTS_MESSAGE_MAX];
    size_t size, name_size;
    struct csv_row row;

    if (csv_row_read(&row, s->call.names, values)) {
        s->other = s->results.rows > 0 && strcmp(csv_field(&row, "device"), s->results.device) != 0;
        csv_row_free(&row);
        if (s->other)
            return false;
    }
    FILE *text = open_memstream(&line, &size), *head = open_memstream(&names, &name_size);
    if (text == NULL || head == NULL)
        give_up("memory on the host", "give fewer sizes or programs");
    fprintf(head, "%s%s%s\n", own_columns, s->call.names, last_column);
    fclose(head);
    if (lseek(s->file, 0, SEEK_END) == 0)
        fputs(names, text);
    fflush(text);
    size_t whole = size; /* of the header */
    write_date(date, "%Y-%m-%dT%H:%M:%SZ");
    snprintf(round, sizeof round, "%u", s->round);
    const char *own[] = {date, s->revision, s->compiler, round, p->label};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        csv_put(text, own[i]);
        fputc(',', text);
    }
    fprintf(text, "%s,", values);
    csv_put(text, s->given);
    fputs("\n", text);
    fclose(text);
    bool right = append(s, line);
    if (right && !results_add(&s->results, names, line + whole, message)) {
        fprintf(stderr, "%s: %s\n", p->label, message);
        exit(EXIT_DEVICE);
    }
    if (s->ceiling[0] == '\0' && s->results.ceiling > 0)
        snprintf(s->ceiling, sizeof s->ceiling, "--ceiling=%.17g", s->results.ceiling);
    free(names);
    free(line);
    return right;
}

/* ---- continuing a file -------------------------------------------------------------------------- */

static bool planned(const struct sweep *s, const struct cell *cell)
{
    bool program = false, size = false;

    for (size_t i = 0; i < s->arguments.program_count; i++)
        program |= strcmp(s->arguments.programs[i].label, cell->variant) == 0;
    for (size_t k = 0; k < s->combo_count; k++) {
        const struct combo *c = &s->combos[k];
        if (strcmp(c->type, cell->type) == 0 && strcmp(c->op, cell->op) == 0)
            for (size_t i = 0; i < c->size_count; i++)
                size |= c->sizes[i] == cell->n;
    }
    return program && size;
}

static void refuse_other(const struct sweep *s, const char *what, const char *there,
                         const char *here)
{
    fprintf(stderr, "%s holds another measurement, %s '%s' and not '%s': name another --output\n",
            s->output, what, there, here);
    exit(EXIT_USAGE);
}

/* The names of the programs' columns in the file; they have to be the same as before. Returns how many
 * rows are below, at most 1. */
static size_t take_names(struct sweep *s)
{
    FILE *file = fopen(s->output, "r");
    char *line = NULL;
    size_t size = 0, rows = 0;

    if (file == NULL || getline(&line, &size, file) <= 0 ||
        strncmp(line, own_columns, sizeof own_columns - 1) != 0) {
        fprintf(
            stderr,
            "%s exists, is no CSV of this bench, and is not overwritten: name another --output\n",
            s->output);
        exit(EXIT_USAGE);
    }
    char *end = strstr(line, last_column);
    line[end != NULL ? (size_t)(end - line) : strcspn(line, "\n")] = '\0';
    s->call.names = duplicate(line + sizeof own_columns - 1);
    s->call.columns = 1;
    for (const char *c = s->call.names; *c != '\0'; c++)
        s->call.columns += *c == ',';
    rows = getline(&line, &size, file) > 0 && strchr(line, '\n') != NULL;
    free(line);
    fclose(file);
    return rows;
}

/* Reads what was measured before, unless it was measured differently. */
static void go_on(struct sweep *s)
{
    char message[RESULTS_MESSAGE_MAX];
    struct results *r = &s->results;

    if (!results_read(r, s->output, message)) {
        fprintf(stderr, "%s; it is not overwritten, name another --output\n", message);
        exit(EXIT_USAGE);
    }
    if (strcmp(r->given, s->given) != 0)
        refuse_other(s, "with", r->given, s->given);
    if (strcmp(r->revision, s->revision) != 0)
        refuse_other(s, "of revision", r->revision, s->revision);
    if (strcmp(r->compiler, s->compiler) != 0)
        refuse_other(s, "by compiler", r->compiler, s->compiler);
    for (size_t i = 0; i < r->count; i++)
        if (!planned(s, &r->cells[i])) {
            char what[300], size[SIZE_TEXT_MAX];
            snprintf(what, sizeof what, "%s, %s of %s, %s elements", r->cells[i].variant,
                     r->cells[i].op, r->cells[i].type, size_text(size, r->cells[i].n));
            refuse_other(s, "with", what, "what is asked for now");
        }
    if (r->ceiling > 0 && s->ceiling[0] == '\0')
        snprintf(s->ceiling, sizeof s->ceiling, "--ceiling=%.17g", r->ceiling);
}

/* Removes a line that was cut short. */
static void cut_torn_line(const struct sweep *s)
{
    off_t size = lseek(s->file, 0, SEEK_END);
    char last = '\n';

    while (size > 0 && pread(s->file, &last, 1, size - 1) == 1 && last != '\n')
        size--;
    if (ftruncate(s->file, size) != 0)
        give_up(s->output, "name another --output");
}

void record_open(struct sweep *s)
{
    static char path[256];
    char date[32];
    struct stat before;

    if (s->output == NULL) {
        write_date(date, "%Y%m%d-%H%M%S");
        if (mkdir("results", 0777) != 0 && errno != EEXIST)
            give_up("results", "name an --output elsewhere");
        snprintf(path, sizeof path, "results/%s-%s.csv", s->arch, date);
        s->output = path;
    }
    s->created = stat(s->output, &before) != 0;
    s->file = open(s->output, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (s->file < 0)
        give_up(s->output, "name another --output");
    if (!s->created && S_ISREG(before.st_mode) && before.st_size > 0) {
        if (take_names(s) > 0)
            go_on(s);
        cut_torn_line(s);
    }
    fprintf(stderr, "rows go to %s", s->output);
    if (s->results.rows > 0)
        fprintf(stderr, ", which has %zu rows of %u rounds", s->results.rows, s->results.round);
    fprintf(stderr, "\n");
}

void record_close(struct sweep *s)
{
    if (close(s->file) != 0 && s->file_error == 0)
        s->file_error = errno;
    if (s->results.rows == 0 && s->created)
        unlink(s->output);
}
