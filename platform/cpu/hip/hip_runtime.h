/* HIP for the CPU: the part of the API that kernels use, in C++.
 *
 * Kernels are ordinary functions here; hipLaunchKernelGGL runs one for every thread of the grid. The
 * functions below have HIP's names and meanings; see README.md for what differs from a GPU.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_RUNTIME_H
#define HIP_CPU_RUNTIME_H

#include "hip_runtime_api.h"
#include "hip_vector_types.h"

#ifdef __cplusplus

#include <math.h>
#include <string.h>
#include <type_traits>
#include <utility>

#include "hip_cpu.h"

#ifdef HIP_CPU_TRACE
/* Everything is inlined into the kernel, as compilers for GPUs do: otherwise a struct passed by value is
 * copied at the call, and GCC reports no access for that copy to the trace. */
#define __global__ __attribute__((flatten))
#else
#define __global__
#endif
#define __device__
#define __host__
#define __constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
/* A worker runs one block at a time, so shared memory belongs to the worker. In a function thread_local means static,
 * too, and HIP allows "static __shared__". */
#define __shared__ thread_local
/* Inside a kernel. GPUs know the size only at the launch, and so does the runtime. */
#ifdef HIP_CPU_TRACE
#define HIP_DYNAMIC_SHARED(type, name)                                                             \
    type *const name = (type *)hip_cpu_dynamic_shared(#name, sizeof(type));
#else
#define HIP_DYNAMIC_SHARED(type, name) type *const name = (type *)hip_cpu_current->block->shared;
#endif

#define threadIdx (hip_cpu_current->index)
#define blockIdx  (hip_cpu_current->block->index)
#define blockDim  (hip_cpu_current->block->size)
#define gridDim   (hip_cpu_current->block->grid)

/* The wrappers are inlined, so that a trace sees the kernel's own code address. */
#define HIP_CPU_INLINE static inline __attribute__((always_inline))
/* The last parameters of every barrier and warp operation: where the kernel calls it. */
#define HIP_CPU_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

/* ---- barriers and fences ---- */

HIP_CPU_INLINE void __syncthreads(HIP_CPU_PLACE)
{
    hip_cpu_syncthreads(file, line);
}
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
HIP_CPU_INLINE void __threadfence_block(void)
{
    HIP_CPU_FENCE(0);
}
HIP_CPU_INLINE void __threadfence(void)
{
    HIP_CPU_FENCE(1);
}
HIP_CPU_INLINE void __threadfence_system(void)
{
    HIP_CPU_FENCE(2);
}

/* ---- warp operations: among the lanes that are at the same place ---- */

HIP_CPU_INLINE unsigned __lane_id(void)
{
    return hip_cpu_current->lane;
}
HIP_CPU_INLINE int __any(int predicate, HIP_CPU_PLACE)
{
    return (int)hip_cpu_vote(HIP_CPU_ANY, predicate, file, line);
}
HIP_CPU_INLINE int __all(int predicate, HIP_CPU_PLACE)
{
    return (int)hip_cpu_vote(HIP_CPU_ALL, predicate, file, line);
}
HIP_CPU_INLINE unsigned long long __ballot(int predicate, HIP_CPU_PLACE)
{
    return hip_cpu_vote(HIP_CPU_BALLOT, predicate, file, line);
}
HIP_CPU_INLINE unsigned long long __activemask(HIP_CPU_PLACE)
{
    return hip_cpu_vote(HIP_CPU_ACTIVE, 0, file, line);
}
/* A fence and a barrier for the lanes; HIP has it from ROCm 7 on. */
HIP_CPU_INLINE void __syncwarp(HIP_CPU_PLACE)
{
    hip_cpu_vote(HIP_CPU_SYNCWARP, 0, file, line);
}

template <typename T>
HIP_CPU_INLINE T hip_cpu_shuffle_as(enum hip_cpu_warp_op op, T value, unsigned operand, int width,
                                    const char *file, int line)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value); /* the low bytes: CPUs here are little endian */
    bits = hip_cpu_shuffle(op, bits, operand, width, file, line);
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define HIP_CPU_SHUFFLES(T)                                                                        \
    HIP_CPU_INLINE T __shfl(T value, int lane, int width = warpSize, HIP_CPU_PLACE)                \
    {                                                                                              \
        return hip_cpu_shuffle_as(HIP_CPU_SHFL, value, (unsigned)lane, width, file, line);         \
    }                                                                                              \
    HIP_CPU_INLINE T __shfl_up(T value, unsigned delta, int width = warpSize, HIP_CPU_PLACE)       \
    {                                                                                              \
        return hip_cpu_shuffle_as(HIP_CPU_SHFL_UP, value, delta, width, file, line);               \
    }                                                                                              \
    HIP_CPU_INLINE T __shfl_down(T value, unsigned delta, int width = warpSize, HIP_CPU_PLACE)     \
    {                                                                                              \
        return hip_cpu_shuffle_as(HIP_CPU_SHFL_DOWN, value, delta, width, file, line);             \
    }                                                                                              \
    HIP_CPU_INLINE T __shfl_xor(T value, int mask, int width = warpSize, HIP_CPU_PLACE)            \
    {                                                                                              \
        return hip_cpu_shuffle_as(HIP_CPU_SHFL_XOR, value, (unsigned)mask, width, file, line);     \
    }
