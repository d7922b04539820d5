/* Every function of lr_reduce() against the host, exactly where no rounding is possible. A new function needs an oracle here:
 * its row is looked up by name.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_LIBRARY_LINES_H
#define TESTS_LIBRARY_LINES_H

#include "stand.h"

#define ELEMENTS ((size_t)300000)
#define GUARD    64 /* bytes behind the results */

static char *d_results;
static int64_t *d_indices, *d_offsets;
static int32_t *d_offsets_32;
static char results[ELEMENTS * sizeof(struct lr_moments_t) + GUARD];
static int64_t indices[ELEMENTS + 1];

static void begin(void)
{
    set_up();
    d_results = room(sizeof results);
    d_indices = room(sizeof indices);
    d_offsets = room((ELEMENTS + 1) * sizeof *d_offsets);
    d_offsets_32 = room((ELEMENTS + 1) * sizeof *d_offsets_32);
}
SUITE_EACH(begin, tear_down)

/* On the CPU `make check` takes each turn with one size of a warp. */
static bool is_for_the_other_warp(size_t turn)
{
    return suite_level() < LEVEL_ALL && strcmp(device.arch, "cpu") == 0 && turn % 2 == (device.warp_size == 64);
}

static const struct {
    const char *name;
    size_t size;
    bool floating;
} types[LR_TYPE_COUNT] = {
    [LR_FLOAT] = {"float", 4, true},
    [LR_DOUBLE] = {"double", 8, true},
    [LR_INT32] = {"int32", 4, false},
    [LR_INT64] = {"int64", 8, false},
    [LR_HALF] = {"half", 2, true},
    [LR_BFLOAT16] = {"bfloat16", 2, true},
    [LR_UINT8] = {"uint8", 1, false},
    [LR_INT8] = {"int8", 1, false},
    [LR_UINT32] = {"uint32", 4, false},
    [LR_BOOL] = {"bool", 1, false},
    [LR_COMPLEX_FLOAT] = {"complex float", 8, true},
    [LR_COMPLEX_DOUBLE] = {"complex double", 16, true},
};

static void put(char *to, int type, size_t i, double x)
{
    char *at = to + i * types[type].size;

    switch (type) {
    case LR_UINT8:
    case LR_BOOL:
        *(uint8_t *)at = (uint8_t)(int)x;
        break;
    case LR_INT8:
        *(int8_t *)at = (int8_t)x;
        break;
    case LR_UINT32:
        memcpy(at, &(uint32_t){(uint32_t)x}, 4);
        break;
    default:
        store(at, type, x, (int64_t)x);
    }
}

static double get(const char *from, int type, size_t i)
{
    const char *at = from + i * types[type].size;

    switch (type) {
    case LR_UINT8:
        return *(const uint8_t *)at;
    case LR_BOOL:
        return *at != 0;
    case LR_INT8:
        return *(const int8_t *)at;
    case LR_UINT32:
        return *(const uint32_t *)(const void *)at;
    default:
        return (double)element_at(type, at, 0);
    }
}

/* Small whole numbers, of which every sum of products is exact in every order, also in float. */
static void fill_whole(char *to, int type, uint64_t seed, bool nan)
{
    for (size_t i = 0; i < ELEMENTS; i++) {
        int x = (int)(pattern_hash(seed, i) % 9);
        bool is_signed = type != LR_UINT8 && type != LR_UINT32 && type != LR_BOOL;
        bool none = nan && types[type].floating && pattern_hash(seed + 1, i) % 5 == 0;
        put(to, type, i, none ? NAN : is_signed ? x - 4 : x);
    }
}

/* Both arrays, on the host and on the device. */
static void fill_both(int type, bool nan)
{
    fill_whole(h_x, type, 1, nan);
    fill_whole(h_y, type, 5, false);
    upload(ELEMENTS * types[type].size);
    HIP_CHECK(hipMemcpy(d_y, h_y, ELEMENTS * types[type].size, hipMemcpyHostToDevice));
}

struct answer {
    double value;
    int64_t index;
    double tolerance; /* relative */
    struct lr_moments_t moments;
};

/* The answer for n elements, at x[k] and y[k]; n may be 0. */
struct elements {
    const double *x, *y;
    size_t n;
    int type;
};

