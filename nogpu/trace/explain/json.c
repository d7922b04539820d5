/* The numbers of explain as JSON, an array of kernels; or the totals of each kernel as CSV.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../report/json_text.h"
#include "explain.h"

/* of the source, in the listing: before one that did something, and after it */
#define LINES_BEFORE 6
#define LINES_AFTER  3

static void number(const char *name, uint64_t value) { printf(", \"%s\": %" PRIu64, name, value); }

static void steps(const struct explain_line *l)
{
    printf(",\n       \"steps\": [");
    for (unsigned i = 0; i < l->steps; i++) {
        printf("%s{\"barriers_before\": %u", i > 0 ? ", " : "", l->step[i].epoch);
        number("instructions", l->step[i].instructions);
        number("lanes", l->step[i].lanes);
        number("passes", l->step[i].passes);
        putchar('}');
    }
    putchar(']');
}

/* Offsets of all lanes of the warp, or of a shuffle the lanes that they read; null: the lane does not take part. */
static void offsets(const struct explain_sample *s, unsigned warp_size)
{
    printf(", \"offset\": [");
    for (unsigned lane = 0; lane < warp_size; lane++) {
        printf("%s", lane > 0 ? "," : "");
        if (s->lanes >> lane & 1)
            printf("%" PRIu64, s->offset[lane]);
        else
            printf("null");
    }
    putchar(']');
}

/* As text: JSON has no NaN, and its readers no integers of 64 bits. */
static void values(const struct explain_sample *s, unsigned warp_size)
{
    printf(", \"value\": [");
    for (unsigned lane = 0; lane < warp_size; lane++)
        if (s->lanes >> lane & 1)
            printf("%s\"%s\"", lane > 0 ? "," : "", s->value[lane]);
        else
            printf("%snull", lane > 0 ? "," : "");
    putchar(']');
}

static void samples(const struct explain_line *l, unsigned warp_size)
{
    printf(",\n       \"samples\": [");
    for (const struct explain_sample *s = l->sample; s < l->sample + l->samples; s++) {
        printf("%s\n        {\"barriers_before\": %u", s > l->sample ? "," : "", s->epoch);
        number("block", s->block);
        number("warp", s->warp);
        number("order", s->order);
        number(l->kind == LINE_WARP ? "from_others" : l->space == TRACE_SHARED ? "passes" : "sectors", s->cost);
        printf(", \"first\": ");
        json_text(s->first);
        printf(", \"last\": ");
        json_text(s->last);
        offsets(s, warp_size);
        if (s->value)
            values(s, warp_size);
        putchar('}');
    }
    putchar(']');
}

static void line(const struct explain_line *l, unsigned warp_size)
{
    printf("      {\"file\": ");
    json_text(l->place->file);
    number("line", l->place->line);
    printf(", \"source\": ");
    json_text(trace_source_line(l->place->file, l->place->line, NULL));
    printf(", \"kind\": \"%s\", \"space\": \"%s\"", explain_kind(l), l->space == TRACE_SHARED ? "shared" : "global");
    number("size", l->size);
#define NUMBER(name, joined, json) number(json, l->name);
    EXPLAIN_COUNTERS(NUMBER)
    number("conflicts", l->passes - l->needed);
    number("merged", explain_merges(l) ? l->instructions - l->saved : l->instructions);
    number("merged_bytes", explain_merges(l) ? l->width : l->size);
    if (l->steps > 0)
        steps(l);
    if (l->samples > 0)
        samples(l, warp_size);
    putchar('}');
}

/* Each of a kernel's totals, with its name. */
typedef void put(const char *name, uint64_t value);

static void put_traffic(put *put, const char *access, const struct explain_traffic *x)
{
    const struct {
        const char *name;
        uint64_t value;
    } all[] = {{"global_%s_requests", x->requests},
               {"global_%s_sectors", x->sectors},
               {"global_%s_bytes", x->bytes},
               {"global_%s_lanes", x->lanes},
               {"shared_%s_instructions", x->instructions},
               {"shared_%s_lanes", x->shared_lanes},
               {"shared_%s_passes", x->passes},
               {"shared_%s_conflicts", x->conflicts}};
    char name[40];

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        snprintf(name, sizeof name, all[i].name, access);
        put(name, all[i].value);
    }
}