HIP_CPU_SHUFFLES(int)
HIP_CPU_SHUFFLES(unsigned)
HIP_CPU_SHUFFLES(long)
HIP_CPU_SHUFFLES(unsigned long)
HIP_CPU_SHUFFLES(long long)
HIP_CPU_SHUFFLES(unsigned long long)
HIP_CPU_SHUFFLES(float)
HIP_CPU_SHUFFLES(double)

/* ---- bits ---- */

HIP_CPU_INLINE int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
HIP_CPU_INLINE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
HIP_CPU_INLINE int __ffs(int x)
{
    return __builtin_ffs(x);
}
HIP_CPU_INLINE int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
HIP_CPU_INLINE int __ffsll(unsigned long long x)
{
    return __builtin_ffsll((long long)x);
}
HIP_CPU_INLINE int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz((unsigned)x);
}
HIP_CPU_INLINE int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}

#define HIP_CPU_BITS_AS(name, From, To)                                                            \
    HIP_CPU_INLINE To name(From x)                                                                 \
    {                                                                                              \
        static_assert(sizeof(From) == sizeof(To), "only the type changes");                        \
        To y;                                                                                      \
        memcpy(&y, &x, sizeof y);                                                                  \
        return y;                                                                                  \
    }
HIP_CPU_BITS_AS(__float_as_uint, float, unsigned)
HIP_CPU_BITS_AS(__uint_as_float, unsigned, float)
HIP_CPU_BITS_AS(__float_as_int, float, int)
HIP_CPU_BITS_AS(__int_as_float, int, float)
HIP_CPU_BITS_AS(__double_as_longlong, double, long long)
HIP_CPU_BITS_AS(__longlong_as_double, long long, double)

/* ---- atomics: all return the old value, none orders other accesses ---- */

#define HIP_CPU_ATOMIC(T, name, builtin)                                                           \
    HIP_CPU_INLINE T name(T *address, T value)                                                     \
    {                                                                                              \
        return builtin(address, value, __ATOMIC_RELAXED);                                          \
    }
#ifdef HIP_CPU_TRACE
#define HIP_CPU_LOOK(address, value) hip_cpu_look(address, &value, sizeof value)
#else
#define HIP_CPU_LOOK(address, value) __atomic_load(address, &value, __ATOMIC_RELAXED)
#endif
/* Computes the new value from the old one, where the processor has no such operation. */
#define HIP_CPU_ATOMIC_LOOP(T, name, new_value)                                                    \
    HIP_CPU_INLINE T name(T *address, T value)                                                     \
    {                                                                                              \
        T old, next;                                                                               \
        HIP_CPU_LOOK(address, old);                                                                \
        do                                                                                         \
            next = (new_value);                                                                    \
        while (!__atomic_compare_exchange(address, &old, &next, 1, __ATOMIC_RELAXED,               \
                                          __ATOMIC_RELAXED));                                      \
        return old;                                                                                \
    }
