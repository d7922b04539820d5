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

#include "bench.h"
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
static bool append(struct bench *b, const char *text)
{
    size_t length = strlen(text);
    off_t before = lseek(b->file, 0, SEEK_END);
    ssize_t written = write(b->file, text, length);

    if (written == (ssize_t)length)
        return true;
    b->file_error = written < 0 ? errno : ENOSPC;
    if (written > 0 && ftruncate(b->file, before) != 0)
        fprintf(stderr, "%s: the last line is not whole\n", b->output);
    return false;
}

bool record_row(struct bench *b, const struct program *p, const char *values)
{
    char *line = NULL, *names = NULL, date[32], round[16], message[RESULTS_MESSAGE_MAX];
    size_t size, name_size;
    struct csv_row row;

    if (csv_row_read(&row, b->call.names, values)) {
        b->other = b->results.rows > 0 && strcmp(csv_field(&row, "device"), b->results.device) != 0;
        csv_row_free(&row);
        if (b->other)
            return false;
    }
    FILE *text = open_memstream(&line, &size), *head = open_memstream(&names, &name_size);
    if (text == NULL || head == NULL)
        give_up("memory on the host", "give fewer sizes or programs");
    fprintf(head, "%s%s%s\n", own_columns, b->call.names, last_column);
    fclose(head);
    if (lseek(b->file, 0, SEEK_END) == 0)
        fputs(names, text);
    fflush(text);
    size_t whole = size; /* of the header */
    write_date(date, "%Y-%m-%dT%H:%M:%SZ");
    snprintf(round, sizeof round, "%u", b->round);
    const char *own[] = {date, b->revision, b->compiler, round, p->label};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        csv_put(text, own[i]);
        fputc(',', text);
    }
    fprintf(text, "%s,", values);
    csv_put(text, b->given);
    fputs("\n", text);
    fclose(text);
    bool right = append(b, line);
    if (right && !results_add(&b->results, names, line + whole, message)) {
        fprintf(stderr, "%s: %s\n", p->label, message);
        exit(EXIT_DEVICE);
    }
    if (b->ceiling[0] == '\0' && b->results.ceiling > 0)
        snprintf(b->ceiling, sizeof b->ceiling, "--ceiling=%.17g", b->results.ceiling);
    free(names);
    free(line);
    return right;
}

/* ---- continuing a file -------------------------------------------------------------------------- */

static bool planned(const struct bench *b, const struct cell *cell)
{
    bool program = false, size = false;

    for (size_t i = 0; i < b->arguments.program_count; i++)
        program |= strcmp(b->arguments.programs[i].label, cell->variant) == 0;
    for (size_t k = 0; k < b->combo_count; k++) {
        const struct combo *c = &b->combos[k];
        if (strcmp(c->type, cell->type) == 0 && strcmp(c->op, cell->op) == 0)
            for (size_t i = 0; i < c->size_count; i++)
                size |= c->sizes[i] == cell->n;
    }
    return program && size;
}

static void refuse_other(const struct bench *b, const char *what, const char *there,
                         const char *here)
{
    fprintf(stderr, "%s holds another measurement, %s '%s' and not '%s': name another --output\n",
            b->output, what, there, here);
    exit(EXIT_USAGE);
}

/* The names of the programs' columns in the file; they have to be the same as before. Returns how many
 * rows are below, at most 1. */
static size_t take_names(struct bench *b)
{
    FILE *file = fopen(b->output, "r");
    char *line = NULL;
    size_t size = 0, rows = 0;

    if (file == NULL || getline(&line, &size, file) <= 0 ||
        strncmp(line, own_columns, sizeof own_columns - 1) != 0) {
        fprintf(
            stderr,
            "%s exists, is no CSV of this bench, and is not overwritten: name another --output\n",
            b->output);
        exit(EXIT_USAGE);
    }
    char *end = strstr(line, last_column);
    line[end != NULL ? (size_t)(end - line) : strcspn(line, "\n")] = '\0';
    b->call.names = duplicate(line + sizeof own_columns - 1);
    b->call.columns = 1;
    for (const char *c = b->call.names; *c != '\0'; c++)
        b->call.columns += *c == ',';
    rows = getline(&line, &size, file) > 0 && strchr(line, '\n') != NULL;
    free(line);
    fclose(file);
    return rows;
}

/* Reads what was measured before, unless it was measured differently. */
static void go_on(struct bench *b)
{
    char message[RESULTS_MESSAGE_MAX];
    struct results *r = &b->results;

    if (!results_read(r, b->output, message)) {
        fprintf(stderr, "%s; it is not overwritten, name another --output\n", message);
        exit(EXIT_USAGE);
    }
    if (strcmp(r->given, b->given) != 0)
        refuse_other(b, "with", r->given, b->given);
    if (strcmp(r->revision, b->revision) != 0)
        refuse_other(b, "of revision", r->revision, b->revision);
    if (strcmp(r->compiler, b->compiler) != 0)
        refuse_other(b, "by compiler", r->compiler, b->compiler);
    for (size_t i = 0; i < r->count; i++)
        if (!planned(b, &r->cells[i])) {
            char what[300], size[SIZE_TEXT_MAX];
            snprintf(what, sizeof what, "%s, %s of %s, %s elements", r->cells[i].variant,
                     r->cells[i].op, r->cells[i].type, size_text(size, r->cells[i].n));
            refuse_other(b, "with", what, "what is asked for now");
        }
    if (r->ceiling > 0 && b->ceiling[0] == '\0')
        snprintf(b->ceiling, sizeof b->ceiling, "--ceiling=%.17g", r->ceiling);
}

/* Removes a line that was cut short. */
static void cut_torn_line(const struct bench *b)
{
    off_t size = lseek(b->file, 0, SEEK_END);
    char last = '\n';

    while (size > 0 && pread(b->file, &last, 1, size - 1) == 1 && last != '\n')
        size--;
    if (ftruncate(b->file, size) != 0)
        give_up(b->output, "name another --output");
}

void record_open(struct bench *b)
{
    static char path[256];
    char date[32];
    struct stat before;

    if (b->output == NULL) {
        write_date(date, "%Y%m%d-%H%M%S");
        if (mkdir("results", 0777) != 0 && errno != EEXIST)
            give_up("results", "name an --output elsewhere");
        snprintf(path, sizeof path, "results/%s-%s.csv", b->arch, date);
        b->output = path;
    }
    b->created = stat(b->output, &before) != 0;
    b->file = open(b->output, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (b->file < 0)
        give_up(b->output, "name another --output");
    if (!b->created && S_ISREG(before.st_mode) && before.st_size > 0) {
        if (take_names(b) > 0)
            go_on(b);
        cut_torn_line(b);
    }
    fprintf(stderr, "rows go to %s", b->output);
    if (b->results.rows > 0)
        fprintf(stderr, ", which has %zu rows of %u rounds", b->results.rows, b->results.round);
    fprintf(stderr, "\n");
}

void record_close(struct bench *b)
{
    if (close(b->file) != 0 && b->file_error == 0)
        b->file_error = errno;
    if (b->results.rows == 0 && b->created)
        unlink(b->output);
}
