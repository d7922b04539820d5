/* Operations that HIP has no common name for, on AMD. platform/nvidia and platform/cpu define the same functions.
 *
 * warp_lanes()   lanes per warp (AMD: wavefront), a constant where the compiler can know it
 * warp_sync()    a barrier for the lanes of one warp, and a fence for their memory accesses
 * warp_together()
 *                reconverges lanes that took different branches. Before shuffles: NVIDIA's GPUs may keep such lanes
 *                apart after the branches, which slows down every shuffle (results/h200/performance.md)
 * load_16()      16 bytes from a 16-byte boundary, read once and not worth keeping in a cache
 * load_16_beside()
 *                the same, for element row + offset of an array of vectors, where offset is a small constant
 * load_16_streaming()
 *                the same; where `streaming`, evicted first, before data that others have written.
 *                HAS_STREAMING: that differs from load_16(), and streaming_pays(bytes) says for which arrays it is faster.
 *                Then there is load_bits_streaming(), too, for 4 and 8 bytes; see common/streaming.h
 * whole_16()     the same 16 bytes; the compiler does not split the value that they are merged with
 * not_kept()     the same number; the compiler keeps no value computed from it in registers across a loop
 * lane_not_kept()
 *                the same, for a number that differs between lanes
 * word_load(), word_store()
 *                64 bits in device memory, never torn, visible to every block; not ordered with other accesses
 * poll_pause()   between two polls of a word that another block has yet to store: keeps polling from crowding memory
 * POLLS_FOR_WORK how often a block polls for work that others may have for it: 0 where blocks run one after the other
 * word_report()  the same store, visible to the host while the kernel runs
 * loads_first()  loads above it are issued before anything below it, so that all are in flight at once
 * LOADED_BYTES_MAX
 *                how many bytes a thread in a block of 1024 can hold that it has loaded and not yet used
 * LOADS_GUARDED_MAX
 *                how many loads of one element it can have in flight if each has its own condition
 * GUARDS_BRANCH  whether a conditional load becomes a branch, so that the first addition waits for the last load: then
 *                separate code for full rounds, without conditions, pays
 * TILE_LONG      how many longs it can have loaded that are also needed as doubles; the same for host and device
 * HAS_FEW_MASKS  a comparison for each of many elements costs registers: better one, and separate code for a rare case
 * exp_float_below_0(), exp_double_below_0()
 *                exp(x) for x that is not above 0, within 2 ulps; of NaN they may give any number
 * HAS_BOUNDED    there are bounded_of(), for memory that a whole warp has in common, and at an offset bounded_load() and
 *                bounded_store() of 4 or 8 bytes, and bounded_load_16(), as load_16(): the hardware leaves out what is behind
 *                the end, and loads 0 there, so there is no test and no branch
 * HAS_MAX_OF_NUMBERS
 *                max_of_numbers(): of three, of which none is NaN, while value_max() takes several instructions
 * next_may_begin()
 *                lets the next kernel of the stream begin, if it is launched to overlap this one
 * earlier_done() if this kernel is launched to overlap others: waits for all earlier work of the stream. Do not write
 *                before it, nor read what that work writes
 * HAS_WARP_SUMS  nvidia_warp.h of the variant replaces the loop over the lanes of a warp
 * HAS_WARP_EXTREMES
 *                there are warp_max() and warp_min() of integers; all lanes get the result
 * HAS_PAIR_EXTREMES
 *                there is pairs_extreme(), by the rules of combine(): combines a word of two halves or bfloat16s with
 *                16 more bytes of them, and returns such a word
 * HAS_CLUSTER_LAUNCH
 *                nvidia_cluster.h of the variant has a kernel for a cluster of blocks
 * stores_arrive()
 *                this thread's stores have left its compute unit: after a barrier, another thread of the block can
 *                release them to other blocks
 * grid_acquire() after a grid barrier: makes visible what other blocks wrote before the barrier
 * LAUNCH_BOUNDS  blocks have at most this many threads; the compiler may use all registers that this leaves
 * LAUNCH_BOUNDS_RESIDENT
 *                the same, and this many blocks must fit on a compute unit, if the vendor lets us say so
 * SPDX-License-Identifier: MIT */
#ifndef INTRINSICS_H
#define INTRINSICS_H

typedef unsigned long long word_t;
typedef unsigned bytes16_t __attribute__((ext_vector_type(4)));

#define LAUNCH_BOUNDS(threads)                  __launch_bounds__(threads)
#define LAUNCH_BOUNDS_RESIDENT(threads, blocks) __launch_bounds__(threads)

#include "exp_below.h"

/* wave_reduce.h combines the lanes of a warp: wave_reduce() in any order, wave_tree_*() in that of __shfl_down(). */
#define HAS_WAVE_REDUCE

/* combine() for min and max. Compilers from LLVM 20 on know the operation: one instruction on gfx12 and
 * fewer than comparisons take elsewhere. NaN if either is NaN, -0 below +0. (IEEE 754-2019, minimum.) */
