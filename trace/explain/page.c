/* The page of explain, without its head: for each kernel a section with its source, bars beside the lines, and the
 * numbers as JSON for the pictures. page.html has the rest; explain.sh puts both together. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"

#define BEFORE 6 /* lines of the source shown before one that did something, and after it */
#define AFTER  3

/* What the records of one source line did together. */
struct row {
    uint64_t instructions;
    uint64_t averaged, lanes; /* instructions on memory where there are some, and their lanes */
    uint64_t asked, moved;    /* bytes of global memory */
    uint64_t passes, needed;
};

static struct row row_of(const struct explain_kernel *k, const struct explain_line *l)
{
    struct row r = {0};
    bool memory = false;

    for (const struct explain_line *m = l; m < k->line + k->lines && explain_same_line(l, m); m++)
        memory |= m->kind < LINE_WARP;
    for (const struct explain_line *m = l; m < k->line + k->lines && explain_same_line(l, m); m++) {
        r.instructions += m->instructions;
        if (memory && m->kind >= LINE_WARP)
            continue;
        r.lanes += m->lanes;
        r.averaged += m->instructions;
        r.passes += m->passes;
        r.needed += m->needed;
        r.asked += m->bytes;
        r.moved += m->sectors * k->machine->sector;
    }
    return r;
}

static void text(const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", stdout);
            break;
        case '<':
            fputs("&lt;", stdout);
            break;
        case '>':
            fputs("&gt;", stdout);
            break;
        case '"':
            fputs("&quot;", stdout);
            break;
        default:
            putchar(*text);
        }
}

static const char *bytes(uint64_t count, char out[32])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    double value = (double)count;
    unsigned u = 0;

    for (; value >= 1024 && u < 3; u++)
        value /= 1024;
    snprintf(out, 32, u == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, units[u]);
    return out;
}

/* A bar of two parts, as shares of the largest one of its column. */
static void bar(double good, double more)
{
    printf(
        "<span class=\"bar\"><i style=\"width:%.1f%%\"></i><b style=\"width:%.1f%%\"></b></span>",
        100 * good, 100 * more);
}

static void cells(const struct row *r, const struct row *most, unsigned warp_size)
{
    double lanes = explain_ratio(r->lanes, r->averaged);
    char a[32], b[32];

    printf("<td>%" PRIu64, r->instructions);
    bar(explain_ratio(r->instructions, most->instructions), 0);
    printf("</td><td>%.1f", lanes);
    bar(lanes / warp_size, 0);
    printf("</td><td>");
    if (r->moved > 0) {
        uint64_t used = r->asked < r->moved ? r->asked : r->moved;
        printf("%s", bytes(r->asked, a));
        if (strcmp(a, bytes(r->moved, b)) != 0)
            printf(" / %s", b);
        bar(explain_ratio(used, most->moved), explain_ratio(r->moved - used, most->moved));
    }
    printf("</td><td>");
    if (r->passes > 0) {
        printf("%" PRIu64, r->passes);
        if (r->passes > r->needed)
            printf(", <em>%" PRIu64 "</em>", r->passes - r->needed);
        bar(explain_ratio(r->needed, most->passes),
            explain_ratio(r->passes - r->needed, most->passes));
    }
    printf("</td>");
}

/* One line of the source; l: its first record, or NULL. */
static void line(const struct explain_kernel *k, const struct explain_line *l, unsigned number,
                 const char *code, const struct row *most)
{
    if (l)
        printf("<tr class=\"did\" data-line=\"%u\">", number);
    else
        printf("<tr>");
    printf("<th scope=\"row\">%u</th><td><code>", number);
    text(code);
    printf("</code></td>");
    if (l) {
        struct row r = row_of(k, l);
        cells(&r, most, k->warp_size);
    } else {
        printf("<td></td><td></td><td></td><td></td>");
    }
    printf("</tr>\n");
}

/* The record of the line after this one. */
static const struct explain_line *after(const struct explain_line *l,
                                        const struct explain_line *end)
{
    const struct explain_line *next = l;

    while (next < end && explain_same_line(l, next))
        next++;
    return next;
}

/* The lines of one file that did something, and those around them. l to end: the records of this file. */
static void source(const struct explain_kernel *k, const struct explain_line *l,
                   const struct explain_line *end, const struct row *most)
{
    const char *path = l->place->file;
    unsigned number = 0, shown = 0, until = 0;
    char *code = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");

    printf("<tbody data-file=\"");
    text(path);
    printf("\">\n<tr class=\"file\"><th colspan=\"6\" scope=\"rowgroup\">");
    text(path);
    printf("</th></tr>\n");
    if (l->place->line == 0) {
        line(k, l, 0, "(the compiler does not say which line)", most);
        l = after(l, end);
    }
    while (file && getline(&code, &room, file) >= 0) {
        number++;
        bool did = l < end && l->place->line == number;
        bool soon = l < end && l->place->line <= number + BEFORE;
        until = did ? number + AFTER : until;
        if (!soon && number > until)
            continue;
        if (shown + 1 < number && shown > 0)
            printf("<tr class=\"gap\"><td colspan=\"6\">%u lines</td></tr>\n", number - shown - 1);
        shown = number;
        code[strcspn(code, "\r\n")] = '\0';
        line(k, did ? l : NULL, number, code, most);
        l = did ? after(l, end) : l;
    }
    for (; l < end; l = after(l, end))
        line(k, l, l->place->line, "(this line cannot be read)", most);
    printf("</tbody>\n");
    free(code);
    if (file)
        fclose(file);
}

