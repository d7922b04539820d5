/* single_pass through its own entry points: both sides of every switch of its plan, and the same bits on every run. The
 * library's suites have every alignment, and thousands of reductions that share a workspace.
 *
 * Every order of additions gives the same bits, and no element is 0, so that lost or doubled elements cannot go unnoticed.
 * Min and max get an extreme element at a chosen place. On the CPU the plans of other machines are tested, too: a plan needs
 * no device.
 * Suite: warps kernels slow program
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "elements.h"
#include "harness/device/device.h"
#include "harness/device/init.h"
#include "program.h"
#include "reduction.h"
#include "suite.h"
#if defined(__HIP_PLATFORM_CPU__)
#include "nogpu/runtime/internal.h"
#endif

/* A plan's decisions, as in single_pass.hip. */
struct planned {
    int kernel;
    struct {
        size_t block_stride, round_stride;
        unsigned rounds, tile;
    } walk;
};

#define HOST_BYTES 64
#define SPARE      16   /* elements after the largest n, for misaligned inputs */
#define SUM_STEP   4096 /* elements between two known prefix sums */

struct machine {
    const char *arch;
    unsigned units;
};

static struct device device;
static struct machine machines[4];
static int machine_count;

#if defined(__HIP_PLATFORM_CPU__)
#define LARGEST_VECTORS ((size_t)1 << 20)
#else
#define LARGEST_VECTORS ((size_t)1 << 26)
#endif

struct array {
    size_t n;
    char *d_data;
    uint64_t *sums; /* of the elements before i * SUM_STEP */
};

static struct array arrays[TYPE_COMMON];
static hipStream_t stream;
static char *workspace, *host;
static size_t workspace_bytes;

/* Element i as a whole number: odd and small for floating point. */
static int64_t element(int type, size_t i)
{
    uint64_t hash = pattern_hash((uint64_t)type, i);

    switch (type) {
    case TYPE_INT:
        return ((int64_t)(hash >> 34) - (1 << 29)) | 1;
    case TYPE_LONG:
        return ((int64_t)(hash >> 2) - ((int64_t)1 << 61)) | 1;
    default:
        return 2 * (int64_t)(hash >> 60) - 15;
    }
}

/* A value beyond all elements. */
static int64_t extreme(int type, int op)
{
    int64_t far = type == TYPE_INT ? 1 << 30 : type == TYPE_LONG ? (int64_t)1 << 62 : 100;
    return op == OP_MIN ? -far : far;
}

/* Makes n elements of the type, and SPARE more. */
static void array_make(int type, size_t n)
{
    struct array *a = &arrays[type];
    size_t size = type_size(type), chunk = (size_t)1 << 20;
    char *part = malloc(chunk * size);
    uint64_t sum = 0;

    a->n = n;
    n += SPARE;
    a->sums = malloc((n / SUM_STEP + 1) * sizeof *a->sums);
    ck_assert(part != NULL && a->sums != NULL);
    HIP_CHECK(hipMalloc((void **)&a->d_data, n * size));
    for (size_t first = 0; first < n; first += chunk) {
        size_t count = n - first < chunk ? n - first : chunk;
        for (size_t i = first; i < first + count; i++) {
            int64_t whole = element(type, i);
            struct scalar x = scalar_from_long(type, whole);
            memcpy(part + (i - first) * size, &x.as, size);
            if (i % SUM_STEP == 0)
                a->sums[i / SUM_STEP] = sum;
            sum += (uint64_t)whole;
        }
        HIP_CHECK(hipMemcpy(a->d_data + first * size, part, count * size, hipMemcpyHostToDevice));
    }
    free(part);
}

static uint64_t sum_before(int type, size_t end)
{
    uint64_t sum = arrays[type].sums[end / SUM_STEP];

    for (size_t i = end - end % SUM_STEP; i < end; i++)
        sum += (uint64_t)element(type, i);
    return sum;
}

/* Check runs each test in a process of its own, and a device belongs to the process that opened it. */
static void set_up(void)
{
    device_open(&device, 0);
#if defined(__HIP_PLATFORM_CPU__)
    static const struct machine others[] = {{"cpu", 3}, {"sm_90", 5}, {"gfx942", 5}, {"gfx90a", 70}};
    machine_count = (int)(COUNT(others));
    memcpy(machines, others, sizeof others);
#else
    machine_count = 1;
    machines[0] = (struct machine){device.arch, device.compute_units};
#endif
    workspace_bytes = (size_t)1 << 20;
    HIP_CHECK(hipHostMalloc((void **)&host, HOST_BYTES, 0));
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipMalloc((void **)&workspace, workspace_bytes));
    HIP_CHECK(hipMemset(workspace, 0, workspace_bytes));
    HIP_CHECK(hipDeviceSynchronize());
}

static void tear_down(void)
{
    for (int type = 0; type < TYPE_COMMON; type++) {
        if (arrays[type].d_data != NULL)
            HIP_CHECK(hipFree(arrays[type].d_data));
        free(arrays[type].sums);
    }
    HIP_CHECK(hipFree(workspace));
    HIP_CHECK(hipStreamDestroy(stream));
    HIP_CHECK(hipHostFree(host));
}

