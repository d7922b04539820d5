/* Kernels that look dangerous but are right; with the fault they are wrong.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_cooperative_groups.h>

#include "cases.h"
#include "intrinsics.h"

#define BLOCKS  6
#define THREADS 96
#define ALL     (BLOCKS * THREADS)

/* ---- between blocks ---- */

/* Every block stores a sum; the last one to arrive adds them. */
__global__ void ticket_sum(const int *in, int *partials, unsigned *ticket, int *out, int fault)
{
    __shared__ bool last;
    __shared__ int sum;

    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        if (fault != 1)
            __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        if (last && fault != 2)
            __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            all += partials[b];
        *out = all;
    }
}

static int numbers[ALL], sum_of_numbers;

static const int *fill_numbers(void)
{
    sum_of_numbers = 0;
    for (int i = 0; i < ALL; i++)
        sum_of_numbers += numbers[i] = i * 7 % 31 - 9;
    return numbers;
}

static bool run_ticket(int fault)
{
    int *in = device_array(ALL, fill_numbers()), *partials = device_array<int>(BLOCKS), result;
    unsigned *ticket = device_array<unsigned>(1);
    int *out = device_array<int>(1);
    hipLaunchKernelGGL(ticket_sum, dim3(BLOCKS), dim3(THREADS), 0, 0, in, partials, ticket, out,
                       fault);
    fetch(&result, out, 1);
    return result == sum_of_numbers;
}

static bool run_ticket_reader(int fault)
{
    return run_ticket(2 * fault);
}

/* All threads write, and after the barrier one of them fences for all. */
__global__ void ticket_of_many(const int *in, int *squares, unsigned *ticket, int *out, int fault)
{
    __shared__ bool last;
    __shared__ int sum;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    squares[i] = in[i] * in[i];
    if (!fault)
        __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        if (last)
            __threadfence();
    }
    __syncthreads();
    if (!last)
        return; /* the whole block */
    for (unsigned k = threadIdx.x; k < gridDim.x * blockDim.x; k += blockDim.x)
        atomicAdd(&sum, squares[k]);
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

static bool run_ticket_of_many(int fault)
{
    int *in = device_array(ALL, fill_numbers()), *squares = device_array<int>(ALL), result,
        want = 0;
    unsigned *ticket = device_array<unsigned>(1);
    int *out = device_array<int>(1);
    for (int i = 0; i < ALL; i++)
        want += numbers[i] * numbers[i];
    hipLaunchKernelGGL(ticket_of_many, dim3(BLOCKS), dim3(THREADS), 0, 0, in, squares, ticket, out,
                       fault);
    fetch(&result, out, 1);
    return result == want;
}

#define MARK ((word_t)1 << 32)

/* The word with the value proves its own arrival; atomic words need no fence. */
__global__ void marked_words(const int *in, word_t *slots, unsigned *ticket, int *out, int fault)
{
    if (threadIdx.x != 0)
        return;
    int sum = 0;
    for (unsigned i = 0; i < blockDim.x; i++)
        sum += in[blockIdx.x * blockDim.x + i];
    word_store(&slots[blockIdx.x], MARK | (unsigned)sum);
    if (atomicAdd(ticket, 1u) < gridDim.x - 1)
        return;
    sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++) {
        word_t word;
        do
            word = word_load(&slots[b]);
        while (!fault && word < MARK);
        sum += (int)(unsigned)word;
    }
    *out = sum;
}

static bool run_marked_words(int fault)
{
    int *in = device_array(ALL, fill_numbers()), *out = device_array<int>(1), result;
    word_t *slots = device_array<word_t>(BLOCKS);
    unsigned *ticket = device_array<unsigned>(1);
    hipLaunchKernelGGL(marked_words, dim3(BLOCKS), dim3(THREADS), 0, 0, in, slots, ticket, out,
                       fault);
    fetch(&result, out, 1);
    return result == sum_of_numbers;
}

__device__ unsigned lock_word;

