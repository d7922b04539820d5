/* How fast libreduction's functions read: those of one build compared with its own lr_sum() of as many bytes (and argmax
 * with the vendor's), or those of two builds compared with each other. One process runs the two alternately, with cold
 * caches, so that both find the machine in the same state. Prints microseconds per call, on the device's clock (for
 * functions that return a value, the host's): the median over the rounds, and the median of the ratios first / second of
 * the same round with their 10th and 90th percentile. Above 1 the second is faster; with one build the first is lr_sum(),
 * and the ratio is the share of its bandwidth. Functions that a build lacks are left out.
 *
 *   library-compare FIRST.so [SECOND.so] [ROUNDS]
 * SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "../libreduction.h"
#include "device_facts.h"
#include "exit_codes.h"
#include "harness/device/device.h"
#include "harness/device/init.h"
#include "harness/timing/timing.h"
#include "reduction.h"
#include "values/scalar.h"

/* vendor.hip: starts an argmax of n elements; temporary memory: at least VENDOR_BYTES. False: the vendor has none. */
#define VENDOR_BYTES ((size_t)16 << 20)
bool vendor_argmax(int type, const void *x, size_t n, void *temporary, void *result,
                   hipStream_t stream);

#define ROUNDS_MAX 200
#define LARGEST    ((size_t)1 << 30) /* bytes of all arrays of a call */
#define SEGMENTS   ((size_t)1 << 16)

typedef int of_array_t(lr_handle *, int, const void *, size_t, void *, lr_stream);
typedef int of_two_t(lr_handle *, int, const void *, const void *, size_t, void *, lr_stream);
typedef int of_place_t(lr_handle *, int, const void *, size_t, void *, int64_t *, lr_stream);
typedef int of_matrix_t(lr_handle *, int, const void *, size_t, size_t, size_t, void *, lr_stream);
typedef int of_segments_t(lr_handle *, int, const void *, size_t, const int64_t *, size_t, void *,
                          lr_stream);

static struct library {
    void *so;
    lr_handle *handle;
} libraries[2];

static hipEvent_t from, to;
static char *d_x, *d_cold, *d_results, *d_temporary;
static int64_t *d_offsets;

enum shape { ARRAY, TWO, PLACE, MATRIX, PARTS, VALUE, VENDOR };
static const struct job {
    const char *name;
    enum shape shape;
    int type;
    size_t columns;
} jobs[] = {
    {"sum", ARRAY, LR_FLOAT, 0},
    {"sum", ARRAY, LR_HALF, 0},
    {"sum", ARRAY, LR_BFLOAT16, 0},
    {"max", ARRAY, LR_BFLOAT16, 0},
    {"max", ARRAY, LR_INT64, 0},
    {"asum", ARRAY, LR_FLOAT, 0},
    {"nrm2", ARRAY, LR_FLOAT, 0},
    {"nrm2", ARRAY, LR_DOUBLE, 0},
    {"dot", TWO, LR_FLOAT, 0},
    {"dot", TWO, LR_DOUBLE, 0},
    {"dot", TWO, LR_BFLOAT16, 0},
    {"argmax", PLACE, LR_FLOAT, 0},
    {"argmax", PLACE, LR_DOUBLE, 0},
    {"argmax", PLACE, LR_BFLOAT16, 0},
    {"vendor's argmax", VENDOR, LR_FLOAT, 0},
    {"vendor's argmax", VENDOR, LR_DOUBLE, 0},
    {"moments", ARRAY, LR_FLOAT, 0},
    {"moments", ARRAY, LR_DOUBLE, 0},
    {"moments", ARRAY, LR_BFLOAT16, 0},
    {"sum_tree", ARRAY, LR_FLOAT, 0},
    {"sum_tree", ARRAY, LR_BFLOAT16, 0},
    {"sum_binned", ARRAY, LR_DOUBLE, 0},
    {"sum_rows", MATRIX, LR_FLOAT, 1},
    {"sum_rows", MATRIX, LR_FLOAT, 4},
    {"sum_rows", MATRIX, LR_FLOAT, 5},
    {"sum_rows", MATRIX, LR_FLOAT, 31},
    {"sum_rows", MATRIX, LR_FLOAT, 100},
    {"sum_rows", MATRIX, LR_FLOAT, 1023},
    {"sum_rows", MATRIX, LR_FLOAT, 4096},
    {"sum_rows", MATRIX, LR_FLOAT, 65536},
    {"sum_rows", MATRIX, LR_DOUBLE, 5},
    {"sum_rows", MATRIX, LR_BFLOAT16, 4},
    {"sum_rows", MATRIX, LR_BFLOAT16, 31},
    {"sum_rows", MATRIX, LR_BFLOAT16, 4096},
    {"sum_rows", MATRIX, LR_BFLOAT16, 65536},
    {"sum_columns", MATRIX, LR_FLOAT, 4},
    {"sum_columns", MATRIX, LR_FLOAT, 64},
    {"sum_columns", MATRIX, LR_FLOAT, 4096},
    {"sum_columns", MATRIX, LR_BFLOAT16, 4096},
    {"sum_segments", PARTS, LR_FLOAT, 0},
    {"sum_segments", PARTS, LR_BFLOAT16, 0},
    {"sum_value", VALUE, LR_FLOAT, 0},
};
static const size_t sizes[] = {1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 27, 1 << 28, 1 << 30};

