/* Kernels as people write them, each right and with one mistake. Lines that race say so.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
#define AGENT   __HIP_MEMORY_SCOPE_AGENT
#define THREADS 128

struct words {
    unsigned lock, turn, next, ready;
    int data[8], out[8];
};

/* A sequence lock: the reader tries again if the number has changed. Plain data may be read while it is written. */
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
        w->out[0] = value;
    }
}

/* Who is next is served when the one before has released it. */
__global__ void ticket_lock(struct words *w, int fault)
{
    if (threadIdx.x != 0)
        return;
    unsigned mine = atomicAdd(&w->next, 1u);
    while (__hip_atomic_load(&w->turn, ACQUIRE, AGENT) != mine)
        ;
    w->data[0]++; /* races */ /* races */
    if (fault)
        __hip_atomic_store(&w->turn, mine + 1, RELAXED, AGENT);
    else
        __hip_atomic_store(&w->turn, mine + 1, RELEASE, AGENT);
}

/* Whoever comes first makes the table; the others look whether it is there, and then take the lock. */
__global__ void checked_twice(struct words *w, int fault)
{
    if (threadIdx.x != 0)
        return;
    if (__hip_atomic_load(&w->ready, fault ? RELAXED : ACQUIRE, AGENT) == 0) {
        while (atomicCAS(&w->lock, 0u, 1u) != 0)
            ;
        __threadfence();
        if (__hip_atomic_load(&w->ready, RELAXED, AGENT) == 0) {
            w->data[0] = 7; /* races */
            __hip_atomic_store(&w->ready, 1u, RELEASE, AGENT);
        }
        __threadfence();
        atomicExch(&w->lock, 0u);
    }
    w->out[blockIdx.x] = w->data[0]; /* races */
}

/* Two slots between two blocks, or two warps; the writer waits until the reader has taken what was there. */
__global__ void ring(struct words *w, int fault)
{
    bool writes = blockIdx.x == 0 && threadIdx.x == 0;
    bool reads =
        gridDim.x == 1 ? threadIdx.x == (unsigned)warpSize : blockIdx.x == 1 && threadIdx.x == 0;

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

/* Two writes of a warp to one word, in turns. */
__global__ void in_turns(struct words *w, int fault)
{
    __shared__ int word;
    unsigned lane = threadIdx.x % (unsigned)warpSize;

    if (threadIdx.x >= (unsigned)warpSize)
        return;
    if (lane == 0)
        word = 3; /* races */
    if (!fault)
        __syncwarp();
    if (lane == 5)
        word = 7; /* races */
    __syncwarp();
    if (lane == 9)
        w->out[0] = word;
}

/* Two arrays in one piece of dynamic shared memory, the second behind the first. */
__global__ void two_arrays(struct words *w, int fault)
{
    extern __shared__ int all[];
    int *first = all, *second = all + THREADS - fault;

    first[threadIdx.x] = 1;  /* races */
    second[threadIdx.x] = 2; /* races */
    __syncthreads();
    if (threadIdx.x == 0)
        w->out[0] = first[5] + second[5];
}

/* A byte is released and another one of the same word acquired. */
__global__ void bytes_of_a_word(struct words *w, int fault)
{
    unsigned char *flag = (unsigned char *)&w->ready;

    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        w->data[0] = 7; /* races */
        __hip_atomic_store(&flag[1], (unsigned char)1, RELEASE, AGENT);
        __hip_atomic_store(&flag[2], (unsigned char)1, RELAXED, AGENT);
    } else {
        while (__hip_atomic_load(&flag[fault ? 2 : 1], ACQUIRE, AGENT) == 0)
            ;
        w->out[0] = w->data[0]; /* races */
    }
}