/* The blocks add to a plain variable one after the other, under a lock. */
__global__ void under_lock(long *total, int fault)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(&lock_word, 0u, 1u) != 0)
        ;
    if (!fault)
        __threadfence();
    *total += blockIdx.x + 1;
    if (!fault)
        __threadfence();
    atomicExch(&lock_word, 0u);
}

static bool run_lock(int fault)
{
    long *total = device_array<long>(1), result;
    hipLaunchKernelGGL(under_lock, dim3(BLOCKS), dim3(THREADS), 0, 0, total, fault);
    fetch(&result, total, 1);
    return result == BLOCKS * (BLOCKS + 1) / 2;
}

/* Threads reserve elements of an array by a counter, and write them with plain stores. */
__global__ void unique_places(unsigned *count, unsigned *list, int fault)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 3 == 0)
        list[fault ? i / 6 : atomicAdd(count, 1u)] = i;
}

static bool run_unique_places(int fault)
{
    unsigned *count = device_array<unsigned>(1), *list = device_array<unsigned>(ALL), result[ALL];
    unsigned sum = 0, want = 0;
    hipLaunchKernelGGL(unique_places, dim3(BLOCKS), dim3(THREADS), 0, 0, count, list, fault);
    fetch(result, list, ALL);
    for (unsigned i = 0; i < ALL; i++) {
        sum += result[i];
        want += i % 3 == 0 ? i : 0;
    }
    return sum == want;
}

__global__ void grid_halves(int *a, int *b, int fault)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    for (int round = 0; round < 3; round++) {
        b[i] = a[(i + blockDim.x) % all] + 1;
        if (!fault)
            cooperative_groups::this_grid().sync();
        a[i] = b[(i + blockDim.x) % all] + 1;
        cooperative_groups::this_grid().sync();
    }
}

static bool run_grid(int fault)
{
    enum { GRID = 3 };
    int *a = device_array<int>(GRID * THREADS), *b = device_array<int>(GRID * THREADS);
    int result[GRID * THREADS];
    void *arguments[] = {&a, &b, &fault};
    must(hipLaunchCooperativeKernel(grid_halves, dim3(GRID), dim3(THREADS), arguments, 0, 0));
    fetch(result, a, GRID * THREADS);
    for (int value : result)
        if (value != 6)
            return false;
    return true;
}

__global__ void add_one(int *data, int shift)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    data[all + i] = data[(i + (unsigned)shift) % all] + 1;
}

/* A launch reads, with other threads, what the launch before has written. */
static bool run_launches(int fault)
{
    int *data = device_array<int>(3 * ALL), result[ALL];
    (void)fault;
    hipLaunchKernelGGL(add_one, dim3(BLOCKS), dim3(THREADS), 0, 0, data, 5);
    hipLaunchKernelGGL(add_one, dim3(BLOCKS), dim3(THREADS), 0, 0, data + ALL, 77);
    fetch(result, data + 2 * ALL, ALL);
    return result[0] == 2 && result[ALL - 1] == 2;
}

/* ---- inside a block ---- */

/* One block, of as many threads as numbers, which turns them by some places. */
template <void (*kernel)(const int *, int *, int), int by> static bool turns(int fault)
{
    int *in = device_array(THREADS, fill_numbers()), *out = device_array<int>(THREADS);
    int result[THREADS];
    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(1), dim3(THREADS), THREADS * sizeof(int), 0,
                       in, out, fault);
    fetch(result, out, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (result[i] != numbers[(i + by) % THREADS])
            return false;
    return true;
}

/* The same for their sum. */
template <void (*kernel)(const int *, int *, int), unsigned block> static bool adds(int fault)
{
    int *in = device_array(block, fill_numbers()), *out = device_array<int>(1), result, want = 0;
    for (unsigned i = 0; i < block; i++)
        want += numbers[i];
    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(1), dim3(block), 0, 0, in, out, fault);
    fetch(&result, out, 1);
    return result == want;
}

