/* Whether what a program prints depends on the warp size or on the schedule: compares its outputs in files named
 * WARP.SCHEDULE.SAMPLE, where all samples of a setting are runs alike.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <dirent.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "outputs.h"
#include "report.h"

#define SAMPLES 3 /* numbers that change between these say nothing */

/* A word, or a number. */
struct token {
    const char *text;
    size_t length;
};
struct text_line {
    const char *text;
    size_t length, tokens;
    struct token *token;
};
struct output {
    char *setting; /* "32.forward" */
    struct text_line *line;
    size_t lines;
};

struct outputs {
    struct output *all; /* by their names: of each setting its first sample first */
    size_t count;
    const char *folder, *more, *allowed;
    regex_t unit;
};

enum difference { SAME, SIZE, ROUNDING, OTHER };

/* Behind a number: 0x1f, 12, 1.5e-3. */
static const char *number_end(const char *at, const char *end)
{
    const char *from = at, *power;

    if (at + 2 < end && *at == '0' && (at[1] | 32) == 'x' && isxdigit((unsigned char)at[2])) {
        for (at += 2; at < end && isxdigit((unsigned char)*at); at++)
            ;
        return at;
    }
    while (at < end && isdigit((unsigned char)*at))
        at++;
    if (at == from)
        return at;
    if (at < end && *at == '.')
        for (at++; at < end && isdigit((unsigned char)*at); at++)
            ;
    power = at + 1 + (at + 1 < end && strchr("+-", at[1]));
    if (power < end && (*at | 32) == 'e' && isdigit((unsigned char)*power))
        for (at = power; at < end && isdigit((unsigned char)*at); at++)
            ;
    return at;
}

/* The tokens of a line, of which few are looked at. */
static const struct text_line *split(struct text_line *line)
{
    const char *end = line->text + line->length;

    for (const char *at = line->token ? end : line->text, *to; at < end; at = to) {
        to = number_end(at, end);
        if (to == at && isspace((unsigned char)*at)) {
            to++;
            continue;
        }
        if (to == at)
            while (to < end && !isspace((unsigned char)*to) && !isdigit((unsigned char)*to))
                to++;
        if (line->tokens % 16 == 0)
            line->token = report_check(realloc(line->token, (line->tokens + 16) * sizeof *line->token));
        line->token[line->tokens++] = (struct token){at, (size_t)(to - at)};
    }
    return line;
}

static void read_output(struct output *o, const char *folder, const char *name)
{
    char *text = report_file(finding_text("%s/%s", folder, name));

    *o = (struct output){.setting = finding_text("%.*s", (int)(strrchr(name, '.') - name), name)};
    for (char *next; text && *text; text = next) {
        next = strchr(text, '\n') ? strchr(text, '\n') + 1 : text + strlen(text);
        if (o->lines % 256 == 0)
            o->line = report_check(realloc(o->line, (o->lines + 256) * sizeof *o->line));
        struct text_line *line = &o->line[o->lines++];
        *line = (struct text_line){text, (size_t)(next - text) - (next[-1] == '\n'), 0, NULL};
    }
}

static size_t find(const struct outputs *o, const char *setting)
{
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(o->all[i].setting, setting) == 0)
            return i;
    return o->count;
}

static bool is_same(struct token a, struct token b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* Whether token t, or with t = -1 the number of tokens, of a line changes between samples of any setting: times, addresses,
 * lines of threads that run at once. */
static bool is_noise(const struct outputs *o, size_t line, size_t t)
{
    for (size_t i = 0; i < o->count; i++) {
        const struct output *a = &o->all[i], *b = &o->all[find(o, a->setting)];
        if (a == b || line >= a->lines || line >= b->lines)
            continue;
        const struct text_line *x = split(&a->line[line]), *y = split(&b->line[line]);
        if (t == (size_t)-1 ? x->tokens != y->tokens
                            : t < x->tokens && !(t < y->tokens && is_same(x->token[t], y->token[t])))
            return true;
    }
    return false;
}

static bool has_any_length(const struct outputs *o)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->all[i].lines != o->all[find(o, o->all[i].setting)].lines)
            return true;
    return false;
}

static bool is_number(struct token t)
{
    return isdigit((unsigned char)*t.text) && !(t.length > 1 && (t.text[1] | 32) == 'x');
}

/* Another order of additions changes the last digits. */
static bool is_rounding(struct token a, struct token b)
{
    bool real = memchr(a.text, '.', a.length) || memchr(b.text, '.', b.length) || memchr(a.text, 'e', a.length) ||
                memchr(b.text, 'e', b.length);
    double x = strtod(a.text, NULL), y = strtod(b.text, NULL), size = x > y ? x : y;
    double distance = x > y ? x - y : y - x;

    return is_number(a) && is_number(b) && real && distance <= FINDING_ROUNDING * (size > 1 ? size : 1);
}

