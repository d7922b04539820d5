/* Operations that HIP has no common name for, on NVIDIA. platform/amd/intrinsics.h says what each
 * function is for.
 * SPDX-License-Identifier: MIT */
#ifndef INTRINSICS_H
#define INTRINSICS_H

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error "GPU=sm_70 or newer is needed: older GPUs have no __syncwarp and no ordered loads and stores"
#endif

typedef unsigned long long word_t;
typedef uint4 bytes16_t;

/* CUDA's second number is blocks per multiprocessor: without it the compiler saves registers for blocks that are never
 * resident, and loads wait for additions. */
#define LAUNCH_BOUNDS(threads)                  __launch_bounds__(threads, 1)
#define LAUNCH_BOUNDS_RESIDENT(threads, blocks) __launch_bounds__(threads, blocks)

/* warpSize is not a constant for nvcc, and x / warpSize costs 25 instructions. */
static __device__ __forceinline__ unsigned warp_lanes(void) { return 32; }

/* Since Volta each lane has its own program counter (independent thread scheduling), so lanes really
 * wait here. (CUDA C++ Programming Guide, Warp Synchronous Functions.) */
static __device__ __forceinline__ void warp_sync(void) { __syncwarp(); }

static __device__ __forceinline__ void warp_together(void) { __syncwarp(); }

#if __CUDA_ARCH__ >= 800
/* The smaller or larger of two floats by the rules of combine(), in one instruction: NaN if either is
 * NaN, -0 below +0. (PTX ISA, min and max with .NaN.) On an H200 this saves up to 10 % of a kernel whose
 * input is in the L2 cache. */
#define FLOAT_EXTREME
static __device__ __forceinline__ float float_extreme(float a, float b, bool min)
{
    float value;
    if (min)
        asm("min.NaN.f32 %0, %1, %2;" : "=f"(value) : "f"(a), "f"(b));
    else
        asm("max.NaN.f32 %0, %1, %2;" : "=f"(value) : "f"(a), "f"(b));
    return value;
}

/* (PTX ISA, min and max with .NaN, of f16x2 and bf16x2.) */
#define HAS_PAIR_EXTREMES
static __device__ __forceinline__ unsigned pair_extreme(unsigned a, unsigned b, bool min, bool bfloat16)
{
    unsigned pair;
    if (bfloat16 && min)
        asm("min.NaN.bf16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(b));
    else if (bfloat16)
        asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(b));
    else if (min)
        asm("min.NaN.f16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(b));
    else
        asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(b));
    return pair;
}

static __device__ __forceinline__ unsigned pairs_extreme(unsigned pair, bytes16_t more, bool min, bool bfloat16)
{
    pair = pair_extreme(pair, more.x, min, bfloat16);
    pair = pair_extreme(pair, more.y, min, bfloat16);
    pair = pair_extreme(pair, more.z, min, bfloat16);
    return pair_extreme(pair, more.w, min, bfloat16);
}

/* (PTX ISA, redux.sync.) */
#define HAS_WARP_EXTREMES
static __device__ __forceinline__ int warp_max(int value) { return __reduce_max_sync(0xffffffffu, value); }

static __device__ __forceinline__ unsigned warp_max(unsigned value) { return __reduce_max_sync(0xffffffffu, value); }

static __device__ __forceinline__ unsigned warp_min(unsigned value) { return __reduce_min_sync(0xffffffffu, value); }
#endif

/* atomicAdd() for long, which HIP and CUDA lack. Sums wrap, so the bits are those of unsigned numbers. */
static __device__ __forceinline__ long atomicAdd(long *address, long value)
{
    return (long)atomicAdd((unsigned long long *)address, (unsigned long long)value);
}

static __device__ __forceinline__ bytes16_t load_16(const void *from) { return *(const bytes16_t *)from; }

/* Like __ldcs(), which is volatile, though, so that the compiler can neither move it nor predicate it.
 * (PTX ISA, ld.cs: evict first.) */
