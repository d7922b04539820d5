/* Kernels of test_wave_reduce_cpu.c: what an instruction reads from which lane and where it writes, done by
 * shuffles. A lane without a source (none by the pattern, or one that is not active) is written 0 if
 * BOUND_CTRL is set, and not written if it is not; nor is a lane of a row or bank that is masked. (AMD Instinct
 * MI300 ISA, 13.3.9, tables 93 and 94: DPP_CTRL, BC, ROW_MASK and BANK_MASK; RDNA2 ISA, 13.3.9, the same
 * without row_bcast, and 12.12, V_PERMLANEX16_B32.) v_readlane of such a lane gives something that is surely
 * wrong.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include "intrinsics.h"
#include "wave_reduce_cpu_kernels.h"

#ifdef __HIP_PLATFORM_CPU__

static __device__ unsigned lane_id(void)
{
    return threadIdx.x % (unsigned)warpSize;
}

/* All lanes come here; source < 0 is nowhere. */
static __device__ int read_lane(int word, int source, int nothing)
{
    unsigned before = threadIdx.x - lane_id();
    bool there = source >= 0 && source < warpSize && before + (unsigned)source < blockDim.x;
    int other = __shfl(word, there ? source : (int)lane_id());
    return there ? other : nothing;
}

static __device__ int dpp(int old, int word, int pattern, int rows, int banks, bool bound)
{
    int lane = (int)lane_id(), source = -1;
    switch (pattern) {
    case 0x140: /* row_mirror */
        source = lane / 16 * 16 + 15 - lane % 16;
        break;
    case 0x141: /* row_half_mirror */
        source = lane / 8 * 8 + 7 - lane % 8;
        break;
    case 0x142: /* row_bcast:15 */
        source = lane / 16 * 16 - 1;
        break;
    case 0x143: /* row_bcast:31 */
        source = lane / 32 * 32 - 1;
        break;
    case 0x101: /* row_shl */
    case 0x102:
    case 0x104:
    case 0x108:
        if (lane % 16 + (pattern & 15) < 16)
            source = lane + (pattern & 15);
        break;
    default: /* quad_perm: two bits for each lane of four */
        if (pattern <= 0xff)
            source = lane / 4 * 4 + (pattern >> lane % 4 * 2 & 3);
    }
    int other = read_lane(word, source, bound ? 0 : old);
    bool written = (rows >> lane / 16 & 1) != 0 && (banks >> lane % 16 / 4 & 1) != 0;
    return written ? other : old;
}

/* The other row of 16, at the place that the lane's own four bits say. */
static __device__ int permlanex16(int old, int word, unsigned low, unsigned high, bool bound)
{
    unsigned lane = lane_id();
    unsigned place = (lane % 16 < 8 ? low >> lane % 8 * 4 : high >> lane % 8 * 4) & 15;
    return read_lane(word, (int)((lane / 16 ^ 1) * 16 + place), bound ? 0 : old);
}

