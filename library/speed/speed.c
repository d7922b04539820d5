/* How fast libreduction is, compared with the vendor's library (reduction_prim) and a plain launch of the same kernel
 * (reduction_single_pass). One process runs them alternately, so that all find the machine in the same state.
 *
 *   stream   64 consecutive sums of different arrays after a long kernel, so that the device is the limit
 *   ready    the same after lr_input_ready(), if the library has it
 *   host     the same without the long kernel: the host may be the limit
 *   graph    20 sums captured in a graph, which is replayed 20 times after a long kernel
 *   value    from the call to the value on the host, always the same array
 *   call     host time of a call that starts work
 *
 * Microseconds per sum: the median over the rounds; then the median of the ratios other / library of the same round, with
 * their 10th and 90th percentile.
 *
 *   library-speed [ROUNDS]
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../libreduction.h"
#include "exit_codes.h"
#include "harness/device/device.h"
#include "harness/timing/timing.h"
#include "reduction.h"
#include "values/scalar.h"

const struct variant *reduction_single_pass(void);
const struct variant *reduction_prim(void);

enum who { LIBRARY_READY, LIBRARY_PLAIN, PLAIN, VENDOR, WHO_COUNT };
static const char *const names[] = {"ready", "library", "launch", "vendor"};

#define CALLS      64
#define GRAPH      20
#define REPLAYS    20
#define ROUNDS_MAX 1000
/* a sum that takes longer than the host needs to start all that follows */
#define LONG_BYTES ((size_t)2 << 30)

static struct device device;
static lr_handle *handle;
static hipStream_t stream;
static hipEvent_t from, to;
static char *d_x, *d_long;
static void *d_result, *host_word;
static struct reduction plans[WHO_COUNT][1];
static unsigned rounds = 21;

struct task {
    int type;
    size_t n, step; /* bytes from one array to the next */
};

static const struct variant_entry *entry_of(enum who who, int type)
{
    const struct variant *v = who == VENDOR ? reduction_prim() : reduction_single_pass();

    return &v->entry[type][OP_SUM];
}

static void check(int status)
{
    if (status != LR_OK)
        device_end("libreduction: %s (%s)\n", lr_text(status), lr_runtime_text(handle));
}

static void plan(enum who who, const struct task *t)
{
    const struct variant *v = who == VENDOR ? reduction_prim() : reduction_single_pass();
    struct reduction *r = plans[who];

    *r = (struct reduction){.n = t->n,
                            .arch = device.arch,
                            .warp_size = device.warp_size,
                            .compute_units = device.compute_units,
                            .threads_per_unit = device.threads_per_unit,
                            .stream = stream};
    variant_options_default(v, r);
    if (who == PLAIN)
        (void)variant_option_set(v, r, "result", "device");
    entry_of(who, t->type)->plan(r);
    HIP_CHECK(hipMalloc(&r->workspace, r->workspace_bytes));
    HIP_CHECK(hipMemset(r->workspace, 0, r->workspace_bytes));
    HIP_CHECK(hipHostMalloc(&r->host, r->host_bytes, 0));
}

static void release(enum who who, const struct task *t)
{
    entry_of(who, t->type)->release(plans[who]);
    HIP_CHECK(hipFree(plans[who]->workspace));
    HIP_CHECK(hipHostFree(plans[who]->host));
}

/* One sum of array number k. */
static void start(enum who who, const struct task *t, size_t k)
{
    const char *x = d_x + k * t->step;

    if (who <= LIBRARY_PLAIN)
        check(lr_sum(handle, t->type, x, t->n, d_result, stream));
    else
        entry_of(who, t->type)->launch(plans[who], x);
}

static void begin(enum who who) { check(lr_input_ready(handle, who == LIBRARY_READY)); }

static void keep_busy(void)
{
    check(lr_sum(handle, LR_FLOAT, d_long, LONG_BYTES / 4, d_result, stream));
    check(lr_sum(handle, LR_FLOAT, d_long, LONG_BYTES / 4, d_result, stream));
}

static double between(void)
{
    float milliseconds;

    HIP_CHECK(hipEventSynchronize(to));
    HIP_CHECK(hipEventElapsedTime(&milliseconds, from, to));
    return 1e3 * (double)milliseconds;
}

static double run_stream(enum who who, const struct task *t, bool busy)
{
    begin(who);
    HIP_CHECK(hipStreamSynchronize(stream));
    if (busy)
        keep_busy();
    HIP_CHECK(hipEventRecord(from, stream));
    double host = timing_now();
    for (size_t k = 0; k < CALLS; k++)
        start(who, t, k);
    HIP_CHECK(hipEventRecord(to, stream));
    if (busy)
        return between() / CALLS;
    HIP_CHECK(hipStreamSynchronize(stream));
    return 1e6 * (timing_now() - host) / CALLS;
}

static double run_device(enum who who, const struct task *t) { return run_stream(who, t, true); }

static double run_host(enum who who, const struct task *t) { return run_stream(who, t, false); }

