/* Comes between headers.h and an exercise, whose code must not depend on compiler, machine or tracing.
 * SPDX-License-Identifier: MIT */
/* Macros that an exercise could turn into strings. */
#undef __global__
#define __global__ __attribute__((flatten))
#undef HIP_CPU_KEPT
#define HIP_CPU_KEPT __attribute__((used))
#undef HIP_DYNAMIC_SHARED
#define HIP_DYNAMIC_SHARED(type, name)                                                             \
    type *const name = (type *)hip_cpu_dynamic_shared(#name, sizeof(type));

#undef HIP_CPU_TRACE
#undef __HIP_PLATFORM_CPU__
#undef HIP_CPU_CUDA_ARCH
#undef HIP_CPU_DEVICE_COMPILE
#undef __clang__
#undef __clang_major__
#undef __clang_version__
#undef __GNUC__
#undef __GNUG__
#undef __GNUC_MINOR__
#undef __VERSION__
#undef _OPENMP
#undef __OPTIMIZE__
#undef __x86_64__
#undef __x86_64
#undef __amd64__
#undef __amd64
#undef __aarch64__
#undef __ELF__
#undef __linux__
#undef __linux
#undef __gnu_linux__
#undef __unix__
#undef __unix
#pragma GCC poison HIP_CPU_TRACE __HIP_PLATFORM_CPU__ __SANITIZE_THREAD__ __HIP_PLATFORM_AMD__
#pragma GCC poison __HIP_PLATFORM_HCC__ __HIP_PLATFORM_NVIDIA__ __HIP_PLATFORM_NVCC__ __HIP__
#pragma GCC poison __HIPCC__ __HIP_DEVICE_COMPILE__ __AMDGCN__ __AMDGPU__ __CUDA__ __CUDACC__
#pragma GCC poison __CUDA_ARCH__ __NVCC__ HIP_CPU_CUDA_ARCH HIP_CPU_DEVICE_COMPILE __clang__
#pragma GCC poison __clang_major__ __clang_version__ __GNUC__ __GNUG__ __GNUC_MINOR__ __VERSION__
#pragma GCC poison _OPENMP __OPTIMIZE__ __x86_64__ __x86_64 __amd64__ __amd64 __aarch64__ __ELF__
#pragma GCC poison __linux__ __linux __gnu_linux__ __unix__ __unix __builtin_return_address
#pragma GCC poison __builtin_frame_address _GLOBAL_OFFSET_TABLE_

/* Names that would hide accesses from the checker or invent some; clocks, which reveal tracing; and functions that run
 * before main(), when the environment still reveals it. */
#pragma GCC poison constructor __constructor__ destructor __destructor__ init_priority
#pragma GCC poison __init_priority__ __section__
#pragma GCC poison asm __asm __asm__ no_sanitize __no_sanitize__ no_sanitize_thread
#pragma GCC poison __no_sanitize_thread__ disable_sanitizer_instrumentation
#pragma GCC poison __disable_sanitizer_instrumentation__ weakref __weakref__ ifunc __ifunc__
#pragma GCC poison clock64 __clock64 wall_clock64 __builtin_ia32_rdtsc __builtin_ia32_rdtscp
#pragma GCC poison __rdtsc __builtin_readcyclecounter __tsan_read1 __tsan_read2 __tsan_read4
#pragma GCC poison __tsan_read8 __tsan_read16 __tsan_write1 __tsan_write2 __tsan_write4
#pragma GCC poison __tsan_write8 __tsan_write16 __tsan_unaligned_read1 __tsan_unaligned_read2
#pragma GCC poison __tsan_unaligned_read4 __tsan_unaligned_read8 __tsan_unaligned_read16
#pragma GCC poison __tsan_unaligned_write1 __tsan_unaligned_write2 __tsan_unaligned_write4
#pragma GCC poison __tsan_unaligned_write8 __tsan_unaligned_write16 __tsan_volatile_read1
#pragma GCC poison __tsan_volatile_read2 __tsan_volatile_read4 __tsan_volatile_read8
#pragma GCC poison __tsan_volatile_read16 __tsan_volatile_write1 __tsan_volatile_write2
#pragma GCC poison __tsan_volatile_write4 __tsan_volatile_write8 __tsan_volatile_write16
#pragma GCC poison __tsan_read_range __tsan_write_range
