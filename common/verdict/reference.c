/* Sums are exact. A piece of the array is cut at the bits that its sum of |x| determines: what lies above is
 * added without rounding, what lies below is cut again, and so on until nothing is left. This is the extraction
 * of S. M. Rump, T. Ogita, S. Oishi: Accurate floating-point summation, part I, SIAM J. Sci. Comput. 31, 2008.
 * The few sums of a piece go into a fixed-point number that holds them all, so the result does not depend on the
 * number of threads.
 * SPDX-License-Identifier: MIT */
#include "reference.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "exit_codes.h"
#include "precise.h"

#define PIECE ((size_t)1 << 11) /* elements; generated ones fit into the first-level cache */
#define CHUNK ((size_t)1 << 16) /* elements that a thread takes at a time */
#define ROUND ((size_t)1 << 10) /* chunks between two checks of the clock */
#define LANES 8 /* independent sums, so that no addition waits for the previous one */

/* The partial result for some of the elements. */
struct partial {
    struct exact_sum sum; /* of floating-point numbers */
    uint64_t total;       /* of integers: their sum modulo 2^64 */
    bool nan;             /* min and max: seen */
    int64_t extreme;      /* max, or the complement of min, of the keys; see key_double() */
};

static void clear(struct partial *p)
{
    exact_clear(&p->sum);
    p->total = 0;
    p->nan = false;
    p->extreme = INT64_MIN;
}

struct work {
    int type, op;
    const struct pattern *pattern; /* NULL: data */
    uint64_t first;
    const void *data;
    size_t n;
};

static void combine(struct partial *p, const struct partial *q)
{
    exact_merge(&p->sum, &q->sum);
    p->total += q->total;
    p->nan |= q->nan;
    p->extreme = q->extreme > p->extreme ? q->extreme : p->extreme;
}

static double sum_of_lanes(const double *lane)
{
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
           ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

/* A number that x is added to and subtracted from in order to cut it, if the sum of |x| is `magnitude`: the cut
 * part of x is a multiple of 2^-52 of its power of two, and so is every partial sum of such parts, which are
 * below 2^53 such multiples. Below the normal numbers nothing needs to be cut. */
static double knife(double magnitude)
{
    int exponent = ilogb(magnitude) + 2;

    return ldexp(1.5, exponent > -1022 ? exponent : -1022);
}

/* Whatever they are. */
static void add_one_by_one(struct exact_sum *s, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]);
        s->nan |= isnan(x[i]) != 0;
        s->above |= x[i] == INFINITY;
        s->below |= x[i] == -INFINITY;
        if (!isfinite(x[i]))
            continue;
        exact_add(s, x[i], 0);
        if (size < EXACT_HUGE)
            s->magnitude += size;
        else
            s->huge += ldexp(size, -EXACT_SCALE);
    }
}

/* Two cuts are enough for most data. Up to 2^11 elements: the rests of the first cut, each below 2^-53 of the
 * knife's power of two, add up to less than 2^-42 of it. */
