/* Atomic operations of every type and scope that CUDA has.
 * SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include "construct.h"

typedef unsigned long long ull;

/* Sums, extremes and bits of other types: tests/random. */
__global__ void integers(int *wrong)
{
    __shared__ int i;
    __shared__ unsigned u, wrapped, down;
    __shared__ long long ll;
    int t = (int)threadIdx.x;

    if (t == 0) {
        i = 0;
        u = 100000;
        wrapped = 0;
        down = 3;
        ll = 0;
    }
    __syncthreads();
    atomicAdd(&i, t);
    atomicSub(&u, 1u);
    atomicInc(&wrapped, 4u);
    atomicDec(&down, 6u);
    atomicMin(&ll, (long long)-t);
    __syncthreads();
    HOLDS(i == 96 * 95 / 2 && u == 100000 - 96 && wrapped == 96 % 5 && down == (3 + 7 * 14 - 96) % 7 && ll == -95);
    __syncthreads();
    atomicMax(&ll, (long long)t << 33);
    if (t == 7)
        HOLDS(atomicExch(&i, 3) == 96 * 95 / 2);
    __syncthreads();
    HOLDS(i == 3 && ll == 95ll << 33);
    __syncthreads();
    if (t == 9)
        HOLDS(atomicCAS(&i, 4, 5) == 3 && atomicCAS(&i, 3, 5) == 3 && i == 5);
}

__device__ float f_sum, f_exchanged;
__device__ double d_sum;
__device__ unsigned short narrow[2];
__device__ int by_block[4], by_system;
__device__ ull by_cas;
__device__ int by_order;
__device__ float own_max[2];

/* CUDA has none for float: a user-defined one. */
__device__ static float atomicMax(float *address, float value)
{
    return atomicAdd(address, value < 0 ? value : 100 * value);
}

/* Atomics with an explicit memory order. */
__global__ void ordered(int *wrong)
{
    int seen = __nv_atomic_load_n(&by_order, __NV_ATOMIC_RELAXED);

    while (!__nv_atomic_compare_exchange_n(&by_order, &seen, seen + 2, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED,
                                           __NV_THREAD_SCOPE_DEVICE))
        ;
    __nv_atomic_fetch_add(&by_order, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    HOLDS(threadIdx.x > 0 || atomicMax(&own_max[blockIdx.x], 1.5f) == 0);
    HOLDS(threadIdx.x > 0 || own_max[blockIdx.x] == 150);
    HOLDS(__nv_atomic_fetch_max(&by_order, 0, __NV_ATOMIC_RELAXED) >= 3);

    __shared__ unsigned words[64];
    unsigned *own = &words[threadIdx.x];
    __nv_atomic_store_n(own, 12u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
    HOLDS(__nv_atomic_exchange_n(own, 13u, __NV_ATOMIC_ACQ_REL) == 12);
    HOLDS(__nv_atomic_fetch_sub(own, 2u, __NV_ATOMIC_RELAXED) == 13);
    HOLDS(__nv_atomic_fetch_and(own, 6u, __NV_ATOMIC_SEQ_CST) == 11);
    HOLDS(__nv_atomic_fetch_or(own, 9u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK) == 2);
    HOLDS(__nv_atomic_fetch_xor(own, 3u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM) == 11);
    HOLDS(__nv_atomic_fetch_min(own, 5u, __NV_ATOMIC_RELAXED) == 8);
    HOLDS(__nv_atomic_load_n(own, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK) == 5);
    unsigned expected = 4;
    HOLDS(!__nv_atomic_compare_exchange_n(own, &expected, 9u, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED));
    HOLDS(expected == 5 && *own == 5);
}

__global__ void floats(int *wrong)
{
    atomicAdd(&f_sum, 0.5f);
    atomicAdd(&d_sum, 0.25);
    atomicExch(&f_exchanged, 2.5f);
    atomicAdd_block(&by_block[blockIdx.x], 2);
    atomicAdd_system(&by_system, 3);
    atomicMax_system(&by_system, -1);
    atomicOr_block(&by_block[blockIdx.x], 0);
    ull seen, old = atomicAdd(&by_cas, 0ull);
    do
        seen = old;
    while ((old = atomicCAS(&by_cas, seen, seen + threadIdx.x)) != seen);
    HOLDS(seen <= 64 * 2016);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        HOLDS(atomicCAS(&narrow[1], (unsigned short)0, (unsigned short)65535) == 0 && narrow[0] == 0);
        HOLDS(narrow[1] == 65535);
    }
}

/* What a variable of the device holds. */
template <typename T> static T now(const T &symbol)
{
    T value;
    OK(cudaMemcpyFromSymbol(&value, symbol, sizeof value));
    return value;
}

int main(void)
{
    int blocks[4];

    RUN(integers, 3, 96);
    RUN(floats, 4, 64);
    RUN(ordered, 2, 64);
    EXPECT(now(by_order) == 3 * 128 && now(f_sum) == 128 && now(f_exchanged) == 2.5f && now(d_sum) == 64);
    OK(cudaMemcpyFromSymbol(blocks, by_block, sizeof blocks));
    EXPECT(blocks[0] == 128 && blocks[3] == 128 && now(by_system) == 768 && now(by_cas) == 4 * 2016);
}
