/* Kernels as people write them, each in a right version and one with a mistake. Lines that race are marked.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

#include <hip/hip_cooperative_groups.h>

#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
#define AGENT   __HIP_MEMORY_SCOPE_AGENT
#define THREADS 128

struct words {
    unsigned lock, turn, next, ready;
    int data[8], out[8], row[2 * THREADS];
    unsigned long long wide;
    struct fields {
        unsigned low : 16, high : 16;
        unsigned char own;
    } fields;
};

/* A sequence lock: the reader tries again if the number has changed. With plain data, reads and writes overlap. */
__global__ void sequence_lock(struct words *w, int fault)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 1; i < 4; i++) {
            __hip_atomic_fetch_add(&w->lock, 1u, RELAXED, AGENT);
            __threadfence();
            if (fault)
                w->data[0] = i; /* races */
            else
                __hip_atomic_store(&w->data[0], i, RELAXED, AGENT);
            __hip_atomic_fetch_add(&w->lock, 1u, RELEASE, AGENT);
        }
        w->out[0] = 3;
    }
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        unsigned before, after;
        int value;
        do {
            before = __hip_atomic_load(&w->lock, ACQUIRE, AGENT);
            if (fault)
                value = w->data[0]; /* races */
            else
                value = __hip_atomic_load(&w->data[0], RELAXED, AGENT);
            __threadfence();
            after = __hip_atomic_load(&w->lock, RELAXED, AGENT);
        } while (before != after || before % 2 != 0);
        w->out[1] = value;
    }
}

/* Two slots between two warps; the writer waits until the reader has emptied a slot. */
__global__ void ring(struct words *w, int fault)
{
    bool writes = threadIdx.x == 0;
    bool reads = threadIdx.x == (unsigned)warpSize;

    for (unsigned i = 0; i < 6 && (writes || reads); i++) {
        if (writes) {
            while (!fault && i >= __hip_atomic_load(&w->turn, ACQUIRE, AGENT) + 2)
                ;
            w->data[i % 2] = (int)i; /* races */
            __hip_atomic_store(&w->next, i + 1, RELEASE, AGENT);
        } else {
            while (__hip_atomic_load(&w->next, ACQUIRE, AGENT) <= i)
                ;
            w->out[0] += w->data[i % 2]; /* races */
            __hip_atomic_store(&w->turn, i + 1, RELEASE, AGENT);
        }
    }
}

/* A shuffle passes the index of a value in shared memory: shuffles order nothing. */
__global__ void shuffled_index(struct words *w, int fault)
{
    __shared__ int place[64], value[64];
    int lane = (int)threadIdx.x;

    if (lane >= warpSize)
        return;
    value[lane] = 2 * lane; /* races */
    place[lane] = warpSize - 1 - lane;
    if (!fault)
        __syncwarp();
    int from = __shfl(place[lane], lane);
    int got = value[from]; /* races */
    if (lane == 0)
        w->out[0] = got >= 0;
}

__global__ void bins(struct words *w, int fault)
{
    __shared__ int bin[THREADS];

    bin[threadIdx.x] = 0; /* races */
    if (!fault)
        __syncthreads();
    atomicAdd(&bin[threadIdx.x * 7 % 64], 1); /* races */
    __syncthreads();
    if (threadIdx.x == 0)
        w->out[0] = bin[5];
}

__global__ void one_barrier(struct words *w, int fault)
{
    __shared__ int half[THREADS], twice[THREADS];

    half[threadIdx.x] = (int)threadIdx.x / 2;  /* races */
    twice[threadIdx.x] = (int)threadIdx.x * 2; /* races */
    if (!fault)
        __syncthreads();
    int low = half[THREADS - 1 - threadIdx.x];               /* races */
    int high = twice[(threadIdx.x + THREADS / 2) % THREADS]; /* races */
    if (threadIdx.x == 1)
        w->out[0] = low + high;
}

__global__ void tiles(struct words *w, int fault)
{
    __shared__ int from[THREADS];
    auto block = cooperative_groups::this_thread_block();
    auto large = cooperative_groups::tiled_partition<16>(block);
    auto small = cooperative_groups::tiled_partition<8>(block);

    from[threadIdx.x] = 5; /* races */
    if (fault)
        small.sync();
    else
        large.sync();
    int got = from[threadIdx.x ^ 8]; /* races */
    if (threadIdx.x == 0)
        w->out[0] = got;
}

