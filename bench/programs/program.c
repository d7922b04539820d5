/* SPDX-License-Identifier: MIT */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"
#include "failure.h"
#include "harness/report/csv.h"

const char *program_short_name(const char *path)
{
    static const char prefix[] = "reduction_";
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;

    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

char **program_words(const char *text)
{
    size_t most = strlen(text) / 2 + 2, count = 0;
    char **words = allocate(most * sizeof *words + strlen(text) + 1), *rest;
    char *copy = strcpy((char *)(words + most), text); /* behind the list, in one allocation */

    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    return words;
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

void program_set(struct program *p, const char *text)
{
    p->words = program_words(text);
    p->exercise = ends_in(p->words[0], "_to_fix");
    p->label = allocate(strlen(text) + 1);
    strcpy(p->label, program_short_name(p->words[0]));
    for (char **word = p->words + 1; *word != NULL; word++) {
        strcat(p->label, " ");
        strcat(p->label, *word + strspn(*word, "-"));
    }
}

static size_t count_words(const void *list)
{
    char *const *words = list;
    size_t count = 0;

    while (words[count] != NULL)
        count++;
    return count;
}

char **program_command(const void *const *parts)
{
    size_t count = 0;
    char **words = NULL;

    for (; *parts != NULL; parts++) {
        size_t more = count_words(*parts);
        words = reallocate(words, (count + more + 1) * sizeof *words);
        memcpy(words + count, *parts, (more + 1) * sizeof *words);
        count += more;
    }
    return words;
}

/* ---- their CSV ------------------------------------------------------------------------------------- */

struct reading {
    struct program_call *call;
    program_row *take;
    void *context;
    size_t lines;
    bool strange; /* its columns differ from those of the first program */
    bool foreign; /* it has none */
};

/* The end of the columns that all programs have, or NULL. */
static char *end_of_names(char *line)
{
    static const char last[] = ",check";

    for (char *at = line; (at = strstr(at, last)) != NULL; at++)
        if (at[sizeof last - 1] == ',' || at[sizeof last - 1] == '\0')
            return at + sizeof last - 1;
    return NULL;
}

static bool take_names(struct program_call *call, char *line, bool *foreign)
{
    char *end = end_of_names(line);

    *foreign = end == NULL || strstr(line, ",total_median_us,") == NULL;
    if (*foreign)
        return false;
    *end = '\0';
    if (call->names == NULL) {
        call->names = duplicate(line);
        call->columns = 1;
        for (const char *c = line; *c != '\0'; c++)
            call->columns += *c == ',';
    }
    return strcmp(line, call->names) == 0;
}

static bool take_line(void *context, char *line)
{
    struct reading *r = context;

    bool traced = strncmp(line, PROGRAM_COUNTED, strlen(PROGRAM_COUNTED)) == 0;

    if (r->lines == 0 && traced) /* nothing before it: there are no results */
        return true;
    if (r->lines++ == 0) {
        r->strange = !take_names(r->call, line, &r->foreign);
        return !r->strange;
    }
    if (!traced)
        csv_cut(line, r->call->columns);
    return r->take(r->context, line);
}

/* ---- the outcome ------------------------------------------------------------------------------- */

static void explain(struct outcome *o, const struct reading *r, const struct child *child)
{
    char last[256];

    child_reason(child, last, sizeof last);
    if (r->strange)
        snprintf(o->reason, sizeof o->reason,
                 "its CSV has different columns from that of the first: build all programs with "
                 "one make");
    else if (o->stopped)
        snprintf(o->reason, sizeof o->reason, "stopped");
    else if (o->status < 0)
        snprintf(o->reason, sizeof o->reason, "crashed: %s", strsignal(-o->status));
    else if (o->status == 127)
        snprintf(o->reason, sizeof o->reason, "cannot be run: %s", last);
    else if (o->status != EXIT_RIGHT && o->status != EXIT_WRONG && o->status != EXIT_UNPROVEN)
        snprintf(o->reason, sizeof o->reason, "exit %d: %s", o->status, last);
    else if (o->rows == 0)
        snprintf(o->reason, sizeof o->reason, "exit %d without a row of results%s%s", o->status,
                 child->said[0] != '\0' ? ": " : "", child->said[0] != '\0' ? last : "");
}

void program_run(struct outcome *o, const struct program *p, struct program_call *call, const char *const *own,
                 program_row *take, void *context)
{
    struct reading reading = {call, take, context, 0, false, false};
    char **words = program_command((const void *const[]){call->launch, p->words, call->options, own, NULL});

    /* OpenMP threads that spin while they wait would take the cores from those that work. */
    setenv("OMP_WAIT_POLICY", "passive", 0);
    struct child child = child_run(&(struct child_job){.words = words, .line = take_line, .context = &reading});
    free(words);
    *o = (struct outcome){.status = child.status,
                          .foreign = reading.foreign,
                          .rows = reading.lines > 0 ? reading.lines - 1 : 0,
                          .stopped = child.how == CHILD_STOPPED && !reading.strange,
                          .busy = child.busy};
    snprintf(o->said, sizeof o->said, "%s", child.said);
    explain(o, &reading, &child);
    child_free(&child);
}