#define MOST_BITS 131071
static int64_t *bits; /* of results, shared by the processes of a suite */

static void begin(void)
{
    program_need_device();
    bits = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(bits != MAP_FAILED);
}
SUITE_ONCE(begin, NULL)
SUITE_EACH(set_up, tear_down)

#if defined(__HIP_PLATFORM_CPU__)
#define IN_ORDERS 5
static void set_order(int order)
{
    static const unsigned workers[] = {2, 1, 2, 5, 3};

    hip_cpu_config.schedule = order == 0 ? HIP_CPU_FORWARD : order == 1 ? HIP_CPU_REVERSE : HIP_CPU_RANDOM;
    hip_cpu_config.seed = (uint64_t)order;
    hip_cpu_config.workers = workers[order];
}
#else
#define IN_ORDERS 2
static void set_order(int order) { (void)order; }
#endif

const struct variant *reduction_single_pass(void);

static const struct variant_entry *entry(int type, int op) { return &reduction_single_pass()->entry[type][op]; }

/* Plans for n elements; call release() afterwards. */
static struct reduction planned(int type, int op, size_t n, const struct machine *m)
{
    struct reduction r = {
        .n = n,
        .arch = m->arch,
        .warp_size = device.warp_size,
        .compute_units = m->units,
        .threads_per_unit = device.threads_per_unit,
        .workspace = workspace,
        .host = host,
        .stream = stream,
    };

    variant_options_default(reduction_single_pass(), &r);
    entry(type, op)->plan(&r);
    if (r.launches != 1 || r.workspace_bytes > workspace_bytes || r.host_bytes > HOST_BYTES) {
        fprintf(stderr, "%zu elements: %u launches, %zu bytes of workspace, %zu of the host\n", n, r.launches,
                r.workspace_bytes, r.host_bytes);
        exit(EXIT_FAILURE);
    }
    return r;
}

/* The tiles of a round are adjacent, not those of a block. */
static bool side_by_side(const struct planned *p) { return p->walk.block_stride == p->walk.tile; }

/* "float sum of 100 from element 3, plan of sm_90 with 132 units: kernel 1, grid 1 x 32, 1 rounds of 128" */
static const char *words(int type, int op, const struct reduction *r, size_t offset)
{
    static char text[256];
    const struct planned *p = r->planned;

    snprintf(text, sizeof text,
             "%s %s of %zu from element %zu, warp %u, plan of %s with %u units: kernel %d, grid %u x "
             "%u, %u rounds of %u",
             type_name(type), op_name(op), r->n, offset, r->warp_size, r->arch, r->compute_units, p->kernel, r->grid,
             r->block, p->walk.rounds, p->walk.tile);
    return text;
}

static const void *input(int type, size_t offset) { return arrays[type].d_data + offset * type_size(type); }

static void put(int type, size_t i, int64_t whole)
{
    struct scalar v = scalar_from_long(type, whole);

    HIP_CHECK(hipMemcpy(arrays[type].d_data + i * type_size(type), &v.as, type_size(type), hipMemcpyHostToDevice));
}

/* The ticket is reset and all slots are empty; if the result is on the host, the workspace has nothing else. */
static void ck_clean(const struct reduction *r, const char *what)
{
    static char copy[1 << 20];

    HIP_CHECK(hipStreamSynchronize(r->stream));
    HIP_CHECK(hipMemcpy(copy, r->workspace, r->workspace_bytes, hipMemcpyDeviceToHost));
    for (size_t i = 0; i < r->workspace_bytes; i++)
        ck_assert_msg(copy[i] == 0, "workspace byte %zu of %zu is not 0 after %s", i, r->workspace_bytes, what);
}

/* Reduces n elements from offset on; for min and max the one at `at` is extreme. */
static void ck_one(int type, int op, size_t n, size_t offset, size_t at, const struct machine *m)
{
    struct reduction r = planned(type, op, n, m);
    struct scalar result = {.as.l = 0}, expected = scalar_identity(type, op);
    const char *what = words(type, op, &r, offset);

    if (op == OP_SUM) {
        expected = scalar_from_long(type, (int64_t)(sum_before(type, offset + n) - sum_before(type, offset)));
    } else if (n > 0) {
        expected = scalar_from_long(type, extreme(type, op));
        put(type, offset + at, extreme(type, op));
    }
    entry(type, op)->launch(&r, input(type, offset));
    entry(type, op)->finish(&r, &result.as);
    ck_assert_msg(memcmp(&result.as, &expected.as, type_size(type)) == 0,
                  "%s, extreme at %zu: wrong, its bits are %016llx and not %016llx", what, at,
                  (unsigned long long)result.as.l, (unsigned long long)expected.as.l);
    ck_clean(&r, what);
    entry(type, op)->release(&r);
    if (op != OP_SUM && n > 0)
        put(type, offset + at, element(type, offset + at));
}

/* On the CPU `make check` runs each turn with one warp size. */
static bool is_for_the_other_warp(size_t turn)
{
    return suite_level() < LEVEL_VARIANT && machine_count > 1 && turn % 2 == (device.warp_size == 64);
}