/* Measurements differ; between few runs they may be equal by chance. */
static bool is_measured(const struct outputs *o, const struct text_line *line, size_t t)
{
    return t + 1 < line->tokens &&
           regexec(&o->unit, finding_text("%.*s", (int)line->token[t + 1].length, line->token[t + 1].text), 0, NULL,
                   0) == 0;
}

static bool is_warp(struct token t, const struct output *of)
{
    return t.length == strcspn(of->setting, ".") && memcmp(t.text, of->setting, t.length) == 0;
}

static enum difference compare(const struct outputs *o, const struct output *a, const struct output *b, size_t line)
{
    const struct text_line *x = split(&a->line[line]), *y = split(&b->line[line]);
    enum difference how = SAME;

    if (x->length == y->length && memcmp(x->text, y->text, x->length) == 0)
        return SAME;
    if (is_noise(o, line, (size_t)-1))
        return SAME;
    if (x->tokens != y->tokens)
        return OTHER;
    for (size_t t = 0; t < x->tokens; t++) {
        struct token p = x->token[t], q = y->token[t];
        if (is_same(p, q) || is_noise(o, line, t) || (is_number(p) && is_number(q) && is_measured(o, x, t)))
            continue;
        if (is_warp(p, a) && is_warp(q, b))
            how = SIZE;
        else if (is_rounding(p, q))
            how = ROUNDING;
        else
            return OTHER;
    }
    return how;
}

