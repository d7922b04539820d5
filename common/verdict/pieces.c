/* Sums are exact. A piece of the array is cut at the bits that its sum of |x| determines: what lies above is
 * added without rounding, what lies below is cut again, and so on until nothing is left. This is the extraction
 * of S. M. Rump, T. Ogita, S. Oishi: Accurate floating-point summation, part I, SIAM J. Sci. Comput. 31, 2008.
 * The few sums of a piece go into a fixed-point number that holds them all.
 * SPDX-License-Identifier: MIT */
#include "pieces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "precise.h"

#define LANES 8 /* independent sums, so that no addition waits for the previous one */

/* whole_NAME(): an operation of whole numbers alone. */
static uint64_t whole_and(uint64_t a, uint64_t b) { return a & b; }

static uint64_t whole_or(uint64_t a, uint64_t b) { return a | b; }

static uint64_t whole_xor(uint64_t a, uint64_t b) { return a ^ b; }

static uint64_t whole_by(int op, uint64_t a, uint64_t b)
{
    switch (op) {
#define WHOLE(x, number, name, ...)                                                                                    \
    case number:                                                                                                       \
        return whole_##name(a, b);
        BITWISE_OPERATIONS(WHOLE, )
    }
    return a;
}

void partial_clear(struct partial *p, int op)
{
    exact_clear(&p->sum);
    p->op = op;
    p->total = 0;
    p->whole = (uint64_t)scalar_identity(TYPE_LONG, op).as.l;
    p->nan = false;
    p->extreme = INT64_MIN;
}

void partial_merge(struct partial *p, const struct partial *q)
{
    exact_merge(&p->sum, &q->sum);
    p->total += q->total;
    p->whole = whole_by(p->op, p->whole, q->whole);
    p->nan |= q->nan;
    p->extreme = q->extreme > p->extreme ? q->extreme : p->extreme;
}