#define DEFINE_FLOATING_SUM(NAME, T, TYPE)                                                         \
    static void NAME(struct exact_sum *s, const T *x, size_t n)                                    \
    {                                                                                              \
        double magnitude[LANES] = {0}, one[LANES] = {0}, two[LANES] = {0}, left[LANES] = {0}, all; \
        size_t whole = n - n % LANES;                                                              \
        for (size_t i = 0; i < whole; i += LANES)                                                  \
            for (size_t k = 0; k < LANES; k++)                                                     \
                magnitude[k] += fabs((double)x[i + k]);                                            \
        for (size_t i = whole; i < n; i++)                                                         \
            magnitude[i - whole] += fabs((double)x[i]);                                            \
        all = sum_of_lanes(magnitude);                                                             \
        if (all > 0 && all < EXACT_HUGE) {                                                         \
            double cut = knife(all),                                                               \
                   fine = cut * 0x1p-41 > 0x1.8p-1022 ? cut * 0x1p-41 : 0x1.8p-1022;               \
            for (size_t i = 0; i < whole; i += LANES)                                              \
                for (size_t k = 0; k < LANES; k++) {                                               \
                    double part = ((double)x[i + k] + cut) - cut, rest = (double)x[i + k] - part;  \
                    double next = (rest + fine) - fine;                                            \
                    one[k] += part;                                                                \
                    two[k] += next;                                                                \
                    left[k] += fabs(rest - next);                                                  \
                }                                                                                  \
            for (size_t i = whole; i < n; i++) {                                                   \
                double part = ((double)x[i] + cut) - cut, rest = (double)x[i] - part;              \
                double next = (rest + fine) - fine;                                                \
                one[i - whole] += part;                                                            \
                two[i - whole] += next;                                                            \
                left[i - whole] += fabs(rest - next);                                              \
            }                                                                                      \
        }                                                                                          \
        if (all < EXACT_HUGE && sum_of_lanes(left) == 0) {                                         \
            exact_add(s, sum_of_lanes(one), 0);                                                    \
            exact_add(s, sum_of_lanes(two), 0);                                                    \
            s->magnitude += all;                                                                   \
        } else {                                                                                   \
            double wide[PIECE];                                                                    \
            for (size_t i = 0; i < n; i++)                                                         \
                wide[i] = (double)x[i];                                                            \
            add_one_by_one(s, wide, n);                                                            \
        }                                                                                          \
        /* Most data have too many digits, which the first few elements show. */                   \
        for (size_t i = 0; s->unit > 0 && i < n; i++)                                              \
            s->unit = fmin(s->unit, lowest_bit((double)x[i]));                                     \
        if (!(s->magnitude <= exact_units(TYPE) * s->unit))                                        \
            s->unit = 0;                                                                           \
    }
DEFINE_FLOATING_SUM(sum_float, float, TYPE_FLOAT)
DEFINE_FLOATING_SUM(sum_double, double, TYPE_DOUBLE)

#define DEFINE_INTEGER_SUM(NAME, T)                                                                \
    static void NAME(struct partial *p, const T *x, size_t n)                                      \
    {                                                                                              \
        uint64_t total = 0;                                                                        \
        for (size_t i = 0; i < n; i++)                                                             \
            total += (uint64_t)x[i];                                                               \
        p->total += total;                                                                         \
    }
DEFINE_INTEGER_SUM(sum_int, int32_t)
DEFINE_INTEGER_SUM(sum_long, int64_t)

/* A key is an integer in the order of the values: it puts -0 below +0, and NaN is seen separately. All
 * bits of a negative number but the sign are inverted; doing so again restores them. */