/* One barrier per step is enough with two alternating buffers. */
__global__ void double_buffer(const int *in, int *out, int fault)
{
    __shared__ int buffer[2][THREADS];
    unsigned tid = threadIdx.x;
    int now = 0;

    buffer[now][tid] = in[tid];
    __syncthreads();
    for (unsigned step = 0; step < 5; step++) {
        int next = fault ? now : 1 - now;
        buffer[next][tid] = buffer[now][(tid + 1) % THREADS];
        __syncthreads();
        now = next;
    }
    out[tid] = buffer[now][tid];
}

/* Reads into registers, waits at a barrier, and then writes where others have read. */
__global__ void in_place(const int *in, int *out, int fault)
{
    __shared__ int shared[THREADS];
    unsigned tid = threadIdx.x;

    shared[tid] = in[tid];
    __syncthreads();
    for (int step = 0; step < 3; step++) {
        int value = shared[(tid + 1) % THREADS];
        if (!fault)
            __syncthreads();
        shared[tid] = value;
        __syncthreads();
    }
    out[tid] = shared[tid];
}

/* After a barrier shared memory has another purpose and type. */
__global__ void used_again(const int *in, int *out, int fault)
{
    HIP_DYNAMIC_SHARED(unsigned char, bytes);
    unsigned tid = threadIdx.x;
    int *words = (int *)bytes;

    words[tid] = in[tid];
    __syncthreads();
    int value = words[(tid + 1) % THREADS];
    if (!fault)
        __syncthreads();
    bytes[THREADS - 1 - tid] = (unsigned char)tid;
    __syncthreads();
    out[tid] = bytes[tid] == THREADS - 1 - tid ? value : -1;
}

/* A tree inside each warp, with a warp sync in each step and no barrier. */
__global__ void warp_tree(const int *in, int *out, int fault)
{
    __shared__ int shared[THREADS + 64];
    unsigned lane = threadIdx.x % (unsigned)warpSize, tid = threadIdx.x;
    unsigned lanes =
        THREADS - (tid - lane) < (unsigned)warpSize ? THREADS - (tid - lane) : warpSize;

    shared[tid] = in[tid];
    __syncwarp();
    for (unsigned count = lanes; count > 1;) {
        unsigned half = (count + 1) / 2;
        if (lane + half < count)
            shared[tid] += shared[tid + half];
        if (!fault)
            __syncwarp();
        count = half;
    }
    if (lane == 0)
        atomicAdd(out, shared[tid]);
}

/* The last thread to arrive reads the values of the others: an atomic operation hands over. */
__global__ void last_thread(const int *in, int *out, int fault)
{
    __shared__ int values[THREADS];
    __shared__ unsigned come;

    if (threadIdx.x == 0)
        come = 0;
    __syncthreads();
    values[threadIdx.x] = in[threadIdx.x];
    if (!fault)
        __threadfence_block();
    if (atomicAdd(&come, 1u) == blockDim.x - 1) {
        __threadfence_block();
        int sum = 0;
        for (unsigned i = 0; i < blockDim.x; i++)
            sum += values[i];
        *out = sum;
    }
}

/* Neighbours write neighbouring bytes of one word. */
__global__ void bytes(unsigned char *out, int fault)
{
    __shared__ unsigned char shared[THREADS];
    unsigned tid = threadIdx.x;

    shared[tid] = (unsigned char)tid;
    __syncthreads();
    if (fault && tid > 0)
        shared[tid - 1] = 0;
    out[tid] = shared[tid];
}

