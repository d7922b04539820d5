/* Sums are compensated (Sum2 of Ogita, Rump, Oishi: Accurate sum and dot product, SIAM J. Sci. Comput.
 * 26, 2005) over short pieces, and the pieces are added in order in double-double arithmetic: the error
 * is below 2^-75 of sum |x| for any n that fits into memory, and does not depend on the number of
 * threads. */
#include "reference.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "precise.h"

#ifdef __FAST_MATH__
#error "reference.c needs every rounding error as it is: remove -ffast-math or -Ofast from CFLAGS"
#endif

#define PIECE ((size_t)1 << 11) /* elements; generated ones fit into the first-level cache */
#define CHUNK ((size_t)1 << 16) /* elements that a thread takes at a time */
#define ROUND ((size_t)1 << 10) /* chunks between two checks of the clock */
#define LANES 8 /* independent sums, so that no addition waits for the previous one */

/* The partial result for some of the elements. */
struct partial {
    struct precise sum; /* for sums */
    bool nan;           /* min and max: seen */
    int64_t extreme;    /* max, or the complement of min, of the keys; see key_double() */
};

static const struct partial nothing = {.sum.unit = INFINITY, .extreme = INT64_MIN};

struct work {
    int type, op;
    const struct pattern *pattern; /* NULL: data */
    uint64_t first;
    const void *data;
    size_t n;
    int exponent; /* the sum is that of x / 2^exponent */
};

static void combine(struct partial *p, const struct partial *q)
{
    precise_merge(&p->sum, &q->sum);
    p->nan |= q->nan;
    p->extreme = q->extreme > p->extreme ? q->extreme : p->extreme;
}

#define DEFINE_FLOATING_SUM(NAME, T, TYPE)                                                         \
    static void NAME(struct precise *p, const T *x, size_t n)                                      \
    {                                                                                              \
        double high[LANES] = {0}, low[LANES] = {0}, magnitude[LANES] = {0}, sum = 0, e;            \
        size_t i = 0;                                                                              \
        for (; i + LANES <= n; i += LANES)                                                         \
            for (int k = 0; k < LANES; k++) {                                                      \
                high[k] = two_sum(high[k], (double)x[i + (size_t)k], &e);                          \
                low[k] += e;                                                                       \
                magnitude[k] += fabs((double)x[i + (size_t)k]);                                    \
            }                                                                                      \
        for (int k = 0; i < n; i++, k++) {                                                         \
            high[k] = two_sum(high[k], (double)x[i], &e);                                          \
            low[k] += e;                                                                           \
            magnitude[k] += fabs((double)x[i]);                                                    \
        }                                                                                          \
        for (int k = 0; k < LANES; k++) {                                                          \
            struct precise lane = {.high = high[k], .low = low[k], .unit = INFINITY};              \
            precise_merge(p, &lane);                                                               \
            sum += magnitude[k];                                                                   \
        }                                                                                          \
        p->magnitude += sum;                                                                       \
        for (i = 0; !isfinite(sum) && i < n; i++)                                                  \
            precise_see(p, (double)x[i]);                                                          \
        /* Most data have too many digits, which the first few elements show. */                   \
        for (i = 0; p->unit > 0 && i < n; i++)                                                     \
            precise_unit(p, lowest_bit((double)x[i]));                                             \
        if (!(p->magnitude <= exact_units(TYPE) * p->unit))                                        \
            p->unit = 0;                                                                           \
    }
DEFINE_FLOATING_SUM(sum_float, float, TYPE_FLOAT)
DEFINE_FLOATING_SUM(sum_double, double, TYPE_DOUBLE)

#define DEFINE_INTEGER_SUM(NAME, T)                                                                \
    static void NAME(struct partial *p, const T *x, size_t n)                                      \
    {                                                                                              \
        uint64_t total = 0;                                                                        \
        for (size_t i = 0; i < n; i++)                                                             \
            total += (uint64_t)x[i];                                                               \
        p->sum.total += total;                                                                     \
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

static const double *scale(double *scaled, const double *x, size_t n, int exponent)
{
    for (size_t i = 0; i < n; i++)
        scaled[i] = ldexp(x[i], exponent);
    return scaled;
}

static struct partial run_chunk(const struct work *w, size_t begin, size_t end)
{
    int64_t piece[PIECE]; /* as wide as any type */
    double scaled[PIECE];
    struct partial p = nothing;
    for (size_t i = begin; i < end; i += PIECE) {
        size_t n = end - i < PIECE ? end - i : PIECE;
        const void *x = piece;
        if (w->pattern != NULL)
            generate(piece, w->type, w->pattern, w->first + i, n);
        else
            x = (const char *)w->data + i * type_size(w->type);
        if (w->exponent != 0) /* doubles only: a sum of floats is far from the range of double */
            x = scale(scaled, x, n, -w->exponent);
        take(&p, w->type, w->op, x, n);
    }
    return p;
}

static struct partial run_round(const struct work *w, size_t begin, size_t end)
{
    struct partial partials[ROUND], result = nothing;
    long count = (long)((end - begin + CHUNK - 1) / CHUNK);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) if (count > 1)
#endif
    for (long k = 0; k < count; k++) {
        size_t from = begin + (size_t)k * CHUNK;
        partials[k] = run_chunk(w, from, end - from < CHUNK ? end : from + CHUNK);
    }
    for (long k = 0; k < count; k++)
        combine(&result, &partials[k]);
    return result;
}

