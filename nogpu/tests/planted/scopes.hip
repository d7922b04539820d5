/* Memory orders and scopes: block 0 or the first warp hands a word to another; with the fault one detail is wrong.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

struct words {
    unsigned long long wide;
    unsigned a;
    int data, out;
    volatile unsigned shaky;
};

#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
#define AGENT   __HIP_MEMORY_SCOPE_AGENT
#define BLOCK   __HIP_MEMORY_SCOPE_WORKGROUP
#define WAVE    __HIP_MEMORY_SCOPE_WAVEFRONT

/* The first thread of the first block, and the last thread of the last one. */
static __device__ bool writes() { return blockIdx.x == 0 && threadIdx.x == 0; }
static __device__ bool reads() { return blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1; }

static __device__ void publish(struct words *w, int order, int scope)
{
    w->data = 7;
    __hip_atomic_store(&w->a, 1u, order, scope);
}
static __device__ void take(struct words *w, int order, int scope)
{
    while (__hip_atomic_load(&w->a, order, scope) == 0)
        ;
}

__global__ void failed_swap(struct words *w, int fault)
{
    if (writes())
        publish(w, RELEASE, AGENT);
    if (reads()) {
        unsigned expected;
        do {
            expected = 9;
            __hip_atomic_compare_exchange_strong(&w->a, &expected, 2u, ACQUIRE, fault ? RELAXED : ACQUIRE, AGENT);
        } while (expected != 1);
        w->out = w->data;
    }
}

__global__ void fence_order(struct words *w, int fault)
{
    if (writes()) {
        w->data = 7;
        if (fault)
            __atomic_thread_fence(ACQUIRE);
        else
            __atomic_thread_fence(RELEASE);
        __hip_atomic_store(&w->a, 1u, RELAXED, AGENT);
    }
    if (reads()) {
        take(w, RELAXED, AGENT);
        __atomic_thread_fence(ACQUIRE);
        w->out = w->data;
    }
}

__global__ void fence_scope(struct words *w, int fault)
{
    if (writes()) {
        w->data = 7;
        if (fault)
            __builtin_amdgcn_fence(RELEASE, "workgroup");
        else
            __builtin_amdgcn_fence(RELEASE, "agent");
        __hip_atomic_store(&w->a, 1u, RELAXED, AGENT);
    }
    if (reads()) {
        take(w, RELAXED, AGENT);
        __threadfence();
        w->out = w->data;
    }
}

template <int wanted, int narrow> __global__ void store_scope(struct words *w, int fault)
{
    if (writes())
        publish(w, RELEASE, fault ? narrow : wanted);
    if (reads()) {
        take(w, ACQUIRE, wanted);
        w->out = w->data;
    }
}

__global__ void sum_scope(struct words *w, int fault)
{
    if (fault)
        atomicAdd_block(&w->a, 1u);
    else
        atomicAdd(&w->a, 1u);
}

__global__ void half_of_it(struct words *w, int fault)
{
    unsigned *half = (unsigned *)&w->wide + 1;

    if (writes()) {
        w->data = 7;
        __hip_atomic_store(&w->wide, 1ull << 32, RELEASE, AGENT);
    }
    if (reads()) {
        while (__hip_atomic_load(half, fault ? RELAXED : ACQUIRE, AGENT) == 0)
            ;
        w->out = w->data;
    }
}

/* An update of a volatile variable is a load and a store. */
__global__ void shaky_sum(struct words *w, int fault)
{
    if (fault)
        w->shaky = w->shaky + 1;
    else
        atomicAdd((unsigned *)&w->shaky, 1u);
}

__global__ void shaky_flag(struct words *w, int fault)
{
    if (writes()) {
        w->data = 7;
        __threadfence();
        if (fault)
            w->shaky = 1;
        else
            atomicExch((unsigned *)&w->shaky, 1u);
    }
    if (reads()) {
        while (fault ? w->shaky == 0 : atomicAdd((unsigned *)&w->shaky, 0u) == 0)
            ;
        __threadfence();
        w->out = w->data;
    }
}

__global__ void block_flag(struct words *w, int fault)
{
    __shared__ unsigned flag;
    __shared__ int data;

    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (writes()) {
        data = 7;
        if (!fault)
            __threadfence_block();
        atomicExch(&flag, 1u);
    }
    if (reads()) {
        while (atomicAdd(&flag, 0u) == 0)
            ;
        __threadfence_block();
        w->out = data;
    }
}

/* A word that is handed over, or a sum of all threads. */
template <void (*kernel)(struct words *, int), unsigned blocks> static bool hands_over(int fault)
{
    struct words *w = device_array<struct words>(1), host;

    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(blocks), dim3(128), 0, 0, w, fault);
    fetch(&host, w, 1);
    return fault || host.out == 7 || host.a == 512 || host.shaky == 512;
}

const struct planted_case scopes[] = {
    {"a failed swap acquires", "it is relaxed when it fails", hands_over<failed_swap, 2>},
    {"a fence releases", "it only acquires", hands_over<fence_order, 2>},
    {"a device-scope fence", "block scope", hands_over<fence_scope, 2>},
    {"a device-scope store", "block scope", hands_over<store_scope<AGENT, BLOCK>, 2>},
    {"a block-scope store", "warp scope", hands_over<store_scope<BLOCK, WAVE>, 1>},
    {"a device-scope sum", "block scope", hands_over<sum_scope, 4>},
    {"half of a released word", "relaxed", hands_over<half_of_it, 2>},
    {"an atomic sum", "a volatile variable", hands_over<shaky_sum, 4>},
    {"an atomic flag", "a volatile one", hands_over<shaky_flag, 2>},
    {"a flag in a block", "no fence", hands_over<block_flag, 1>},
    {NULL, NULL, NULL},
};
