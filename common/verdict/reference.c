/* The pieces of an array (pieces.c) are shared by the threads. The result does not depend on their number: sums are exact,
 * and kept in a fixed-point number.
 * SPDX-License-Identifier: MIT */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "exit_codes.h"
#include "floating.h"
#include "pieces.h"
#include "values/narrow.h"

#define CHUNK ((size_t)1 << 16) /* elements that a thread takes at a time */
#define ROUND ((size_t)1 << 10) /* chunks between two checks of the clock */

struct work {
    int type, op;
    const struct pattern *pattern; /* NULL: data */
    uint64_t first;
    const void *data;
    size_t n;
};

/* Elements of two bytes as floats; others as they are. */
static const void *as_results(const struct work *w, size_t first, size_t n, void *piece)
{
    if (type_of_result(w->type) == w->type)
        return (const char *)w->data + first * type_size(w->type);
    const uint16_t *bits = (const uint16_t *)w->data + first;
    for (size_t i = 0; i < n; i++)
        ((float *)piece)[i] = narrow_widen(w->type, bits[i]);
    return piece;
}

static void run_chunk(const struct work *w, size_t begin, size_t end, struct partial *p)
{
    int64_t piece[PIECE]; /* as wide as any type */

    partial_clear(p, type_of_result(w->type), w->op);
    for (size_t i = begin; i < end; i += PIECE) {
        size_t n = end - i < PIECE ? end - i : PIECE;
        const void *x = piece;
        if (w->pattern != NULL)
            piece_generate(piece, w->type, w->pattern, w->first + i, n);
        else
            x = as_results(w, i, n, piece);
        partial_take(p, x, n);
    }
}

/* Adds elements begin ... end - 1 to *result. partials: room for ROUND, or NULL if one is enough. */
static void run_round(const struct work *w, size_t begin, size_t end, struct partial *partials, struct partial *result)
{
    long count = (long)((end - begin + CHUNK - 1) / CHUNK);

    if (count <= 1) {
        struct partial only;
        run_chunk(w, begin, end, &only);
        partial_merge(result, &only);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (long k = 0; k < count; k++) {
        size_t from = begin + (size_t)k * CHUNK;
        run_chunk(w, from, end - from < CHUNK ? end : from + CHUNK, &partials[k]);
    }
    for (long k = 0; k < count; k++)
        partial_merge(result, &partials[k]);
}

static void run(const struct work *w, const char *label, struct partial *result)
{
    bool watched = label != NULL && isatty(STDERR_FILENO), shown = false;
    struct partial *partials = NULL;
    time_t start = time(NULL);

    partial_clear(result, type_of_result(w->type), w->op);
    if (w->n > CHUNK && (partials = malloc(ROUND * sizeof *partials)) == NULL) {
        fprintf(stderr, "no memory on the host for the reference: close other programs\n");
        exit(EXIT_DEVICE);
    }
    for (size_t i = 0; i < w->n;) {
        size_t end = w->n - i < ROUND * CHUNK ? w->n : i + ROUND * CHUNK;
        run_round(w, i, end, partials, result);
        i = end;
        if (watched && difftime(time(NULL), start) > 2) {
            fprintf(stderr, "\r%s: %.0f %%", label, 100 * (double)i / (double)w->n);
            shown = true;
        }
    }
    free(partials);
    if (shown)
        fprintf(stderr, "\r\033[K"); /* erases the line */
}

/* Sets the rest from what r->from has taken. */
static void set_reference(struct reference *r)
{
    r->value = scalar_identity(r->type, r->op);
    if (r->n > 0 && type_is_floating(r->type))
        floating_of(r->op)->set(r);
    else if (r->n > 0)
        r->value = scalar_from_long(r->type, r->from.whole);
}

static struct reference refer(const struct work *w, const char *label)
{
    struct reference r = {.type = type_of_result(w->type), .op = w->op, .n = w->n, .kind = -1};

    run(w, label, &r.from);
    set_reference(&r);
    return r;
}

struct reference reference_of_pattern(int type, int op, const struct pattern *p, uint64_t first, size_t n,
                                      const char *label)
{
    struct work w = {.type = type, .op = op, .pattern = p, .first = first, .n = n};
    struct reference r = refer(&w, label);
    r.kind = p->kind;
    return r;
}

struct reference reference_of_array(int type, int op, const void *data, size_t n, const char *label)
{
    struct work w = {.type = type, .op = op, .data = data, .n = n};
    return refer(&w, label);
}

struct reference reference_join(const struct reference *parts, size_t count)
{
    struct reference r = parts[0];

    partial_clear(&r.from, r.type, r.op);
    r.n = 0;
    for (size_t k = 0; k < count; k++) {
        r.n += parts[k].n;
        if (parts[k].n > 0)
            partial_merge(&r.from, &parts[k].from);
    }
    set_reference(&r);
    return r;
}
