/* Operations that HIP has no common name for, on AMD. platform/nvidia and platform/cpu have the same
 * functions.
 *
 * warp_lanes()   lanes per warp (AMD: wavefront), a constant where the compiler can know it
 * warp_sync()    a barrier for the lanes of one warp, and a fence for their memory accesses
 * warp_together()
 *                lanes that went different ways go on together. Before shuffles: NVIDIA's GPUs may leave such lanes apart
 *                where their ways meet again, and then every shuffle takes a detour (docs/performance.md)
 * load_16()      16 bytes from a 16-byte boundary, read once and not worth keeping in a cache
 * load_16_beside()
 *                the same, for element row + offset of an array of vectors, where offset is a small constant
 * load_16_streaming()
 *                the same; what it brings is the first to leave the cache again, before what others have written.
 *                HAS_STREAMING: it differs from load_16(), and streaming_pays(bytes) says for which arrays it is faster.
 *                Then there is load_bits_streaming(), for 4 and for 8 bytes; see common/streaming.h
 * whole_16()     the same 16 bytes; the compiler keeps what they are merged with in one piece
 * not_kept()     the same number; nothing that is computed from it is kept in registers over a loop
 * lane_not_kept()
 *                the same, for a number that differs from lane to lane
 * word_load(), word_store()
 *                64 bits in device memory, never torn, seen by every block; no order with other accesses
 * poll_pause()   between two looks at a word that another block has yet to store: leaves the memory to others
 * word_report()  the same store, seen by the host while the kernel runs
 * loads_first()  loads above it are issued before anything below it, so that all are in flight at once
 * LOADED_BYTES_MAX
 *                how much a thread in a block of 1024 can have loaded and not used yet
 * LOADS_GUARDED_MAX
 *                how many loads of one element it can have in flight if each has a condition of its own
 * GUARDS_BRANCH  whether a load with a condition is a branch, so that the first addition waits for the last load: then
 *                code for full rounds, without conditions, pays
 * TILE_LONG      how many longs it can have loaded that are needed as doubles, too; the same for host and device
 * next_may_begin()
 *                the next kernel of the stream may begin, if it is launched to overlap this one
 * earlier_done() if this kernel is launched to overlap others: waits for the end of all earlier work of the stream.
 *                Before it, nothing may be written, and nothing read that they write
 * HAS_WARP_SUMS  nvidia_warp.h of the variant replaces the loop over the lanes of a warp
 * HAS_WARP_EXTREMES
 *                there are warp_max() and warp_min() of the integers of all lanes, which all of them get
 * HAS_PAIR_EXTREMES
 *                there is pairs_extreme() of a word with two halves or bfloat16s and 16 bytes more of them: such a word
 *                again, by the rules of combine()
 * HAS_CLUSTER_LAUNCH
 *                nvidia_cluster.h of the variant has a kernel for a cluster of blocks
 * stores_arrive()
 *                what this thread wrote has left its compute unit: after a barrier, another thread of the block can
 *                release it to other blocks
 * grid_acquire() after a grid barrier: makes visible what other blocks wrote before the barrier
 * LAUNCH_BOUNDS  blocks have at most this many threads; the compiler may use all registers that this leaves
 * LAUNCH_BOUNDS_RESIDENT
 *                the same, and so many blocks must be able to be resident on a compute unit, if the vendor lets us say so
 * SPDX-License-Identifier: MIT */
#ifndef INTRINSICS_H
#define INTRINSICS_H

typedef unsigned long long word_t;
typedef unsigned bytes16_t __attribute__((ext_vector_type(4)));

#define LAUNCH_BOUNDS(threads)                  __launch_bounds__(threads)
#define LAUNCH_BOUNDS_RESIDENT(threads, blocks) __launch_bounds__(threads)

/* The lanes of a warp are combined by wave_reduce.h: wave_reduce() in any order, wave_tree_*() in that of
 * __shfl_down(). */
#define HAS_WAVE_REDUCE

/* combine() for min and max. Compilers from LLVM 20 on know the operation: one instruction on gfx12 and
 * fewer than comparisons take elsewhere. NaN if either is NaN, -0 below +0. (IEEE 754-2019, minimum.) */