static bool run_bytes(int fault)
{
    unsigned char *out = device_array<unsigned char>(THREADS), result[THREADS];
    hipLaunchKernelGGL(bytes, dim3(1), dim3(THREADS), 0, 0, out, fault);
    fetch(result, out, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (result[i] != i)
            return false;
    return true;
}

/* All threads read one element, which changes between two barriers. */
__global__ void broadcast(int *out, int fault)
{
    __shared__ int round_of_all;
    int sum = 0;

    for (int round = 0; round < 4; round++) {
        if (threadIdx.x == 0)
            round_of_all = round;
        __syncthreads();
        sum += round_of_all;
        if (!fault)
            __syncthreads();
    }
    out[threadIdx.x] = sum;
}

static bool run_broadcast(int fault)
{
    int *out = device_array<int>(THREADS), result[THREADS];
    hipLaunchKernelGGL(broadcast, dim3(1), dim3(THREADS), 0, 0, out, fault);
    fetch(result, out, THREADS);
    return result[0] == 6 && result[THREADS - 1] == 6;
}

/* Blocks without work return as a whole, before any barrier. */
__global__ void early_exit(const int *in, int *out, unsigned n, int fault)
{
    __shared__ int shared[THREADS];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (blockIdx.x * blockDim.x >= n)
        return;
    if (i < n || !fault)
        shared[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    out[i] = shared[blockDim.x - 1 - threadIdx.x];
}

static bool run_early_exit(int fault)
{
    int *in = device_array(ALL, fill_numbers()), *out = device_array<int>(ALL), result[ALL];
    unsigned n = 2 * THREADS + 10;
    hipLaunchKernelGGL(early_exit, dim3(BLOCKS), dim3(THREADS), 0, 0, in, out, n, fault);
    fetch(result, out, ALL);
    return result[0] == numbers[THREADS - 1] && result[3 * THREADS - 1] == numbers[2 * THREADS];
}

struct particle {
    float x, y, z;
    short kind, cell;
};

/* Each thread copies a struct, at an address that is not a multiple of its size. */
__global__ void structs(const struct particle *in, struct particle *out, int fault)
{
    __shared__ struct particle shared[THREADS];
    unsigned tid = threadIdx.x, other = THREADS - 1 - tid;

    shared[tid] = in[tid];
    if (!fault)
        __syncthreads();
    struct particle p = shared[other];
    p.kind = (short)(p.kind + 1);
    out[tid] = p;
}

static bool run_structs(int fault)
{
    struct particle from[THREADS], result[THREADS];
    for (int i = 0; i < THREADS; i++)
        from[i] = {(float)i, 0, 1, (short)i, 7};
    struct particle *in = device_array(THREADS, from), *out = device_array<particle>(THREADS);
    hipLaunchKernelGGL(structs, dim3(1), dim3(THREADS), 0, 0, in, out, fault);
    fetch(result, out, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (result[i].kind != THREADS - i || result[i].cell != 7)
            return false;
    return true;
}

/* A full warp exchanges registers; missing lanes of a partial last warp are not used. */
__global__ void shuffle_tail(const int *in, int *out, int fault)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize, first = threadIdx.x - lane;
    unsigned lanes = blockDim.x - first < (unsigned)warpSize ? blockDim.x - first : warpSize;
    int value = in[threadIdx.x];

    for (unsigned distance = warpSize / 2; distance > 0; distance /= 2) {
        int other = __shfl_down(value, distance);
        if (lane + distance < lanes || fault)
            value += other;
    }
    if (lane == 0)
        atomicAdd(out, value);
}

const struct planted_case tricky[] = {
    {"ticket and fences", "the writer has no fence", run_ticket},
    {"ticket and fences, reader", "the reader has no fence", run_ticket_reader},
    {"one fence for all threads", "no barrier before it", run_ticket_of_many},
    {"marked words", "the mark is ignored", run_marked_words},
    {"lock", "no fences", run_lock},
    {"places by a counter", "two threads, one place", run_unique_places},
    {"grid barrier", "one is missing", run_grid},
    {"launch after launch", NULL, run_launches},
    {"double buffer", "one buffer", turns<double_buffer, 5>},
    {"in place by registers", "no barrier before the write", turns<in_place, 3>},
    {"shared memory used again", "no barrier before it", turns<used_again, 1>},
    {"warp-synchronous tree", "no warp sync", adds<warp_tree, THREADS>},
    {"last thread of a block", "no fence", adds<last_thread, THREADS>},
    {"neighbouring bytes", "the neighbour's byte", run_bytes},
    {"broadcast", "no second barrier", run_broadcast},
    {"early exit of blocks", "the rest is not written", run_early_exit},
    {"structs", "no barrier", run_structs},
    {"partial last warp", "missing lanes are used", adds<shuffle_tail, 75>},
    {NULL, NULL, NULL},
};
