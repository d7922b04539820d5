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
#ifdef __clang__
#define HIP_CPU_VECTORIZE
#else
#define HIP_CPU_VECTORIZE __attribute__((optimize("tree-vectorize", "vect-cost-model=dynamic")))
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
/* Blocks whose threads are neighbours in memory, if the corners say so. */
#define HIP_CPU_CORNERS(indices, sides)                                                                                \
    {                                                                                                                  \
        constexpr size_t hip_cpu_indices = indices, hip_cpu_all = indices + sides;                                     \
        const auto hip_cpu_look = [&](unsigned hip_cpu_x, unsigned hip_cpu_y, long long *hip_cpu_at)                   \
            __attribute__((always_inline))                                                                             \
        {                                                                                                              \
            [[maybe_unused]] const uint3 threadIdx = {hip_cpu_x, hip_cpu_y, 0};                                        \
            [[maybe_unused]] long long *const hip_cpu_side = hip_cpu_at + indices;                                     \
            bool hip_cpu_fine = true;
#define HIP_CPU_EACH_ROW                                                                                               \
    return hip_cpu_fine;                                                                                               \
    }                                                                                                                  \
    ;                                                                                                                  \
    long long hip_cpu_base[hip_cpu_all], hip_cpu_step[hip_cpu_all];                                                    \
    if (hip_cpu_is_linear<hip_cpu_indices, hip_cpu_all>(blockDim, hip_cpu_look, hip_cpu_base, hip_cpu_step)) {         \
        const auto hip_cpu_row = [&](size_t k, unsigned y) __attribute__((always_inline))                              \
        {                                                                                                              \
            return hip_cpu_base[k] + hip_cpu_step[k] * y;                                                              \
        };                                                                                                             \
        for (unsigned hip_cpu_y = 0; hip_cpu_y < blockDim.y; hip_cpu_y++) {
#define HIP_CPU_EACH_NEIGHBOUR                                                                                         \
    for (unsigned hip_cpu_x = 0; hip_cpu_x < blockDim.x; hip_cpu_x++) {                                                \
        [[maybe_unused]] const uint3 threadIdx = {hip_cpu_x, hip_cpu_y, 0};
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
    alignas(64) char hip_cpu_slot[2][8 * warpSize];                                                                    \
    (void)hip_cpu_slot;
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
/* What a corner says of a variable, an index, and both sides of a comparison: whether sums, differences and products of such
 * numbers are the same modulo 2^32; and its value. */
template <typename T> static inline bool hip_cpu_is_whole(T) { return std::is_integral<T>::value && sizeof(T) >= 4; }
template <typename T> static inline bool hip_cpu_index(T value, long long *at)
{
    *at = (long long)value;
    return std::is_integral<T>::value && sizeof(T) == 4;
}
/* Compared as unsigned numbers they have to be so already. */
template <typename T, typename U> static inline bool hip_cpu_sides(T left, U right)
{
    return hip_cpu_is_whole(left) && hip_cpu_is_whole(right) &&
           (std::is_signed<decltype(left + right)>::value ||
            ((std::is_unsigned<T>::value || left >= 0) && (std::is_unsigned<U>::value || right >= 0)));
}
/* Numbers of 32 bits that are sums of coordinates modulo 2^32, and at the corners are so without it, are so between them:
 * whether all are, and the first `indices` of them grow by 1 along a row. Their values at the first thread, and by how much they
 * grow from row to row. */
template <size_t indices, size_t all, typename Look>
static inline bool hip_cpu_is_linear(const dim3 &size, const Look &look, long long *base, long long *step)
{
    const unsigned corner[5][2] = {{size.x - 1, 0}, {0, size.y - 1}, {size.x - 1, size.y - 1}, {1, 0}, {0, 1}};
    long long at[5][all];
    bool linear = size.z == 1 && size.x >= 8 && look(0, 0, base);

    for (unsigned i = 0; i < 5 && linear; i++)
        linear = look(corner[i][0], corner[i][1], at[i]) || (i == 4 && size.y == 1);
    for (size_t k = 0; k < all && linear; k++) {
        long long right = at[3][k] - base[k];
        step[k] = at[4][k] - base[k];
        linear = at[0][k] == base[k] + right * corner[0][0] && at[1][k] == base[k] + step[k] * corner[1][1] &&
                 at[2][k] == at[0][k] + at[1][k] - base[k] && (k >= indices || right == 1);
    }
    return linear;
}
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