static struct partial run(const struct work *w, const char *label)
{
    struct partial result = nothing;
    bool watched = label != NULL && isatty(STDERR_FILENO), shown = false;
    time_t start = time(NULL);
    for (size_t i = 0; i < w->n;) {
        size_t end = w->n - i < ROUND * CHUNK ? w->n : i + ROUND * CHUNK;
        struct partial p = run_round(w, i, end);
        combine(&result, &p);
        i = end;
        if (watched && difftime(time(NULL), start) > 2) {
            fprintf(stderr, "\r%s: %.0f %%", label, 100 * (double)i / (double)w->n);
            shown = true;
        }
    }
    if (shown)
        fprintf(stderr, "\r\033[K"); /* erases the line */
    return result;
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

struct reference reference_of_sum(int type, size_t n, const struct precise *sum, int exponent)
{
    struct reference r = {.type = type, .op = OP_SUM, .n = n, .kind = -1, .sum = *sum};

    r.exponent = exponent;
    if (!type_is_floating(type)) {
        r.value = scalar_from_long(type, (int64_t)sum->total);
        return r;
    }
    if (sum->nan || sum->above || sum->below) {
        r.high = sum->nan || (sum->above && sum->below) ? NAN : sum->above ? INFINITY : -INFINITY;
        r.value = scalar_from_double(type, r.high);
        return r;
    }
    r.high = sum->high + sum->low;
    r.low = sum->high - r.high + sum->low;
    r.magnitude = sum->magnitude * (1 + 0x1p-30); /* its own rounding, and that of high + low */
    r.exact = exponent == 0 && sum->magnitude <= exact_units(type) * sum->unit &&
              sum->magnitude <= type_largest(type);
    r.value = rounded(type, r.high, r.low, exponent);
    return r;
}

static struct reference refer(struct work w, const char *label)
{
    struct reference r = {.type = w.type, .op = w.op, .n = w.n, .kind = -1};
    struct partial p = run(&w, label);

    if (w.op != OP_SUM) {
        r.value = w.n == 0 ? identity(w.type, w.op) : extreme_value(w.type, w.op, &p);
    } else {
        if (precise_overflowed(&p.sum)) {
            w.exponent = HUGE_SCALE;
            p = run(&w, label);
        }
        r = reference_of_sum(w.type, w.n, &p.sum, w.exponent);
    }
    return r;
}

struct reference reference_of_pattern(int type, int op, const struct pattern *p, uint64_t first,
                                      size_t n, const char *label)
{
    struct work w = {.type = type, .op = op, .pattern = p, .first = first, .n = n};
    struct reference r = refer(w, label);
    r.kind = p->kind;
    return r;
}

struct reference reference_of_array(int type, int op, const void *data, size_t n, const char *label)
{
    struct work w = {.type = type, .op = op, .data = data, .n = n};
    return refer(w, label);
}

/* The sum of both, in units of 2^exponent. */
static struct reference join_sums(const struct reference *parts, size_t count, size_t n,
                                  int exponent)
{
    struct precise sum = precise_nothing;

    for (size_t k = 0; k < count; k++) {
        struct precise part = parts[k].sum;
        int by = parts[k].exponent - exponent;
        if (by != 0) {
            part.high = ldexp(part.high, by);
            part.low = ldexp(part.low, by);
            part.magnitude = ldexp(part.magnitude, by);
        }
        precise_merge(&sum, &part);
    }
    if (exponent == 0 && precise_overflowed(&sum))
        return join_sums(parts, count, n, HUGE_SCALE);
    return reference_of_sum(parts[0].type, n, &sum, exponent);
}

struct reference reference_join(const struct reference *parts, size_t count)
{
    struct reference r = parts[0];
    struct partial extreme = nothing;
    int exponent = 0, kind = r.kind;
    size_t n = 0;

    for (size_t k = 0; k < count; k++) {
        n += parts[k].n;
        exponent = parts[k].exponent > exponent ? parts[k].exponent : exponent;
        kind = parts[k].kind == kind ? kind : -1;
        if (r.op != OP_SUM && parts[k].n > 0)
            take(&extreme, r.type, r.op, &parts[k].value.as, 1);
    }
    if (r.op == OP_SUM)
        r = join_sums(parts, count, n, exponent);
    else if (n > 0)
        r.value = extreme_value(r.type, r.op, &extreme);
    r.n = n;
    r.kind = kind;
    return r;
}
