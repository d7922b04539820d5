/* NVIDIA only, part of reproducible.hip: a warp of sm_80 and newer adds up 32-bit integers in one instruction.
 * SPDX-License-Identifier: MIT */
#if __CUDA_ARCH__ >= 800
/* In pieces that cannot overflow: 32 of 21 bits, or of 22 with the sign, have 27 bits at most. */
static __device__ __forceinline__ int64_t sum_lanes(int64_t value)
{
    const unsigned all = 0xffffffffu, mask = (1u << 21) - 1;
    unsigned low = __reduce_add_sync(all, (unsigned)value & mask);
    unsigned middle = __reduce_add_sync(all, (unsigned)(value >> 21) & mask);
    int high = __reduce_add_sync(all, (int)(value >> 42));
    return (int64_t)(((uint64_t)(int64_t)high << 42) + ((uint64_t)middle << 21) + low);
}

static __device__ __forceinline__ int max_lanes(int value)
{
    return __reduce_max_sync(0xffffffffu, value);
}
#define HAS_LANE_SUMS
#endif
