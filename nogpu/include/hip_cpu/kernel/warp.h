/* Warp operations: among the lanes that are at the same place.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_WARP_H
#define HIP_CPU_WARP_H

#include <string.h>

#include "hip_cpu/language.h"

HIP_CPU_INLINE unsigned __lane_id(void) { return hip_cpu_current->lane; }
HIP_CPU_INLINE int __any(int predicate, HIP_CPU_PLACE) { return (int)hip_cpu_vote(HIP_CPU_ANY, predicate, file, line); }
HIP_CPU_INLINE int __all(int predicate, HIP_CPU_PLACE) { return (int)hip_cpu_vote(HIP_CPU_ALL, predicate, file, line); }
HIP_CPU_INLINE unsigned long long __ballot(int predicate, HIP_CPU_PLACE)
{
    return hip_cpu_vote(HIP_CPU_BALLOT, predicate, file, line);
}
HIP_CPU_INLINE unsigned long long __ballot64(int predicate, HIP_CPU_PLACE) { return __ballot(predicate, file, line); }
HIP_CPU_INLINE unsigned long long __activemask(HIP_CPU_PLACE) { return hip_cpu_vote(HIP_CPU_ACTIVE, 0, file, line); }
/* A fence and a barrier for the lanes; HIP has it from ROCm 7 on. */
HIP_CPU_INLINE void __syncwarp(HIP_CPU_PLACE) { hip_cpu_vote(HIP_CPU_SYNCWARP, 0, file, line); }

template <typename T>
HIP_CPU_INLINE T hip_cpu_shuffle_as(enum hip_cpu_warp_op op, T value, unsigned operand, int width, const char *file,
                                    int line)
{
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value); /* the low bytes: CPUs here are little endian */
#ifdef HIP_CPU_TRACE
    hip_cpu_exchanges(sizeof(T), hip_cpu_scalar_kind_of<T>());
#endif
    bits = hip_cpu_shuffle(op, bits, operand, width, file, line);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

#define HIP_CPU_SHUFFLES(T)                                                                                            \
    HIP_CPU_INLINE T __shfl(T value, int lane, int width = warpSize, HIP_CPU_PLACE)                                    \
    {                                                                                                                  \
        return hip_cpu_shuffle_as(HIP_CPU_SHFL, value, (unsigned)lane, width, file, line);                             \
    }                                                                                                                  \
    HIP_CPU_INLINE T __shfl_up(T value, unsigned delta, int width = warpSize, HIP_CPU_PLACE)                           \
    {                                                                                                                  \
        return hip_cpu_shuffle_as(HIP_CPU_SHFL_UP, value, delta, width, file, line);                                   \
    }                                                                                                                  \
    HIP_CPU_INLINE T __shfl_down(T value, unsigned delta, int width = warpSize, HIP_CPU_PLACE)                         \
    {                                                                                                                  \
        return hip_cpu_shuffle_as(HIP_CPU_SHFL_DOWN, value, delta, width, file, line);                                 \
    }                                                                                                                  \
    HIP_CPU_INLINE T __shfl_xor(T value, int mask, int width = warpSize, HIP_CPU_PLACE)                                \
    {                                                                                                                  \
        return hip_cpu_shuffle_as(HIP_CPU_SHFL_XOR, value, (unsigned)mask, width, file, line);                         \
    }
HIP_CPU_SHUFFLES(int)
HIP_CPU_SHUFFLES(unsigned)
HIP_CPU_SHUFFLES(long)
HIP_CPU_SHUFFLES(unsigned long)
HIP_CPU_SHUFFLES(long long)
HIP_CPU_SHUFFLES(unsigned long long)
HIP_CPU_SHUFFLES(float)
HIP_CPU_SHUFFLES(double)

#include "hip_cpu/kernel/warp_mask.h"

#endif
