/* Trials and values in words.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "../checker.h"

static const char *task_name(const struct trial *s)
{
    switch (task) {
    case ARGMAX:
        return s->op == OP_MIN ? "place of the smallest" : "place of the largest";
    case HISTOGRAM:
        return "histogram";
    case SOFTMAX:
        return "softmax";
    default:
        return op_name(s->op);
    }
}

const char *scalar_words(char text[64], struct scalar v)
{
    if (v.type == TYPE_FLOAT)
        snprintf(text, 64, "%.9g", (double)v.as.f);
    else if (v.type == TYPE_DOUBLE)
        snprintf(text, 64, "%.17g", v.as.d);
    else
        snprintf(text, 64, "%lld", v.type == TYPE_INT ? (long long)v.as.i : (long long)v.as.l);
    return text;
}

const char *trial_text(char text[TEXT_MAX], const struct trial *s)
{
    char grid[48] = "", rows[48] = "";

    if (s->grid > 0)
        snprintf(grid, sizeof grid, "%u block%s of ", s->grid, s->grid == 1 ? "" : "s");
    if (s->columns > 0)
        snprintf(rows, sizeof rows, " in rows of %zu", s->columns);
    snprintf(text, TEXT_MAX, "%s of %zu element%s%s of type %s, %s%u threads%s, warps of %u%s", task_name(s), s->n,
             s->n == 1 ? "" : "s", rows, type_name(s->type), grid, s->block, s->grid > 0 ? "" : " a block", s->warp,
             s->order == 1   ? ", blocks and threads in reverse order"
             : s->order == 2 ? ", blocks and threads in random order"
                             : "");
    return text;
}