#if defined(__HIP_DEVICE_COMPILE__) && __has_builtin(__builtin_elementwise_minimum)
#define FLOATING_EXTREME(a, b, min)                                                                \
    ((min) ? __builtin_elementwise_minimum(a, b) : __builtin_elementwise_maximum(a, b))
#endif

static __device__ __forceinline__ unsigned warp_lanes(void)
{
    return (unsigned)warpSize;
}

/* The lanes of a wavefront share one program counter, so there is nothing to wait for: no instruction is
 * emitted, but the compiler moves no memory access across it. The fences have wavefront scope and cost no
 * instruction. (LLVM, User Guide for AMDGPU Backend, memory model.) */
static __device__ __forceinline__ void warp_sync(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

static __device__ __forceinline__ void warp_together(void)
{
}

/* atomicAdd() for long: HIP and CUDA lack this overload. Sums wrap, so the bits are those of the unsigned
 * sum. */
static __device__ __forceinline__ long atomicAdd(long *address, long value)
{
    return (long)atomicAdd((unsigned long long *)address, (unsigned long long)value);
}

/* With HIPFLAGS=-DLOAD_16_CACHED it is worth keeping, after all: to be tried for arrays that fit a cache. */
static __device__ __forceinline__ bytes16_t load_16(const void *from)
{
#ifdef LOAD_16_CACHED
    return *(const bytes16_t *)from;
#else
    return __builtin_nontemporal_load((const bytes16_t *)from);
#endif
}

/* All loads are: the compiler has one kind of non-temporal load. */
static __device__ __forceinline__ bytes16_t load_16_streaming(const void *from)
{
    return load_16(from);
}

static inline bool streaming_pays(size_t bytes)
{
    (void)bytes;
    return false;
}

/* An instruction adds a scalar base, a lane's 32-bit offset and a constant from -2048 (gfx10) or -4096
 * upwards: no row needs an addition of its own. */
static __device__ __forceinline__ bytes16_t load_16_beside(const void *vectors, unsigned row,
                                                           int offset, bool streaming)
{
    (void)streaming;
    unsigned bytes = row * 16;
    return load_16((const char *)vectors + bytes + (long)offset * 16);
}

/* Where a conditional load is merged with a constant, the compiler would split both into words and copy them
 * right after the load: it would wait for each load before the next one. It cannot see through this. */
static __device__ __forceinline__ bytes16_t whole_16(bytes16_t bytes)
{
    asm volatile("" : "+v"(bytes));
    return bytes;
}

/* The compiler moves a test that is the same for all turns of a loop out of it, and keeps its outcome as a mask of
 * lanes, in two scalar registers: of these there are about 100. */
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

/* Without it the scheduler moves uses between the loads to save registers. */
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
#define TILE_LONG     4 /* for gfx906 */
#define GUARDS_BRANCH true

/* Neither the barrier of a block nor a fence behind it waits for stores of other wavefronts on gfx9, as LLVM's workgroup
 * fence on gfx10 and later did not in CU mode (https://github.com/llvm/llvm-project/pull/161638). A fence would do, but
 * on gfx942 it writes back the L2. */
static __device__ __forceinline__ void stores_arrive(void)
{
#if defined(__GFX9__)
    asm volatile("s_waitcnt vmcnt(0)" ::: "memory");
#else
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
#endif
}

/* The device library's grid barrier writes back before it and invalidates nothing after it (ROCm 5.2 to
 * 7.0): without this, a cache may still hold old values. */
static __device__ __forceinline__ void grid_acquire(void)
{
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
}

/* Relaxed atomics of agent scope bypass the caches that are not shared by the whole device (on gfx942 the L2
 * of each XCD), and write nothing back and invalidate nothing. */
static __device__ __forceinline__ word_t word_load(const word_t *from)
{
    return __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

static __device__ __forceinline__ void word_store(word_t *to, word_t word)
{
    __hip_atomic_store(to, word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* 64 to 128 cycles. (ISA, S_SLEEP.) */
static __device__ __forceinline__ void poll_pause(void)
{
    __builtin_amdgcn_s_sleep(1);
}

static __device__ __forceinline__ void word_report(word_t *to, word_t word)
{
    __hip_atomic_store(to, word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

static __device__ __forceinline__ void next_may_begin(void)
{
}

static __device__ __forceinline__ void earlier_done(void)
{
}

#endif