#define HIP_CPU_ATOMIC_EXCHANGE(T)                                                                 \
    HIP_CPU_INLINE T atomicExch(T *address, T value)                                               \
    {                                                                                              \
        T old;                                                                                     \
        __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);                                \
        return old;                                                                                \
    }
#define HIP_CPU_ATOMICS(T)                                                                         \
    HIP_CPU_ATOMIC(T, atomicAdd, __atomic_fetch_add)                                               \
    HIP_CPU_ATOMIC(T, atomicSub, __atomic_fetch_sub)                                               \
    HIP_CPU_ATOMIC(T, atomicAnd, __atomic_fetch_and)                                               \
    HIP_CPU_ATOMIC(T, atomicOr, __atomic_fetch_or)                                                 \
    HIP_CPU_ATOMIC(T, atomicXor, __atomic_fetch_xor)                                               \
    HIP_CPU_ATOMIC_LOOP(T, atomicMin, value < old ? value : old)                                   \
    HIP_CPU_ATOMIC_LOOP(T, atomicMax, value > old ? value : old)                                   \
    HIP_CPU_ATOMIC_EXCHANGE(T)                                                                     \
    HIP_CPU_INLINE T atomicCAS(T *address, T compare, T value)                                     \
    {                                                                                              \
        __atomic_compare_exchange(address, &compare, &value, 0, __ATOMIC_RELAXED,                  \
                                  __ATOMIC_RELAXED);                                               \
        return compare;                                                                            \
    }
HIP_CPU_ATOMICS(int)
HIP_CPU_ATOMICS(unsigned)
HIP_CPU_ATOMICS(unsigned long)
HIP_CPU_ATOMICS(unsigned long long)

HIP_CPU_ATOMIC_LOOP(long long, atomicMin, value < old ? value : old)
HIP_CPU_ATOMIC_LOOP(long long, atomicMax, value > old ? value : old)
HIP_CPU_ATOMIC(long, atomicAdd, __atomic_fetch_add) /* as platform/amd/intrinsics.h */
HIP_CPU_ATOMIC_LOOP(float, atomicAdd, old + value)
HIP_CPU_ATOMIC_LOOP(double, atomicAdd, old + value)
HIP_CPU_ATOMIC_LOOP(float, unsafeAtomicAdd, old + value)
HIP_CPU_ATOMIC_LOOP(double, unsafeAtomicAdd, old + value)
HIP_CPU_ATOMIC_EXCHANGE(float)
HIP_CPU_ATOMIC_EXCHANGE(double)
HIP_CPU_ATOMIC_LOOP(unsigned, atomicInc, old >= value ? 0 : old + 1)
HIP_CPU_ATOMIC_LOOP(unsigned, atomicDec, old == 0 || old > value ? value : old - 1)

/* The scope is at most what a CPU gives anyway. */
#ifndef __HIP_MEMORY_SCOPE_AGENT
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT    2
#define __HIP_MEMORY_SCOPE_WORKGROUP    3
#define __HIP_MEMORY_SCOPE_AGENT        4
#define __HIP_MEMORY_SCOPE_SYSTEM       5
#endif
#if !__has_builtin(__hip_atomic_load)
template <typename T, typename V> HIP_CPU_INLINE T hip_cpu_fetch_add(T *address, V value, int order)
{
    if constexpr (std::is_floating_point<T>::value) {
        T old, next;
        HIP_CPU_LOOK(address, old);
        do
            next = old + (T)value;
        while (!__atomic_compare_exchange(address, &old, &next, 1, order, __ATOMIC_RELAXED));
        return old;
    } else {
        return __atomic_fetch_add(address, (T)value, order);
    }
}
template <typename T, typename V>
HIP_CPU_INLINE T hip_cpu_fetch(T *address, V value, int order, bool larger)
{
    T old, next;
    HIP_CPU_LOOK(address, old);
    do
        next = ((T)value > old) == larger ? (T)value : old;
    while (!__atomic_compare_exchange(address, &old, &next, 1, order, __ATOMIC_RELAXED));
    return old;
}
#define __hip_atomic_load(address, order, scope)         __atomic_load_n(address, order)
#define __hip_atomic_store(address, value, order, scope) __atomic_store_n(address, value, order)
#define __hip_atomic_exchange(address, value, order, scope)                                        \
    __atomic_exchange_n(address, value, order)
