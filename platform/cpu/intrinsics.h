/* Operations that HIP has no common name for, on the CPU. platform/amd/intrinsics.h says what each function
 * is for.
 * SPDX-License-Identifier: MIT */
#ifndef INTRINSICS_H
#define INTRINSICS_H

/* For loops over the threads of a block (nogpu/reference.md). */
#pragma nogpu harmless combine canonical IDENTITY

typedef unsigned long long word_t;
typedef uint4 bytes16_t;

#define LAUNCH_BOUNDS(threads)
#define LAUNCH_BOUNDS_RESIDENT(threads, blocks)

static inline unsigned warp_lanes(void) { return (unsigned)warpSize; }

/* A macro, so that a message names the place of the call. */
#define warp_sync() __syncwarp()

static inline bytes16_t load_16(const void *from)
{
    bytes16_t quad;
    __builtin_memcpy(&quad, __builtin_assume_aligned(from, 16), sizeof quad);
#ifdef HIP_CPU_TRACE /* one load, although some compilers would rather have four */
    __asm__("" : "+m"(quad));
#endif
    return quad;
}

static inline bytes16_t load_16_streaming(const void *from, bool streaming)
{
    (void)streaming;
    return load_16(from);
}

static inline bool streaming_pays(size_t bytes)
{
    (void)bytes;
    return false;
}

static inline bytes16_t load_16_beside(const void *vectors, unsigned row, int offset, bool streaming)
{
    (void)streaming;
    return load_16((const bytes16_t *)vectors + (row + (unsigned)offset));
}

static inline void warp_together(void) {}

static inline void loads_first(void) {}
#define LOADED_BYTES_MAX  256
#define LOADS_GUARDED_MAX 16
#define TILE_LONG         8
#define POLLS_FOR_WORK    0
#define GUARDS_BRANCH     true
#define HAS_FEW_MASKS

/* A fence behind a barrier includes them. */
static inline void stores_arrive(void) {}

/* In traced builds: the race tool can take the grid barrier for AMD's (HIP_CPU_GRID_BARRIER). */
static inline void grid_acquire(void) { __threadfence(); }

static inline bytes16_t whole_16(bytes16_t bytes) { return bytes; }

static inline unsigned not_kept(unsigned value) { return value; }

static inline unsigned lane_not_kept(unsigned value) { return value; }

static inline float exp_float_below_0(float x) { return expf(x); }

static inline double exp_double_below_0(double x) { return exp(x); }

static inline word_t word_load(const word_t *from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }

static inline void word_store(word_t *to, word_t word) { __atomic_store_n(to, word, __ATOMIC_RELAXED); }

static inline void poll_pause(void) {}

static inline void word_report(word_t *to, word_t word)
{
    if (hip_cpu_late)
        hip_cpu_late_word();
    __atomic_store_n(to, word, __ATOMIC_RELAXED);
}

static inline void next_may_begin(void) {}

static inline void earlier_done(void) {}

#endif
