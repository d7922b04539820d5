/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/failure.h"
#include "results.h"

const char *size_text(char text[SIZE_TEXT_MAX], size_t n)
{
    static const char suffixes[] = "KMGT";
    size_t power = 0;

    while (power < 4 && n >= 1024 && n % 1024 == 0) {
        n /= 1024;
        power++;
    }
    if (power == 0)
        snprintf(text, SIZE_TEXT_MAX, "%zu", n);
    else
        snprintf(text, SIZE_TEXT_MAX, "%zu%c", n, suffixes[power - 1]);
    return text;
}

static const char *time_text(char text[SIZE_TEXT_MAX], double time)
{
    snprintf(text, SIZE_TEXT_MAX, "%.*f", time < 10 ? 2 : time < 1000 ? 1 : 0, time);
    return text;
}

/* All of one type and operation: its variants and its sizes, each once. */
struct group {
    const char *type, *op;
    const char **variants;
    size_t *sizes, variant_count, size_count;
};

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static struct group group_of(const struct results *r, const char *type, const char *op)
{
    struct group g = {
        type, op, allocate(r->count * sizeof *g.variants), allocate(r->count * sizeof *g.sizes),
        0,    0};

    for (size_t i = 0; i < r->count; i++) {
        const struct cell *c = &r->cells[i];
        size_t k = 0;
        if (strcmp(c->type, type) != 0 || strcmp(c->op, op) != 0)
            continue;
        while (k < g.variant_count && strcmp(g.variants[k], c->variant) != 0)
            k++;
        if (k == g.variant_count)
            g.variants[g.variant_count++] = c->variant;
        for (k = 0; k < g.size_count && g.sizes[k] != c->n;)
            k++;
        if (k == g.size_count)
            g.sizes[g.size_count++] = c->n;
    }
    qsort(g.sizes, g.size_count, sizeof *g.sizes, compare_sizes);
    return g;
}

/* The fastest variant at one size, or NULL. */
static const struct cell *best_of(const struct results *r, const struct group *g, size_t n,
                                  int clock)
{
    const struct cell *best = NULL;

    for (size_t v = 0; v < g->variant_count; v++) {
        const struct cell *c = results_find(r, g->variants[v], g->type, g->op, n);
        if (c != NULL && c->count > 0 &&
            (best == NULL ||
             results_estimate(c, clock).median < results_estimate(best, clock).median))
            best = c;
    }
    return best;
}

#define CELL_WIDTH 17

static void print_cell(FILE *out, const struct results *r, const struct cell *c, bool best,
                       int clock, double spread)
{
    char time[SIZE_TEXT_MAX];

    if (c == NULL || c->count == 0) {
        fprintf(out, "%*s", CELL_WIDTH,
                c == NULL      ? "-  "
                : c->wrong > 0 ? "wrong  "
                               : "unproven  ");
        return;
    }
    struct estimate e = results_estimate(c, clock);
    double ratio = results_speed_up(c, results_find(r, "prim", c->type, c->op, c->n), clock);
    fprintf(out, "%8s%c", time_text(time, e.median),
            results_spread(c, clock) <= spread ? ' ' : '~');
    if (ratio > 0)
        fprintf(out, "%6.2f", ratio);
    else
        fprintf(out, "%6s", "-");
    fprintf(out, "%c ", best ? '*' : ' ');
}

static void print_block(FILE *out, const struct results *r, const struct group *g, size_t first,
                        size_t last, int name_width, int clock, double spread)
{
    char text[SIZE_TEXT_MAX];

    fprintf(out, "%-*s", name_width, "elements");
    for (size_t s = first; s < last; s++)
        fprintf(out, "%*s  ", CELL_WIDTH - 2, size_text(text, g->sizes[s]));
    fprintf(out, "\n%-*s", name_width, "");
    for (size_t s = first; s < last; s++)
        fprintf(out, "%8s %6s  ", "us", "prim");
    for (size_t v = 0; v < g->variant_count; v++) {
        fprintf(out, "\n%-*s", name_width, g->variants[v]);
        for (size_t s = first; s < last; s++) {
            const struct cell *c = results_find(r, g->variants[v], g->type, g->op, g->sizes[s]);
            print_cell(out, r, c, c != NULL && c == best_of(r, g, g->sizes[s], clock), clock,
                       spread);
        }
    }
    fprintf(out, "\n\n");
}

/* The geometric mean over all sizes of the speed-up over the library. */
static void print_means(FILE *out, const struct results *r, const struct group *g, int name_width,
                        int clock)
{
    bool any = false;

    for (size_t v = 0; v < g->variant_count; v++) {
        double sum = 0;
        size_t count = 0;
        for (size_t s = 0; s < g->size_count; s++) {
            double ratio =
                results_speed_up(results_find(r, g->variants[v], g->type, g->op, g->sizes[s]),
                                 results_find(r, "prim", g->type, g->op, g->sizes[s]), clock);
            if (ratio > 0) {
                sum += log(ratio);
                count++;
            }
        }
        if (count == 0)
            continue;
        if (!any)
            fprintf(out, "Speed-up over prim, geometric mean of all sizes\n");
        any = true;
        fprintf(out, "%-*s%8.3f\n", name_width, g->variants[v], exp(sum / (double)count));
    }
    if (any)
        fprintf(out, "\n");
}

void results_print(FILE *out, const struct results *r, int clock, double spread, int width)
{
    int name_width = 10;

    for (size_t i = 0; i < r->count; i++)
        if ((int)strlen(r->cells[i].variant) + 2 > name_width)
            name_width = (int)strlen(r->cells[i].variant) + 2;
    size_t columns =
        width > name_width + CELL_WIDTH ? (size_t)(width - name_width) / CELL_WIDTH : 1;

    fprintf(
        out,
        "# %s\n# us: median over the rounds of the %s time; prim: how many times faster than the "
        "library\n# *: the best at this size; ~: the median is not known to %.2g %%\n\n",
        r->device, clock == CLOCK_TOTAL ? "total" : "kernel", 100 * spread);
    for (size_t i = 0; i < r->count; i++) {
        bool first = true;
        for (size_t k = 0; k < i && first; k++)
            first = strcmp(r->cells[k].type, r->cells[i].type) != 0 ||
                    strcmp(r->cells[k].op, r->cells[i].op) != 0;
        if (!first)
            continue;
        struct group g = group_of(r, r->cells[i].type, r->cells[i].op);
        fprintf(out, "%s of %s\n", g.op, g.type);
        for (size_t s = 0; s < g.size_count; s += columns)
            print_block(out, r, &g, s, s + columns < g.size_count ? s + columns : g.size_count,
                        name_width, clock, spread);
        print_means(out, r, &g, name_width, clock);
        free(g.variants);
        free(g.sizes);
    }
}
