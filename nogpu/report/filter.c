/* What is left out: findings that rules name, that an earlier report has, or that are too many.
 *
 * A file of suppressions has blocks of lines "name: pattern" with an empty line between them; # begins a comment. A finding
 * that fits all lines of a block is left out. kind, kernel, file, in (a function) and source are names; a pattern is one of
 * the shell's.
 * SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define SHOWN_MAX 24

static bool fits_any(const struct finding_shown *f, const char *name, const char *pattern)
{
    if (strcmp(name, "kind") == 0)
        return fnmatch(pattern, f->kind, 0) == 0;
    if (strcmp(name, "kernel") == 0)
        return fnmatch(pattern, f->kernel, 0) == 0;
    for (unsigned i = 0; i < f->sides; i++) {
        const struct finding_side *s = &f->side[i];
        const char *text = strcmp(name, "file") == 0 ? s->file : strcmp(name, "in") == 0 ? s->function : s->source;
        if (fnmatch(pattern, text, 0) == 0)
            return true;
    }
    return false;
}

static bool is_name(const char *word)
{
    static const char *const names[] = {"kind", "kernel", "file", "in", "source"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(word, names[i]) == 0)
            return true;
    return false;
}

/* The file is taken apart once for each finding. */
static bool is_suppressed(const struct finding_shown *f, const char *file, const char *rules)
{
    bool fits = true, any = false;
    char *copy = finding_text("%s\n\n", rules), *at = copy;
    unsigned number = 0;

    while (at && *at) {
        char *line = at, *end = strchr(at, '\n');
        *end = '\0';
        at = end + 1;
        number++;
        line += strspn(line, " \t");
        if (*line == '#')
            continue;
        if (*line == '\0') {
            if (any && fits)
                return true;
            fits = true;
            any = false;
            continue;
        }
        char *pattern = strchr(line, ':');
        if (pattern)
            *pattern++ = '\0';
        if (!pattern || !is_name(line))
            report_usage("%s:%u: a line is kind:, kernel:, file:, in: or source: and a pattern", file, number);
        any = true;
        fits = fits && fits_any(f, line, pattern + strspn(pattern, " \t"));
    }
    free(copy);
    return false;
}

/* Without what patterns mean. */
static void print_rule(const char *name, const char *text)
{
    printf("    %s: ", name);
    for (; *text; text++)
        printf(strchr("*?[\\", *text) ? "\\%c" : "%c", *text);
    printf("\n");
}

void report_print_suppression(const struct finding_shown *f)
{
    printf("  to leave it out, these lines in a file for --suppressions:\n");
    print_rule("kind", f->kind);
    if (*f->kernel)
        print_rule("kernel", f->kernel);
    if (f->sides > 0) {
        print_rule("file", f->side[0].file);
        print_rule("source", f->side[0].source);
    }
}

/* Neither lines nor folders count: code is inserted above, and other machines have other folders. */
void report_fingerprint(const struct finding_shown *f, char text[17])
{
    uint64_t hash = finding_hash(finding_hash(FINDING_HASH, f->kind), f->kernel);

    for (unsigned i = 0; i < f->sides; i++) {
        const char *slash = strrchr(f->side[i].file, '/');
        hash = finding_hash(hash, slash ? slash + 1 : f->side[i].file);
        hash = finding_hash(finding_hash(hash, f->side[i].function), f->side[i].source);
    }
    snprintf(text, 17, "%016llx", (unsigned long long)hash);
}

static char *read_or_end(const char *what, const char *file)
{
    char *text = file ? report_file(file) : NULL;

    if (file && !text)
        report_usage("--%s %s: cannot read it", what, file);
    return text;
}

void report_filter(const struct report *r, const struct options *o, struct shown_list *list)
{
    const char *rules = read_or_end("suppressions", o->suppressions);
    const char *baseline = read_or_end("baseline", o->baseline);
    char fingerprint[17];

    if (baseline && !strstr(baseline, "nogpu"))
        report_usage("--baseline %s: no report of nogpu with --format json or sarif", o->baseline);
    list->item = report_check(calloc(r->items + 1, sizeof *list->item));
    for (unsigned i = 0; i < r->items; i++) {
        struct item *item = &r->item[i];
        if (item->first != i || item->is_later)
            continue;
        const struct finding_shown *f = &r->item[item->best].shown;
        report_fingerprint(f, fingerprint);
        if (rules && is_suppressed(f, o->suppressions, rules)) {
            list->suppressed++;
            continue;
        }
        if (baseline && strstr(baseline, fingerprint)) {
            list->known++;
            continue;
        }
        unsigned same = 0;
        for (unsigned k = 0; k < list->count; k++)
            same += o->limit == 0 || strcmp(list->item[k]->shown.kernel, item->shown.kernel) == 0;
        if (same >= (o->limit ? o->limit : SHOWN_MAX) && !item->is_output)
            list->hidden++;
        else
            list->item[list->count++] = item;
    }
}
