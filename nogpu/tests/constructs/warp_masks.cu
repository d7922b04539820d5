/* Warp operations with masks, in branches that only some lanes take.
 * SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include "construct.h"

#define ALL 0xffffffffu

__global__ void shuffles(int *wrong)
{
    int lane = (int)threadIdx.x % 32;

    HOLDS(__shfl_sync(ALL, lane * 3, 5) == 15 && __shfl_sync(ALL, lane, 3, 8) == (lane & ~7) + 3);
    HOLDS(__shfl_up_sync(ALL, lane, 2) == (lane < 2 ? lane : lane - 2));
    HOLDS(__shfl_down_sync(ALL, lane, 2) == (lane > 29 ? lane : lane + 2));
    HOLDS(__shfl_down_sync(ALL, lane, 1, 4) == (lane % 4 == 3 ? lane : lane + 1));
    HOLDS(__shfl_xor_sync(ALL, (double)lane, 16) == (double)(lane ^ 16));
    HOLDS(__shfl_xor_sync(ALL, (unsigned long long)lane << 40, 1) == (unsigned long long)(lane ^ 1) << 40);
    HOLDS(__shfl_sync(ALL, (float)lane / 2, 31) == 15.5f);
}

/* Two halves of a warp at different places, followed by a block barrier. */
__global__ void halves(int *wrong)
{
    int lane = (int)threadIdx.x % 32;

    if (lane < 16) {
        int sum = lane;
        for (int distance = 8; distance > 0; distance /= 2)
            sum += __shfl_xor_sync(0x0000ffffu, sum, distance);
        HOLDS(sum == 120 && __ballot_sync(0x0000ffffu, lane & 1) == 0xaaaau);
    } else {
        HOLDS(__shfl_sync(0xffff0000u, lane, 20) == 20 && __all_sync(0xffff0000u, lane >= 16));
        HOLDS(!__any_sync(0xffff0000u, lane < 16));
    }
    __syncthreads();
    if (lane == 7 || lane == 30) { /* the mask may name any lanes */
        HOLDS(__shfl_sync(1u << 7 | 1u << 30, lane, 30) == 30);
        __syncwarp(1u << 7 | 1u << 30);
    }
}

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

/* After __syncwarp() lanes see what other lanes wrote before it. */
__global__ void exchange(int *wrong)
{
    __shared__ int slots[64];
    int lane = (int)threadIdx.x % 32, *own = slots + threadIdx.x / 32 * 32;

    own[lane] = lane;
    __syncwarp();
    HOLDS(own[31 - lane] == 31 - lane);
    __syncwarp(ALL);
    own[lane] = -lane;
    __syncwarp();
    HOLDS(own[lane ^ 1] == -(lane ^ 1));
}

/* Lanes that have returned are not waited for. */
__global__ void returned(int *wrong)
{
    int lane = (int)threadIdx.x % 32;

    if (lane >= 20)
        return;
    HOLDS(__ballot_sync(0x000fffffu, 1) == 0x000fffffu);
    HOLDS(__shfl_down_sync(0x000fffffu, lane, 1) == lane + 1 || lane == 19);
}

int main(void)
{
    RUN(shuffles, 2, 64);
    RUN(halves, 2, 64);
    RUN(votes, 1, 64);
    RUN(reductions, 1, 64);
    RUN(exchange, 2, 64);
    RUN(returned, 1, 64);
}
