/* Atomics: all of HIP's return the old value, and none orders other accesses.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_ATOMIC_H
#define HIP_CPU_ATOMIC_H

#include <type_traits>

#include "hip_cpu/language.h"

#ifdef HIP_CPU_TRACE
#define HIP_CPU_LOOK(address, value) hip_cpu_look(address, &value, sizeof value)
/* Of an operation that changes nothing, as adding 0, clang makes a load. */
#define HIP_CPU_HIDE(value) asm("" : "+r"(value))
#else
#define HIP_CPU_LOOK(address, value) __atomic_load(address, &value, __ATOMIC_RELAXED)
#define HIP_CPU_HIDE(value)          (void)0
#endif
#define HIP_CPU_ATOMIC(T, name, builtin)                                                                               \
    HIP_CPU_INLINE T name(T *address, T value)                                                                         \
    {                                                                                                                  \
        HIP_CPU_HIDE(value);                                                                                           \
        return builtin(address, value, __ATOMIC_RELAXED);                                                              \
    }
/* Computes the new value from the old one, where the processor has no such operation. */
#define HIP_CPU_ATOMIC_LOOP(T, name, new_value) HIP_CPU_ATOMIC_LOOP_OF(T, T, name, new_value)
#define HIP_CPU_ATOMIC_LOOP_OF(T, V, name, new_value)                                                                  \
    HIP_CPU_INLINE T name(T *address, V value)                                                                         \
    {                                                                                                                  \
        T old, next;                                                                                                   \
        HIP_CPU_LOOK(address, old);                                                                                    \
        do                                                                                                             \
            next = (new_value);                                                                                        \
        while (!__atomic_compare_exchange(address, &old, &next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));               \
        return old;                                                                                                    \
    }
#define HIP_CPU_ATOMIC_EXCHANGE(T)                                                                                     \
    HIP_CPU_INLINE T atomicExch(T *address, T value)                                                                   \
    {                                                                                                                  \
        T old;                                                                                                         \
        __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);                                                    \
        return old;                                                                                                    \
    }
