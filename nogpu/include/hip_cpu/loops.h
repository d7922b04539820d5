/* Kernels as loops over the threads of a block: nogpu/translate/loops/ writes them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_KERNEL_LOOPS_H
#define HIP_CPU_KERNEL_LOOPS_H

#include "hip_cpu/runtime.h"

/* Before the kernel, a function that runs a block; false: not this one. And the kernel offers it to the first thread. In
 * libreduction there are none. */
#if !defined HIP_CPU_TRACE && !defined LIBRARY && !defined HIP_CPU_CALLS && !defined HIP_CPU_NO_LOOPS
/* Aligned: where an inner loop lies in its cache lines must not depend on what stands before the function. */
#define HIP_CPU_LOOPS      static __attribute__((noinline, aligned(64), no_sanitize("alignment")))
#define HIP_CPU_CAST_LOOPS static __attribute__((noinline, aligned(64)))
#define HIP_CPU_OFFER(...)                                                                                             \
    if (hip_cpu_loops_offered() && hip_cpu_loops_ran(__VA_ARGS__))                                                     \
        return;
#else
#define HIP_CPU_OFFER(...)
#endif
#define HIP_CPU_PLACES                                                                                                 \
    const struct hip_cpu_block *const hip_cpu_block_of = hip_cpu_current->block;                                       \
    [[maybe_unused]] const uint3 blockIdx = hip_cpu_block_of->index;                                                   \
    [[maybe_unused]] const dim3 blockDim = hip_cpu_block_of->size, gridDim = hip_cpu_block_of->grid;
#define HIP_CPU_EACH_THREAD                                                                                            \
    for (unsigned hip_cpu_z = 0; hip_cpu_z < blockDim.z; hip_cpu_z++)                                                  \
        for (unsigned hip_cpu_y = 0; hip_cpu_y < blockDim.y; hip_cpu_y++)                                              \
            for (unsigned hip_cpu_x = 0; hip_cpu_x < blockDim.x; hip_cpu_x++) {                                        \
                [[maybe_unused]] const uint3 threadIdx = {hip_cpu_x, hip_cpu_y, hip_cpu_z};                            \
                [[maybe_unused]] const unsigned hip_cpu_k =                                                            \
                    (hip_cpu_z * blockDim.y + hip_cpu_y) * blockDim.x + hip_cpu_x;
/* Blocks of whole warps, in rows; of warps that have the usual size, so that a compiler knows it. */
#if defined HIP_CPU_WARP_SIZE
#define HIP_CPU_USUAL_WARP HIP_CPU_WARP_SIZE
#elif defined HIP_CPU_TARGET
#define HIP_CPU_USUAL_WARP HIP_CPU_TARGET_WARP
#elif defined __CUDACC__
#define HIP_CPU_USUAL_WARP 32
#else
#define HIP_CPU_USUAL_WARP 64
#endif
#define HIP_CPU_WHOLE_WARPS                                                                                            \
    if (::warpSize != HIP_CPU_USUAL_WARP || blockDim.x % HIP_CPU_USUAL_WARP != 0)                                      \
        return false;                                                                                                  \
    [[maybe_unused]] constexpr int warpSize = HIP_CPU_USUAL_WARP;                                                      \
    [[maybe_unused]] constexpr uint64_t hip_cpu_whole = UINT64_MAX >> (64 - warpSize);                                 \
    const auto hip_cpu_is_whole = [](uint64_t mask) { return (mask & hip_cpu_whole) == hip_cpu_whole; };               \
    const auto hip_cpu_is_width = [](int width) {                                                                      \
        return width > 0 && width <= warpSize && (width & (width - 1)) == 0;                                           \
    };                                                                                                                 \
    (void)hip_cpu_is_whole, (void)hip_cpu_is_width;                                                                    \
    alignas(64) char hip_cpu_slot[2][8 * warpSize];
#define HIP_CPU_EACH_WARP                                                                                              \
    for (unsigned hip_cpu_w = 0; hip_cpu_w < blockDim.x * blockDim.y * blockDim.z; hip_cpu_w += warpSize) {            \
        const unsigned hip_cpu_x = hip_cpu_w % blockDim.x, hip_cpu_y = hip_cpu_w / blockDim.x % blockDim.y,            \
                       hip_cpu_z = hip_cpu_w / blockDim.x / blockDim.y;
#define HIP_CPU_SOME_LANES(count)                                                                                      \
    for (unsigned hip_cpu_lane = 0; hip_cpu_lane < count; hip_cpu_lane++) {                                            \
        [[maybe_unused]] const uint3 threadIdx = {hip_cpu_x + hip_cpu_lane, hip_cpu_y, hip_cpu_z};                     \
        [[maybe_unused]] const unsigned hip_cpu_k = hip_cpu_w + hip_cpu_lane;
#define HIP_CPU_EACH_LANE  HIP_CPU_SOME_LANES(HIP_CPU_USUAL_WARP)
#define HIP_CPU_FIRST_LANE HIP_CPU_SOME_LANES(1)
/* What lives across a barrier of each thread: on half of the stack. */
static inline bool hip_cpu_has_room(size_t threads, size_t bytes) { return threads * bytes <= (size_t)64 << 10; }
#define HIP_CPU_ROOM(bytes)                                                                                            \
    const size_t hip_cpu_threads = (size_t)blockDim.x * blockDim.y * blockDim.z;                                       \
    if (!hip_cpu_has_room(hip_cpu_threads, bytes))                                                                     \
        return false;
#define HIP_CPU_ALIVE(name)                                                                                            \
    hip_cpu_type_##name *const hip_cpu_kept_##name =                                                                   \
        (hip_cpu_type_##name *)__builtin_alloca_with_align(hip_cpu_threads * sizeof(hip_cpu_type_##name), 512)
/* No pointers that come from elsewhere, nothing that runs where it is copied. */
template <typename T> static constexpr bool hip_cpu_is_plain()
{
    return std::is_trivially_copyable<T>::value && !std::is_pointer<T>::value;
}
template <typename T> static inline T *hip_cpu_lanes_of(char *slot)
{
    static_assert(sizeof(T) <= 8, "a lane gives a number");
    return reinterpret_cast<T *>(slot);
}
static inline bool hip_cpu_loops_offered()
{
    return hip_cpu_straight && hip_cpu_current->block->loops == HIP_CPU_LOOPS_OFFERED;
}
/* Then no thread is left to run. */
static inline bool hip_cpu_loops_ran(bool ran)
{
    hip_cpu_current->block->loops = HIP_CPU_NO_LOOPS_HERE;
    if (ran)
        hip_cpu_straight = hip_cpu_current + 1;
    return ran;
}
static inline bool hip_cpu_loops_begin()
{
    hip_cpu_current->block->loops = HIP_CPU_LOOPS_RUN;
    return true;
}
/* All accesses through a parameter are aligned then, since no other pointer is made of it. */
template <typename T> static inline bool hip_cpu_is_aligned(T *pointer) { return (uintptr_t)pointer % alignof(T) == 0; }

#endif
