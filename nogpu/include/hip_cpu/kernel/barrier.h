/* Barriers and fences.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_BARRIER_H
#define HIP_CPU_BARRIER_H

#include "hip_cpu/language.h"

HIP_CPU_INLINE void __syncthreads(HIP_CPU_PLACE) { hip_cpu_syncthreads(file, line); }
HIP_CPU_INLINE int __syncthreads_count(int predicate, HIP_CPU_PLACE)
{
    return hip_cpu_barrier(HIP_CPU_SYNCTHREADS_COUNT, predicate, file, line);
}
HIP_CPU_INLINE int __syncthreads_and(int predicate, HIP_CPU_PLACE)
{
    return hip_cpu_barrier(HIP_CPU_SYNCTHREADS_AND, predicate, file, line);
}
HIP_CPU_INLINE int __syncthreads_or(int predicate, HIP_CPU_PLACE)
{
    return hip_cpu_barrier(HIP_CPU_SYNCTHREADS_OR, predicate, file, line);
}
#ifdef HIP_CPU_TRACE
#define HIP_CPU_FENCE(scope) hip_cpu_fence(scope)
#else
#define HIP_CPU_FENCE(scope) __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif
HIP_CPU_INLINE void __threadfence_block(void) { HIP_CPU_FENCE(0); }
HIP_CPU_INLINE void __threadfence(void) { HIP_CPU_FENCE(1); }
HIP_CPU_INLINE void __threadfence_system(void) { HIP_CPU_FENCE(2); }

/* AMD's: a scope by its name, and a memory order. */
HIP_CPU_INLINE void hip_cpu_fence_in(int order, const char *scope)
{
#ifdef HIP_CPU_TRACE
    hip_cpu_scope(*scope == '\0' ? 5 : *scope == 'a' ? 4 : scope[1] == 'o' ? 3 : *scope == 'w' ? 2 : 1);
#endif
    (void)scope;
    __atomic_thread_fence(order);
}
#define __builtin_amdgcn_fence(order, ...) hip_cpu_fence_in(order, __VA_ARGS__)

#endif
