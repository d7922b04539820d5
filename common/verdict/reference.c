/* The pieces of an array (pieces.c) are shared by the threads. The result does not depend on their number: sums are exact,
 * and kept in a fixed-point number.
 * SPDX-License-Identifier: MIT */
#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "exit_codes.h"
#include "values/narrow.h"
#include "pieces.h"
#include "precise.h"

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

    partial_clear(p, w->op);
    for (size_t i = begin; i < end; i += PIECE) {
        size_t n = end - i < PIECE ? end - i : PIECE;
        const void *x = piece;
        if (w->pattern != NULL)
            piece_generate(piece, w->type, w->pattern, w->first + i, n);
        else
            x = as_results(w, i, n, piece);
        partial_take(p, type_of_result(w->type), w->op, x, n);
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

    partial_clear(result, w->op);
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

/* high + low rounded once to the type. A double whose last bit is 1 is never halfway between two floats or subnormal
 * numbers, so rounding it again gives the same as rounding the sum. */
static struct scalar rounded(int type, double high, double low, int exponent)
{
    uint64_t bits;

    memcpy(&bits, &high, sizeof bits);
    if ((type == TYPE_FLOAT || exponent < 0) && low != 0 && bits % 2 == 0)
        high = nextafter(high, low > 0 ? INFINITY : -INFINITY);
    return scalar_from_double(type, ldexp(high, exponent));
}

/* Sets the members of a floating-point sum, whose high and low are right if it is finite. unit: see struct
 * exact_sum. */
static void set_floating_sum(struct reference *r, double magnitude, double unit, const bool special[3])
{
    bool nan = special[0], above = special[1], below = special[2];

    if (nan || above || below) {
        r->high = nan || (above && below) ? NAN : above ? INFINITY : -INFINITY;
        r->low = 0;
        r->value = scalar_from_double(r->type, r->high);
        return;
    }
    r->magnitude = magnitude * (1 + 0x1p-30); /* its own rounding, and that of high + low */
    /* A multiple of less than the smallest number of the type is none of the type. */
    r->exact = r->exponent == 0 && unit >= type_smallest(r->type) && magnitude <= exact_units(r->type) * unit &&
               magnitude <= type_largest(r->type);
    r->value = rounded(r->type, r->high, r->low, r->exponent);
}

struct reference reference_of_sum(int type, size_t n, const struct precise *sum, int exponent)
{
    struct reference r = {.type = type, .op = OP_SUM, .n = n, .kind = -1, .exponent = exponent};

    exact_clear(&r.sum);
    if (!type_is_floating(type)) {
        r.value = scalar_from_long(type, (int64_t)sum->total);
        return r;
    }
    r.high = sum->high + sum->low;
    r.low = sum->high - r.high + sum->low;
    set_floating_sum(&r, sum->magnitude, sum->unit, (bool[]){sum->nan, sum->above, sum->below});
    return r;
}

static void set_exact_sum(struct reference *r)
{
    const struct exact_sum *s = &r->sum;
    double high, low;

    r->exponent = exact_overflows(s) ? EXACT_SCALE : 0;
    exact_value(s, r->exponent, &r->high, &r->low);
    set_floating_sum(r, ldexp(s->magnitude, -r->exponent) + ldexp(s->huge, EXACT_SCALE - r->exponent), s->unit,
                     (bool[]){s->nan, s->above, s->below});
    if (r->exponent != 0 && isfinite(r->high)) { /* scaled, a small sum of large terms is not exact */
        exact_value(s, 0, &high, &low);
        r->value = rounded(r->type, high, low, 0);
    }
}

/* set_NAME(): the reference of an operation, from what its elements have left in p. */
static void set_sum(struct reference *r, const struct partial *p)
{
    r->sum = p->sum;
    if (type_is_floating(r->type))
        set_exact_sum(r);
    else
        r->value = scalar_from_long(r->type, (int64_t)p->total);
}

static void set_min(struct reference *r, const struct partial *p)
{
    r->value = partial_extreme(p, r->type, ~p->extreme);
}

static void set_max(struct reference *r, const struct partial *p)
{
    r->value = partial_extreme(p, r->type, p->extreme);
}

static void set_reference(struct reference *r, const struct partial *p)
{
    r->value = scalar_identity(r->type, r->op);
    if (r->n == 0)
        return;
    switch (r->op) {
#define SET(x, number, name, ...)                                                                                      \
    case number:                                                                                                       \
        set_##name(r, p);                                                                                              \
        break;
        COMMON_OPERATIONS(SET, )
#define SET_WHOLE(x, number, ...) case number:
        BITWISE_OPERATIONS(SET_WHOLE, )
        r->value = scalar_from_long(r->type, (int64_t)p->whole);
    }
}

static struct reference refer(const struct work *w, const char *label)
{
    struct reference r = {.type = type_of_result(w->type), .op = w->op, .n = w->n, .kind = -1};
    struct partial p;

    run(w, label, &p);
    set_reference(&r, &p);
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

static void join(struct partial *p, const struct reference *part)
{
    switch ((enum operation_row)part->op) {
    case OP_SUM:
        exact_merge(&p->sum, &part->sum);
        if (!type_is_floating(part->type))
            p->total += (uint64_t)scalar_to_long(part->value);
        break;
    case OP_MIN: /* like an element with its value */
    case OP_MAX:
        BITWISE_OPERATIONS(SET_WHOLE, )
        partial_take(p, part->type, part->op, &part->value.as, 1);
        break;
    }
}

struct reference reference_join(const struct reference *parts, size_t count)
{
    struct reference r = parts[0];
    struct partial p;

    partial_clear(&p, r.op);
    r.n = 0;
    for (size_t k = 0; k < count; k++) {
        r.n += parts[k].n;
        if (parts[k].n > 0)
            join(&p, &parts[k]);
    }
    set_reference(&r, &p);
    return r;
}