/* Lanes at work in each step of a loop with a barrier. */
static void steps(const struct explain_kernel *k, const struct explain_line *l, size_t index)
{
    if (l->steps < 2)
        return;
    printf("<figure class=\"steps\" data-record=\"%zu\">\n<figcaption>line %u, %s: lanes at "
           "work%s</figcaption>\n<ol>\n",
           index, l->place->line, explain_kind(l),
           l->space == TRACE_SHARED ? ", passes below" : "");
    for (const struct explain_step *s = l->step; s < l->step + l->steps; s++) {
        double lanes = explain_ratio(s->lanes, s->instructions);
        printf("<li data-epoch=\"%u\" title=\"%" PRIu64 " instructions\"><span>%.3g</span>"
               "<u><i style=\"height:%.1f%%\"></i></u>",
               s->epoch, s->instructions, lanes, 100 * lanes / k->warp_size);
        if (l->space == TRACE_SHARED)
            printf("<small>%.3g</small>", explain_ratio(s->passes, s->instructions));
        printf("</li>\n");
    }
    printf("</ol>\n</figure>\n");
}

static void facts(const struct explain_kernel *k)
{
    struct explain_totals t = explain_totals_of(k);
    uint64_t moved = (t.load.sectors + t.store.sectors) * k->machine->sector,
             passes = t.load.passes + t.store.passes,
             conflicts = t.load.conflicts + t.store.conflicts;
    char a[32], b[32];

    printf("<p class=\"run\">%" PRIu64 " blocks of %u threads, warps of %u; counted for %s (",
           k->blocks, k->block.x * k->block.y * k->block.z, k->warp_size, k->machine->name);
    text(k->machine->source);
    printf(")</p>\n<ul class=\"facts\">\n");
    printf("<li><b>%.1f</b> of %u lanes at work</li>\n", explain_ratio(t.lanes, t.instructions),
           k->warp_size);
    printf("<li>global <b>%s</b> asked, <b>%s</b> moved</li>\n",
           bytes(t.load.bytes + t.store.bytes, a), bytes(moved, b));
    if (passes > 0)
        printf("<li>shared <b>%" PRIu64 "</b> passes, <b>%" PRIu64 "</b> of them conflicts</li>\n",
               passes, conflicts);
    if (t.barriers > 0)
        printf("<li><b>%.1f</b> barriers per warp, <b>%.0f %%</b> with nothing done</li>\n",
               explain_ratio(t.barriers, k->blocks * k->warps),
               100 * explain_ratio(t.idle, t.barriers));
    if (t.atomics > 0)
        printf("<li><b>%" PRIu64 "</b> atomics</li>\n", t.atomics);
    printf("</ul>\n");
}

static void kernel(const struct explain_kernel *k, const char *program, size_t number, bool several)
{
    struct row most = {0};

    for (size_t i = 0; i < k->lines; i++) {
        struct row r = row_of(k, &k->line[i]);
        if (i > 0 && explain_same_line(&k->line[i - 1], &k->line[i]))
            continue;
        most.instructions = r.instructions > most.instructions ? r.instructions : most.instructions;
        most.moved = r.moved > most.moved ? r.moved : most.moved;
        most.passes = r.passes > most.passes ? r.passes : most.passes;
    }

    printf("<section class=\"kernel\" id=\"%s-%u-%zu\" data-title=\"%s", program, k->warp_size,
           number, program);
    if (several) {
        printf(" ");
        text(k->name);
    }
    printf(", warp %u\">\n<h2>%s: <code>", k->warp_size, program);
    text(k->name);
    printf("</code>, warps of %u</h2>\n", k->warp_size);
    facts(k);
    printf("<div class=\"source\"><table>\n<thead><tr><th scope=\"col\">line</th><th "
           "scope=\"col\">source</th><th scope=\"col\">instructions</th><th scope=\"col\">lanes at "
           "work</th><th scope=\"col\">global asked / moved</th><th scope=\"col\">shared "
           "passes, <em>conflicts</em></th></tr></thead>\n");
    const struct explain_line *end = k->line + k->lines;
    for (const struct explain_line *l = k->line, *next; l < end; l = next) {
        for (next = l; next < end && strcmp(l->place->file, next->place->file) == 0;)
            next++;
        source(k, l, next, &most);
    }
    printf("</table></div>\n");
    for (size_t i = 0; i < k->lines; i++)
        steps(k, &k->line[i], i);
    printf("<script type=\"application/json\">");
    explain_json_kernel(k);
    printf("</script>\n</section>\n");
}

void explain_page(const struct explain_kernel *k, size_t count)
{
    char program[64];

    snprintf(program, sizeof program, "%s", program_invocation_short_name);
    char *name = strncmp(program, "reduction_", 10) == 0 ? program + 10 : program;
    for (char *c = name; *c; c++) /* it is part of an id */
        *c = isalnum((unsigned char)*c) ? *c : '_';
    for (size_t i = 0; i < count; i++)
        kernel(&k[i], name, i + 1, count > 1);
}
