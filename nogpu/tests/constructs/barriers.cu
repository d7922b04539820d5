/* Barriers of CUDA's library, asynchronous copies, and pipelines.
 * SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include "construct.h"

namespace cg = cooperative_groups;
typedef cuda::barrier<cuda::thread_scope_block> barrier;

__device__ int *input; /* [1024]: 0, 1, 2 ... */

__global__ void fill(int *wrong)
{
    input[threadIdx.x] = (int)threadIdx.x;
    HOLDS(blockDim.x == 1024);
}

/* All arrive and wait, three times; in between each reads what another one wrote. */
__global__ void phases(int *wrong)
{
    __shared__ barrier b;
    __shared__ int slot[96];

    if (threadIdx.x == 0)
        init(&b, 96);
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        slot[threadIdx.x] = (int)threadIdx.x + i;
        barrier::arrival_token token = b.arrive();
        b.wait(cuda::std::move(token));
        HOLDS(slot[95 - threadIdx.x] == (int)(95 - threadIdx.x) + i);
        b.arrive_and_wait();
    }
    if (threadIdx.x >= 90)
        b.arrive_and_drop();
    else
        b.arrive_and_wait();
    if (threadIdx.x < 90)
        b.arrive_and_wait();
}

/* One half of the threads writes, the other one reads: two buffers, each with a barrier for full and one for empty. */
__global__ void halves(int *wrong)
{
    __shared__ barrier full[2], empty[2];
    __shared__ int slot[2][32];
    int lane = (int)threadIdx.x % 32;
    bool parity = false;

    if (threadIdx.x < 2) {
        init(&full[threadIdx.x], 64);
        init(&empty[threadIdx.x], 64);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int i = 0; i < 6; i++) {
            empty[i % 2].arrive_and_wait();
            slot[i % 2][lane] = 100 * i + lane;
            (void)full[i % 2].arrive();
        }
    } else {
        (void)empty[0].arrive();
        (void)empty[1].arrive();
        for (int i = 0; i < 6; i++) {
            (void)full[i % 2].arrive();
            full[i % 2].wait_parity(parity);
            parity = i % 2 ? !parity : parity;
            HOLDS(slot[i % 2][31 - lane] == 100 * i + 31 - lane);
            (void)empty[i % 2].arrive();
        }
    }
}

__global__ void completion(int *wrong)
{
    __shared__ int ended;
    auto count = [] { atomicAdd(&ended, 1); };
    using counted = cuda::barrier<cuda::thread_scope_block, decltype(count)>;
    __shared__ alignas(counted) char room[sizeof(counted)];
    counted *b = (counted *)room;

    if (threadIdx.x == 0) {
        ended = 0;
        init(b, blockDim.x, count);
    }
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        b->arrive_and_wait();
        HOLDS(*(volatile int *)&ended == i + 1);
        b->arrive_and_wait();
        __syncthreads();
        if (threadIdx.x == 0)
            ended--;
        __syncthreads();
    }
}

__global__ void copies(int *wrong)
{
    __shared__ alignas(16) int one[256], two[256], three[256], tail[5];
    __shared__ barrier b;
    cg::thread_block block = cg::this_thread_block();
    unsigned i = block.thread_rank();

    if (i == 0)
        init(&b, block.size());
    block.sync();
    cg::memcpy_async(block, one, input + 256, sizeof one);
    cg::memcpy_async(block, two, 256, input + 512, 256);
    cg::wait(block);
    HOLDS(one[255 - i] == (int)(511 - i) && two[255 - i] == (int)(767 - i));
    cuda::memcpy_async(block, three, input, cuda::aligned_size_t<16>(sizeof three), b);
    b.arrive_and_wait();
    HOLDS(three[255 - i] == (int)(255 - i));
    cuda::memcpy_async(&one[i], &input[i + 1], sizeof(int), b);
    b.arrive_and_wait();
    HOLDS(one[255 - i] == (int)(256 - i));
    cg::memcpy_async(block, tail, input + 3, sizeof(int) * 5);
    cg::wait_prior<0>(block);
    HOLDS(tail[i % 5] == (int)(i % 5) + 3);
}

/* Each stage is filled while the one before it is in use. */
__global__ void stages(int *wrong)
{
    const int steps = 8;
    __shared__ int slot[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    cg::thread_block block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    unsigned i = block.thread_rank();

    for (int fetch = 0, step = 0; step < steps; step++) {
        for (; fetch < steps && fetch < step + 2; fetch++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, slot[fetch % 2], input + 128 * fetch, sizeof slot[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        HOLDS(slot[step % 2][127 - i] == 128 * step + 127 - (int)i);
        pipe.consumer_release();
    }
}

/* A warp fills, three others use. */
__global__ void roles(int *wrong)
{
    __shared__ int slot[3][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    cg::thread_block block = cg::this_thread_block();
    bool fills = block.thread_rank() < 32;
    unsigned lane = block.thread_rank() % 32;
    auto pipe =
        cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);

    for (int step = 0; step < 20; step++)
        if (fills) {
            pipe.producer_acquire();
            cuda::memcpy_async(&slot[step % 3][lane], &input[32 * step + lane], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            HOLDS(slot[step % 3][31 - lane] == 32 * step + 31 - (int)lane);
            pipe.consumer_release();
        }
    pipe.quit();
}

/* Of each thread alone. */
__global__ void own(int *wrong)
{
    __shared__ int slot[2][64];
    auto pipe = cuda::make_pipeline();
    unsigned i = threadIdx.x;

    for (int k = 0; k < 2; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&slot[k][i], &input[64 * k + i], sizeof(int), pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    HOLDS(slot[0][i] == (int)i);
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    HOLDS(slot[1][i] == 64 + (int)i);
    __pipeline_memcpy_async(&slot[0][i], &input[100 + i], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    HOLDS(slot[0][63 - i] == 163 - (int)i);
}

__device__ cuda::counting_semaphore<cuda::thread_scope_device, 2> *semaphore;
__device__ cuda::latch<cuda::thread_scope_device> *gate;
__device__ int inside, most;

__global__ void make(int *wrong)
{
    semaphore = new cuda::counting_semaphore<cuda::thread_scope_device, 2>(2);
    gate = new cuda::latch<cuda::thread_scope_device>(64);
    HOLDS(semaphore && gate);
}

__global__ void limited(int *wrong)
{
    gate->arrive_and_wait();
    semaphore->acquire();
    atomicMax(&most, atomicAdd(&inside, 1) + 1);
    atomicSub(&inside, 1);
    semaphore->release();
    HOLDS(gate->try_wait());
}

int main(void)
{
    int *numbers, found = 0;

    OK(cudaMalloc(&numbers, 1024 * sizeof *numbers));
    OK(cudaMemcpyToSymbol(input, &numbers, sizeof numbers));
    RUN(fill, 1, 1024);
    RUN(phases, 2, 96);
    RUN(halves, 2, 64);
    RUN(completion, 2, 64);
    RUN(copies, 2, 256);
    RUN(stages, 2, 128);
    RUN(roles, 2, 128);
    RUN(own, 2, 64);
    RUN(make, 1, 1);
    RUN(limited, 1, 64);
    OK(cudaMemcpyFromSymbol(&found, most, sizeof found));
    EXPECT(found >= 1 && found <= 2);
    OK(cudaFree(numbers));
}