__global__ void two_partials(struct words *w, int fault)
{
    if (threadIdx.x != 0)
        return;
    w->data[blockIdx.x] = (int)blockIdx.x; /* races */
    w->row[blockIdx.x] = 1;                /* races */
    __threadfence();
    if (atomicAdd(&w->next, 1u) != gridDim.x - 1)
        return;
    if (!fault)
        __threadfence();
    for (unsigned b = 0; b < gridDim.x; b++) {
        w->out[0] += w->data[b]; /* races */
        w->out[0] += w->row[b];  /* races */
    }
}

/* All threads write, and after the barrier one of them fences for all; then the whole block returns, or none of it. */
__global__ void one_fence(struct words *w, int fault)
{
    __shared__ bool last;

    w->row[2 * threadIdx.x + blockIdx.x] = 1; /* races */
    if (!fault)
        __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&w->next, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last)
        return;
    atomicAdd(&w->out[0], w->row[2 * threadIdx.x] + w->row[2 * threadIdx.x + 1]); /* races */
    __syncthreads();
}

/* A grid barrier by hand: threads poll a counter with an atomic operation that changes nothing. */
__global__ void by_hand(struct words *w, int fault)
{
    if (threadIdx.x == 0) {
        w->data[blockIdx.x] = 7; /* races */
        if (!fault)
            __threadfence();
        atomicAdd(&w->next, 1u);
        while (atomicAdd(&w->next, 0u) < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 1)
        w->out[blockIdx.x] = w->data[1 - blockIdx.x]; /* races */
}

/* A block adds the sums of the blocks before it, until one has a prefix. Only blocks that overtake others read the sum, which a
 * block publishes first. */
enum { EMPTY, SUM, PREFIX };
__global__ void look_back(struct words *w, int fault)
{
    if (threadIdx.x != 0)
        return;
    int tile = (int)atomicAdd(&w->next, 1u), before = 0, state = EMPTY;
    w->row[tile] = tile; /* races */
    if (!fault)
        __threadfence();
    atomicExch(&w->data[tile], SUM);
    for (int look = tile - 1; look >= 0 && state != PREFIX; look--) {
        do
            state = atomicAdd(&w->data[look], 0);
        while (state == EMPTY);
        __threadfence();
        before += state == PREFIX ? w->row[THREADS + look] : w->row[look]; /* races */
    }
    w->row[THREADS + tile] = before + tile;
    __threadfence();
    atomicExch(&w->data[tile], PREFIX);
    atomicMax(&w->out[0], before + tile);
}

/* After a barrier shared memory has another purpose and type. */
__global__ void used_again(struct words *w, int fault)
{
    HIP_DYNAMIC_SHARED(unsigned char, bytes);
    int *words = (int *)bytes, t = (int)threadIdx.x;

    words[t] = t;
    __syncthreads();
    int value = words[(t + 1) % THREADS]; /* races */
    if (!fault)
        __syncthreads();
    bytes[THREADS - 1 - t] = (unsigned char)t; /* races */
    __syncthreads();
    if (t == 0)
        w->out[0] = value + bytes[0];
}

/* The last steps of a tree as written before 2017: volatile, by one warp. Volatile does not order lanes. */
__global__ void volatile_tree(struct words *w, int fault)
{
    __shared__ volatile int shared[THREADS];
    unsigned tid = threadIdx.x, half = (unsigned)warpSize / 2;

    shared[tid] = 1;
    __syncthreads();
    for (; tid < (unsigned)warpSize && half > 0; half /= 2) {
        int other = tid < half ? shared[tid + half] : 0; /* races */
        if (!fault)
            __syncwarp();
        shared[tid] = shared[tid] + other; /* races */
        if (!fault)
            __syncwarp();
    }
    if (tid == 0)
        w->out[0] = shared[0] - warpSize;
}

/* If a plain store opens a lock, the data that it guards races, too. */
__global__ void opened(struct words *w, int fault)
{
    if (threadIdx.x != 0)
        return;
    while (atomicCAS(&w->lock, 0u, 1u) != 0) /* races */
        ;
    __threadfence();
    w->out[0] += 1;
    __threadfence();
    if (fault)
        w->lock = 0; /* races */
    else
        atomicExch(&w->lock, 0u);
}

/* Bit fields of one word are one memory location; a byte next to them is another. */
__global__ void bit_fields(struct words *w, int fault)
{
    if (threadIdx.x == 1)
        w->fields.own = 3;
    if (threadIdx.x == 0)
        w->fields.low = 1; /* races */
    if (threadIdx.x == (fault ? 40 : 0))
        w->fields.high = 2; /* races */
    __syncthreads();
    if (threadIdx.x == 0)
        w->out[0] = (int)(w->fields.low + w->fields.high + w->fields.own);
}

/* With constructors: the compiler's guard variable, which says whether they have run, must not count as an access. */
struct point {
    float x, y;
    __device__ point() {}
    __device__ point(float a) : x(a), y(a) {}
};
__global__ void constructed(struct words *w, int fault)
{
    __shared__ double2 pairs[THREADS];
    __shared__ struct point points[THREADS];

    pairs[threadIdx.x] = make_double2(1, 2); /* races */
    points[threadIdx.x] = point(3);
    if (!fault)
        __syncthreads();
    double2 other = pairs[THREADS - 1 - threadIdx.x]; /* races */
    __syncthreads();
    if (threadIdx.x == 0)
        w->out[0] = (int)(other.x + other.y + points[THREADS - 1].y);
}

/* An atomic update of a released word passes the release on; a store does not. */
__global__ void handed_on(struct words *w, int fault)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        w->data[0] = 7; /* races */
        __hip_atomic_store(&w->turn, 1u, RELEASE, AGENT);
    } else if (blockIdx.x == 1) {
        while (__hip_atomic_load(&w->turn, RELAXED, AGENT) == 0)
            ;
        if (fault)
            __hip_atomic_store(&w->turn, 2u, RELAXED, AGENT);
        else
            __hip_atomic_fetch_add(&w->turn, 1u, RELAXED, AGENT);
        __hip_atomic_store(&w->ready, 1u, RELAXED, AGENT);
    } else {
        while (__hip_atomic_load(&w->ready, RELAXED, AGENT) == 0)
            ;
        while (__hip_atomic_load(&w->turn, ACQUIRE, AGENT) != 2)
            ;
        w->out[0] = w->data[0]; /* races */
    }
}