static int by_text(const void *a, const void *b)
{
    const struct text_line *x = a, *y = b;
    int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static struct text_line *sorted(const struct output *o)
{
    struct text_line *lines = report_check(malloc((o->lines + 1) * sizeof *lines));

    if (o->lines > 0)
        memcpy(lines, o->line, o->lines * sizeof *lines);
    qsort(lines, o->lines, sizeof *lines, by_text);
    return lines;
}

/* Whether both print the same lines in some order, as threads that print do. */
static bool is_order(const struct output *a, const struct output *b)
{
    bool same = a->lines == b->lines;
    struct text_line *x = sorted(a), *y = sorted(b);

    for (size_t i = 0; same && i < a->lines; i++)
        same = by_text(&x[i], &y[i]) == 0;
    free(x);
    free(y);
    return same;
}

static char *side_of(const struct outputs *o, const struct output *of, size_t line, const char *raw)
{
    int warp = (int)strcspn(of->setting, ".");
    bool there = line < of->lines;
    size_t shown = there && of->line[line].length < 160 ? of->line[line].length : 160;

    return finding_text("%s  warps of %.*s, SCHEDULE=%s%s%s, line %zu:\n%s    %.*s\n", raw, warp, of->setting,
                        of->setting + warp + 1, *o->more ? "," : "", o->more, line + 1, raw, there ? (int)shown : 9,
                        there ? of->line[line].text : "(nothing)");
}

/* Where the memory that kernels write begins to differ (HIP_CPU_WRITTEN), as lines of the record; "": not known. */
static const char *memory_of(const struct outputs *o, const struct output *a, const struct output *b)
{
    char *text = report_file(finding_text("%s/.written.%s.%s.difference", o->folder, a->setting, b->setting)),
         *lines = finding_text("%s", "");

    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n"))
        lines = finding_text("%sraw\t%s\n", lines, line);
    return lines;
}

/* The record of how two settings differ; NULL: they do not. */
static char *difference(const struct outputs *o, const char *what, const struct output *a, const struct output *b,
                        bool *is_finding)
{
    enum difference how = SAME;
    size_t last = a->lines > b->lines ? a->lines : b->lines, at = 0;

    for (size_t l = 0; l < last && how != OTHER; l++) {
        bool ends = l >= a->lines || l >= b->lines;
        if (ends && has_any_length(o))
            break;
        enum difference this = ends ? OTHER : compare(o, a, b, l);
        if (this != SAME && (how == SAME || this == OTHER)) {
            how = this;
            at = l;
        }
    }
    if (how == SAME || is_order(a, b))
        return NULL;
    *is_finding = how == OTHER && strcmp(o->allowed, "varies") != 0;
    char *first = side_of(o, a, at, *is_finding ? "raw\t" : ""),
         *second = side_of(o, b, at, *is_finding ? "raw\t" : "");
    if (how == SIZE)
        return finding_text("\001note\nnote: the program prints the warp size:\n%s%s", first, second);
    if (how == ROUNDING)
        return finding_text("\001note\nnote: the last digits depend on the %s:\n%s%s", what, first, second);
    return finding_text("\001%s%swhat the program prints depends on the %s%s\n%s%s%s%s",
                        *is_finding ? "output" : "note", *is_finding ? "\nhead\t" : "\nnote: ", what,
                        *is_finding ? "" : ":", first, second, *is_finding ? memory_of(o, a, b) : "",
                        !*is_finding ? ""
                        : strcmp(what, "warp size") == 0
                            ? "hint\ta width of 32 or 64 that should be warpSize, a mask in an int\n"
                            : "hint\twhat an atomic operation returns, float additions in any order\n");
}

struct result {
    char *records;
    char *again[2]; /* settings that differ and have not been run often enough */
    bool is_finding, differs;
};
static char *setting(const char *warp, const char *schedule) { return finding_text("%s.%s", warp, schedule); }

static void compare_pair(const struct outputs *o, const char *what, char *first, char *second, struct result *r)
{
    size_t a = find(o, first), b = find(o, second), samples = 0;
    bool is_finding = false;
    char *record;

    if (a == o->count || b == o->count || *r->again ||
        !(record = difference(o, what, &o->all[a], &o->all[b], &is_finding)))
        return;
    for (size_t i = 0; i < o->count; i++)
        samples += strcmp(o->all[i].setting, second) == 0;
    if (samples < SAMPLES) {
        r->again[0] = first;
        r->again[1] = second;
        return;
    }
    r->records = finding_text("%s%s", r->records, record);
    r->is_finding |= is_finding;
    r->differs = true;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static int is_sample(const struct dirent *entry)
{
    return *entry->d_name != '.' && strchr(entry->d_name, '.') != strrchr(entry->d_name, '.');
}

int outputs_compare(const char *folder, const char *records, const char *allowed, const char *more, char **warps,
                    char **schedules, char *different[2])
{
    struct outputs o = {.folder = folder, .allowed = allowed, .more = more};
    struct result r = {.records = finding_text("%s", "")};
    struct dirent **name;
    int count = scandir(folder, &name, is_sample, by_name);
    bool schedule_differs = false;

    if (count < 0)
        report_usage("%s: cannot be read", folder);
    o.count = (size_t)count;
    o.all = report_check(calloc(o.count + 1, sizeof *o.all));
    for (size_t i = 0; i < o.count; i++)
        read_output(&o.all[i], folder, name[i]->d_name);
    if (regcomp(&o.unit,
                "^[^a-zA-Z0-9]*(ns|us|µs|ms|s|sec|secs|seconds|milliseconds|microseconds|"
                "[KMGT]i?B/s|[KMGT]?[Ff][Ll][Oo][Pp][Ss]?(/s)?)([^a-zA-Z]|$)",
                REG_EXTENDED | REG_NOSUB) != 0)
        report_usage("no memory for the report");
    for (char **warp = warps; *warp; warp++) {
        char *base = setting(*warp, *schedules);
        if (warp != warps)
            compare_pair(&o, "warp size", setting(*warps, *schedules), base, &r);
        for (char **other = schedules + 1; *other && !schedule_differs; other++) {
            r.differs = false;
            compare_pair(&o, "schedule", base, setting(*warp, *other), &r);
            schedule_differs = r.differs;
        }
    }
    memcpy(different, r.again, sizeof r.again);
    if (*r.again)
        return OUTPUTS_AGAIN;
    FILE *file = fopen(records, "a");
    if (!file || fputs(r.records, file) < 0 || fclose(file) != 0)
        report_usage("%s: cannot write the findings", records);
    for (int i = 0; i < count; i++)
        unlink(finding_text("%s/%s", folder, name[i]->d_name));
    return r.is_finding;
}

/* What is left of a text without its numbers. */
static char *words_of(char *text)
{
    char *to = text;

    for (const char *at = text; *at;) {
        if (*at == '0' && (at[1] | 32) == 'x')
            for (at += 2; isxdigit((unsigned char)*at); at++)
                ;
        else if (isdigit((unsigned char)*at))
            while (isdigit((unsigned char)*at) || *at == '.')
                at++;
        else
            *to++ = *at++;
    }
    *to = '\0';
    return text;
}

bool outputs_said_before(const char *output, const char *shown_before)
{
    char *said = report_file(output), *shown = report_file(shown_before);
    const char *text = said ? words_of(said) : "";
    bool before = said && shown && strcmp(text, shown) == 0;
    FILE *words = before || !said ? NULL : fopen(shown_before, "w");

    if (words) {
        fputs(text, words);
        fclose(words);
    }
    return before;
}
