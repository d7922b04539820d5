/* What lanes of a warp decide together. Cooperative groups: the block, tiles, and the lanes that happen to be in a branch.
 * Shuffles, votes in branches, and sums of lanes: tests/random.
 * SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "construct.h"

namespace cg = cooperative_groups;
#define ALL 0xffffffffu

__global__ void votes(int *wrong)
{
    int lane = (int)threadIdx.x % 32, all = 5;

    HOLDS(__ballot_sync(ALL, lane % 3 == 0) == 0x49249249u && __any_sync(ALL, lane == 31) == 1);
    HOLDS(__all_sync(ALL, lane != 31) == 0 && __activemask() == ALL);
    HOLDS(__match_any_sync(ALL, (unsigned char)(lane / 16)) == 0xffffu << lane / 16 * 16);
    HOLDS(__match_any_sync(ALL, lane / 8) == 0xffu << lane / 8 * 8);
    HOLDS(__match_any_sync(ALL, (long long)(lane & 1) << 33) == (lane & 1 ? 0xaaaaaaaau : 0x55555555u));
    HOLDS(__match_all_sync(ALL, 7, &all) == ALL && all && __match_all_sync(ALL, lane / 31, &all) == 0 && !all);
    if (lane % 2 == 0)
        HOLDS(__activemask() == 0x55555555u || lane % 2 == 0);
}

__global__ void reductions(int *wrong)
{
    int lane = (int)threadIdx.x % 32;

    HOLDS(__reduce_add_sync(ALL, lane) == 496 && __reduce_add_sync(ALL, 0x80000000u) == 0);
    HOLDS(__reduce_min_sync(ALL, lane - 5) == -5 && __reduce_max_sync(ALL, lane - 40) == -9);
    HOLDS(__reduce_max_sync(ALL, (unsigned)lane - 1) == 0xffffffffu && __reduce_and_sync(ALL, (unsigned)lane | 8) == 8);
    HOLDS(__reduce_or_sync(ALL, 1u << lane) == ALL && __reduce_xor_sync(ALL, (unsigned)lane) == 0);
    if (lane >= 30)
        HOLDS(__reduce_add_sync(0xc0000000u, lane) == 61);
}

__global__ void blocks(int *wrong)
{
    __shared__ int slot[96];
    cg::thread_block block = cg::this_thread_block();

    HOLDS(block.size() == 96 && block.num_threads() == 96 && block.thread_rank() == threadIdx.y * 48 + threadIdx.x);
    HOLDS(block.group_index().x == blockIdx.x && block.thread_index().y == threadIdx.y);
    HOLDS(block.group_dim().x == 48 && block.dim_threads().y == 2);
    slot[block.thread_rank()] = (int)block.thread_rank();
    block.sync();
    HOLDS(slot[95 - block.thread_rank()] == (int)(95 - block.thread_rank()));
    cg::sync(block);
}

__device__ int sum_of(cg::thread_group group, int *scratch, int value)
{
    int rank = (int)group.thread_rank();

    for (int i = (int)group.size() / 2; i > 0; i /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < i)
            value += scratch[rank + i];
        group.sync();
    }
    return value;
}

__global__ void tiles(int *wrong)
{
    __shared__ int scratch[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<4> four = cg::tiled_partition<4>(block);
    auto eight = cg::tiled_partition<8>(warp);
    int lane = (int)threadIdx.x % 32;

    HOLDS(warp.size() == 32 && warp.thread_rank() == (unsigned)lane);
    HOLDS(four.thread_rank() == threadIdx.x % 4 && four.meta_group_rank() == threadIdx.x / 4);
    HOLDS(four.meta_group_size() == 16 && eight.meta_group_size() == 4 && four.shfl(lane, 2) == lane / 4 * 4 + 2);
    HOLDS(four.shfl_down(lane, 1) == (lane % 4 == 3 ? lane : lane + 1));
    HOLDS(four.shfl_up(lane, 1) == (lane % 4 == 0 ? lane : lane - 1));
    HOLDS(eight.shfl_xor(1.5 * lane, 7) == 1.5 * (lane ^ 7));
    HOLDS(four.ballot(lane % 2) == 0xa && four.any(lane % 4 == 3) && !four.all(lane % 4 == 3));
    HOLDS(eight.match_any(lane % 2) == (lane % 2 ? 0xaau : 0x55u) && cg::reduce(warp, lane, cg::plus<int>()) == 496);
    HOLDS(cg::reduce(four, lane, cg::greater<int>()) == lane / 4 * 4 + 3);
    HOLDS(cg::reduce(eight, 0.5, cg::plus<double>()) == 4);
    HOLDS(cg::reduce(eight, 1u << lane % 8, cg::bit_or<unsigned>()) == 0xff);
    HOLDS(cg::inclusive_scan(four, lane % 4, cg::plus<int>()) == (lane % 4) * (lane % 4 + 1) / 2);
    HOLDS(cg::exclusive_scan(warp, 2, cg::plus<int>()) == 2 * lane);
    if (four.meta_group_rank() % 2 == 0) { /* tiles in different branches */
        four.sync();
        HOLDS(cg::reduce(four, 1, cg::plus<int>()) == 4);
    } else {
        HOLDS(four.shfl(7, 0) == 7);
    }
    warp.sync();
    int all = sum_of(block, scratch, lane);
    HOLDS(threadIdx.x > 0 || all == 992);
    block.sync();
    int some = sum_of(cg::tiled_partition(block, 16), scratch + threadIdx.x / 16 * 16, 1);
    HOLDS(threadIdx.x % 16 > 0 || some == 16);
}