__global__ void released_elsewhere(struct words *w, int fault)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        w->data[0] = 7; /* races */
        __hip_atomic_fetch_add(fault ? &w->ready : &w->turn, 1u, RELEASE, AGENT);
        __hip_atomic_fetch_add(&w->turn, 1u, RELAXED, AGENT);
    } else {
        while (__hip_atomic_load(&w->turn, ACQUIRE, AGENT) != (fault ? 1 : 2))
            ;
        w->out[0] = w->data[0]; /* races */
    }
}

/* Atomics count in two halves of a word, and a thread reads both, or the whole: atomics of two widths are not atomic to each
 * other. */
__global__ void halves(struct words *w, int fault)
{
    if (blockIdx.x < 2 && threadIdx.x == 0)
        atomicAdd((unsigned *)&w->wide + blockIdx.x, 1u); /* races */
    if (blockIdx.x == 2 && threadIdx.x == 0) {
        unsigned long long both;
        if (fault)
            both = atomicAdd(&w->wide, 0ull); /* races */
        else
            both = atomicAdd((unsigned *)&w->wide, 0u) + atomicAdd((unsigned *)&w->wide + 1, 0u);
        w->out[0] = both < ~0ull;
    }
}

/* A thread polls for the data after it has arrived; the others no longer wait for it. */
__global__ void looked_too_late(struct words *w, int fault)
{
    cooperative_groups::thread_block block = cooperative_groups::this_thread_block();

    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            w->data[0] = 7; /* races */
            __hip_atomic_store(&w->ready, 1u, RELEASE, AGENT);
        }
        return;
    }
    while (!fault && threadIdx.x == 0 && __hip_atomic_load(&w->ready, ACQUIRE, AGENT) == 0)
        ;
    cooperative_groups::thread_block::arrival_token token = block.barrier_arrive();
    while (fault && threadIdx.x == 0 && __hip_atomic_load(&w->ready, ACQUIRE, AGENT) == 0)
        ;
    block.barrier_wait(std::move(token));
    if (threadIdx.x == 1)
        w->out[0] = w->data[0]; /* races */
}

/* A barrier in two parts: accesses between them are not ordered with those of others before or after it. */
__global__ void grid_in_two_parts(struct words *w, int fault)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();

    if (threadIdx.x == 0)
        w->data[blockIdx.x] = 3;
    cooperative_groups::grid_group::arrival_token token = grid.barrier_arrive();
    if (threadIdx.x == 0)
        w->row[blockIdx.x] = 4; /* races */
    grid.barrier_wait(std::move(token));
    int sum = w->data[1 - blockIdx.x];
    if (!fault)
        grid.sync();
    if (threadIdx.x == 0)
        w->out[blockIdx.x] = sum + w->row[1 - blockIdx.x]; /* races */
}
template <void (*kernel)(struct words *, int)> static bool grid_words(int fault)
{
    struct words *w = device_array<struct words>(1), host;
    void *arguments[] = {&w, &fault};

    must(hipLaunchCooperativeKernel(kernel, dim3(2), dim3(THREADS), arguments, 0, 0));
    fetch(&host, w, 1);
    return host.out[0] == 7 && host.out[1] == 7;
}

