/* CUDA's atomic functions that say their order and who may look; without the latter: everybody.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_NV_ATOMIC_H
#define HIP_CPU_CUDA_NV_ATOMIC_H

#include "hip_cpu/kernel/atomic.h"

#define __NV_ATOMIC_RELAXED      __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME      __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE      __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE      __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL      __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST      __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __NV_THREAD_SCOPE_BLOCK  __HIP_MEMORY_SCOPE_WORKGROUP
#define __NV_THREAD_SCOPE_DEVICE __HIP_MEMORY_SCOPE_AGENT
#define __NV_THREAD_SCOPE_SYSTEM __HIP_MEMORY_SCOPE_SYSTEM

#define HIP_CPU_NV_LOAD(address, order, scope, ...)         __hip_atomic_load(address, order, scope)
#define HIP_CPU_NV(name, address, value, order, scope, ...) __hip_atomic_##name(address, value, order, scope)
#define HIP_CPU_NV_SWAP(address, expected, value, order, failed, scope, ...)                                           \
    __hip_atomic_compare_exchange_strong(address, expected, value, order, failed, scope)
#define __nv_atomic_load_n(address, ...) HIP_CPU_NV_LOAD(address, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_store_n(address, value, ...)                                                                       \
    HIP_CPU_NV(store, address, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_exchange_n(address, value, ...)                                                                    \
    HIP_CPU_NV(exchange, address, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_compare_exchange_n(address, expected, value, weak, ...)                                            \
    HIP_CPU_NV_SWAP(address, expected, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_fetch_add(address, value, ...)                                                                     \
    HIP_CPU_NV(fetch_add, address, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_fetch_sub(address, value, ...)                                                                     \
    HIP_CPU_NV(fetch_sub, address, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_fetch_and(address, value, ...)                                                                     \
    HIP_CPU_NV(fetch_and, address, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_fetch_or(address, value, ...)                                                                      \
    HIP_CPU_NV(fetch_or, address, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_fetch_xor(address, value, ...)                                                                     \
    HIP_CPU_NV(fetch_xor, address, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_fetch_min(address, value, ...)                                                                     \
    HIP_CPU_NV(fetch_min, address, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_fetch_max(address, value, ...)                                                                     \
    HIP_CPU_NV(fetch_max, address, value, __VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )

#endif