static inline int64_t turn_double(int64_t bits)
{
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static inline int64_t key_double(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return turn_double(bits);
}

static inline int32_t turn_float(int32_t bits)
{
    return bits < 0 ? bits ^ INT32_MAX : bits;
}

static inline int64_t key_float(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return turn_float(bits);
}

static inline int64_t key_int(int32_t x)
{
    return x;
}

static inline int64_t key_long(int64_t x)
{
    return x;
}

/* complement: -1 for min, 0 for max; the least key has the greatest complement. */
#define DEFINE_EXTREME(NAME, T, KEY)                                                               \
    static void NAME(struct partial *p, const T *x, size_t n, int64_t complement)                  \
    {                                                                                              \
        int64_t extreme = p->extreme;                                                              \
        bool nan = false;                                                                          \
        for (size_t i = 0; i < n; i++) {                                                           \
            int64_t key = KEY(x[i]) ^ complement;                                                  \
            extreme = key > extreme ? key : extreme;                                               \
            nan |= x[i] != x[i];                                                                   \
        }                                                                                          \
        p->extreme = extreme;                                                                      \
        p->nan |= nan;                                                                             \
    }
DEFINE_EXTREME(extreme_float, float, key_float)
DEFINE_EXTREME(extreme_double, double, key_double)
DEFINE_EXTREME(extreme_int, int32_t, key_int)
DEFINE_EXTREME(extreme_long, int64_t, key_long)

static void take(struct partial *p, int type, int op, const void *x, size_t n)
{
    int64_t complement = op == OP_MIN ? -1 : 0;
    switch (type) {
    case TYPE_FLOAT:
        op == OP_SUM ? sum_float(&p->sum, x, n) : extreme_float(p, x, n, complement);
        break;
    case TYPE_DOUBLE:
        op == OP_SUM ? sum_double(&p->sum, x, n) : extreme_double(p, x, n, complement);
        break;
    case TYPE_INT:
        op == OP_SUM ? sum_int(p, x, n) : extreme_int(p, x, n, complement);
        break;
    default:
        op == OP_SUM ? sum_long(p, x, n) : extreme_long(p, x, n, complement);
        break;
    }
}

/* Baseline x86-64 has no vector multiplication of 64 bits, and clang replaces it at twice the cost. */
#ifdef __clang__
#define ONE_BY_ONE _Pragma("clang loop vectorize(disable)")
#else
#define ONE_BY_ONE
#endif

/* The kind is a constant in each of the loops, so the compiler removes the switch. */
#define GENERATE_KIND(KIND, T, VALUE)                                                              \
    case KIND:                                                                                     \
        local.kind = KIND;                                                                         \
        ONE_BY_ONE for (size_t i = 0; i < n; i++)                                                  \
        {                                                                                          \
            ((T *)x)[i] = VALUE(&local, first + i);                                                \
        }                                                                                          \
        break;

#define GENERATE(T, VALUE)                                                                         \
    switch (p->kind) {                                                                             \
        GENERATE_KIND(PATTERN_RANDOM, T, VALUE)                                                    \
        GENERATE_KIND(PATTERN_ONES, T, VALUE)                                                      \
        GENERATE_KIND(PATTERN_CONSTANT, T, VALUE)                                                  \
        GENERATE_KIND(PATTERN_RAMP, T, VALUE)                                                      \
        GENERATE_KIND(PATTERN_MIXED, T, VALUE)                                                     \
        GENERATE_KIND(PATTERN_ONEHOT, T, VALUE)                                                    \
    }

static void generate(void *x, int type, const struct pattern *p, uint64_t first, size_t n)
{
    struct pattern local = *p;
    if (type == TYPE_FLOAT)
        GENERATE(float, pattern_float)
    else if (type == TYPE_DOUBLE)
        GENERATE(double, pattern_double)
    else if (type == TYPE_INT)
        GENERATE(int32_t, pattern_int)
    else
        GENERATE(int64_t, pattern_long)
}

static void run_chunk(const struct work *w, size_t begin, size_t end, struct partial *p)
{
    int64_t piece[PIECE]; /* as wide as any type */

    clear(p);
    for (size_t i = begin; i < end; i += PIECE) {
        size_t n = end - i < PIECE ? end - i : PIECE;
        const void *x = piece;
        if (w->pattern != NULL)
            generate(piece, w->type, w->pattern, w->first + i, n);
        else
            x = (const char *)w->data + i * type_size(w->type);
        take(p, w->type, w->op, x, n);
    }
}

/* Adds elements begin ... end - 1 to *result. partials: room for ROUND, or NULL if one is enough. */
static void run_round(const struct work *w, size_t begin, size_t end, struct partial *partials,
                      struct partial *result)
{
    long count = (long)((end - begin + CHUNK - 1) / CHUNK);

    if (count <= 1) {
        struct partial only;
        run_chunk(w, begin, end, &only);
        combine(result, &only);
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
        combine(result, &partials[k]);
}

static void run(const struct work *w, const char *label, struct partial *result)
{
    bool watched = label != NULL && isatty(STDERR_FILENO), shown = false;
    struct partial *partials = NULL;
    time_t start = time(NULL);

    clear(result);
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

static struct scalar scalar_from_double(int type, double x)
{
    struct scalar s = {.type = type};
    if (type == TYPE_FLOAT)
        s.as.f = (float)x;
    else
        s.as.d = x;
    return s;
}

static struct scalar scalar_from_long(int type, int64_t x)
{
    struct scalar s = {.type = type};
    if (type == TYPE_INT)
        s.as.i = (int32_t)(uint32_t)(uint64_t)x; /* modulo 2^32 */
    else
        s.as.l = x;
    return s;
}

static struct scalar identity(int type, int op)
{
    if (type_is_floating(type))
        return scalar_from_double(type, op == OP_MIN ? INFINITY : -INFINITY);
    if (type == TYPE_INT)
        return scalar_from_long(type, op == OP_MIN ? INT32_MAX : INT32_MIN);
    return scalar_from_long(type, op == OP_MIN ? INT64_MAX : INT64_MIN);
}

static struct scalar extreme_value(int type, int op, const struct partial *p)
{
    struct scalar s = {.type = type};
    int64_t key = op == OP_MIN ? ~p->extreme : p->extreme;
    if (p->nan)
        return scalar_from_double(type, NAN);
    if (!type_is_floating(type))
        return scalar_from_long(type, key);
    if (type == TYPE_FLOAT) {
        int32_t bits = turn_float((int32_t)key);
        memcpy(&s.as.f, &bits, sizeof bits);
    } else {
        int64_t bits = turn_double(key);
        memcpy(&s.as.d, &bits, sizeof bits);
    }
    return s;
}

/* high + low rounded once to the type. A double whose last bit is 1 is never halfway between two floats,
 * so rounding it again gives the same as rounding the sum. */
static struct scalar rounded(int type, double high, double low, int exponent)
{
    uint64_t bits;

    memcpy(&bits, &high, sizeof bits);
    if (type == TYPE_FLOAT && low != 0 && bits % 2 == 0)
        high = nextafter(high, low > 0 ? INFINITY : -INFINITY);
    return scalar_from_double(type, ldexp(high, exponent));
}

/* Sets the members of a floating-point sum, whose high and low are right if it is finite. unit: see struct
 * exact_sum. */
static void set_sum(struct reference *r, double magnitude, double unit, const bool special[3])
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
    r->exact = r->exponent == 0 && unit >= type_smallest(r->type) &&
               magnitude <= exact_units(r->type) * unit && magnitude <= type_largest(r->type);
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
    set_sum(&r, sum->magnitude, sum->unit, (bool[]){sum->nan, sum->above, sum->below});
    return r;
}

static void set_exact_sum(struct reference *r)
{
    const struct exact_sum *s = &r->sum;
    double high, low;

    r->exponent = exact_overflows(s) ? EXACT_SCALE : 0;
    exact_value(s, r->exponent, &r->high, &r->low);
    set_sum(r, ldexp(s->magnitude, -r->exponent) + ldexp(s->huge, EXACT_SCALE - r->exponent),
            s->unit, (bool[]){s->nan, s->above, s->below});
    if (r->exponent != 0 &&
        isfinite(r->high)) { /* scaled, a small sum of large terms is not exact */
        exact_value(s, 0, &high, &low);
        r->value = rounded(r->type, high, low, 0);
    }
}

static struct reference refer(const struct work *w, const char *label)
{
    struct reference r = {.type = w->type, .op = w->op, .n = w->n, .kind = -1};
    struct partial p;

    run(w, label, &p);
    r.sum = p.sum;
    if (w->op != OP_SUM)
        r.value = w->n == 0 ? identity(w->type, w->op) : extreme_value(w->type, w->op, &p);
    else if (!type_is_floating(w->type))
        r.value = scalar_from_long(w->type, (int64_t)p.total);
    else
        set_exact_sum(&r);
    return r;
}

struct reference reference_of_pattern(int type, int op, const struct pattern *p, uint64_t first,
                                      size_t n, const char *label)
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

static struct reference join_sums(const struct reference *parts, size_t count)
{
    struct reference r = parts[0];
    uint64_t total = 0;

    exact_clear(&r.sum);
    for (size_t k = 0; k < count; k++) {
        exact_merge(&r.sum, &parts[k].sum);
        total += parts[k].type == TYPE_INT ? (uint64_t)parts[k].value.as.i
                                           : (uint64_t)parts[k].value.as.l;
    }
    if (type_is_floating(r.type))
        set_exact_sum(&r);
    else
        r.value = scalar_from_long(r.type, (int64_t)total);
    return r;
}

struct reference reference_join(const struct reference *parts, size_t count)
{
    struct reference r = parts[0];
    struct partial extreme;
    int kind = r.kind;
    size_t n = 0;

    clear(&extreme);
    for (size_t k = 0; k < count; k++) {
        n += parts[k].n;
        kind = parts[k].kind == kind ? kind : -1;
        if (r.op != OP_SUM && parts[k].n > 0)
            take(&extreme, r.type, r.op, &parts[k].value.as, 1);
    }
    if (r.op == OP_SUM)
        r = join_sums(parts, count);
    else if (n > 0)
        r.value = extreme_value(r.type, r.op, &extreme);
    r.n = n;
    r.kind = kind;
    return r;
}