#define __hip_atomic_fetch_add(address, value, order, scope)                                       \
    hip_cpu_fetch_add(address, value, order)
#define __hip_atomic_fetch_min(address, value, order, scope)                                       \
    hip_cpu_fetch(address, value, order, false)
#define __hip_atomic_fetch_max(address, value, order, scope)                                       \
    hip_cpu_fetch(address, value, order, true)
#define __hip_atomic_fetch_and(address, value, order, scope)                                       \
    __atomic_fetch_and(address, value, order)
#define __hip_atomic_fetch_or(address, value, order, scope) __atomic_fetch_or(address, value, order)
#define __hip_atomic_fetch_xor(address, value, order, scope)                                       \
    __atomic_fetch_xor(address, value, order)
#define __hip_atomic_compare_exchange_strong(address, expected, value, order, failed, scope)       \
    __atomic_compare_exchange_n(address, expected, value, 0, order, failed)
#define __hip_atomic_compare_exchange_weak(address, expected, value, order, failed, scope)         \
    __atomic_compare_exchange_n(address, expected, value, 1, order, failed)
#endif

/* ---- mathematics that the host's library lacks; fast versions are no faster here ---- */

#define HIP_CPU_MATH(T, name, parameters, value)                                                   \
    HIP_CPU_INLINE T name parameters                                                               \
    {                                                                                              \
        return value;                                                                              \
    }
HIP_CPU_MATH(float, rsqrtf, (float x), 1 / sqrtf(x))
HIP_CPU_MATH(double, rsqrt, (double x), 1 / sqrt(x))
HIP_CPU_MATH(float, __fdividef, (float x, float y), x / y)
HIP_CPU_MATH(float, __saturatef, (float x), fminf(fmaxf(x, 0), 1))
HIP_CPU_MATH(float, __fsqrt_rn, (float x), sqrtf(x))
HIP_CPU_MATH(float, __frcp_rn, (float x), 1 / x)
HIP_CPU_MATH(float, __fmaf_rn, (float x, float y, float z), fmaf(x, y, z))
HIP_CPU_MATH(double, __fma_rn, (double x, double y, double z), fma(x, y, z))
HIP_CPU_MATH(int, __mul24, (int x, int y),
             (int)((unsigned)((int)((unsigned)x << 8) >> 8) *
                   (unsigned)((int)((unsigned)y << 8) >> 8)))
HIP_CPU_MATH(unsigned, __umulhi, (unsigned x, unsigned y),
             (unsigned)((unsigned long long)x *y >> 32))
/* glibc declares functions of these names and has none. */
#define __expf  expf
#define __logf  logf
#define __log2f log2f
#define __powf  powf
#define __sinf  sinf
#define __cosf  cosf
#define __tanf  tanf

/* ---- the rest ---- */

template <typename T> HIP_CPU_INLINE T __ldg(const T *address)
{
    return *address;
}
#if !__has_builtin(__builtin_nontemporal_load) /* clang has them, gcc does not */
#define __builtin_nontemporal_load(address)         (*(address))
#define __builtin_nontemporal_store(value, address) ((void)(*(address) = (value)))
#endif

/* Nanoseconds. A CPU has no counter that all its cores share. */
HIP_CPU_INLINE long long wall_clock64(void)
{
    return (long long)hip_cpu_nanoseconds();
}
HIP_CPU_INLINE long long clock64(void)
{
    return (long long)hip_cpu_nanoseconds();
}

#define HIP_CPU_MIN_MAX(T)                                                                         \
    HIP_CPU_INLINE T min(T a, T b)                                                                 \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    HIP_CPU_INLINE T max(T a, T b)                                                                 \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
HIP_CPU_MIN_MAX(int)
HIP_CPU_MIN_MAX(unsigned)
HIP_CPU_MIN_MAX(long)
HIP_CPU_MIN_MAX(unsigned long)
HIP_CPU_MIN_MAX(long long)
HIP_CPU_MIN_MAX(unsigned long long)
HIP_CPU_INLINE float min(float a, float b)
{
    return fminf(a, b);
}
HIP_CPU_INLINE float max(float a, float b)
{
    return fmaxf(a, b);
}
HIP_CPU_INLINE double min(double a, double b)
{
    return fmin(a, b);
}
HIP_CPU_INLINE double max(double a, double b)
{
    return fmax(a, b);
}