/* Without the barrier the place is wrong, so that two blocks store in the same one. */
__global__ void taken_places(struct words *w, int fault)
{
    __shared__ unsigned first;

    if (threadIdx.x == THREADS - 1)
        first = atomicAdd(&w->turn, THREADS); /* races */
    if (!fault)
        __syncthreads();
    unsigned place = (first + threadIdx.x) % (2 * THREADS); /* races */
    w->row[place] = 7;
    if (place == 5)
        w->out[0] = 7;
}

__global__ void overlapping_rows(struct words *w, int fault)
{
    __shared__ int rows[THREADS / 16 * 17];
    unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;

    rows[y * (fault ? 15 : 17) + x] = (int)threadIdx.x; /* races */
    __syncthreads();
    w->row[threadIdx.x] = rows[y * 17 + x];
    if (threadIdx.x == 16)
        w->out[0] = rows[17];
}

/* One thread learns that its block is the last one, and tells the others. */
__global__ void told(struct words *w, int fault)
{
    __shared__ bool last;

    w->row[2 * threadIdx.x + blockIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&w->next, 1u) == gridDim.x - 1; /* races */
    if (!fault)
        __syncthreads();
    if (last) { /* races */
        __threadfence();
        atomicAdd(&w->out[0], w->row[2 * threadIdx.x] + w->row[2 * threadIdx.x + 1]);
    }
}

/* Of lanes that access a line of words one after the other a later one writes what an earlier one has read. */
__global__ void later_lane(struct words *w, int fault)
{
    int *line = (int *)(((uintptr_t)w->row + 127) / 128 * 128), t = (int)threadIdx.x, sum = 0;

    if (t < 16 && t != 5)
        line[t] = 1; /* races */
    if (t < 16)
        sum = line[fault ? t + 5 : t + 64]; /* races */
    atomicAdd(&w->out[1], sum);
    if (t == 0)
        w->out[0] = 2;
}

/* What is judged with its fault, too, weak memory shows. */
template <void (*kernel)(struct words *, int), unsigned blocks, int want, bool judged = false>
static bool words(int fault)
{
    struct words *w = device_array<struct words>(1), host;

    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(blocks), dim3(THREADS), 2 * THREADS * sizeof(int), 0, w, fault);
    fetch(&host, w, 1);
    return (fault && !judged) || host.out[0] == want;
}

const struct planted_case pairs[] = {
    {"sequence lock", "plain data", words<sequence_lock, 2, 3>},
    {"ring of two slots", "the writer does not wait", words<ring, 1, 15>},
    {"an index by a shuffle", "no warp sync", words<shuffled_index, 1, 1>},
    {"bins", "no barrier after they are set to 0", words<bins, 1, 2>},
    {"two arrays and a barrier", "no barrier", words<one_barrier, 1, 193>},
    {"tiles of 16 lanes", "only 8 lanes synchronize", words<tiles, 1, 5>},
    {"partials in two arrays", "no fence of the reader", words<two_partials, 4, 10>},
    {"a lock", "a plain store opens it", words<opened, 3, 3>},
    {"bit fields of a word", "two threads write them", words<bit_fields, 1, 6>},
    {"vectors with constructors", "no barrier", words<constructed, 1, 6>},
    {"a release that an update passes on", "a store instead", words<handed_on, 3, 7>},
    {"released where it is acquired", "at another word", words<released_elsewhere, 2, 7, true>},
    {"halves and the whole", "atomics of two widths", words<halves, 3, 1>},
    {"a barrier in two parts, and a flag", "polled in between", words<looked_too_late, 2, 7>},
    {"a grid barrier in two parts", "read too early", grid_words<grid_in_two_parts>},
    {"a grid barrier by hand", "no fence", grid_words<by_hand>},
    {"one fence for all threads", "no barrier before it", words<one_fence, 2, 2 * THREADS>},
    {"look-back", "no fence before the sum's mark", words<look_back, 7, 21>},
    {"shared memory used again", "no barrier before it", words<used_again, 1, THREADS>},
    {"volatile tree", "volatile without warp syncs", words<volatile_tree, 1, 0>},
    {"reserved places", "no barrier", words<taken_places, 2, 7>},
    {"adjacent rows", "they overlap", words<overlapping_rows, 1, 16>},
    {"told by one thread", "no barrier behind it", words<told, 2, 2 * THREADS>},
    {"words apart", "a lane writes what one before it has read", words<later_lane, 1, 2>},
    {NULL, NULL, NULL},
};