#define HAS_STREAMING
static __device__ __forceinline__ bytes16_t load_16_streaming(const void *from, bool streaming)
{
    bytes16_t v;
    if (!streaming)
        return load_16(from);
    asm("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
    return v;
}

/* The same for 4 and 8 bytes. */
static __device__ __forceinline__ unsigned load_bits_streaming(const unsigned *from)
{
    unsigned bits;
    asm("ld.global.cs.u32 %0, [%1];" : "=r"(bits) : "l"(from));
    return bits;
}

static __device__ __forceinline__ unsigned long long load_bits_streaming(const unsigned long long *from)
{
    unsigned long long bits;
    asm("ld.global.cs.u64 %0, [%1];" : "=l"(bits) : "l"(from));
    return bits;
}

/* Measured on an H200 (60 MB of L2), results/h200/performance.md: for smaller arrays nothing is gained, for larger ones plain
 * loads are faster. */
static inline bool streaming_pays(size_t bytes) { return bytes >= (size_t)24 << 20 && bytes <= (size_t)256 << 20; }

static __device__ __forceinline__ bytes16_t load_16_beside(const void *vectors, unsigned row, int offset,
                                                           bool streaming)
{
    const bytes16_t *from = (const bytes16_t *)vectors + row + offset;
    return load_16_streaming(from, streaming);
}

static __device__ __forceinline__ void loads_first(void) {}
#define LOADED_BYTES_MAX  256
#define LOADS_GUARDED_MAX 16
#define TILE_LONG         8
#define POLLS_FOR_WORK    128
#define GUARDS_BRANCH     false
#define HAS_WARP_SUMS
#define HAS_CLUSTER_LAUNCH

/* Blocks that run together and synchronize at a hardware barrier. (PTX ISA, barrier.cluster and mapa.) CUDA 11 lacks some
 * of the instructions. */
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
#define HAS_CLUSTERS
#define CLUSTER_DIMS(blocks) __cluster_dims__(blocks, 1, 1)

static __device__ __forceinline__ void cluster_begin(void)
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

/* Writes words to the first block's shared memory; here: the corresponding place in our own. Every block must have
 * begun. */
static __device__ __forceinline__ void cluster_put(void *here, const unsigned *words, unsigned count)
{
    unsigned there;

    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"((unsigned)__cvta_generic_to_shared(here)));
    for (unsigned k = 0; k < count; k++)
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4 * k), "r"(words[k]) : "memory");
}

/* All blocks have begun. */
static __device__ __forceinline__ void cluster_wait(void)
{
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

/* True in the first block, which then sees the words of all; false in the others, which are done. */
static __device__ __forceinline__ bool cluster_first(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    if (blockIdx.x != 0)
        return false;
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    return true;
}
#else
#define CLUSTER_DIMS(blocks)
#endif

/* A fence behind a barrier includes them. */
static __device__ __forceinline__ void stores_arrive(void) {}

/* The grid barrier of CUDA includes it. */
static __device__ __forceinline__ void grid_acquire(void) {}

static __device__ __forceinline__ bytes16_t whole_16(bytes16_t bytes) { return bytes; }

static __device__ __forceinline__ unsigned not_kept(unsigned value) { return value; }

static __device__ __forceinline__ unsigned lane_not_kept(unsigned value) { return value; }

static __device__ __forceinline__ float exp_float_below_0(float x) { return expf(x); }

static __device__ __forceinline__ double exp_double_below_0(double x) { return exp(x); }

/* PTX: relaxed loads and stores are single-copy atomic. */
static __device__ __forceinline__ word_t word_load(const word_t *from)
{
    word_t word;
    asm volatile("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    return word;
}

static __device__ __forceinline__ void word_store(word_t *to, word_t word)
{
    asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

static __device__ __forceinline__ void poll_pause(void) {}

static __device__ __forceinline__ void word_report(word_t *to, word_t word)
{
    asm volatile("st.relaxed.sys.global.b64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

/* (PTX ISA, griddepcontrol.) */
static __device__ __forceinline__ void next_may_begin(void)
{
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

static __device__ __forceinline__ void earlier_done(void)
{
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

#endif
