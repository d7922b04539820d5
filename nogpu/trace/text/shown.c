/* See shown.h.
 * SPDX-License-Identifier: MIT */
#include "shown.h"

#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"

static void print_index(char *text, size_t size, uint64_t linear, dim3 of)
{
    if (of.y == 1 && of.z == 1)
        snprintf(text, size, "%llu", (unsigned long long)linear);
    else
        snprintf(text, size, "(%llu,%llu,%llu)", (unsigned long long)(linear % of.x),
                 (unsigned long long)(linear / of.x % of.y), (unsigned long long)(linear / of.x / of.y));
}

char *trace_thread_text(uint64_t block, dim3 grid, unsigned warp, unsigned lane, unsigned warp_size, dim3 threads)
{
    char b[80], t[80];

    print_index(b, sizeof b, block, grid);
    print_index(t, sizeof t, warp * (uint64_t)warp_size + lane, threads);
    return finding_text("block %s, thread %s (warp %u, lane %u)", b, t, warp, lane);
}

struct finding_side trace_side_at(const char *file, unsigned line, unsigned column, const char *who)
{
    struct finding_side s = {.file = file, .line = line, .column = column, .who = who};

    s.source = finding_text("%.200s", trace_source_line(file, line, &s.indent));
    s.function = "?";
    s.called = "";
    return s;
}

struct finding_side trace_side(const struct trace_place *p, const char *who)
{
    struct finding_side s = trace_side_at(p->file, p->line, p->column, who);

    s.function = p->function;
    for (unsigned i = 0; i + 1 < p->count; i++) /* its callers in the same source */
        if (p->frame[i].line == p->line && strcmp(p->frame[i].file, p->file) == 0 && p->frame[i + 1].line > 0 &&
            !trace_is_platform(p->frame[i + 1].file))
            s.called =
                finding_text("%s%s%s:%u", s.called, *s.called ? " " : "", p->frame[i + 1].file, p->frame[i + 1].line);
    return s;
}
