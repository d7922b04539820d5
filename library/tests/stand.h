/* Shared by the tests of libreduction's functions of one array: the functions, an array, and the verdict.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_LIBRARY_STAND_H
#define TESTS_LIBRARY_STAND_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "elements.h"
#include "library/libreduction.h"
#include "harness/device/device.h"
#include "values/narrow.h"
#include "pattern.h"
#include "reduction.h"
#include "values/scalar.h"
#include "suite.h"
#include "verdict/verify.h"

#if defined(__HIP_PLATFORM_CPU__)
#define LARGEST ((size_t)300000)
#else
#define LARGEST ((size_t)1 << 26)
#endif
#define IS(status, call) ck_assert_int_eq(call, status)
#define OK(call)         IS(LR_OK, call)
#define SPARE            8 /* elements before the first one, for every alignment */

static const int floating_types[] __attribute__((unused)) = {TYPE_FLOAT, TYPE_DOUBLE, TYPE_HALF, TYPE_BFLOAT16};

typedef int call_t(lr_handle *, int, const void *, size_t, void *, lr_stream);

/* In pairs: the function that leaves its result on the device, and the one that returns it. op -1: the sum of magnitudes. */
static const struct {
    const char *name;
    call_t *call, *value;
    int op;
    bool floating; /* not for integers */
} functions[] = {
    {"sum", lr_sum, lr_sum_value, OP_SUM, false},
    {"min", lr_min, lr_min_value, OP_MIN, false},
    {"max", lr_max, lr_max_value, OP_MAX, false},
    {"asum", lr_asum, lr_asum_value, -1, true},
    {"sum_tree", lr_sum_tree, lr_sum_tree_value, OP_SUM, false},
    {"sum_binned", lr_sum_binned, lr_sum_binned_value, OP_SUM, true},
};

static struct device device;
static lr_handle *handle;
static hipStream_t stream;
static char *d_x, *d_y, *h_x, *h_y; /* y: the second array of products */
static struct scalar *d_result;     /* an array of them */

static void *rooms[8];
static size_t room_count;

/* Memory on the device until tear_down(). */
static inline void *room(size_t bytes)
{
    ck_assert_uint_lt(room_count, COUNT(rooms));
    HIP_CHECK(hipMalloc(&rooms[room_count], bytes));
    return rooms[room_count++];
}

static inline void set_up(void)
{
    device_open(&device, 0);
    OK(lr_create(&handle, 0));
    HIP_CHECK(hipStreamCreate(&stream));
    d_x = room((LARGEST + SPARE) * 8);
    d_y = room((LARGEST + SPARE) * 8);
    d_result = room(1000 * sizeof *d_result);
    h_x = malloc((LARGEST + SPARE) * 8);
    h_y = malloc((LARGEST + SPARE) * 8);
    ck_assert(h_x != NULL && h_y != NULL);
}

static inline void tear_down(void)
{
    HIP_CHECK(hipStreamSynchronize(stream));
    OK(lr_destroy(handle));
    HIP_CHECK(hipStreamDestroy(stream));
    while (room_count > 0)
        HIP_CHECK(hipFree(rooms[--room_count]));
    free(h_x);
    free(h_y);
}

/* Calls on the stream are captured from now on, until end_capture() makes a graph of them. */
static inline void capture(void) { HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal)); }

static inline hipGraphExec_t end_capture(void)
{
    hipGraph_t graph;
    hipGraphExec_t exec;

    HIP_CHECK(hipStreamEndCapture(stream, &graph));
    HIP_CHECK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    HIP_CHECK(hipGraphDestroy(graph));
    return exec;
}

static inline void store(void *to, int type, double x, int64_t whole)
{
    bool narrow = type_of_result(type) != type, floating = type_is_floating(type);
    struct scalar value = floating ? scalar_from_double(type, x) : scalar_from_long(type, whole);

    memcpy(to, narrow ? (const void *)&(uint16_t){narrow_of(type, (float)x)} : &value.as, type_size(type));
}

/* Element i: random, of both signs. */
static inline void fill(int type, uint64_t seed, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t hash = pattern_hash(seed, i);
        store(h_x + i * type_size(type), type, ldexp((double)(int64_t)hash, -60), (int64_t)hash);
    }
}

static inline void upload(size_t bytes) { HIP_CHECK(hipMemcpy(d_x, h_x, bytes, hipMemcpyHostToDevice)); }

/* The right value of function f for the array at h_x + offset elements. */
static inline struct reference truth(size_t f, int type, size_t offset, size_t n)
{
    size_t size = type_size(type);
    char *x = h_x + offset * size;

    if (functions[f].op >= 0)
        return reference_of_array(type, functions[f].op, x, n, NULL);
    char *magnitudes = malloc(n * size + 1);
    for (size_t i = 0; i < n * size; i++) /* clears the sign bit, the highest of the last byte */
        magnitudes[i] = (char)(i % size == size - 1 ? x[i] & 0x7f : x[i]);
    struct reference r = reference_of_array(type, OP_SUM, magnitudes, n, NULL);
    free(magnitudes);
    return r;
}

/* The header's c: 60, plus the bytes of n results over 16 KiB and the number of units. */
static inline size_t chain(int type, size_t n)
{
    return 60 + n * type_size(type_of_result(type)) / ((size_t)16384 * device.compute_units);
}

static inline void judge(size_t f, int type, size_t offset, size_t n, struct scalar value, const char *how)
{
    struct reference r = truth(f, type, offset, n);
    struct verdict v = verify_check(value, &r, chain(type, n));
    char got[SCALAR_TEXT_MAX], wanted[SCALAR_TEXT_MAX];

    if (functions[f].call == lr_sum_binned && isfinite(r.high)) { /* rounded once, and once more in the reference */
        double u = type == TYPE_DOUBLE ? DBL_EPSILON : FLT_EPSILON;
        double error = fabs(scalar_to_double(value) - ldexp(r.high + r.low, r.exponent));
        ck_assert_msg(error <= u * fabs(ldexp(r.high, r.exponent)) + ldexp(r.magnitude, r.exponent - 75),
                      "sum_binned of %zu: off by %g", n, error);
    }
    ck_assert_msg(v.outcome == VERDICT_OK, "%s %s of %zu of type %s at %zu: %s and not %s", functions[f].name, how, n,
                  type_name(type), offset, scalar_text(got, value), scalar_text(wanted, r.value));
}

static inline struct scalar result_at(size_t i, int type)
{
    struct scalar value = {.type = type_of_result(type)};

    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipMemcpy(&value.as, &d_result[i].as, sizeof value.as, hipMemcpyDeviceToHost));
    return value;
}

static inline bool has_type(size_t f, int type)
{
    return !functions[f].floating || type_is_floating(type_of_result(type));
}

#endif