/* A status, or -1 if there is no such function. */
static int start(const struct library *l, const struct job *job, size_t bytes)
{
    char symbol[64];
    size_t n = bytes / type_size(job->type);
    double value; /* on the host */

    if (job->shape == VENDOR)
        return vendor_argmax(job->type, d_x, n, d_temporary, d_results, NULL) ? LR_OK : -1;
    snprintf(symbol, sizeof symbol, "lr_%s", job->name);
    void *f = dlsym(l->so, symbol);
    if (f == NULL)
        return -1;
    switch (job->shape) {
    case VALUE:
        return ((of_array_t *)f)(l->handle, job->type, d_x, n, &value, NULL);
    case ARRAY:
        return ((of_array_t *)f)(l->handle, job->type, d_x, n, d_results, NULL);
    case TWO:
        return ((of_two_t *)f)(l->handle, job->type, d_x, d_x + LARGEST / 2, n / 2, d_results,
                               NULL);
    case PLACE:
        return ((of_place_t *)f)(l->handle, job->type, d_x, n, d_results,
                                 (int64_t *)(d_results + 64), NULL);
    case MATRIX:
        return ((of_matrix_t *)f)(l->handle, job->type, d_x, n / job->columns, job->columns,
                                  job->columns, d_results, NULL);
    default:
        return ((of_segments_t *)f)(l->handle, job->type, d_x, n, d_offsets, SEGMENTS, d_results,
                                    NULL);
    }
}

static double run(const struct library *l, const struct job *job, size_t bytes)
{
    float milliseconds;

    if (job->shape == VALUE) {
        double begin = timing_now();
        for (size_t k = 0; k < 8; k++)
            if (start(l, job, bytes) != LR_OK)
                return -1;
        return 1e6 * (timing_now() - begin) / 8;
    }
    HIP_CHECK(hipMemsetAsync(d_cold, 1, DEVICE_EVICT_BYTES, NULL));
    HIP_CHECK(hipEventRecord(from, NULL));
    int status = start(l, job, bytes);
    HIP_CHECK(hipEventRecord(to, NULL));
    HIP_CHECK(hipEventSynchronize(to));
    HIP_CHECK(hipEventElapsedTime(&milliseconds, from, to));
    return status == LR_OK ? 1e3 * (double)milliseconds : -1;
}

/* Segments of 0 to 8 times the mean length, at most n elements in all. */
static void make_offsets(size_t n)
{
    int64_t *offsets = malloc((SEGMENTS + 1) * sizeof *offsets);
    size_t mean = n / SEGMENTS;

    offsets[0] = 0;
    for (size_t k = 0; k < SEGMENTS; k++) {
        size_t length = k % 8 == 0 ? 4 * mean : k % 8 == 1 ? 0 : mean / 2;
        offsets[k + 1] = offsets[k] + (int64_t)length;
    }
    HIP_CHECK(
        hipMemcpy(d_offsets, offsets, (SEGMENTS + 1) * sizeof *offsets, hipMemcpyHostToDevice));
    free(offsets);
}