/* Whether the plan for n elements has the same launch as *first. */
static bool same_launch(const struct reduction *first, int type, size_t n, const struct machine *m)
{
    struct reduction r = planned(type, OP_SUM, n, m);
    const struct planned *p = first->planned, *q = r.planned;
    bool same = first->grid == r.grid && first->block == r.block && p->kernel == q->kernel &&
                p->walk.rounds == q->walk.rounds && side_by_side(p) == side_by_side(q);

    entry(type, OP_SUM)->release(&r);
    return same;
}

/* Whether the blocks read adjacent tiles. */
static bool interleaved(int type, size_t n, const struct machine *m)
{
    struct reduction r = planned(type, OP_SUM, n, m);
    bool answer = side_by_side(r.planned);

    entry(type, OP_SUM)->release(&r);
    return answer;
}

/* The first n above `from` with a different plan, or `limit`. Plans change rarely: tries every n at first, then steps of
 * 1/512, followed by a binary search. */
static size_t next_switch(int type, size_t from, size_t limit, const struct machine *m)
{
    struct reduction first = planned(type, OP_SUM, from, m);
    size_t low = from, high;

    for (;; low = high) {
        high = low + 1 + low / 512;
        if (high >= limit || !same_launch(&first, type, high, m))
            break;
    }
    while (high < limit && high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (same_launch(&first, type, middle, m))
            low = middle;
        else
            high = middle;
    }
    entry(type, OP_SUM)->release(&first);
    return high < limit ? high : limit;
}

/* Sizes at, before and after each switch, aligned and not, up to the last kind of plan. _i: the type. */
TESTS(switches, TYPE_COMMON)
{
    int type = _i, seen = 0, machines_seen = 0;
    size_t lanes = 16 / type_size(type), largest = LARGEST_VECTORS * lanes;

    /* The only limit is the size at which blocks begin to read their own contiguous runs. */
    for (int k = 0; k < machine_count; k++) {
        size_t end = 0;
        while (end < LARGEST_VECTORS * lanes && interleaved(type, end, &machines[k]))
            end = next_switch(type, end, LARGEST_VECTORS * lanes, &machines[k]);
        largest = k == 0 || end > largest ? end : largest;
    }
    largest = largest + largest / 8 < LARGEST_VECTORS * lanes ? largest + largest / 8 : LARGEST_VECTORS * lanes;
    array_make(type, largest + lanes);

    for (int k = 0; k < machine_count; k++) {
        size_t n = 0;
        bool runs = false;
        if (is_for_the_other_warp((size_t)(k + type)))
            continue;
        machines_seen++;
        while ((n = next_switch(type, n, largest, &machines[k])) < largest) {
            int op = seen++ % OP_COMMON;
            runs = runs || !interleaved(type, n, &machines[k]);
            ck_one(type, OP_SUM, n - 1, 0, 0, &machines[k]);
            ck_one(type, OP_SUM, n, (size_t)seen % lanes, 0, &machines[k]);
            ck_one(type, op, n, 0, n - 1, &machines[k]);
            ck_one(type, OP_SUM, n + lanes - 1, lanes - 1, 0, &machines[k]);
        }
        ck_assert_msg(runs || machines[k].units > 5,
                      "%s: no plan up to %zu elements lets blocks read runs of their own", machines[k].arch, largest);
    }
    ck_assert_int_gt(seen, 10 * machines_seen);
}

/* Sums whose rounding depends on the order: the same from run to run, whichever way the result comes, and on the CPU for
 * every order of blocks and any number of workers. _i: that order; a process for each. */
TESTS(same_bits, IN_ORDERS)
{
    static const size_t sizes[] = {100, 3000, 5000, 20001, 50003, 99991, MOST_BITS};
    const struct pattern mixed = {.kind = PATTERN_MIXED, .seed = 1};
    int64_t *expected = bits;

    set_order(_i);
    for (int type = TYPE_FLOAT; type <= TYPE_DOUBLE; type++) {
        HIP_CHECK(hipMalloc((void **)&arrays[type].d_data, (MOST_BITS + SPARE) * type_size(type)));
        init_fill(arrays[type].d_data, type, &mixed, 0, MOST_BITS + SPARE, stream);
        HIP_CHECK(hipStreamSynchronize(stream));
        for (int m = 0; m < machine_count; m++)
            for (size_t i = 0; i < COUNT(sizes); i++, expected++)
                for (int run = 0; run < 4; run++) {
                    struct scalar result = {.as.l = 0};
                    struct reduction r = planned(type, OP_SUM, sizes[i], &machines[m]);
                    variant_option_set(reduction_single_pass(), &r, "result", run % 2 == 0 ? "device" : "host");
                    entry(type, OP_SUM)->launch(&r, input(type, i % 2));
                    entry(type, OP_SUM)->finish(&r, &result.as);
                    if (_i == 0 && run == 0)
                        *expected = result.as.l;
                    ck_assert_msg(result.as.l == *expected, "%s: order %d, run %d", words(type, OP_SUM, &r, i % 2), _i,
                                  run);
                    entry(type, OP_SUM)->release(&r);
                }
    }
}
