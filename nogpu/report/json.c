/* The report as JSON, of our own and as SARIF 2.1.0, which GitHub and editors show.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json_text.h"
#include "report.h"

static void print_field(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    json_text(text);
}

/* ---- ours ---- */

static void print_side(const struct finding_side *s)
{
    printf("{\"line\": %u, \"column\": %u", s->line, s->column);
    print_field("file", s->file);
    print_field("function", s->function);
    print_field("source", s->source);
    print_field("what", s->who);
    printf("}");
}

static void print_finding(const struct report *r, const struct item *i)
{
    const struct finding_shown *f = &r->item[i->best].shown;
    char fingerprint[17];
    const char *between = "";

    report_fingerprint(f, fingerprint);
    printf("{\"fingerprint\": \"%s\", \"times\": %llu", fingerprint, i->seen);
    print_field("kind", f->kind);
    print_field("kernel", f->kernel);
    print_field("message", f->head);
    print_field("hint", f->hint);
    if (*i->raw)
        print_field("output", i->raw);
    printf(", \"places\": [");
    for (unsigned k = 0; k < f->sides; k++) {
        printf("%s", k > 0 ? ", " : "");
        print_side(&f->side[k]);
    }
    printf("], \"perhaps\": [");
    for (unsigned k = 0; k < f->others; k++) {
        printf("%s", k > 0 ? ", " : "");
        json_text(f->other[k]);
    }
    printf("], \"runs\": [");
    for (unsigned k = 0; k < r->runs && k < RUNS_MAX; k++)
        if (i->in_run[k]) {
            printf("%s%u", between, k);
            between = ", ";
        }
    printf("]}");
}

void report_print_json(const struct report *r, const struct options *o, const struct shown_list *list)
{
    printf("{\"nogpu\": \"%s\", \"status\": %d, \"stopped\": %u, \"suppressed\": %u, \"known\": %u, "
           "\"hidden\": %u,\n \"runs\": [",
           r->tool, o->status, r->stopped, list->suppressed, list->known, list->hidden);
    for (unsigned i = 0; i < r->runs; i++) {
        printf("%s{\"warp\": %s", i > 0 ? ", " : "", *r->run[i].warp ? r->run[i].warp : "null");
        print_field("schedule", r->run[i].schedule);
        print_field("arguments", r->run[i].more);
        printf("}");
    }
    printf("],\n \"findings\": [");
    for (unsigned i = 0; i < list->count; i++) {
        printf("%s\n  ", i > 0 ? "," : "");
        print_finding(r, list->item[i]);
    }
    printf("],\n \"notes\": ");
    printf("[");
    for (unsigned i = 0; i < r->notes; i++) {
        printf("%s", i > 0 ? ", " : "");
        json_text(r->note[i].text);
    }
    printf("]}\n");
}

/* ---- SARIF ---- */

/* "out-of-bounds" */
static void print_rule_id(const char *kind)
{
    printf("\"nogpu-");
    for (; *kind; kind++)
        putchar(*kind == ' ' ? '-' : *kind);
    putchar('"');
}

/* Relative to the current folder where it is in it; characters that an address may not have are coded. */
static void print_uri(const char *file)
{
    char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;

    if (length > 0 && strncmp(file, here, length) == 0 && file[length] == '/')
        file += length + 1;
    printf("{\"uri\": \"%s", *file == '/' ? "file://" : "");
    for (const unsigned char *c = (const unsigned char *)file; *c; c++)
        if (*c > 0x20 && *c < 0x7f && !strchr("\"\\%#?<>^`{|}[]", *c))
            putchar(*c);
        else
            printf("%%%02X", *c);
    printf("\"}");
}

static void print_location(const struct finding_side *s, unsigned id)
{
    printf("{");
    if (id > 0)
        printf("\"id\": %u, ", id);
    printf("\"physicalLocation\": {\"artifactLocation\": ");
    print_uri(s->file);
    if (s->line > 0)
        printf(", \"region\": {\"startLine\": %u", s->line);
    if (s->line > 0 && s->column > 0)
        printf(", \"startColumn\": %u", s->column);
    printf("%s}, \"message\": {\"text\": ", s->line > 0 ? "}" : "");
    json_text(s->who);
    printf("}}");
}

static void print_result(const struct report *r, const struct item *i, unsigned rule)
{
    const struct finding_shown *f = &r->item[i->best].shown;
    char fingerprint[17];

    report_fingerprint(f, fingerprint);
    printf("{\"ruleIndex\": %u, \"level\": \"%s\", \"ruleId\": ", rule,
           strcmp(f->kind, "leak") == 0 || strcmp(f->kind, "volatile") == 0 ? "warning" : "error");
    print_rule_id(f->kind);
    printf(", \"message\": {\"text\": ");
    json_text(finding_text("%s%s%s%s", f->head, report_where(r, i), *f->hint ? ". Look at: " : "", f->hint));
    printf("}, \"partialFingerprints\": {\"nogpu/v1\": \"%s\"}, \"occurrenceCount\": %llu, "
           "\"locations\": [",
           fingerprint, i->seen > 0 ? i->seen : 1);
    if (f->sides > 0)
        print_location(&f->side[0], 0);
    printf("]");
    if (f->sides > 1) {
        printf(", \"relatedLocations\": [");
        print_location(&f->side[1], 1);
        printf("]");
    }
    printf("}");
}

void report_print_sarif(const struct report *r, const struct options *o, const struct shown_list *list)
{
    unsigned *rule = report_check(calloc(list->count + 1, sizeof *rule)), rules = 0;

    printf("{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\",\n"
           " \"runs\": [{\"tool\": {\"driver\": {\"name\": \"nogpu %s\", \"rules\": [",
           r->tool);
    for (unsigned i = 0; i < list->count; i++) {
        const char *kind = list->item[i]->shown.kind;
        unsigned k = 0;
        while (k < i && strcmp(list->item[k]->shown.kind, kind) != 0)
            k++;
        rule[i] = k < i ? rule[k] : rules;
        if (k < i)
            continue;
        printf("%s{\"id\": ", rules++ > 0 ? ", " : "");
        print_rule_id(kind);
        printf(", \"shortDescription\": {\"text\": ");
        json_text(kind);
        printf("}}");
    }
    printf("]}},\n  \"columnKind\": \"utf16CodeUnits\", \"invocations\": [{\"executionSuccessful\": "
           "%s, \"exitCode\": %d}],\n  \"results\": [",
           o->status == 0 || o->status == 1 ? "true" : "false", o->status);
    for (unsigned i = 0; i < list->count; i++) {
        printf("%s\n   ", i > 0 ? "," : "");
        print_result(r, list->item[i], rule[i]);
    }
    printf("]}]}\n");
    free(rule);
}
