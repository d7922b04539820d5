/* How fast the functions of libreduction read, beside lr_sum() on the same array, and beside the vendor's argmax: cold, that
 * is after other memory has been written, in one process and in turns. Device time, microseconds: the median over rounds.
 * share: bytes read in a second, by those of lr_sum() in the same round, its median and its 10th and 90th percentile.
 *
 *   library-bandwidth [ROUNDS]
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../libreduction.h"
#include "device_facts.h"
#include "exit_codes.h"
#include "harness/device/device.h"
#include "harness/device/init.h"
#include "harness/timing/timing.h"
#include "reduction.h"
#include "scalar.h"

/* vendor.hip: starts an argmax of n elements; its temporary memory is at least VENDOR_BYTES. False: it has none. */
#define VENDOR_BYTES ((size_t)16 << 20)
bool vendor_argmax(int type, const void *x, size_t n, void *temporary, void *result,
                   hipStream_t stream);

#define ROUNDS_MAX 1000
#define LARGEST    ((size_t)2 << 30) /* bytes of an array */

enum { SUM, ASUM, NRM2, DOT, ARGMAX, MAX, TREE, BINNED, VENDOR_ARGMAX, COUNT };
static const char *const names[] = {
    "sum", "asum", "nrm2", "dot", "argmax", "max", "sum_tree", "sum_binned", "vendor's argmax"};

static struct device device;
static lr_handle *handle;
static hipStream_t stream;
static hipEvent_t from, to;
static char *d_x, *d_y, *d_cold, *d_temporary;
static struct {
    int64_t index;
    double value, vendor[2];
} * d_result;

static void check(int status)
{
    if (status != LR_OK)
        device_end("libreduction: %s (%s)\n", lr_text(status), lr_runtime_text(handle));
}

static bool start(int what, int type, size_t n)
{
    bool floating = type == TYPE_FLOAT || type == TYPE_DOUBLE;
    void *to_value = &d_result->value;

    switch (what) {
    case SUM:
        check(lr_sum(handle, type, d_x, n, to_value, stream));
        return true;
    case MAX:
        check(lr_max(handle, type, d_x, n, to_value, stream));
        return true;
    case TREE:
        check(lr_sum_tree(handle, type, d_x, n, to_value, stream));
        return true;
    case ARGMAX:
        check(lr_argmax(handle, type, d_x, n, to_value, &d_result->index, stream));
        return true;
    case DOT: /* two arrays of half the bytes each: as much is read as by the others */
        check(lr_dot(handle, type, d_x, d_y, n / 2, to_value, stream));
        return true;
    case ASUM:
        if (floating)
            check(lr_asum(handle, type, d_x, n, to_value, stream));
        return floating;
    case NRM2:
        if (floating)
            check(lr_nrm2(handle, type, d_x, n, to_value, stream));
        return floating;
    case BINNED:
        if (floating)
            check(lr_sum_binned(handle, type, d_x, n, to_value, stream));
        return floating;
    default:
        return vendor_argmax(type, d_x, n, d_temporary, d_result->vendor, stream);
    }
}

/* Microseconds; negative: there is no such function for the type. */
static double run(int what, int type, size_t n)
{
    float milliseconds;

    HIP_CHECK(hipMemsetAsync(d_cold, 1, DEVICE_EVICT_BYTES, stream));
    HIP_CHECK(hipEventRecord(from, stream));
    bool there = start(what, type, n);
    HIP_CHECK(hipEventRecord(to, stream));
    HIP_CHECK(hipEventSynchronize(to));
    HIP_CHECK(hipEventElapsedTime(&milliseconds, from, to));
    return there ? 1e3 * (double)milliseconds : -1;
}

static void measure(int type, size_t n, unsigned rounds)
{
    static double us[COUNT][ROUNDS_MAX], share[ROUNDS_MAX];

    for (unsigned round = 0; round < rounds + 2; round++)
        for (int turn = 0; turn < COUNT; turn++) {
            int what = (int)((round + (unsigned)turn) % COUNT);
            double time = run(what, type, n);
            if (round >= 2)
                us[what][round - 2] = time;
        }
    for (int what = 0; what < COUNT; what++) {
        if (us[what][0] < 0)
            continue;
        for (unsigned k = 0; k < rounds; k++)
            share[k] = us[SUM][k] / us[what][k];
        double median = stats_of(share, rounds).median; /* and sorts */
        double ten = share[rounds / 10], ninety = share[rounds - 1 - rounds / 10];
        for (unsigned k = 0; k < rounds; k++)
            share[k] = us[what][k];
        double time = stats_of(share, rounds).median;
        printf("%-6s %10zu  %-15s %10.2f us %8.1f GB/s  %6.3f (%.3f-%.3f)\n", type_name(type), n,
               names[what], time, 1e-3 * (double)(n * type_size(type)) / time, median, ten, ninety);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 11;
    struct pattern pattern = {.kind = PATTERN_RANDOM, .seed = 1};

    if (rounds - 1 >= ROUNDS_MAX) {
        fprintf(stderr, "usage: library-bandwidth [ROUNDS], 1 to %d\n", ROUNDS_MAX);
        return EXIT_USAGE;
    }
    device_open(&device, 0);
    HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    HIP_CHECK(hipEventCreate(&from));
    HIP_CHECK(hipEventCreate(&to));
    HIP_CHECK(hipMalloc((void **)&d_x, LARGEST));
    HIP_CHECK(hipMalloc((void **)&d_y, LARGEST / 2));
    HIP_CHECK(hipMalloc((void **)&d_cold, DEVICE_EVICT_BYTES));
    HIP_CHECK(hipMalloc((void **)&d_temporary, VENDOR_BYTES));
    HIP_CHECK(hipMalloc((void **)&d_result, sizeof *d_result));
    check(lr_create(&handle, 0));
    printf("# %s, libreduction %s for %s, %u rounds, cold, device time; share of lr_sum()'s "
           "bandwidth: median (10 %% - 90 "
           "%%)\n",
           device.name, lr_version(), lr_targets(), rounds);
    for (int type = 0; type < TYPE_COUNT; type++) {
        init_fill(d_x, type, &pattern, 0, LARGEST / type_size(type), stream);
        init_fill(d_y, type, &pattern, 0, LARGEST / 2 / type_size(type), stream);
        for (size_t n = (size_t)1 << 10; n <= LARGEST / type_size(type);
             n *= n < (size_t)1 << 26 ? 8 : 4)
            measure(type, n, rounds);
    }
    check(lr_destroy(handle));
    return EXIT_RIGHT;
}