/* Each thread sets a bit of one word, or a byte of its own. */
__global__ void own_byte(struct words *w, int fault)
{
    __shared__ unsigned bits;
    unsigned char *byte = (unsigned char *)&bits;

    if (threadIdx.x == 0)
        bits = 0;
    __syncthreads();
    if (fault && threadIdx.x < 4)
        bits |= 1u << 8 * threadIdx.x; /* races */ /* races */
    else if (threadIdx.x < 4)
        byte[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        w->out[0] = bits == 0x01010101;
}

/* The value comes by a shuffle, and what it stands for from shared memory: shuffles order nothing. */
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

/* The host's view: the counter of a grid barrier by hand is used twice, and never set back. */
__global__ void two_barriers(struct words *w, int fault)
{
    for (unsigned turn = 1; turn <= 2; turn++) {
        if (threadIdx.x == 0) {
            w->data[blockIdx.x] = (int)turn; /* races */
            __threadfence();
            atomicAdd(&w->next, 1u);
            while (atomicAdd(&w->next, 0u) < (fault ? 1 : turn) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
        if (threadIdx.x == 1)
            w->out[blockIdx.x] += w->data[(blockIdx.x + 1) % gridDim.x]; /* races */
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(&w->turn, 1u);
            while (atomicAdd(&w->turn, 0u) < turn * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

/* Fences of all threads, and a barrier between them and the ticket: before it and behind it. */
__global__ void fences_of_all(struct words *w, int fault)
{
    __shared__ unsigned ticket;

    if (threadIdx.x < 2)
        w->data[2 * blockIdx.x + threadIdx.x] = 1; /* races */
    if (!fault)
        __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicAdd(&w->next, 1u);
    __syncthreads();
    if (ticket < gridDim.x - 1)
        return;
    __threadfence();
    if (threadIdx.x < 2 * gridDim.x)
        atomicAdd(&w->out[0], w->data[threadIdx.x]); /* races */
}

/* A stack: who is put on top points to the one below before that. */
__global__ void stack(struct words *w, int fault)
{
    unsigned i = blockIdx.x + 1, top = 0, below;

    if (threadIdx.x != 0)
        return;
    if (fault) {
        below = atomicExch(&w->next, i);
        w->data[i] = (int)below; /* races */
    } else {
        do {
            w->data[i] = (int)(below = top);
            __threadfence();
            top = atomicCAS(&w->next, below, i);
        } while (top != below);
    }
    top = __hip_atomic_load(&w->next, ACQUIRE, AGENT);
    w->out[i] = w->data[top]; /* races */
}

template <void (*kernel)(struct words *, int), unsigned blocks, int want>
static bool words(int fault)
{
    struct words *w = device_array<struct words>(1), host;

    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(blocks), dim3(THREADS),
                       2 * THREADS * sizeof(int), 0, w, fault);
    fetch(&host, w, 1);
    return fault || host.out[0] == want || host.data[0] == want;
}

const struct planted_case pairs[] = {
    {"sequence lock", "plain data", words<sequence_lock, 2, 3>},
    {"ticket lock", "given on without a release", words<ticket_lock, 4, 4>},
    {"checked twice", "the first time without an acquire", words<checked_twice, 4, 7>},
    {"ring of two slots", "the writer does not wait", words<ring, 2, 15>},
    {"ring between two warps", "the writer does not wait", words<ring, 1, 15>},
    {"writes of a warp in turns", "no warp sync", words<in_turns, 1, 7>},
    {"two arrays in one", "they overlap", words<two_arrays, 1, 3>},
    {"a byte as a flag", "its neighbour is read", words<bytes_of_a_word, 2, 7>},
    {"a byte of its own", "a bit of one word", words<own_byte, 1, 1>},
    {"an index by a shuffle", "no warp sync", words<shuffled_index, 1, 1>},
    {"two grid barriers", "the counter of the first", words<two_barriers, 3, 3>},
    {"fences of all threads", "none before the ticket", words<fences_of_all, 3, 6>},
    {"stack", "on top before it points down", words<stack, 5, 0>},
    {NULL, NULL, NULL},
};