static double least_of(int result, bool least)
{
    if (result == LR_INT32)
        return least ? INT32_MIN : INT32_MAX;
    if (result == LR_INT64)
        return least ? (double)INT64_MIN : (double)INT64_MAX;
    return least ? -INFINITY : INFINITY;
}

static bool is(int function, const char *name) { return strcmp(lr_function_name(function), name) == 0; }

static void extreme(struct answer *a, const struct elements *e, bool min, bool skip, bool magnitude)
{
    int result = lr_result_type(LR_OP_MIN, e->type);

    a->index = -1;
    a->value = magnitude ? 0 : least_of(result, !min);
    for (size_t i = 0; i < e->n; i++) {
        double x = magnitude ? fabs(e->x[i]) : e->x[i];
        if (isnan(x) && skip)
            continue;
        bool better = a->index < 0 || (isnan(x) && !isnan(a->value)) || (min ? x < a->value : x > a->value);
        if (better && !(a->index >= 0 && isnan(a->value))) {
            a->value = x;
            a->index = (int64_t)i;
        }
    }
}

static void moments_of(struct answer *a, const struct elements *e)
{
    struct answer least, most;
    long double sum = 0, squares = 0;

    extreme(&least, e, true, false, false);
    extreme(&most, e, false, false, false);
    for (size_t i = 0; i < e->n; i++)
        sum += (long double)e->x[i];
    long double mean = sum / (long double)e->n;
    for (size_t i = 0; i < e->n; i++)
        squares += ((long double)e->x[i] - mean) * ((long double)e->x[i] - mean);
    a->moments.count = (int64_t)e->n;
    a->moments.mean = (double)mean;
    a->moments.variance = (double)(squares / (long double)e->n);
    a->moments.min = least.value;
    a->moments.max = most.value;
}

/* False: there is no oracle for this function. */
static bool answer(int f, const struct elements *e, struct answer *a)
{
    double sum = 0, count = 0, product = 1, nonzero = 0;
    bool skip = strncmp(lr_function_name(f), "nan", 3) == 0;

    memset(a, 0, sizeof *a);
    for (size_t i = 0; i < e->n; i++) {
        double x = e->x[i];
        nonzero += x != 0;
        if (skip && isnan(x))
            continue;
        count++;
        product *= x;
        sum += is(f, "dot")                      ? x * e->y[i]
               : is(f, "sumsq") || is(f, "nrm2") ? x * x
               : is(f, "asum")                   ? fabs(x)
               : is(f, "logsumexp")              ? exp(x)
                                                 : x;
    }
    a->value = sum;
    if (is(f, "sum") || is(f, "sum_binned") || is(f, "nansum") || is(f, "dot") || is(f, "sumsq") || is(f, "asum"))
        return true;
    a->tolerance = 1e-6;
    if (is(f, "nrm2"))
        a->value = sqrt(sum);
    else if (is(f, "logsumexp"))
        a->value = log(sum);
    else if (is(f, "mean") || is(f, "nanmean"))
        a->value = sum / count;
    else if (is(f, "prod"))
        a->value = product;
    else if (is(f, "count"))
        a->value = nonzero;
    else if (is(f, "any"))
        a->value = nonzero > 0;
    else if (is(f, "all"))
        a->value = nonzero == (double)e->n;
    else if (is(f, "moments"))
        moments_of(a, e);
    else if (is(f, "min") || is(f, "argmin") || is(f, "nanmin") || is(f, "nanargmin"))
        extreme(a, e, true, skip, false);
    else if (is(f, "max") || is(f, "argmax") || is(f, "nanmax") || is(f, "nanargmax"))
        extreme(a, e, false, skip, false);
    else if (is(f, "amax") || is(f, "iamax"))
        extreme(a, e, false, false, true);
    else
        return false;
    return true;
}

static bool near(double got, double wanted, double tolerance)
{
    if (isnan(wanted) || isinf(wanted))
        return isnan(wanted) ? isnan(got) : got == wanted;
    return fabs(got - wanted) <= tolerance * fabs(wanted) + (tolerance > 0 ? 1e-7 : 0);
}

