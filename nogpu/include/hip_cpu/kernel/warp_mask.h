/* Warp operations that name their lanes: every lane of the mask that has not returned must call the same one, with the
 * same mask. Masks are 64 bits wide; those of CUDA, of 32, do for warps of 32.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_WARP_MASK_H
#define HIP_CPU_WARP_MASK_H

#include <string.h>

#include "hip_cpu/language.h"

/* A value of up to 8 bytes; wider ones in pieces. */
template <typename T>
HIP_CPU_INLINE T hip_cpu_shuffle_mask_as(uint64_t mask, enum hip_cpu_warp_op op, T value, unsigned operand, int width,
                                         const char *file, int line)
{
    uint64_t bits[(sizeof value + 7) / 8] = {0};
    __builtin_memcpy(bits, &value, sizeof value);
#ifdef HIP_CPU_TRACE
    hip_cpu_exchanges(sizeof(T), hip_cpu_scalar_kind_of<T>());
#endif
    for (uint64_t &piece : bits)
        piece = hip_cpu_shuffle_mask(mask, op, piece, operand, width, file, line);
    __builtin_memcpy(&value, bits, sizeof value);
    return value;
}

template <typename T>
HIP_CPU_INLINE T __shfl_sync(uint64_t mask, T value, int lane, int width = warpSize, HIP_CPU_PLACE)
{
    return hip_cpu_shuffle_mask_as(mask, HIP_CPU_SHFL, value, (unsigned)lane, width, file, line);
}
template <typename T>
HIP_CPU_INLINE T __shfl_up_sync(uint64_t mask, T value, unsigned delta, int width = warpSize, HIP_CPU_PLACE)
{
    return hip_cpu_shuffle_mask_as(mask, HIP_CPU_SHFL_UP, value, delta, width, file, line);
}
template <typename T>
HIP_CPU_INLINE T __shfl_down_sync(uint64_t mask, T value, unsigned delta, int width = warpSize, HIP_CPU_PLACE)
{
    return hip_cpu_shuffle_mask_as(mask, HIP_CPU_SHFL_DOWN, value, delta, width, file, line);
}
template <typename T>
HIP_CPU_INLINE T __shfl_xor_sync(uint64_t mask, T value, int lanes, int width = warpSize, HIP_CPU_PLACE)
{
    return hip_cpu_shuffle_mask_as(mask, HIP_CPU_SHFL_XOR, value, (unsigned)lanes, width, file, line);
}

HIP_CPU_INLINE int __any_sync(uint64_t mask, int predicate, HIP_CPU_PLACE)
{
    return (int)hip_cpu_vote_mask(mask, HIP_CPU_ANY, predicate != 0, file, line);
}
HIP_CPU_INLINE int __all_sync(uint64_t mask, int predicate, HIP_CPU_PLACE)
{
    return (int)hip_cpu_vote_mask(mask, HIP_CPU_ALL, predicate != 0, file, line);
}
#ifdef __CUDACC__
typedef unsigned hip_cpu_mask; /* of which programs are sure that it has 32 bits */
#else
typedef unsigned long long hip_cpu_mask;
#endif
HIP_CPU_INLINE hip_cpu_mask __ballot_sync(uint64_t mask, int predicate, HIP_CPU_PLACE)
{
    return (hip_cpu_mask)hip_cpu_vote_mask(mask, HIP_CPU_BALLOT, predicate != 0, file, line);
}
HIP_CPU_INLINE void __syncwarp(uint64_t mask, HIP_CPU_PLACE)
{
    hip_cpu_vote_mask(mask, HIP_CPU_SYNCWARP, 0, file, line);
}