#if defined(__HIP_DEVICE_COMPILE__) && __has_builtin(__builtin_elementwise_minimum)
#define FLOATING_EXTREME(a, b, min) ((min) ? __builtin_elementwise_minimum(a, b) : __builtin_elementwise_maximum(a, b))
#endif

/* Elsewhere the instructions for the maximum ignore NaN, and to find it takes three more for each element. */
#if defined(__GFX9__) && !defined(__gfx950__)
#define HAS_MAX_OF_NUMBERS
static __device__ __forceinline__ float max_of_numbers(float a, float b, float c)
{
    asm("v_max3_f32 %0, %1, %2, %3" : "=v"(a) : "v"(a), "v"(b), "v"(c));
    return a;
}

static __device__ __forceinline__ double max_of_numbers(double a, double b, double c)
{
    asm("v_max_f64 %0, %1, %2" : "=v"(a) : "v"(a), "v"(b));
    asm("v_max_f64 %0, %1, %2" : "=v"(a) : "v"(a), "v"(c));
    return a;
}
#endif

static __device__ __forceinline__ unsigned warp_lanes(void) { return (unsigned)warpSize; }

/* The lanes of a wavefront share one program counter, so there is nothing to wait for: no instruction is
 * emitted, but the compiler moves no memory access across it. The fences have wavefront scope and cost no
 * instruction. (LLVM, User Guide for AMDGPU Backend, memory model.) */
