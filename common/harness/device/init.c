/* SPDX-License-Identifier: MIT */
#include "init.h"

#include "device_facts.h"
#include "device_kernels.h"
#include "reduction.h"
#include "harness/timing/timing.h"

#define FILL_BLOCK 256

#define LAUNCHES 4 /* back to back in one measurement, so that the launch overhead hardly counts */
#define REPEATS  4 /* measurements of one shape after one to warm up; the best counts */
#define SECONDS  0.5

static size_t attribute(hipDeviceAttribute_t which)
{
    int device, value;
    HIP_CHECK(hipGetDevice(&device));
    HIP_CHECK(hipDeviceGetAttribute(&value, which, device));
    return value > 0 ? (size_t)value : 1;
}

/* How many blocks can be resident on the device. */
static size_t resident_blocks(unsigned block)
{
    return attribute(hipDeviceAttributeMultiprocessorCount) *
           ceil_div(attribute(hipDeviceAttributeMaxThreadsPerMultiProcessor), block);
}

void init_fill(void *d_data, int type, const struct pattern *p, uint64_t first, size_t n, hipStream_t stream)
{
    if (n == 0)
        return;
    size_t grid = min_size(resident_blocks(FILL_BLOCK), ceil_div(n, FILL_BLOCK));
    device_fill(d_data, type, p, first, n, (unsigned)grid, FILL_BLOCK, stream);
}

#if DEVICE_IS_GPU

/* One way to launch the kernel that reads. */
struct read_launch {
    unsigned block, in_flight;
    bool one_tile; /* a block for every tile, however many; otherwise as many as can be resident */
};

struct timer {
    hipEvent_t begin, end;
    hipStream_t stream;
};

/* The shortest time to read count vectors, in seconds. */
static double measure(const void *d_data, size_t count, const struct read_launch *s, uint32_t *d_sink,
                      const struct timer *t)
{
    size_t tiles = ceil_div(count, (size_t)s->block * s->in_flight);
    size_t most = s->one_tile ? GRID_THREADS_MAX / s->block : resident_blocks(s->block);
    unsigned grid = (unsigned)min_size(tiles, most);
    float best = INFINITY;
    for (int repeat = 0; repeat <= REPEATS; repeat++) {
        float milliseconds;
        HIP_CHECK(hipEventRecord(t->begin, t->stream));
        for (int launch = 0; launch < LAUNCHES; launch++)
            device_read(d_data, count, d_sink, s->in_flight, grid, s->block, t->stream);
        HIP_CHECK(hipEventRecord(t->end, t->stream));
        HIP_CHECK(hipEventSynchronize(t->end));
        HIP_CHECK(hipEventElapsedTime(&milliseconds, t->begin, t->end));
        if (repeat > 0 && milliseconds < best)
            best = milliseconds;
    }
    return (double)best * 1e-3 / LAUNCHES;
}

double init_read_ceiling(const void *d_data, size_t bytes, hipStream_t stream)
{
    static const struct read_launch launches[] = {
        {512, READ_MANY, false}, {256, READ_FEW, true},   {256, READ_MANY, true},
        {1024, READ_FEW, true},  {256, READ_FEW, false},  {512, READ_FEW, false},
        {512, READ_FEW, true},   {256, READ_MANY, false}, {1024, READ_FEW, false},
    };
    size_t count = bytes / 16;
    if (count == 0)
        return 0;

    struct timer t = {.stream = stream};
    uint32_t *d_sink;
    HIP_CHECK(hipMalloc((void **)&d_sink, sizeof *d_sink));
    HIP_CHECK(hipEventCreate(&t.begin));
    HIP_CHECK(hipEventCreate(&t.end));

    double best = INFINITY, start = timing_now();
    for (size_t k = 0; k < sizeof launches / sizeof *launches && (k == 0 || timing_now() - start < SECONDS); k++) {
        double time = measure(d_data, count, &launches[k], d_sink, &t);
        best = time < best ? time : best;
    }

    HIP_CHECK(hipEventDestroy(t.begin));
    HIP_CHECK(hipEventDestroy(t.end));
    HIP_CHECK(hipFree(d_sink));
    return best > 0 ? (double)count * 16 / best * 1e-9 : 0;
}

#else /* CPU: its memory is the host's, which reads it faster than the threads of a kernel can */

#define CHUNK 4096
#define LANES 8

double init_read_ceiling(const void *d_data, size_t bytes, hipStream_t stream)
{
    static volatile uint64_t sink; /* or the compiler would remove the loads */
    const uint64_t *data = (const uint64_t *)d_data;
    size_t count = bytes / 16 * 2;
    double best = INFINITY;

    HIP_CHECK(hipStreamSynchronize(stream));
    for (int repeat = 0; repeat <= REPEATS; repeat++) {
        uint64_t words = 0;
        double start = timing_now();
#pragma omp parallel for reduction(^ : words)
        for (size_t first = 0; first < count; first += CHUNK) {
            size_t i = first, end = min_size(first + CHUNK, count);
            uint64_t lanes[LANES] = {0};
            for (; i + LANES <= end; i += LANES)
                for (unsigned k = 0; k < LANES; k++)
                    lanes[k] ^= data[i + k];
            for (; i < end; i++)
                lanes[0] ^= data[i];
            for (unsigned k = 0; k < LANES; k++)
                words ^= lanes[k];
        }
        double time = timing_now() - start;
        sink = words;
        (void)sink;
        if (repeat > 0 && time < best)
            best = time;
    }
    return best > 0 && count > 0 ? (double)count * 8 / best * 1e-9 : 0;
}

#endif
