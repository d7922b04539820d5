/* SPDX-License-Identifier: MIT */
#include "results.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/failure.h"
#include "harness/report/csv.h"
#include "bench/programs/program.h"

static bool fail(char *message, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(message, RESULTS_MESSAGE_MAX, format, args);
    va_end(args);
    return false;
}

static bool number(const struct csv_row *row, const char *name, double *value, char *message)
{
    const char *text = csv_field(row, name);
    char *end;

    *value = strtod(text, &end);
    if (end == text || *end != '\0')
        return fail(message, "column %s holds '%s', not a number", name, text);
    return true;
}

/* run and the programs themselves write their name instead of a variant. */
static const char *variant_of(const struct csv_row *row)
{
    const char *name = csv_field(row, "variant");

    return *name != '\0' ? name : program_short_name(csv_field(row, "program"));
}

struct cell *results_like(const struct results *r, const struct cell *like)
{
    for (size_t i = r->count; i-- > 0;) {
        struct cell *c = &r->cells[i];
        if (c->n == like->n && strcmp(c->variant, like->variant) == 0 &&
            strcmp(c->type, like->type) == 0 && strcmp(c->op, like->op) == 0 &&
            strcmp(c->rest, like->rest) == 0)
            return c;
    }
    return NULL;
}

static struct cell *find_or_add(struct results *r, const struct cell *like)
{
    struct cell *c = results_like(r, like);

    if (c != NULL)
        return c;
    r->cells = reallocate(r->cells, (r->count + 1) * sizeof *c);
    c = &r->cells[r->count++];
    *c = (struct cell){.variant = duplicate(like->variant),
                       .type = duplicate(like->type),
                       .op = duplicate(like->op),
                       .n = like->n,
                       .rest = duplicate(like->rest)};
    return c;
}

static void describe(struct results *r, const struct csv_row *row)
{
    snprintf(r->device, sizeof r->device, "%s", csv_field(row, "device"));
    snprintf(r->arch, sizeof r->arch, "%s", csv_field(row, "arch"));
    snprintf(r->date, sizeof r->date, "%s", csv_field(row, "date"));
    snprintf(r->revision, sizeof r->revision, "%s", csv_field(row, "revision"));
    snprintf(r->compiler, sizeof r->compiler, "%s", csv_field(row, "compiler"));
    snprintf(r->given, sizeof r->given, "%s", csv_field(row, "given"));
    r->ceiling = csv_number(row, "ceiling_gbps");
}

static bool add(struct results *r, const struct csv_row *row, char *message)
{
    double n, round = 1, time[CLOCK_COUNT];
    char rest[512];

    if (!number(row, "n", &n, message) ||
        !number(row, "total_median_us", &time[CLOCK_TOTAL], message) ||
        !number(row, "kernel_median_us", &time[CLOCK_KERNEL], message))
        return false;
    if (*csv_field(row, "round") != '\0' && !number(row, "round", &round, message))
        return false;
    snprintf(rest, sizeof rest, "%s %s %s %s %s", csv_field(row, "cache"), csv_field(row, "offset"),
             csv_field(row, "pattern"), csv_field(row, "input"), csv_field(row, "options"));

    struct cell *c = find_or_add(r, &(struct cell){.variant = (char *)variant_of(row),
                                                   .type = (char *)csv_field(row, "type"),
                                                   .op = (char *)csv_field(row, "op"),
                                                   .n = (size_t)n,
                                                   .rest = rest});
    if (r->rows++ == 0)
        describe(r, row);
    r->round = (unsigned)round > r->round ? (unsigned)round : r->round;
    const char *check = csv_field(row, "check");
    if (strcmp(check, "OK") != 0) {
        c->unproven += strcmp(check, "UNPROVEN") == 0;
        c->wrong += strcmp(check, "UNPROVEN") != 0;
        return true;
    }
    c->samples = reallocate(c->samples, (c->count + 1) * sizeof *c->samples);
    c->samples[c->count++] =
        (struct sample){(unsigned)round, {time[CLOCK_TOTAL], time[CLOCK_KERNEL]}};
    return true;
}

bool results_add(struct results *r, const char *names, const char *values,
                 char message[RESULTS_MESSAGE_MAX])
{
    struct csv_row row;

    if (!csv_row_read(&row, names, values))
        return fail(message, "a row with more or fewer columns than the header");
    bool right = add(r, &row, message);
    csv_row_free(&row);
    return right;
}

bool results_read(struct results *r, const char *path, char message[RESULTS_MESSAGE_MAX])
{
    FILE *file = fopen(path, "r");
    char *names = NULL, *line = NULL, why[RESULTS_MESSAGE_MAX];
    size_t size = 0, lines = 0;
    bool right = true;

    if (file == NULL)
        return fail(message, "%s: %s", path, strerror(errno));
    while (right && getline(&line, &size, file) > 0 && strchr(line, '\n') != NULL) {
        if (lines++ == 0)
            names = duplicate(line);
        else if (!results_add(r, names, line, why))
            right = fail(message, "%.100s, line %zu: %.120s; is it a CSV that make bench wrote?",
                         path, lines, why);
    }
    if (right && lines < 2)
        right = fail(message, "%s holds no measurements: give a CSV that make bench wrote", path);
    fclose(file);
    free(names);
    free(line);
    return right;
}

size_t results_wrong(const struct results *r)
{
    size_t wrong = 0;

    for (size_t i = 0; i < r->count; i++)
        wrong += r->cells[i].wrong;
    return wrong;
}

size_t results_unproven(const struct results *r)
{
    size_t unproven = 0;

    for (size_t i = 0; i < r->count; i++)
        unproven += r->cells[i].unproven;
    return unproven;
}

void results_free(struct results *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct cell *c = &r->cells[i];
        free(c->variant);
        free(c->type);
        free(c->op);
        free(c->rest);
        free(c->samples);
    }
    free(r->cells);
    *r = (struct results){0};
}

const struct cell *results_find(const struct results *r, const char *variant, const char *type,
                                const char *op, size_t n)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct cell *c = &r->cells[i];
        if (c->n == n && strcmp(c->variant, variant) == 0 && strcmp(c->type, type) == 0 &&
            strcmp(c->op, op) == 0)
            return c;
    }
    return NULL;
}