static void put_totals(put *put, const struct explain_kernel *k)
{
    struct explain_totals t = explain_totals_of(k);

    put("warp_size", k->warp_size);
    put("banks", k->machine->banks);
    put("pass_bytes", k->machine->pass);
    put("sector_bytes", k->machine->sector);
    put("line_bytes", k->machine->line);
    put("blocks", k->blocks);
    put("threads", (uint64_t)k->block.x * k->block.y * k->block.z);
    put("launches", k->launches);
    put("instructions", t.instructions);
    put("lanes", t.lanes);
    put_traffic(put, "load", &t.load);
    put_traffic(put, "store", &t.store);
    put_traffic(put, "atomic", &t.atomic);
    put("global_load_once_bytes", k->footprint * k->machine->sector);
    put("barriers", t.barriers);
    put("idle_warps", t.idle);
    put("warp_operations", t.meetings);
    put("atomics", t.atomics);
}

/* The lines of one file that did something, and those around them. l to end: the records of this file. */
static void listing(const struct explain_line *l, const struct explain_line *end)
{
    FILE *file = fopen(l->place->file, "r");
    const char *separator = "";
    unsigned number = 0, until = 0;
    char *code = NULL;
    size_t room = 0;

    printf("      {\"file\": ");
    json_text(l->place->file);
    printf(", \"lines\": [");
    while (file && getline(&code, &room, file) >= 0) {
        number++;
        while (l < end && l->place->line < number)
            l++;
        if (l < end && l->place->line == number)
            until = number + LINES_AFTER;
        if (number > until && (l == end || l->place->line > number + LINES_BEFORE))
            continue;
        code[strcspn(code, "\r\n")] = '\0';
        printf("%s\n        [%u, ", separator, number);
        json_text(code);
        putchar(']');
        separator = ",";
    }
    printf("]}");
    free(code);
    if (file)
        fclose(file);
}

static void listings(const struct explain_kernel *k)
{
    const struct explain_line *end = k->line + k->lines;

    printf("    ],\n    \"listing\": [\n");
    for (const struct explain_line *l = k->line, *next; l < end; l = next) {
        for (next = l; next < end && strcmp(l->place->file, next->place->file) == 0;)
            next++;
        listing(l, next);
        printf("%s\n", next < end ? "," : "");
    }
    printf("    ]}");
}

static const char *program(void)
{
    const char *name = program_invocation_short_name;
    size_t prefix = &trace_client ? strlen(trace_client.prefix) : 0;
    return prefix > 0 && strncmp(name, trace_client.prefix, prefix) == 0 ? name + prefix : name;
}

static void kernel(const struct explain_kernel *k)
{
    printf("  {\"kernel\": ");
    json_text(k->name);
    printf(", \"program\": ");
    json_text(program());
    printf(", \"machine\": \"%s\", \"machine_source\": \"%s\"", k->machine->name, k->machine->source);
    put_totals(number, k);
    printf(",\n    \"source\": [\n");
    for (size_t i = 0; i < k->lines; i++) {
        line(&k->line[i], k->warp_size);
        printf("%s\n", i + 1 < k->lines ? "," : "");
    }
    listings(k);
}

void explain_json(const struct explain_kernel *k, size_t count)
{
    printf("[\n");
    for (size_t i = 0; i < count; i++) {
        kernel(&k[i]);
        printf("%s\n", i + 1 < count ? "," : "");
    }
    printf("]\n");
}

static void csv_name(const char *name, UNUSED uint64_t value) { printf(",%s", name); }

static void csv_value(UNUSED const char *name, uint64_t value) { printf(",%" PRIu64, value); }

void explain_csv(const struct explain_kernel *k, size_t count)
{
    if (count == 0)
        return;
    printf("explain,machine");
    put_totals(csv_name, k);
    for (size_t i = 0; i < count; i++) {
        printf("\nexplain,%s", k[i].machine->name);
        put_totals(csv_value, &k[i]);
    }
    putchar('\n');
}