#define HIP_CPU_ATOMIC_CAS(T)                                                                                          \
    HIP_CPU_INLINE T atomicCAS(T *address, T compare, T value)                                                         \
    {                                                                                                                  \
        if constexpr (std::is_integral<T>::value && sizeof(T) >= 4) {                                                  \
            uint64_t older;                                                                                            \
            if (hip_cpu_late && hip_cpu_late_cas(address, (uint64_t)compare, &older))                                  \
                return (T)older;                                                                                       \
        }                                                                                                              \
        __atomic_compare_exchange(address, &compare, &value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                   \
        if constexpr (std::is_integral<T>::value && sizeof(T) >= 4)                                                    \
            if (hip_cpu_late)                                                                                          \
                hip_cpu_late_found(address, (uint64_t)compare);                                                        \
        return compare;                                                                                                \
    }
#define HIP_CPU_ATOMICS(T)                                                                                             \
    HIP_CPU_ATOMIC(T, atomicAdd, __atomic_fetch_add)                                                                   \
    HIP_CPU_ATOMIC(T, atomicSub, __atomic_fetch_sub)                                                                   \
    HIP_CPU_ATOMIC(T, atomicAnd, __atomic_fetch_and)                                                                   \
    HIP_CPU_ATOMIC(T, atomicOr, __atomic_fetch_or)                                                                     \
    HIP_CPU_ATOMIC(T, atomicXor, __atomic_fetch_xor)                                                                   \
    HIP_CPU_ATOMIC_LOOP(T, atomicMin, value < old ? value : old)                                                       \
    HIP_CPU_ATOMIC_LOOP(T, atomicMax, value > old ? value : old)                                                       \
    HIP_CPU_ATOMIC_EXCHANGE(T)                                                                                         \
    HIP_CPU_ATOMIC_CAS(T)
HIP_CPU_ATOMICS(int)
HIP_CPU_ATOMICS(unsigned)
HIP_CPU_ATOMICS(long)
HIP_CPU_ATOMICS(unsigned long)
HIP_CPU_ATOMICS(long long)
HIP_CPU_ATOMICS(unsigned long long)
HIP_CPU_ATOMIC_CAS(unsigned short)

#define HIP_CPU_FLOAT_ATOMICS(T)                                                                                       \
    HIP_CPU_ATOMIC_LOOP(T, atomicAdd, old + value)                                                                     \
    HIP_CPU_ATOMIC_LOOP(T, unsafeAtomicAdd, old + value)                                                               \
    HIP_CPU_ATOMIC_LOOP(T, unsafeAtomicMin, value < old ? value : old)                                                 \
    HIP_CPU_ATOMIC_LOOP(T, unsafeAtomicMax, value > old ? value : old)                                                 \
    HIP_CPU_ATOMIC_LOOP(T, safeAtomicAdd, old + value)                                                                 \
    HIP_CPU_ATOMIC_EXCHANGE(T)                                                                                         \
    HIP_CPU_ATOMIC_CAS(T)
HIP_CPU_FLOAT_ATOMICS(float)
HIP_CPU_FLOAT_ATOMICS(double)
/* CUDA lacks these, and its programs have their own, which are preferred to templates. */
#define HIP_CPU_FLOAT_ATOMIC(name, new_value)                                                                          \
    template <typename T, typename V = typename std::enable_if<std::is_floating_point<T>::value, T>::type>             \
    HIP_CPU_ATOMIC_LOOP_OF(T, typename std::remove_reference<V>::type, name, new_value)
HIP_CPU_FLOAT_ATOMIC(atomicSub, old - value)
HIP_CPU_FLOAT_ATOMIC(atomicMin, value < old ? value : old)
HIP_CPU_FLOAT_ATOMIC(atomicMax, value > old ? value : old)
HIP_CPU_ATOMIC_LOOP(unsigned, atomicInc, old >= value ? 0 : old + 1)
HIP_CPU_ATOMIC_LOOP(unsigned, atomicDec, old == 0 || old > value ? value : old - 1)
HIP_CPU_INLINE void atomicAddNoRet(float *address, float value) { atomicAdd(address, value); }

/* The scope of the next operation, for the trace: it is at most what a CPU gives anyway. */
#ifndef __HIP_MEMORY_SCOPE_AGENT
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT    2
#define __HIP_MEMORY_SCOPE_WORKGROUP    3
#define __HIP_MEMORY_SCOPE_AGENT        4
#define __HIP_MEMORY_SCOPE_SYSTEM       5
#endif
#ifdef HIP_CPU_TRACE
#define HIP_CPU_SCOPE(scope) hip_cpu_scope(scope)
#else
#define HIP_CPU_SCOPE(scope) ((void)(scope))
#endif

/* Those that name who may look: the block, or other devices and the host. */
#define HIP_CPU_SCOPED(name)                                                                                           \
    template <typename T, typename V> HIP_CPU_INLINE T name##_block(T *address, V value)                               \
    {                                                                                                                  \
        HIP_CPU_SCOPE(__HIP_MEMORY_SCOPE_WORKGROUP);                                                                   \
        return name(address, (T)value);                                                                                \
    }                                                                                                                  \
    template <typename T, typename V> HIP_CPU_INLINE T name##_system(T *address, V value)                              \
    {                                                                                                                  \
        HIP_CPU_SCOPE(__HIP_MEMORY_SCOPE_SYSTEM);                                                                      \
        return name(address, (T)value);                                                                                \
    }
HIP_CPU_SCOPED(atomicAdd)
HIP_CPU_SCOPED(atomicSub)
HIP_CPU_SCOPED(atomicAnd)
HIP_CPU_SCOPED(atomicOr)
HIP_CPU_SCOPED(atomicXor)
HIP_CPU_SCOPED(atomicMin)
HIP_CPU_SCOPED(atomicMax)
HIP_CPU_SCOPED(atomicExch)
HIP_CPU_SCOPED(atomicInc)
HIP_CPU_SCOPED(atomicDec)
template <typename T, typename C, typename V> HIP_CPU_INLINE T atomicCAS_block(T *address, C compare, V value)
{
    HIP_CPU_SCOPE(__HIP_MEMORY_SCOPE_WORKGROUP);
    return atomicCAS(address, (T)compare, (T)value);
}
template <typename T, typename C, typename V> HIP_CPU_INLINE T atomicCAS_system(T *address, C compare, V value)
{
    HIP_CPU_SCOPE(__HIP_MEMORY_SCOPE_SYSTEM);
    return atomicCAS(address, (T)compare, (T)value);
}

template <typename T> HIP_CPU_INLINE T hip_cpu_load(const volatile T *address, int order, int scope)
{
    T value;
    HIP_CPU_SCOPE(scope);
    __atomic_load(address, &value, order);
    return value;
}
template <typename T, typename V> HIP_CPU_INLINE void hip_cpu_store(volatile T *address, V value, int order, int scope)
{
    T next = (T)value;
    HIP_CPU_SCOPE(scope);
    __atomic_store(address, &next, order);
}
template <typename T, typename V> HIP_CPU_INLINE T hip_cpu_exchange(volatile T *address, V value, int order, int scope)
{
    T next = (T)value, old;
    HIP_CPU_SCOPE(scope);
    __atomic_exchange(address, &next, &old, order);
    return old;
}
template <typename T, typename V>
HIP_CPU_INLINE bool hip_cpu_exchange_if(volatile T *address, T *expected, V value, int order, int failed, int scope)
{
    T next = (T)value;
    HIP_CPU_SCOPE(scope);
    return __atomic_compare_exchange(address, expected, &next, 0, order, failed);
}
/* next(old) replaces the old value. */
template <typename T, typename F> HIP_CPU_INLINE T hip_cpu_update(volatile T *address, F next, int order, int scope)
{
    T old, value;
    HIP_CPU_LOOK((T *)address, old);
    do {
        value = next(old);
        HIP_CPU_SCOPE(scope);
    } while (!__atomic_compare_exchange(address, &old, &value, 1, order, __ATOMIC_RELAXED));
    return old;
}
#define HIP_CPU_FETCH(name, next)                                                                                      \
    template <typename T, typename V>                                                                                  \
    HIP_CPU_INLINE T hip_cpu_##name(volatile T *address, V with, int order, int scope)                                 \
    {                                                                                                                  \
        T value = (T)with;                                                                                             \
        return hip_cpu_update(                                                                                         \
            address, [=](T old) { return (T)(next); }, order, scope);                                                  \
    }
HIP_CPU_FETCH(fetch_min, value < old ? value : old)
HIP_CPU_FETCH(fetch_max, value > old ? value : old)
HIP_CPU_FETCH(fetch_sum, old + value)
#define HIP_CPU_FETCH_BITS(name)                                                                                       \
    template <typename T, typename V>                                                                                  \
    HIP_CPU_INLINE T hip_cpu_##name(volatile T *address, V value, int order, int scope)                                \
    {                                                                                                                  \
        T own = (T)value;                                                                                              \
        HIP_CPU_HIDE(own);                                                                                             \
        HIP_CPU_SCOPE(scope);                                                                                          \
        return __atomic_##name(address, own, order);                                                                   \
    }
HIP_CPU_FETCH_BITS(fetch_and)
HIP_CPU_FETCH_BITS(fetch_or)
HIP_CPU_FETCH_BITS(fetch_xor)
template <typename T, typename V> HIP_CPU_INLINE T hip_cpu_fetch_add(volatile T *address, V value, int order, int scope)
{
    if constexpr (std::is_integral<T>::value) {
        T own = (T)value;
        HIP_CPU_HIDE(own);
        HIP_CPU_SCOPE(scope);
        return __atomic_fetch_add(address, own, order);
    } else {
        return hip_cpu_fetch_sum(address, value, order, scope);
    }
}
template <typename T, typename V> HIP_CPU_INLINE T hip_cpu_fetch_sub(volatile T *address, V value, int order, int scope)
{
    return hip_cpu_fetch_add(address, -(T)value, order, scope);
}
/* clang has some of these for GPUs alone. One macro may stand for order and scope. */
#define __hip_atomic_load(...)                    hip_cpu_load(__VA_ARGS__)
#define __hip_atomic_store(...)                   hip_cpu_store(__VA_ARGS__)
#define __hip_atomic_exchange(...)                hip_cpu_exchange(__VA_ARGS__)
#define __hip_atomic_fetch_add(...)               hip_cpu_fetch_add(__VA_ARGS__)
#define __hip_atomic_fetch_sub(...)               hip_cpu_fetch_sub(__VA_ARGS__)
#define __hip_atomic_fetch_min(...)               hip_cpu_fetch_min(__VA_ARGS__)
#define __hip_atomic_fetch_max(...)               hip_cpu_fetch_max(__VA_ARGS__)
#define __hip_atomic_fetch_and(...)               hip_cpu_fetch_and(__VA_ARGS__)
#define __hip_atomic_fetch_or(...)                hip_cpu_fetch_or(__VA_ARGS__)
#define __hip_atomic_fetch_xor(...)               hip_cpu_fetch_xor(__VA_ARGS__)
#define __hip_atomic_compare_exchange_strong(...) hip_cpu_exchange_if(__VA_ARGS__)
#define __hip_atomic_compare_exchange_weak(...)   hip_cpu_exchange_if(__VA_ARGS__)

#endif
