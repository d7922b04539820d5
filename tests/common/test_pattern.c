/* The values of the patterns; the device generates the same ones.
 * Suite: kernels slow
 * SPDX-License-Identifier: MIT */
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hip/hip_runtime_api.h>

#include "elements.h"
#include "harness/device/init.h"
#include "values/narrow.h"
#include "pattern.h"
#include "reduction.h"
#include "values/scalar.h"

#define SEED 7

/* ---- the host's values ---- */

/* The first outputs of splitmix64 for seed 1234567, as published with other implementations of it. */
TEST(hash_is_splitmix64)
{
    static const uint64_t outputs[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                       UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                       UINT64_C(16408922859458223821)};
    for (size_t i = 0; i < COUNT(outputs); i++)
        ck_assert_uint_eq(pattern_hash(1234567, i), outputs[i]);
}

/* Published results depend on these: changing one would change every published checksum. */
static const uint64_t places[] = {0, 1, 4096, 4097, 65521, (UINT64_C(1) << 33) + 7};
#define PLACES (COUNT(places))

static const struct pinned {
    float f[PLACES];
    double d[PLACES];
    int32_t i[PLACES];
    int64_t l[PLACES];
} pinned[PATTERN_COUNT] = {
    [PATTERN_RANDOM] = {{0x1.8f2f84p-2f, 0x1.130fp-6f, 0x1.ef5a8p-6f, 0x1.96d08p-5f, 0x1.6f0f88p-2f, 0x1.32b338p-3f},
                        {0x1.8f2f879164c82p-2, 0x1.130f35fd0f18p-6, 0x1.ef5abd7ef5cep-6, 0x1.96d0994208efp-5,
                         0x1.6f0f8bcce372cp-2, 0x1.32b33a8d03644p-3},
                        {1674306020, 72105175, 129854197, 213288138, 1539564275, 643196753},
                        {7191089600892374487, 309689372594955804, 557719533588528044, 916065577607854552,
                         6612378212168939440, 2762509021719857439}},
    [PATTERN_ONES] = {{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}},
    [PATTERN_CONSTANT] = {{0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f},
                          {0.1, 0.1, 0.1, 0.1, 0.1, 0.1},
                          {1, 1, 1, 1, 1, 1},
                          {1, 1, 1, 1, 1, 1}},
    [PATTERN_RAMP] = {{0, 1, 4096, 4097, 0, 457}, /* (2^33 + 7) mod 65521 = 457 */
                      {0, 1, 4096, 4097, 0, 457},
                      {0, 1, 4096, 4097, 0, 457},
                      {0, 1, 4096, 4097, 0, 457}},
    [PATTERN_MIXED] = {{-0x1.c797c2p+13f, 0x1.089878p+20f, 0x1.c797bcp+13f, -0x1.089874p+20f, -0x1.13a8fap+23f,
                        -0x1.4caccep+20f},
                       {-0x1.c797c3c8b2641p+26, 0x1.089879afe878cp+49, 0x1.c797c3c8b263ep+26, -0x1.089879afe878ap+49,
                        -0x1.13a90029acc35p+36, -0x1.4caccea340d91p+49},
                       {-933054, 69362150, 933051, -69362148, -578101250, -87208762},
                       {-61148634693, 297908169045304112, 61148634690, -297908169045304110, -37886443730325,
                        -374558783080457288}},
    [PATTERN_ONEHOT] = {{0, 0, 0, -1, 0, 0}, {0, 0, 0, -1, 0, 0}, {0, 0, 0, -1, 0, 0}, {0, 0, 0, -1, 0, 0}},
};

static void is_pinned(int kind, const struct pinned *expected)
{
    struct pattern p = {.kind = kind, .seed = SEED, .hot = 4097, .hot_value = -1};
    for (size_t k = 0; k < PLACES; k++) {
        ALL(pattern_float(&p, places[k]) == expected->f[k], pattern_double(&p, places[k]) == expected->d[k],
            pattern_int(&p, places[k]) == expected->i[k], pattern_long(&p, places[k]) == expected->l[k]);
    }
}

TEST(values_are_pinned)
{
    for (int kind = 0; kind < PATTERN_COUNT; kind++)
        is_pinned(kind, &pinned[kind]);
}

/* Nothing is rounded on the way to the device, and both signs and all magnitudes occur. */
TEST(two_bytes_are_exact)
{
    for (int kind = 0; kind < PATTERN_COUNT; kind++) {
        struct pattern p = {.kind = kind, .seed = SEED, .hot = 4097, .hot_value = -1};
        double sum = 0, magnitude = 0;
        for (uint64_t i = 0; i < 1 << 16; i++) {
            float half = pattern_half(&p, i), brain = pattern_bfloat16(&p, i);
            ck_assert(half_widen(half_narrow(half)) == half && isfinite(half));
            ck_assert(bfloat16_widen(bfloat16_narrow(brain)) == brain);
            sum += (double)half + (double)brain;
            magnitude += fabs((double)half) + fabs((double)brain);
            if (kind == PATTERN_RANDOM)
                ck_assert(half >= 0 && half < 1 && brain >= 0 && brain < 1);
            if (kind == PATTERN_CONSTANT)
                ck_assert(half == 0x1.998p-4f && brain == 0x1.9ap-4f);
            if (kind == PATTERN_RAMP)
                ck_assert(half == (float)(i % 2039) && brain == (float)(i % 251));
        }
        ALL(magnitude > 0, kind != PATTERN_MIXED || fabs(sum) < 0.01 * magnitude,
            kind != PATTERN_RANDOM || fabs(sum / (1 << 17) - 0.5) < 0.01);
    }
    ALL(half_narrow(0.1f) == half_narrow(0x1.998p-4f), bfloat16_narrow(0.1f) == bfloat16_narrow(0x1.9ap-4f));
}

