/* Where threads begin a kernel, and where they end it early.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "../source/functions.h"
#include "changes.h"

/* Behind the {, a check that it was launched, in other people's; and with no more threads than it says that it can take. */
static void add_entry(const struct source *s, size_t at, bool foreign, struct edits *e)
{
    size_t bounds = 0;

    at = kernel_brace(s, at, &bounds);
    size_t last = bounds > 0 ? behind_bracket(s, bounds) : 0;
    if (last > 0 && memchr(s->code + bounds, '\n', last - bounds))
        last = 0;
    if (at++ == 0 || (!foreign && last == 0))
        return;
    struct text *t = edits_add(e, at, at, !ends_line(s, at));
    if (foreign)
        text_print(t, " hip_cpu_enters(__func__);");
    if (last > 0)
        text_print(t, " if (hip_cpu_exceeds(__func__, %.*s) return;", (int)(last - bounds - 1), s->code + bounds + 1);
}

/* if (i >= n) return; in the kernel itself, not in a lambda in it. */
static bool leaves_kernel(const struct source *s, size_t at)
{
    for (size_t brace = at; (brace = open_brace(s, brace)) != NOWHERE;) {
        size_t head = head_begin(s, brace);
        if (has_word(s, head, brace, "__global__"))
            return true;
        for (size_t i = head; i < brace; i++)
            if (s->code[i] == ']' && strchr("({", s->code[skip_blanks(s, i + 1)]))
                return false;
    }
    return false;
}

void find_threads(const struct source *s, bool foreign, struct edits *e)
{
    bool kernels = false, hidden = false; /* by #define KERNEL __global__ void */

    for (size_t at = 0, end; at < s->length; at = end + 1) {
        end = word_end(s, at);
        kernels |= is_text(s, at, end, "__global__");
        hidden |= is_text(s, at, end, "__global__") && s->directive[at];
    }
    for (size_t at = 0, end; at < s->length; at = end + 1) {
        end = word_end(s, at);
        if (is_text(s, at, end, "__global__") && !s->directive[at])
            add_entry(s, end, foreign, e);
        if (!foreign || !is_text(s, at, end, "return"))
            continue;
        size_t next = skip_blanks(s, end);
        if (next >= s->length || s->code[next] != ';')
            continue;
        if (!s->directive[at] && leaves_kernel(s, at))
            text_print(edits_add(e, end, end, true), " hip_cpu_returns()");
        else if (s->directive[at] ? kernels : hidden)
            text_print(edits_add(e, at, next + 1, true), "{ hip_cpu_returns_from(__func__); return; }");
    }
}