template <typename T> HIP_CPU_INLINE uint64_t hip_cpu_bits_of(T value)
{
    static_assert(sizeof value <= 8, "at most 64 bits are compared");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <typename T> HIP_CPU_INLINE hip_cpu_mask __match_any_sync(uint64_t mask, T value, HIP_CPU_PLACE)
{
    return (hip_cpu_mask)hip_cpu_vote_mask(mask, HIP_CPU_MATCH_ANY, hip_cpu_bits_of(value), file, line);
}
template <typename T> HIP_CPU_INLINE hip_cpu_mask __match_all_sync(uint64_t mask, T value, int *all, HIP_CPU_PLACE)
{
    uint64_t same = hip_cpu_vote_mask(mask, HIP_CPU_MATCH_ALL, hip_cpu_bits_of(value), file, line);
    *all = same != 0;
    return (hip_cpu_mask)same;
}
template <typename T> HIP_CPU_INLINE unsigned long long __match_any(T value, HIP_CPU_PLACE)
{
    return hip_cpu_vote_mask(~0ull, HIP_CPU_MATCH_ANY, hip_cpu_bits_of(value), file, line);
}
template <typename T> HIP_CPU_INLINE unsigned long long __match_all(T value, int *all, HIP_CPU_PLACE)
{
    uint64_t same = hip_cpu_vote_mask(~0ull, HIP_CPU_MATCH_ALL, hip_cpu_bits_of(value), file, line);
    *all = same != 0;
    return same;
}

#define HIP_CPU_REDUCE_SYNC(T, name, op)                                                                               \
    HIP_CPU_INLINE T name(uint64_t mask, T value, HIP_CPU_PLACE)                                                       \
    {                                                                                                                  \
        return (T)hip_cpu_vote_mask(mask, op, (uint64_t)value, file, line);                                            \
    }
#define HIP_CPU_REDUCES_SYNC(T)                                                                                        \
    HIP_CPU_REDUCE_SYNC(T, __reduce_add_sync, HIP_CPU_REDUCE_ADD)                                                      \
    HIP_CPU_REDUCE_SYNC(T, __reduce_min_sync, HIP_CPU_REDUCE_MIN)                                                      \
    HIP_CPU_REDUCE_SYNC(T, __reduce_max_sync, HIP_CPU_REDUCE_MAX)                                                      \
    HIP_CPU_REDUCE_SYNC(T, __reduce_and_sync, HIP_CPU_REDUCE_AND)                                                      \
    HIP_CPU_REDUCE_SYNC(T, __reduce_or_sync, HIP_CPU_REDUCE_OR)                                                        \
    HIP_CPU_REDUCE_SYNC(T, __reduce_xor_sync, HIP_CPU_REDUCE_XOR)
HIP_CPU_REDUCES_SYNC(int)
HIP_CPU_REDUCES_SYNC(unsigned)

/* ---- names of AMD's compiler ---- */

HIP_CPU_INLINE unsigned __mbcnt_lo(unsigned mask, unsigned base)
{
    unsigned below = __lane_id() < 32 ? (1u << __lane_id()) - 1 : ~0u;
    return base + (unsigned)__builtin_popcount(mask & below);
}
HIP_CPU_INLINE unsigned __mbcnt_hi(unsigned mask, unsigned base)
{
    unsigned below = __lane_id() < 32 ? 0 : (1u << (__lane_id() - 32)) - 1;
    return base + (unsigned)__builtin_popcount(mask & below);
}
HIP_CPU_INLINE unsigned long long __lanemask_lt(void) { return (1ull << __lane_id()) - 1; }
#ifdef HIP_CPU_HOSTED /* our own tests bring theirs */
#define __builtin_amdgcn_mbcnt_lo(mask, base)      __mbcnt_lo(mask, base)
#define __builtin_amdgcn_mbcnt_hi(mask, base)      __mbcnt_hi(mask, base)
#define __builtin_amdgcn_wave_barrier()            __syncwarp()
#define __builtin_amdgcn_readfirstlane(value)      __shfl(value, 0)
#define __builtin_amdgcn_ds_bpermute(bytes, value) __shfl(value, (int)((unsigned)(bytes) / 4 % (unsigned)warpSize))
#define __builtin_amdgcn_s_sleep(cycles)           ((void)(cycles), hip_cpu_pause(nullptr, nullptr, 0))
#define __builtin_amdgcn_s_barrier()               __syncthreads()
#define __builtin_amdgcn_workitem_id_x()           threadIdx.x
#define __builtin_amdgcn_workitem_id_y()           threadIdx.y
#define __builtin_amdgcn_workitem_id_z()           threadIdx.z
#define __builtin_amdgcn_workgroup_id_x()          blockIdx.x
#define __builtin_amdgcn_workgroup_id_y()          blockIdx.y
#define __builtin_amdgcn_workgroup_id_z()          blockIdx.z
#define __builtin_amdgcn_workgroup_size_x()        blockDim.x
#define __builtin_amdgcn_workgroup_size_y()        blockDim.y
#define __builtin_amdgcn_workgroup_size_z()        blockDim.z
#define __builtin_amdgcn_grid_size_x()             (gridDim.x * blockDim.x)
#define __builtin_amdgcn_grid_size_y()             (gridDim.y * blockDim.y)
#define __builtin_amdgcn_grid_size_z()             (gridDim.z * blockDim.z)
#define __builtin_amdgcn_wavefrontsize()           ((unsigned)warpSize)
#define __builtin_amdgcn_readlane(value, lane)     __shfl(value, lane)
#define __builtin_amdgcn_ballot_w32(predicate)     ((unsigned)__ballot(predicate))
#define __builtin_amdgcn_ballot_w64(predicate)     __ballot(predicate)
#define __builtin_amdgcn_read_exec()               __activemask()
#define __builtin_amdgcn_sched_barrier(mask)       ((void)(mask))
#define __builtin_amdgcn_s_waitcnt(counts)         ((void)(counts))
#define __builtin_amdgcn_s_setprio(priority)       ((void)(priority))
#define __builtin_amdgcn_s_memtime()               ((unsigned long long)clock64())
#define __builtin_amdgcn_s_memrealtime()           ((unsigned long long)wall_clock64())
#define __builtin_readcyclecounter()               ((unsigned long long)clock64())
#define __builtin_amdgcn_rcpf(x)                   (1 / (float)(x))
#define __builtin_amdgcn_rsqf(x)                   rsqrtf(x)
#endif

#endif