static double run_call(enum who who, const struct task *t)
{
    begin(who);
    HIP_CHECK(hipStreamSynchronize(stream));
    double host = timing_now();
    for (size_t k = 0; k < CALLS; k++)
        start(who, t, k);
    host = timing_now() - host;
    HIP_CHECK(hipStreamSynchronize(stream));
    return 1e6 * host / CALLS;
}

static double run_graph(enum who who, const struct task *t)
{
    hipGraph_t graph;
    hipGraphExec_t exec;

    begin(who);
    HIP_CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    for (size_t k = 0; k < GRAPH; k++)
        start(who, t, k);
    HIP_CHECK(hipStreamEndCapture(stream, &graph));
    HIP_CHECK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    HIP_CHECK(hipGraphLaunch(exec, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    keep_busy();
    HIP_CHECK(hipEventRecord(from, stream));
    for (size_t k = 0; k < REPLAYS; k++)
        HIP_CHECK(hipGraphLaunch(exec, stream));
    HIP_CHECK(hipEventRecord(to, stream));
    double us = between() / (GRAPH * REPLAYS);
    HIP_CHECK(hipGraphExecDestroy(exec));
    HIP_CHECK(hipGraphDestroy(graph));
    return us;
}

static double run_value(enum who who, const struct task *t)
{
    double value, host;

    begin(who);
    HIP_CHECK(hipStreamSynchronize(stream));
    host = timing_now();
    for (size_t k = 0; k < 8; k++) {
        if (who <= LIBRARY_PLAIN) {
            check(lr_sum_value(handle, t->type, d_x, t->n, &value, stream));
        } else {
            entry_of(who, t->type)->launch(plans[who], d_x);
            entry_of(who, t->type)->finish(plans[who], &value);
        }
    }
    return 1e6 * (timing_now() - host) / 8;
}

static const struct {
    const char *name;
    double (*run)(enum who who, const struct task *t);
} ways[] = {
    {"stream", run_device}, {"host", run_host}, {"graph", run_graph}, {"value", run_value}, {"call", run_call},
};

static void measure(size_t way, const struct task *t)
{
    static double us[WHO_COUNT][ROUNDS_MAX], ratio[ROUNDS_MAX], sorted[ROUNDS_MAX];

    for (unsigned round = 0; round < rounds + 2; round++)
        for (unsigned turn = 0; turn < WHO_COUNT; turn++) {
            enum who who = (enum who)((round + turn) % WHO_COUNT);
            double time = ways[way].run(who, t);
            if (round >= 2)
                us[who][round - 2] = time;
        }
    printf("%-7s %-6s %10zu", ways[way].name, type_name(t->type), t->n);
    for (unsigned who = 0; who < WHO_COUNT; who++) {
        memcpy(sorted, us[who], rounds * sizeof *sorted);
        printf(" %9.3f", stats_of(sorted, rounds).median);
    }
    for (unsigned pair = 0; pair < 3; pair++) {
        static const enum who over[] = {PLAIN, VENDOR, VENDOR}, under[] = {LIBRARY_PLAIN, LIBRARY_PLAIN, LIBRARY_READY};
        for (unsigned k = 0; k < rounds; k++)
            ratio[k] = us[over[pair]][k] / us[under[pair]][k];
        double median = stats_of(ratio, rounds).median; /* sorts ratio, too */
        printf("  %6.3f (%.3f-%.3f)", median, ratio[rounds / 10], ratio[rounds - 1 - rounds / 10]);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {1, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 18, 1 << 20, 1 << 22};

    if (argc > 1 && (rounds = (unsigned)atoi(argv[1])) - 1 >= ROUNDS_MAX) {
        fprintf(stderr, "usage: library-speed [ROUNDS], 1 to %d\n", ROUNDS_MAX);
        return EXIT_USAGE;
    }
    device_open(&device, 0);
    HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    HIP_CHECK(hipEventCreate(&from));
    HIP_CHECK(hipEventCreate(&to));
    HIP_CHECK(hipMalloc((void **)&d_long, LONG_BYTES));
    HIP_CHECK(hipMemset(d_long, 0, LONG_BYTES));
    d_x = d_long; /* the same array: the long sum leaves other parts of it in the caches */
    HIP_CHECK(hipMalloc(&d_result, 64));
    HIP_CHECK(hipHostMalloc(&host_word, 64, 0));
    check(lr_create(&handle, 0));
    printf("# %s, libreduction %s for %s, %u rounds, %s\n", device.name, lr_version(), lr_targets(), rounds,
           "microseconds for one sum; ratios: median (10 % - 90 %)");
    printf("#way    type            n");
    for (unsigned who = 0; who < WHO_COUNT; who++)
        printf(" %9s", names[who]);
    printf("  launch/library          vendor/library          vendor/ready\n");
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (int type = 0; type < TYPE_COMMON; type++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                size_t bytes = sizes[s] * type_size(type);
                struct task t = {type, sizes[s], bytes < 256 ? 256 : bytes};
                if (t.step * CALLS > LONG_BYTES)
                    continue;
                plan(PLAIN, &t);
                plan(VENDOR, &t);
                measure(way, &t);
                release(PLAIN, &t);
                release(VENDOR, &t);
            }
    check(lr_destroy(handle));
    return EXIT_RIGHT;
}