static double sum_of_lanes(const double *lane)
{
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
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
#define DEFINE_FLOATING_SUM(NAME, T, TYPE)                                                                             \
    static void NAME(struct partial *p, const T *x, size_t n)                                                          \
    {                                                                                                                  \
        struct exact_sum *s = &p->sum;                                                                                 \
        double magnitude[LANES] = {0}, one[LANES] = {0}, two[LANES] = {0}, left[LANES] = {0}, all;                     \
        size_t whole = n - n % LANES;                                                                                  \
        for (size_t i = 0; i < whole; i += LANES)                                                                      \
            for (size_t k = 0; k < LANES; k++)                                                                         \
                magnitude[k] += fabs((double)x[i + k]);                                                                \
        for (size_t i = whole; i < n; i++)                                                                             \
            magnitude[i - whole] += fabs((double)x[i]);                                                                \
        all = sum_of_lanes(magnitude);                                                                                 \
        if (all > 0 && all < EXACT_HUGE) {                                                                             \
            double cut = knife(all), fine = cut * 0x1p-41 > 0x1.8p-1022 ? cut * 0x1p-41 : 0x1.8p-1022;                 \
            for (size_t i = 0; i < whole; i += LANES)                                                                  \
                for (size_t k = 0; k < LANES; k++) {                                                                   \
                    double part = ((double)x[i + k] + cut) - cut, rest = (double)x[i + k] - part;                      \
                    double next = (rest + fine) - fine;                                                                \
                    one[k] += part;                                                                                    \
                    two[k] += next;                                                                                    \
                    left[k] += fabs(rest - next);                                                                      \
                }                                                                                                      \
            for (size_t i = whole; i < n; i++) {                                                                       \
                double part = ((double)x[i] + cut) - cut, rest = (double)x[i] - part;                                  \
                double next = (rest + fine) - fine;                                                                    \
                one[i - whole] += part;                                                                                \
                two[i - whole] += next;                                                                                \
                left[i - whole] += fabs(rest - next);                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        if (all < EXACT_HUGE && sum_of_lanes(left) == 0) {                                                             \
            exact_add(s, sum_of_lanes(one), 0);                                                                        \
            exact_add(s, sum_of_lanes(two), 0);                                                                        \
            s->magnitude += all;                                                                                       \
        } else {                                                                                                       \
            double wide[PIECE];                                                                                        \
            for (size_t i = 0; i < n; i++)                                                                             \
                wide[i] = (double)x[i];                                                                                \
            add_one_by_one(s, wide, n);                                                                                \
        }                                                                                                              \
        /* Most data have too many digits, which the first few elements show. */                                       \
        for (size_t i = 0; s->unit > 0 && i < n; i++)                                                                  \
            s->unit = fmin(s->unit, lowest_bit((double)x[i]));                                                         \
        if (!(s->magnitude <= exact_units(TYPE) * s->unit))                                                            \
            s->unit = 0;                                                                                               \
    }
DEFINE_FLOATING_SUM(take_sum_float, float, TYPE_FLOAT)
DEFINE_FLOATING_SUM(take_sum_double, double, TYPE_DOUBLE)

#define DEFINE_INTEGER_SUM(NAME, T)                                                                                    \
    static void NAME(struct partial *p, const T *x, size_t n)                                                          \
    {                                                                                                                  \
        uint64_t total = 0;                                                                                            \
        for (size_t i = 0; i < n; i++)                                                                                 \
            total += (uint64_t)x[i];                                                                                   \
        p->total += total;                                                                                             \
    }
DEFINE_INTEGER_SUM(take_sum_int, int32_t)
DEFINE_INTEGER_SUM(take_sum_long, int64_t)

/* A key is an integer in the order of the values: it puts -0 below +0, and NaN is seen separately. All
 * bits of a negative number but the sign are inverted; doing so again restores them. */
static inline int64_t turn_double(int64_t bits) { return bits < 0 ? bits ^ INT64_MAX : bits; }

static double value_double(int64_t key)
{
    int64_t bits = turn_double(key);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline int64_t key_double(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return turn_double(bits);
}

static inline int32_t turn_float(int32_t bits) { return bits < 0 ? bits ^ INT32_MAX : bits; }

static float value_float(int64_t key)
{
    int32_t bits = turn_float((int32_t)key);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline int64_t key_float(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return turn_float(bits);
}

static inline int64_t key_int(int32_t x) { return x; }

static inline int64_t key_long(int64_t x) { return x; }

/* complement: -1 for min, 0 for max; the least key has the greatest complement. */
#define DEFINE_EXTREME(NAME, T, KEY, COMPLEMENT)                                                                       \
    static void NAME(struct partial *p, const T *x, size_t n)                                                          \
    {                                                                                                                  \
        int64_t extreme = p->extreme;                                                                                  \
        bool nan = false;                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                                               \
            int64_t key = KEY(x[i]) ^ COMPLEMENT;                                                                      \
            extreme = key > extreme ? key : extreme;                                                                   \
            nan |= x[i] != x[i];                                                                                       \
        }                                                                                                              \
        p->extreme = extreme;                                                                                          \
        p->nan |= nan;                                                                                                 \
    }
#define DEFINE_EXTREMES(NAME, T)                                                                                       \
    DEFINE_EXTREME(take_min_##NAME, T, key_##NAME, INT64_C(-1))                                                        \
    DEFINE_EXTREME(take_max_##NAME, T, key_##NAME, INT64_C(0))
DEFINE_EXTREMES(float, float)
DEFINE_EXTREMES(double, double)
DEFINE_EXTREMES(int, int32_t)
DEFINE_EXTREMES(long, int64_t)

/* take_OPERATION_TYPE() for each pair, of whole numbers whole_OPERATION(). */
#define TAKE(op, number, name, ...)                                                                                    \
    case number:                                                                                                       \
        take_##op##_##name(p, x, n);                                                                                   \
        return;

#define TAKE_COMMON(x, number, name, ...)                                                                              \
    case number:                                                                                                       \
        switch (type) {                                                                                                \
            COMMON_TYPES(TAKE, name)                                                                                   \
        }                                                                                                              \
        break;
#define TAKE_BITWISE(none, number, name, ...)                                                                          \
    case number:                                                                                                       \
        if (type_is_floating(type))                                                                                    \
            break;                                                                                                     \
        for (size_t i = 0; type == TYPE_INT && i < n; i++)                                                             \
            p->whole = whole_##name(p->whole, (uint64_t)((const int32_t *)x)[i]);                                      \
        for (size_t i = 0; type == TYPE_LONG && i < n; i++)                                                            \
            p->whole = whole_##name(p->whole, (uint64_t)((const int64_t *)x)[i]);                                      \
        return;

void partial_take(struct partial *p, int type, int op, const void *x, size_t n)
{
    switch (op) {
        COMMON_OPERATIONS(TAKE_COMMON, )
        BITWISE_OPERATIONS(TAKE_BITWISE, )
    }
    abort(); /* no such operation of this type */
}

struct scalar partial_extreme(const struct partial *p, int type, int64_t key)
{
    struct scalar s = {.type = type};

    switch (type) {
#define VALUE_FLOATING(name, value) p->nan ? (value)NAN : value_##name(key)
#define VALUE_WHOLE(name, value)    (value) key
#define VALUE(x, number, name, element, result, value, kind, digits, bits, member, ...)                                \
    case number:                                                                                                       \
        s.as.member = VALUE_##kind(name, value);                                                                       \
        return s;
        COMMON_TYPES(VALUE, )
    }
    abort();
}

/* Baseline x86-64 has no vector multiplication of 64 bits, and clang replaces it at twice the cost. */
#ifdef __clang__
#define ONE_BY_ONE _Pragma("clang loop vectorize(disable)")
#else
#define ONE_BY_ONE
#endif

/* The kind is a constant in each of the loops, so the compiler removes the switch. */
#define GENERATE_KIND(KIND, T, VALUE)                                                                                  \
    case KIND:                                                                                                         \
        local.kind = KIND;                                                                                             \
        ONE_BY_ONE for (size_t i = 0; i < n; i++) { ((T *)x)[i] = VALUE(&local, first + i); }                          \
        break;

#define GENERATE(T, VALUE)                                                                                             \
    switch (p->kind) {                                                                                                 \
        GENERATE_KIND(PATTERN_RANDOM, T, VALUE)                                                                        \
        GENERATE_KIND(PATTERN_ONES, T, VALUE)                                                                          \
        GENERATE_KIND(PATTERN_CONSTANT, T, VALUE)                                                                      \
        GENERATE_KIND(PATTERN_RAMP, T, VALUE)                                                                          \
        GENERATE_KIND(PATTERN_MIXED, T, VALUE)                                                                         \
        GENERATE_KIND(PATTERN_ONEHOT, T, VALUE)                                                                        \
    }

void piece_generate(void *x, int type, const struct pattern *p, uint64_t first, size_t n)
{
    struct pattern local = *p;

    switch (type) {
#define GENERATE_TYPE(x, number, name, element, result, value, ...)                                                    \
    case number:                                                                                                       \
        GENERATE(value, pattern_##name)                                                                                \
        return;
        TYPES(GENERATE_TYPE, )
    }
}