/* Runs the two alternately. */
static void measure(const struct library *const l[2], const struct job *const job[2], size_t bytes,
                    unsigned rounds)
{
    static double us[2][ROUNDS_MAX], ratio[ROUNDS_MAX];
    const struct job *j = job[1];

    if (j->shape == PARTS)
        make_offsets(bytes / type_size(j->type));
    for (unsigned round = 0; round < rounds + 2; round++)
        for (unsigned turn = 0; turn < 2; turn++) {
            unsigned which = (round + turn) % 2;
            double time = run(l[which], job[which], bytes);
            if (round >= 2)
                us[which][round - 2] = time;
        }
    if (us[1][0] < 0)
        return;
    for (unsigned k = 0; k < rounds; k++)
        ratio[k] = us[0][k] / us[1][k];
    double middle = stats_of(ratio, rounds).median; /* sorts ratio, too */
    double ten = ratio[rounds / 10], ninety = ratio[rounds - 1 - rounds / 10];
    bool both = us[0][0] > 0;
    double first = stats_of(us[0], rounds).median, second = stats_of(us[1], rounds).median;
    printf("%-15s %-8s %6zu %10zu bytes", j->name, type_name(j->type), j->columns, bytes);
    if (both)
        printf(" %9.2f %9.2f us  %6.3f (%.3f-%.3f)\n", first, second, middle, ten, ninety);
    else
        printf(" %9s %9.2f us\n", "-", second);
    fflush(stdout);
}

static void load(struct library *l, const char *file)
{
    l->so = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (l->so == NULL)
        device_end("%s\n", dlerror());
    int (*create)(lr_handle **, int) = (int (*)(lr_handle **, int))dlsym(l->so, "lr_create");
    if (create == NULL || create(&l->handle, 0) != LR_OK)
        device_end("%s: lr_create() failed\n", file);
}

int main(int argc, char **argv)
{
    static struct device device;
    char *end = "no number";
    unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[argc - 1], &end, 10) : 11;
    int count = argc - 1;
    struct pattern pattern = {.kind = PATTERN_RANDOM, .seed = 1};

    if (*end == '\0')
        count--;
    else
        rounds = 11;
    if (count < 1 || count > 2 || rounds - 1 >= ROUNDS_MAX) {
        fprintf(stderr, "usage: library-compare FIRST.so [SECOND.so] [ROUNDS], 1 to %d\n",
                ROUNDS_MAX);
        return EXIT_USAGE;
    }
    device_open(&device, 0);
    HIP_CHECK(hipEventCreate(&from));
    HIP_CHECK(hipEventCreate(&to));
    HIP_CHECK(hipMalloc((void **)&d_x, LARGEST));
    HIP_CHECK(hipMalloc((void **)&d_results, LARGEST));
    HIP_CHECK(hipMalloc((void **)&d_cold, DEVICE_EVICT_BYTES));
    HIP_CHECK(hipMalloc((void **)&d_temporary, VENDOR_BYTES));
    HIP_CHECK(hipMalloc((void **)&d_offsets, (SEGMENTS + 1) * sizeof *d_offsets));
    init_fill(d_x, TYPE_FLOAT, &pattern, 0, LARGEST / 4, NULL);
    HIP_CHECK(hipDeviceSynchronize());
    for (int k = 0; k < count; k++)
        load(&libraries[k], argv[k + 1]);
    printf("# %s: %s and %s, %u rounds, cold, device time; first / second: median (10 %% - 90 "
           "%%)\n",
           device.name, count > 1 ? argv[1] : "lr_sum()", argv[count], rounds);
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
        const struct library *const l[] = {&libraries[0], &libraries[count - 1]};
        const struct job sum = {"sum", ARRAY, jobs[j].type, 0};
        const struct job *const pair[] = {count > 1 ? &jobs[j] : &sum, &jobs[j]};
        if (jobs[j].shape == (count > 1 ? VENDOR : VALUE))
            continue;
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            measure(l, pair, sizes[s] >> (jobs[j].shape == VALUE ? 10 : 0), rounds);
    }
    return EXIT_RIGHT;
}