TEST(hot_element)
{
    struct pattern open = {.kind = PATTERN_ONEHOT, .hot = PATTERN_HOT_LAST};
    struct pattern p = pattern_for(&open, OP_MIN, 100);
    ALL(p.hot == 99, p.hot_value == -1, pattern_double(&p, 99) == -1 && pattern_double(&p, 98) == 0);

    open.hot = 5;
    p = pattern_for(&open, OP_SUM, 100);
    ALL(p.hot == 5, p.hot_value == 1, pattern_for(&open, OP_MAX, 3).hot_value == 1);
    p = pattern_for(&open, OP_AND, 100);
    ck_assert(pattern_long(&p, 5) == 0 && pattern_long(&p, 6) == -1 && pattern_int(&p, 4) == -1);
    p = pattern_for(&open, OP_XOR, 100);
    ck_assert(pattern_long(&p, 5) == 1 && pattern_long(&p, 6) == 0);
}

/* ---- the device's values ---- */

static bool device; /* whether there is one */

/* A child finds out: an initialized runtime does not survive fork(), and Check forks. */
static bool device_is_there(void)
{
    int count = 0, status;
    pid_t child = fork();

    if (child == 0)
        _exit(hipGetDeviceCount(&count) == hipSuccess && count > 0 ? 0 : 1);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Fails unless d_data[from ... from + n - 1] are elements first ... of the pattern. */
static void compare(const void *d_data, size_t from, int type, const struct pattern *p, uint64_t first, size_t n)
{
    size_t size = type_size(type);
    char *h_data = malloc(n * size), *wanted = elements_of(type, p, first, n);
    ck_assert_ptr_nonnull(h_data);
    HIP_CHECK(hipMemcpy(h_data, (const char *)d_data + from * size, n * size, hipMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        if (memcmp(wanted + i * size, h_data + i * size, size) != 0)
            ck_abort_msg("%s %s: element %zu differs", pattern_name(p->kind), type_name(type), i);
    free(h_data);
    free(wanted);
}

TESTS(device_fill_equals_host, device ? PATTERN_COUNT *TYPE_ALL : 0)
{
    enum { N = 100003, GUARD = 64 };
    struct pattern p = {.kind = _i / TYPE_ALL, .seed = SEED, .hot = 4097, .hot_value = -1};
    int type = _i % TYPE_ALL;
    uint64_t firsts[] = {0, 4000, (UINT64_C(1) << 33) - 5};
    size_t size = type_size(type);
    char guard[GUARD], after[GUARD], *d_data;
    memset(guard, 0x5a, GUARD);
    HIP_CHECK(hipMalloc((void **)&d_data, N * size + GUARD));
    for (size_t k = 0; k < COUNT(firsts); k++) {
        HIP_CHECK(hipMemset(d_data, 0x5a, N * size + GUARD));
        init_fill(d_data, type, &p, firsts[k], N, NULL);
        compare(d_data, 0, type, &p, firsts[k], N);
        HIP_CHECK(hipMemcpy(after, d_data + N * size, GUARD, hipMemcpyDeviceToHost));
        ck_assert_mem_eq(guard, after, GUARD);
    }
    init_fill(d_data, type, &p, 0, 0, NULL); /* must not launch 0 blocks */
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipFree(d_data));
}

#ifndef __HIP_PLATFORM_CPU__ /* where it would take a minute */
/* As many elements as no index of 32 bits reaches, if there is memory for them. */
TESTS(device_fill_is_large, device)
{
    size_t n = ((size_t)1 << 32) + 77777, begin = ((size_t)1 << 31) - 5000, free_bytes, total;
    struct pattern p = {.kind = PATTERN_MIXED, .seed = SEED};
    char *d_data;

    HIP_CHECK(hipMemGetInfo(&free_bytes, &total));
    if (free_bytes < n * 4 + ((size_t)1 << 30))
        return;
    HIP_CHECK(hipMalloc((void **)&d_data, n * 4));
    init_fill(d_data, TYPE_INT, &p, 0, n, NULL);
    compare(d_data, 0, TYPE_INT, &p, 0, 10000);
    compare(d_data, begin, TYPE_INT, &p, begin, 10000);
    compare(d_data, n - 100000, TYPE_INT, &p, n - 100000, 100000);
    HIP_CHECK(hipFree(d_data));
}
#endif

TESTS(ceiling_only_reads, device)
{
    size_t n = 1 << 20; /* 8 MB of doubles */
    struct pattern p = {.kind = PATTERN_RANDOM, .seed = SEED};
    char *d_data;
    HIP_CHECK(hipMalloc((void **)&d_data, n * 8));
    init_fill(d_data, TYPE_DOUBLE, &p, 0, n, NULL);
    double ceiling = init_read_ceiling(d_data, n * 8, NULL);
    ck_assert_msg(ceiling > 0 && ceiling < 1e5, "%g GB/s", ceiling); /* a busy machine has any share of it */
    compare(d_data, 0, TYPE_DOUBLE, &p, 0, n);
    ALL(init_read_ceiling(d_data, 16, NULL) > 0, init_read_ceiling(d_data, 15, NULL) == 0);
    HIP_CHECK(hipFree(d_data));
}

int suite_begin(int argc, char **argv)
{
    (void)argc, (void)argv;
    device = device_is_there();
    if (device)
        return -1;
    fprintf(stderr, "no device: only the values of the host were tested\n");
    return suite_run_all() == EXIT_SUCCESS ? 77 : EXIT_FAILURE;
}