static void judge_line(const char *what, int f, const struct elements *e, size_t k)
{
    struct answer a;
    int result = lr_result_type(f, e->type);

    ck_assert_msg(answer(f, e, &a), "no oracle for %s", lr_function_name(f));
    if (result == LR_MOMENTS_STRUCT) {
        struct lr_moments_t m;
        memcpy(&m, results + k * sizeof m, sizeof m);
        ck_assert_msg(m.count == a.moments.count && near(m.mean, a.moments.mean, 1e-14) &&
                          near(m.variance, a.moments.variance, 1e-14) && near(m.min, a.moments.min, 0) &&
                          near(m.max, a.moments.max, 0),
                      "%s of %s: line %zu of %zu: %g %g %g %g", what, types[e->type].name, k, e->n, m.mean, m.variance,
                      m.min, m.max);
        return;
    }
    double got = (double)element_at(result, results, 0 + k);
    if (is(f, "prod") && !types[e->type].floating) /* wraps */
        return;
    ck_assert_msg(near(got, a.value, a.tolerance), "%s of %s, %s: line %zu of %zu: %g, not %g", lr_function_name(f),
                  types[e->type].name, what, k, e->n, got, a.value);
    ck_assert_msg(!lr_finds(f) || indices[k] == a.index, "%s of %s, %s: line %zu of %zu: at %lld, not %lld",
                  lr_function_name(f), types[e->type].name, what, k, e->n, (long long)indices[k], (long long)a.index);
}

static size_t result_bytes(int f, int type)
{
    int result = lr_result_type(f, type);

    return result == LR_MOMENTS_STRUCT ? sizeof(struct lr_moments_t) : types[result].size;
}

static size_t results_at; /* how many results behind d_results the first one is stored */
static size_t second_at;  /* the element of the second array that products begin with */

/* On the device and on the host, with the same bits; every line against its oracle. */
static void check_lines(const char *what, int f, int type, size_t offset, struct lr_lines l, const int64_t *offsets)
{
    static double x[ELEMENTS], y[ELEMENTS];
    static char values[1 + sizeof results]; /* of which the host may ask for any byte */
    static int64_t places[ELEMENTS];
    size_t bytes = l.lines * result_bytes(f, type);
    char *to = d_results + results_at * result_bytes(f, type);
    int64_t *at = d_indices + results_at;
    bool finds = lr_finds(f), has_y = is(f, "dot");
    const char *from = d_x + offset * types[type].size, *second = has_y ? d_y + second_at * types[type].size : NULL;

    memset(results, 0x5a, bytes + GUARD);
    HIP_CHECK(hipMemcpy(to, results, bytes + GUARD, hipMemcpyHostToDevice));
    int status = lr_reduce(handle, f, type, from, second, &l, to, finds ? at : NULL, stream);
    ck_assert_msg(status == LR_OK, "%s of %s, %s: %s %s", lr_function_name(f), types[type].name, what, lr_text(status),
                  lr_runtime_text(handle));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(results, to, bytes + GUARD, hipMemcpyDeviceToHost));
    HIP_CHECK(hipMemcpy(indices, at, l.lines * sizeof *indices, hipMemcpyDeviceToHost));
    for (size_t k = 0; k < GUARD; k++)
        ck_assert_msg(results[bytes + k] == 0x5a, "%s: behind the results", lr_function_name(f));
    OK(lr_reduce_value(handle, f, type, from, second, &l, values + 1, finds ? places : NULL, stream));
    ck_assert_msg(memcmp(values + 1, results, bytes) == 0, "%s of %s, %s: not the same on the host",
                  lr_function_name(f), types[type].name, what);
    ck_assert(!finds || memcmp(places, indices, l.lines * sizeof *indices) == 0);
    for (size_t k = 0; k < l.lines; k++) {
        size_t at = l.batch > 0 ? k / l.batch * l.batch_lead + k % l.batch * l.lead : k * l.lead;
        size_t y_at = second_at + k * l.y_lead, n = l.length;
        if (offsets != NULL) {
            at = (size_t)offsets[k] * l.step;
            y_at = second_at + (size_t)offsets[k] * l.y_step;
            n = (size_t)(offsets[k + 1] - offsets[k]);
        }
        for (size_t i = 0; i < n; i++) {
            x[i] = get(h_x, type, offset + at + i * l.step);
            y[i] = has_y ? get(h_y, type, y_at + i * l.y_step) : 0;
        }
        judge_line(what, f, &(struct elements){x, y, n, type}, k);
    }
}

/* Sums and extremes of rows, columns and segments have kernels of their own. */
static const int own_kernels[] __attribute__((unused)) = {LR_OP_SUM, LR_OP_MIN, LR_OP_MAX};

#endif