/* ---- launches ---- */

/* The kernel's parameters alone determine the types; arguments are converted to them, as in a call. */
template <typename T> struct hip_cpu_same {
    typedef T type;
};

#ifdef HIP_CPU_TRACE
template <typename T, typename = void> struct hip_cpu_element {
    static constexpr size_t bytes = 1;
    static constexpr size_t align = 0;
};
template <typename T> struct hip_cpu_element<T, decltype((void)sizeof(T))> {
    static constexpr size_t bytes = sizeof(T);
    static constexpr size_t align = __is_class(T) || __is_union(T) ? alignof(T) : 0;
};
template <> struct hip_cpu_element<void, void> : hip_cpu_element<char> {
};
template <> struct hip_cpu_element<const void, void> : hip_cpu_element<char> {
};
template <typename T> static inline struct hip_cpu_argument hip_cpu_argument_of(T *pointer)
{
    return {(const void *)pointer, hip_cpu_element<T>::bytes, hip_cpu_element<T>::align};
}
template <typename T> static inline struct hip_cpu_argument hip_cpu_argument_of(const T &)
{
    return {nullptr, 1, 0};
}
#endif

template <typename... P>
static inline hipError_t hip_cpu_launch_kernel(const char *name, int cooperative,
                                               void (*kernel)(P...), dim3 grid, dim3 block,
                                               size_t shared_bytes, hipStream_t stream,
                                               typename hip_cpu_same<P>::type... arguments)
{
    auto body = [=]() { kernel(arguments...); };
    struct hip_cpu_launch launch = {};
    launch.kernel = name;
    launch.body = [](const void *b) { (*static_cast<decltype(body) const *>(b))(); };
    launch.arguments = &body;
    launch.arguments_bytes = sizeof body;
    launch.stream = stream;
    launch.grid = grid;
    launch.block = block;
    launch.shared_bytes = shared_bytes;
    launch.cooperative = cooperative;
#ifdef HIP_CPU_TRACE
    const struct hip_cpu_argument described[] = {hip_cpu_argument_of(arguments)..., {}};
    launch.function = (const void *)kernel;
    launch.argument = described;
    launch.argument_count = sizeof...(arguments);
#endif
    return hip_cpu_run(&launch);
}

template <typename... P, size_t... I>
static inline hipError_t hip_cpu_launch_unpacked(std::index_sequence<I...>, const char *name,
                                                 void (*kernel)(P...), dim3 grid, dim3 block,
                                                 [[maybe_unused]] void **arguments,
                                                 size_t shared_bytes, hipStream_t stream)
{
    return hip_cpu_launch_kernel(name, 1, kernel, grid, block, shared_bytes, stream,
                                 *static_cast<P *>(arguments[I])...);
}

template <typename... P>
static inline hipError_t hip_cpu_launch_cooperative(const char *name, void (*kernel)(P...),
                                                    dim3 grid, dim3 block, void **arguments,
                                                    size_t shared_bytes, hipStream_t stream)
{
    return hip_cpu_launch_unpacked(std::index_sequence_for<P...>(), name, kernel, grid, block,
                                   arguments, shared_bytes, stream);
}

#define HIP_KERNEL_NAME(...) __VA_ARGS__
/* (kernel, grid, block, shared_bytes, stream, arguments...); hipGetLastError() has the error. */
#define hipLaunchKernelGGL(kernel, ...)                                                            \
    ((void)hip_cpu_launch_kernel(#kernel, 0, kernel, __VA_ARGS__))
/* (kernel, grid, block, void **arguments, shared_bytes, stream); the kernel itself and not a void
 * pointer to it, because the types of its parameters are needed. */
#define hipLaunchCooperativeKernel(kernel, ...)                                                    \
    hip_cpu_launch_cooperative(#kernel, kernel, __VA_ARGS__)

#endif
#endif