/* A tile of several warps. */
__global__ void wide(int *wrong)
{
    __shared__ cg::block_tile_memory<256> scratch;
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<128>(block);

    HOLDS(tile.thread_rank() == threadIdx.x % 128 && tile.meta_group_size() == 2);
    HOLDS(cg::reduce(tile, (int)threadIdx.x, cg::plus<int>()) == (threadIdx.x < 128 ? 8128 : 24512));
}

__device__ int claimed;

__global__ void coalesced(int *wrong)
{
    int lane = (int)threadIdx.x % 32;

    /* One tile after the other finishes this, and its lanes reconverge after it. */
    cg::tiled_partition<8>(cg::this_thread_block()).sync();
    if (lane % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        HOLDS(active.size() == 11 && active.thread_rank() == (unsigned)lane / 3 && active.shfl(lane, 4) == 12);
        HOLDS(active.shfl_down(lane, 1) == (lane == 30 ? 30 : lane + 3));
        HOLDS(cg::reduce(active, lane, cg::plus<int>()) == 165 && active.ballot(lane < 6) == 3);
        int first = 0; /* one atomic for all lanes in the branch */
        if (active.thread_rank() == 0)
            first = atomicAdd(&claimed, (int)active.size());
        HOLDS(active.shfl(first, 0) % 11 == 0);
    }
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto odd = cg::binary_partition(warp, lane % 2);
    HOLDS(odd.size() == 16 && odd.thread_rank() == (unsigned)lane / 2);
    HOLDS(cg::reduce(odd, lane, cg::plus<int>()) == (lane % 2 ? 256 : 240));
    auto label = cg::labeled_partition(warp, lane / 5);
    HOLDS(label.size() == (lane < 30 ? 5u : 2u) && label.shfl(lane, 0) == lane / 5 * 5);
}

/* A barrier in two parts: all threads after the second see what a thread did before the first. */
__global__ void in_two_parts(int *wrong)
{
    __shared__ int x[64];
    cg::thread_block block = cg::this_thread_block();
    x[threadIdx.x] = (int)threadIdx.x;
    auto token = block.barrier_arrive();
    int own = x[threadIdx.x];
    block.barrier_wait(std::move(token));
    HOLDS(x[63 - threadIdx.x] == 63 - own);
}

int main(void)
{
    int by;

    RUN(votes, 1, 64);
    RUN(reductions, 1, 64);
    RUN(blocks, 2, dim3(48, 2));
    RUN(tiles, 2, 64);
    RUN(coalesced, 2, 64);
    RUN(wide, 2, 256);
    RUN(in_two_parts, 2, 64);
    OK(cudaMemcpyFromSymbol(&by, claimed, sizeof by));
    EXPECT(by == 44);
}