static __device__ __forceinline__ void warp_sync(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

static __device__ __forceinline__ void warp_together(void) {}

/* atomicAdd() for long: HIP and CUDA lack this overload. Sums wrap, so the bits are those of the unsigned
 * sum. */
static __device__ __forceinline__ long atomicAdd(long *address, long value)
{
    return (long)atomicAdd((unsigned long long *)address, (unsigned long long)value);
}

/* HIPFLAGS=-DLOAD_16_CACHED keeps it in the caches after all: an experiment for arrays that fit. */
static __device__ __forceinline__ bytes16_t load_16(const void *from)
{
#ifdef LOAD_16_CACHED
    return *(const bytes16_t *)from;
#else
    return __builtin_nontemporal_load((const bytes16_t *)from);
#endif
}

/* No different: the compiler has one kind of non-temporal load. */
static __device__ __forceinline__ bytes16_t load_16_streaming(const void *from, bool streaming)
{
    (void)streaming;
    return load_16(from);
}

static inline bool streaming_pays(size_t bytes)
{
    (void)bytes;
    return false;
}

/* One instruction adds a scalar base, a lane's 32-bit offset and a constant of at least -2048 (gfx10) or -4096: no row
 * needs a separate addition. */
static __device__ __forceinline__ bytes16_t load_16_beside(const void *vectors, unsigned row, int offset,
                                                           bool streaming)
{
    (void)streaming;
    unsigned bytes = row * 16;
    return load_16((const char *)vectors + bytes + (long)offset * 16);
}

/* When the compiler merges a conditional load with a constant, it splits both into words and copies them right after
 * the load, so that each load waits for the one before. The asm hides the merge from it. */
static __device__ __forceinline__ bytes16_t whole_16(bytes16_t bytes)
{
    asm volatile("" : "+v"(bytes));
    return bytes;
}

/* The compiler hoists a test that is the same in all iterations out of the loop, and keeps its result as a mask of lanes
 * in two scalar registers, of which there are about 100. */
static __device__ __forceinline__ unsigned not_kept(unsigned value)
{
    asm volatile("" : "+s"(value));
    return value;
}

static __device__ __forceinline__ unsigned lane_not_kept(unsigned value)
{
    asm volatile("" : "+v"(value));
    return value;
}

/* Otherwise the scheduler moves uses between the loads to save registers. */
static __device__ __forceinline__ void loads_first(void)
{
#if __has_builtin(__builtin_amdgcn_sched_barrier)
    __builtin_amdgcn_sched_barrier(0);
#endif
}

/* In a block of 1024 a thread has 64 registers on gfx906 and gfx908, elsewhere 96 or more. */
#if defined(__gfx900__) || defined(__gfx906__) || defined(__gfx908__) || defined(__gfx9_generic__)
#define LOADED_BYTES_MAX 128
#else
#define LOADED_BYTES_MAX 256
#endif
#if defined(__gfx906__) || defined(__gfx908__)
#define LOADS_GUARDED_MAX 2
#else
#define LOADS_GUARDED_MAX 4 /* with more, gfx90a runs out of scalar registers */
#endif
#define TILE_LONG      4 /* for gfx906 */
#define POLLS_FOR_WORK 128
#define GUARDS_BRANCH  true
#define HAS_FEW_MASKS

/* On gfx9, neither a block's barrier nor a fence after it waits for the stores of other wavefronts; on gfx10 and later
 * in CU mode, LLVM's workgroup fence did not wait either (https://github.com/llvm/llvm-project/pull/161638). An agent
 * fence does, but on gfx942 it writes back the L2, and from gfx10 on LLVM 22 removes its wait where a loop comes to it
 * with stores in flight (libreduction's reduce_beside): the wait must be one that no compiler knows. */
static __device__ __forceinline__ void stores_arrive(void)
{
#if defined(__GFX9__)
    asm volatile("s_waitcnt vmcnt(0)" ::: "memory");
#else
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
#if defined(__GFX12__)
    asm volatile("s_wait_storecnt 0x0" ::: "memory");
#else
    asm volatile("s_waitcnt_vscnt null, 0x0" ::: "memory");
#endif
#endif
}

/* The device library's grid barrier writes back before it and invalidates nothing after it (ROCm 5.2 to
 * 7.0): without this, a cache may still hold old values. */
static __device__ __forceinline__ void grid_acquire(void) { __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent"); }

/* Relaxed atomics of agent scope bypass the caches that the device does not share as a whole (on gfx942 the L2 of each
 * XCD), without writing back or invalidating anything. */
static __device__ __forceinline__ word_t word_load(const word_t *from)
{
    return __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

static __device__ __forceinline__ void word_store(word_t *to, word_t word)
{
    __hip_atomic_store(to, word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* Up to 64 cycles. (ISA, S_SLEEP.) */
static __device__ __forceinline__ void poll_pause(void) { __builtin_amdgcn_s_sleep(1); }

static __device__ __forceinline__ void word_report(word_t *to, word_t word)
{
    __hip_atomic_store(to, word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

/* A buffer's descriptor has four scalar registers: address, number of bytes, and a word that differs between generations
 * (Composable Kernel, CK_BUFFER_RESOURCE_3RD_DWORD). The compilers of ROCm 5 lack the built-in functions. Offsets must not
 * wrap around: whether the hardware adds a constant with 32 bits is not documented. */
#if defined(__GFX9__)
#define BUFFER_WORD 0x00020000
#elif defined(__gfx1030__)
#define BUFFER_WORD 0x31014000
#elif defined(__GFX11__) || (defined(__GFX12__) && !defined(__gfx1250__))
#define BUFFER_WORD 0x31004000
#endif
#if defined(BUFFER_WORD) && __has_builtin(__builtin_amdgcn_make_buffer_rsrc) &&                                        \
    __has_builtin(__builtin_amdgcn_raw_buffer_store_b64)
#define HAS_BOUNDED
typedef __amdgpu_buffer_rsrc_t bounded_t;
#define BOUNDED_NOWHERE (-8) /* an offset behind every end */

static __device__ __forceinline__ bounded_t bounded_of(const void *from, size_t bytes)
{
    union {
        const void *address;
        int words[2];
    } base = {from};
    for (int k = 0; k < 2; k++) /* otherwise there is a loop over the lanes */
        base.words[k] = __builtin_amdgcn_readfirstlane(base.words[k]);
    int size = __builtin_amdgcn_readfirstlane((int)bytes);
    return __builtin_amdgcn_make_buffer_rsrc((void *)base.address, 0, size, BUFFER_WORD);
}

/* Non-temporal, as the compiler has it for load_16(). */
#if defined(__gfx942__) || defined(__gfx950__) || defined(__gfx9_4_generic__) || defined(__gfx1030__)
#define BUFFER_STREAM 2
#elif defined(__GFX9__)
#define BUFFER_STREAM 3
#elif defined(__GFX11__)
#define BUFFER_STREAM 6
#else
#define BUFFER_STREAM 1
#endif

static __device__ __forceinline__ bytes16_t bounded_load_16(bounded_t from, int offset)
{
    return __builtin_amdgcn_raw_buffer_load_b128(from, offset, 0, BUFFER_STREAM);
}

static __device__ __forceinline__ void bounded_load(float *to, bounded_t from, int offset)
{
    *to = __builtin_bit_cast(float, __builtin_amdgcn_raw_buffer_load_b32(from, offset, 0, 0));
}

static __device__ __forceinline__ void bounded_load(double *to, bounded_t from, int offset)
{
    *to = __builtin_bit_cast(double, __builtin_amdgcn_raw_buffer_load_b64(from, offset, 0, 0));
}

static __device__ __forceinline__ void bounded_store(bounded_t to, int offset, float value)
{
    __builtin_amdgcn_raw_buffer_store_b32(__builtin_bit_cast(unsigned, value), to, offset, 0, 0);
}

static __device__ __forceinline__ void bounded_store(bounded_t to, int offset, double value)
{
    typedef unsigned pair_t __attribute__((ext_vector_type(2)));
    __builtin_amdgcn_raw_buffer_store_b64(__builtin_bit_cast(pair_t, value), to, offset, 0, 0);
}
#endif

static __device__ __forceinline__ void next_may_begin(void) {}

static __device__ __forceinline__ void earlier_done(void) {}

#endif