/* In the mode of bit masks (bit 15 is 0): lane xor 16 within 32. (MI300 ISA, DS_SWIZZLE_B32.) */
static __device__ int ds_swizzle(int word, int pattern)
{
    int lane = (int)lane_id(), within = lane % 32;
    within = ((within & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    return read_lane(word, lane / 32 * 32 + within, 0);
}

#define __lane_id()                                lane_id()
#define __builtin_amdgcn_ds_swizzle(word, pattern) ds_swizzle(word, pattern)
#define __builtin_amdgcn_update_dpp(old, word, pattern, rows, banks, bound)                        \
    dpp(old, word, pattern, rows, banks, bound)
#define __builtin_amdgcn_permlanex16(old, word, low, high, fi, bound)                              \
    permlanex16(old, word, low, high, bound)
#define __builtin_amdgcn_readlane(word, lane) read_lane(word, lane, (int)0x5badbad5)
#define __builtin_amdgcn_readfirstlane(word)  read_lane(word, 0, -1)

/* The three things that element.h would define. */
#define WAVE_REDUCE_OF(NAME, TYPE)                                                                 \
    __global__ void NAME##_kernel(const TYPE *in, TYPE *out, unsigned lanes)                       \
    {                                                                                              \
        out[threadIdx.x] = wave_reduce(in[threadIdx.x], lanes);                                    \
    }                                                                                              \
    static hipError_t NAME(unsigned block, unsigned lanes, const TYPE *in, TYPE *out)              \
    {                                                                                              \
        hipLaunchKernelGGL(NAME##_kernel, dim3(1), dim3(block), 0, 0, in, out, lanes);             \
        hipError_t error = hipGetLastError();                                                      \
        return error != hipSuccess ? error : hipDeviceSynchronize();                               \
    }

/* Neither commutative nor associative: any other pair shows. Lane 0 of each 32, and of each 16 with `count`. */
#define WAVE_TREE_OF(NAME, TYPE)                                                                   \
    typedef TYPE value_t;                                                                          \
    static value_t combine(value_t a, value_t b)                                                   \
    {                                                                                              \
        return a * 3 + b * 5 + 1;                                                                  \
    }

#define WAVE_TREE_RUN(NAME)                                                                        \
    __global__ void NAME##_kernel(const value_t *in, value_t *out, unsigned count)                 \
    {                                                                                              \
        value_t value = in[threadIdx.x];                                                           \
        out[threadIdx.x] = count == 32 ? wave_tree_32(value) : wave_tree_16(value, count);         \
    }                                                                                              \
    static hipError_t NAME(unsigned block, unsigned count, const value_t *in, value_t *out)        \
    {                                                                                              \
        hipLaunchKernelGGL(NAME##_kernel, dim3(1), dim3(block), 0, 0, in, out, count);             \
        hipError_t error = hipGetLastError();                                                      \
        return error != hipSuccess ? error : hipDeviceSynchronize();                               \
    }

#define __GFX9__ 1
namespace gfx9_tree
{
WAVE_TREE_OF(run, unsigned long long)
#include "../../platform/amd/wave_reduce.h"
WAVE_TREE_RUN(run)
} // namespace gfx9_tree
namespace gfx9_wide
{
typedef unsigned long long value_t;
static value_t combine(value_t a, value_t b)
{
    return a + b;
}
#include "../../platform/amd/wave_reduce.h"
WAVE_REDUCE_OF(run, value_t)
} // namespace gfx9_wide
namespace gfx9_narrow
{
typedef unsigned value_t;
static value_t combine(value_t a, value_t b)
{
    return a + b;
}
#include "../../platform/amd/wave_reduce.h"
WAVE_REDUCE_OF(run, value_t)
} // namespace gfx9_narrow
namespace gfx9_min
{
typedef unsigned value_t;
static value_t combine(value_t a, value_t b)
{
    return a < b ? a : b;
}
#include "../../platform/amd/wave_reduce.h"
WAVE_REDUCE_OF(run, value_t)
} // namespace gfx9_min
#undef __GFX9__
namespace gfx10_tree
{
WAVE_TREE_OF(run, unsigned long long)
#include "../../platform/amd/wave_reduce.h"
WAVE_TREE_RUN(run)
} // namespace gfx10_tree
namespace gfx10_wide
{
typedef unsigned long long value_t;
static value_t combine(value_t a, value_t b)
{
    return a + b;
}
#include "../../platform/amd/wave_reduce.h"
WAVE_REDUCE_OF(run, value_t)
} // namespace gfx10_wide
namespace gfx10_narrow
{
typedef unsigned value_t;
static value_t combine(value_t a, value_t b)
{
    return a + b;
}
#include "../../platform/amd/wave_reduce.h"
WAVE_REDUCE_OF(run, value_t)
} // namespace gfx10_narrow
namespace gfx10_min
{
typedef unsigned value_t;
static value_t combine(value_t a, value_t b)
{
    return a < b ? a : b;
}
#include "../../platform/amd/wave_reduce.h"
WAVE_REDUCE_OF(run, value_t)
} // namespace gfx10_min

hipError_t run_wave_reduce(int generation, unsigned block, unsigned lanes,
                           const unsigned long long *in, unsigned long long *out)
{
    return generation == GFX9 ? gfx9_wide::run(block, lanes, in, out)
                              : gfx10_wide::run(block, lanes, in, out);
}

hipError_t run_wave_tree(int generation, unsigned block, unsigned count,
                         const unsigned long long *in, unsigned long long *out)
{
    return generation == GFX9 ? gfx9_tree::run(block, count, in, out)
                              : gfx10_tree::run(block, count, in, out);
}

hipError_t run_wave_reduce_32(int generation, unsigned block, unsigned lanes, const unsigned *in,
                              unsigned *out)
{
    return generation == GFX9 ? gfx9_narrow::run(block, lanes, in, out)
                              : gfx10_narrow::run(block, lanes, in, out);
}

hipError_t run_wave_reduce_min(int generation, unsigned block, unsigned lanes, const unsigned *in,
                               unsigned *out)
{
    return generation == GFX9 ? gfx9_min::run(block, lanes, in, out)
                              : gfx10_min::run(block, lanes, in, out);
}

#endif
