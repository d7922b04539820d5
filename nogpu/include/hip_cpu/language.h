/* What HIP adds to C++: the words before functions and variables, and where a thread is.
 * SPDX-License-Identifier: MIT */
#if !defined HIP_CPU_LANGUAGE_H && defined __cplusplus
#define HIP_CPU_LANGUAGE_H

#include <type_traits>

#include "hip_cpu/hosted.h"
#include "hip_cpu/loops.h"
#include "hip_cpu/refused.h"
#include "hip_cpu/runtime.h"

#ifdef HIP_CPU_TRACE
/* Everything is inlined into the kernel, as compilers for GPUs do: otherwise a struct passed by value is
 * copied at the call, and GCC reports no access for that copy to the trace. */
#define __global__   __attribute__((flatten))
#define HIP_CPU_KEPT __attribute__((used)) /* a store that no thread reads is one all the same */
#else
#define __global__
#define HIP_CPU_KEPT
#endif
#define __device__
#define __host__
#define __constant__
#define __managed__ __attribute__((section("hip_managed"))) /* where the runtime finds them */
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(registers)
#define amdgpu_flat_work_group_size(...)
#define amdgpu_num_vgpr(registers)
#define amdgpu_waves_per_eu(...)
#define __forceinline__  inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
/* __noinline__ in the author's files, where nogpu/translate finds it: the host's headers need that name. */
#define HIP_NOINLINE __attribute__((noinline))
#ifndef __clang__
#define __builtin_assume(condition) ((void)(0 && (condition)))
#endif
/* A worker runs one block at a time, so shared memory belongs to the worker. In a function thread_local means static,
 * too, and HIP allows "static __shared__". */
#define __shared__ thread_local HIP_CPU_KEPT HIP_CPU_SHARED_ALIGNED
/* Compilers for GPUs put an array where a float4 may be loaded from it. */
#define HIP_CPU_SHARED_ALIGNED __attribute__((aligned(16)))
template <typename T> constexpr enum hip_cpu_scalar_kind hip_cpu_scalar_kind_of()
{
    return std::is_floating_point<T>::value                         ? HIP_CPU_KIND_FLOAT
           : std::is_integral<T>::value && std::is_signed<T>::value ? HIP_CPU_KIND_SIGNED
           : std::is_integral<T>::value                             ? HIP_CPU_KIND_UNSIGNED
                                                                    : HIP_CPU_KIND_UNKNOWN;
}
/* Inside a kernel. GPUs know the size only at the launch, and so does the runtime. */
#ifdef HIP_CPU_TRACE
#define HIP_DYNAMIC_SHARED(type, name)                                                                                 \
    type *const name = (type *)hip_cpu_dynamic_shared(#name, sizeof(type), hip_cpu_scalar_kind_of<type>());
#else
#define HIP_DYNAMIC_SHARED(type, name) type *const name = (type *)hip_cpu_current->block->shared;
#endif

/* extern __shared__ T name[]: nogpu/translate writes it as a reference to an array of such a type, ... */
#define HIP_CPU_EXTERN_SHARED(name, ...)                                                                               \
    [[maybe_unused]] extern hip_cpu_type<__VA_ARGS__> hip_cpu_extern_shared_##name; /* of one type, as theirs */       \
    [[maybe_unused]] auto &name = hip_cpu_extern_shared<__VA_ARGS__>(#name)
/* ... or outside of functions as an object which finds that array where it is used. It is never defined, since it may be
 * declared as often as an array. */
#define HIP_CPU_EXTERN_SHARED_FILE(name, ...) extern __attribute__((weak)) hip_cpu_file_shared<__VA_ARGS__> name
#define HIP_CPU_EXTERN_SHARED_STATIC(name, ...)                                                                        \
    [[maybe_unused]] static constexpr hip_cpu_file_shared<__VA_ARGS__> name = {}

template <typename T> using hip_cpu_type = T;
template <typename T>
static inline __attribute__((always_inline)) T &hip_cpu_extern_shared([[maybe_unused]] const char *name)
{
#ifdef HIP_CPU_TRACE
    typedef typename std::remove_extent<T>::type element;
    return *(T *)hip_cpu_dynamic_shared(name, sizeof(element), hip_cpu_scalar_kind_of<element>());
#else
    return *(T *)hip_cpu_current->block->shared;
#endif
}
template <typename T> struct hip_cpu_file_shared {
    typedef typename std::remove_extent<T>::type element;
    __attribute__((always_inline)) operator element *() const
    {
        return (element *)hip_cpu_extern_shared<element[1]>("dynamic shared memory");
    }
    /* In a cast to another type. */
    template <typename U> __attribute__((always_inline)) explicit operator U *() const { return (U *)(element *)*this; }
};

#ifndef __CUDACC__ /* HIP's older names */
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x  blockIdx.x
#define hipBlockIdx_y  blockIdx.y
#define hipBlockIdx_z  blockIdx.z
#define hipBlockDim_x  blockDim.x
#define hipBlockDim_y  blockDim.y
#define hipBlockDim_z  blockDim.z
#define hipGridDim_x   gridDim.x
#define hipGridDim_y   gridDim.y
#define hipGridDim_z   gridDim.z
#endif

/* What nogpu/translate makes of __CUDA_ARCH__ and __HIP_DEVICE_COMPILE__ in code for the device alone. */
#define HIP_CPU_CUDA_ARCH      800
#define HIP_CPU_DEVICE_COMPILE 1
/* And of asm(...) there. */
#define HIP_CPU_NO_ASSEMBLY(...) static_assert(sizeof(int) == 0, HIP_CPU_TEXT_ASSEMBLY)

/* And before a kernel that is a member of an object. */
#define HIP_CPU_NO_MEMBER static_assert(sizeof(int) == 0, HIP_CPU_TEXT_MEMBER)
/* And of a launch there, which CUDA allows; elsewhere an expression all the same, so that the compiler says this alone. */
#ifdef __CUDACC__
#define HIP_CPU_LAUNCH_HERE(...) HIP_CPU_LAUNCH(__VA_ARGS__)
#else
#define HIP_CPU_LAUNCH_HERE(...)                                                                                       \
    ({                                                                                                                 \
        static_assert(sizeof(int) == 0, HIP_CPU_TEXT_LAUNCH);                                                          \
        hip_cpu_nothing();                                                                                             \
    })
#endif
struct hip_cpu_nothing {
    template <typename... A> hip_cpu_nothing operator()(const A &...) const { return {}; }
};

/* The wrappers are inlined, so that a trace sees the kernel's own code address. */
#define HIP_CPU_FORCED inline __attribute__((always_inline)) /* of members */
#define HIP_CPU_INLINE static HIP_CPU_FORCED
/* Of numbers alone. A kernel may pass it to a template: GCC 13 refuses to force what it sees late to be called. */
#define HIP_CPU_NUMERIC static inline
/* The last parameters of every barrier and warp operation: where the kernel calls it. */
#define HIP_CPU_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

#endif
