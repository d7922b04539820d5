/* Exercise 21: somebody's histogram.
 *
 * Task     It counts the elements in each of 64 bins, and returns how many are in the fullest one. It was tested
 *          for years, on one kind of GPU. Find out with the tools where it is wrong, and mend it; keep its idea,
 *          that lanes with the same bin count together.
 * Leave    plan(), launch() and finish() as they are
 * Try      make EX=21 && make EX=21 check; make EX=21 race; make EX=21 explain WARP=64   (in reduction_to_fix)
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "reduction.h"

#define BINS   64
#define COPIES 4          /* of the bins in shared memory: fewer warps meet at one word */
#define PITCH  (BINS + 1) /* the same bin of the copies is in different banks */

/* The lowest bits of a whole number. */
static __host__ __device__ unsigned bin_of(value_t value)
{
    return (unsigned)((unsigned long long)(long long)value % BINS);
}

/* The lanes of this warp that have the same bin as this one, a bit for each: bit by bit of the bin's number. */
static __device__ unsigned lanes_with(unsigned bin)
{
    unsigned peers = (unsigned)__ballot(1);

    for (unsigned bit = 1; bit <= BINS; bit *= 2) {
        unsigned votes = (unsigned)__ballot((bin & bit) != 0);
        peers &= (bin & bit) != 0 ? votes : ~votes;
    }
    return peers;
}

/* One atomic operation for all lanes of a warp that have the same bin: the first of them counts. */
static __device__ void count_together(unsigned *bins, unsigned bin)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize;
    unsigned peers = lanes_with(bin);

    if (bin < BINS && lane + 1 == (unsigned)__ffs((int)peers))
        atomicAdd(&bins[bin], (unsigned)__popc(peers));
}

/* The bins of each block in partials[blockIdx.x * BINS ...]. */
__global__ void count_blocks(const value_t *input, unsigned *partials, size_t n)
{
    __shared__ unsigned bins[COPIES * PITCH];
    unsigned copy = threadIdx.x / (unsigned)warpSize % COPIES;

    for (unsigned b = threadIdx.x; b < COPIES * PITCH; b += blockDim.x)
        bins[b] = 0;
    __syncthreads();

    /* All threads of a block take as many turns, so that all lanes vote; those without an element have no bin. */
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t first = (size_t)blockIdx.x * blockDim.x; first < n; first += stride) {
        size_t i = first + threadIdx.x;
        count_together(bins + copy * PITCH, i < n ? bin_of(input[i]) : BINS);
    }
    __syncthreads();

    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x) {
        unsigned count = 0;
        for (unsigned c = 0; c < COPIES; c++)
            count += bins[c * PITCH + b];
        partials[(size_t)blockIdx.x * BINS + b] = count;
    }
}

/* One block: the bins of all blocks in results[0] ... results[BINS - 1], and the fullest one behind them. */
__global__ void add_blocks(const unsigned *partials, value_t *results, unsigned blocks)
{
    __shared__ unsigned long long most[BINS];

    if (threadIdx.x < BINS) {
        unsigned long long count = 0;
        for (unsigned block = 0; block < blocks; block++)
            count += partials[(size_t)block * BINS + threadIdx.x];
        results[threadIdx.x] = (value_t)count;
        most[threadIdx.x] = count;
    }
    __syncthreads();
    for (unsigned half = BINS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half && most[threadIdx.x + half] > most[threadIdx.x])
            most[threadIdx.x] = most[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        results[BINS] = (value_t)most[0];
}

/* The workspace: the results, and the bins of the blocks behind them. */
#define RESULTS_BYTES 1024

static void plan(struct reduction *r)
{
    if (r->block == 0)
        r->block = 256;
    if (r->grid == 0) /* as many blocks as can be resident at once, if there is work for them */
        r->grid = grid_to_fill(r, ceil_div(r->n, r->block));

    r->workspace_bytes = RESULTS_BYTES + r->grid * BINS * sizeof(unsigned);
    r->host_bytes = sizeof(value_t);
    r->launches = 2;
}

static void launch(const struct reduction *r, const value_t *input)
{
    unsigned *partials = (unsigned *)((char *)r->workspace + RESULTS_BYTES);

    hipLaunchKernelGGL(count_blocks, dim3(r->grid), dim3(r->block), 0, r->stream, input, partials,
                       r->n);
    HIP_CHECK_LAUNCH();
    hipLaunchKernelGGL(add_blocks, dim3(1), dim3(BINS), 0, r->stream, partials, workspace_values(r),
                       r->grid);
    HIP_CHECK_LAUNCH();
}

/* Where all bins are: the checker examines each of them. */
static const value_t *device_result(const struct reduction *r)
{
    return workspace_values(r);
}

static value_t finish(const struct reduction *r)
{
    HIP_CHECK(hipMemcpyAsync(r->host, workspace_values(r) + BINS, sizeof(value_t),
                             hipMemcpyDeviceToHost, r->stream));
    HIP_CHECK(hipStreamSynchronize(r->stream));
    return *host_values(r);
}

/* What the program compares with. */
static void prepare(const struct reduction *, const struct input_view *in,
                    struct reference *expected)
{
    size_t bins[BINS] = {0}, most = 0;

    for (size_t i = 0; in != NULL && i < in->n; i++) {
        size_t *bin = &bins[bin_of(input_at(in, i))];
        ++*bin;
        most = *bin > most ? *bin : most;
    }
    value_t value = (value_t)most;
    if (in != NULL)
        *expected = reference_of_array(in->type, OP_MAX, &value, 1, NULL);
}

VARIANT = {
    .plan = plan,
    .launch = launch,
    .finish = finish,
    .device_result = device_result,
    .prepare = prepare,
    .own_operation = true,
};
