/* platform/amd/wave_reduce.h on the CPU: every group of lanes holds the sum of its own values, each counted once. Lane l
 * has the value 1 << l, so that a sum tells which lanes are in it. The minimum of positive values tells whether the 0 of a
 * lane without a source gets into a result.
 *
 * Shuffles emulate the instructions: which lane each reads, and where it writes. A lane without a source (none by the
 * pattern, or an inactive one) gets 0 if BOUND_CTRL is set, and is not written otherwise; nor is a lane of a masked row or
 * bank. (AMD Instinct MI300 ISA, 13.3.9, tables 93 and 94: DPP_CTRL, BC, ROW_MASK and BANK_MASK; RDNA2 ISA, 13.3.9, the
 * same without row_bcast, and 12.12, V_PERMLANEX16_B32.) v_readlane of such a lane gives an obviously wrong value.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include <limits.h>

#include "intrinsics.h"
#include "suite.h"

static __device__ unsigned lane_id(void) { return threadIdx.x % (unsigned)warpSize; }

/* All lanes execute this; source < 0: no source. */
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

/* The other row of 16, at the lane given by this lane's four bits. */
static __device__ int permlanex16(int old, int word, unsigned low, unsigned high, bool bound)
{
    unsigned lane = lane_id();
    unsigned place = (lane % 16 < 8 ? low >> lane % 8 * 4 : high >> lane % 8 * 4) & 15;
    return read_lane(word, (int)((lane / 16 ^ 1) * 16 + place), bound ? 0 : old);
}

/* In bit-mask mode (bit 15 is 0): lane xor 16 within 32. (MI300 ISA, DS_SWIZZLE_B32.) */
static __device__ int ds_swizzle(int word, int pattern)
{
    int lane = (int)lane_id(), within = lane % 32;
    within = ((within & (pattern & 31)) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    return read_lane(word, lane / 32 * 32 + within, 0);
}

#define __lane_id()                                                         lane_id()
#define __builtin_amdgcn_ds_swizzle(word, pattern)                          ds_swizzle(word, pattern)
#define __builtin_amdgcn_update_dpp(old, word, pattern, rows, banks, bound) dpp(old, word, pattern, rows, banks, bound)
#define __builtin_amdgcn_permlanex16(old, word, low, high, fi, bound)       permlanex16(old, word, low, high, bound)
#define __builtin_amdgcn_readlane(word, lane)                               read_lane(word, lane, (int)0x5badbad5)
#define __builtin_amdgcn_readfirstlane(word)                                read_lane(word, 0, -1)

typedef unsigned long long wide;

/* A namespace with wave_reduce.h for a type and a combine(a, b), as in element.h, and with run(): one block of
 * `out[t] = RESULT`, where RESULT uses value, `lanes` and these. */
#define OPERATION(NAME, TYPE, COMBINED)                                                                                \
    namespace NAME                                                                                                     \
    {                                                                                                                  \
    typedef TYPE value_t;                                                                                              \
    static value_t combine(value_t a, value_t b) { return COMBINED; }
#define RUN(RESULT)                                                                                                    \
    __global__ void kernel(const value_t *in, value_t *out, unsigned lanes)                                            \
    {                                                                                                                  \
        value_t value = in[threadIdx.x];                                                                               \
        out[threadIdx.x] = RESULT;                                                                                     \
    }                                                                                                                  \
    static hipError_t run(unsigned block, unsigned lanes, const value_t *in, value_t *out)                             \
    {                                                                                                                  \
        hipLaunchKernelGGL(kernel, dim3(1), dim3(block), 0, 0, in, out, lanes);                                        \
        hipError_t error = hipGetLastError();                                                                          \
        return error != hipSuccess ? error : hipDeviceSynchronize();                                                   \
    }                                                                                                                  \
    }

#define __GFX9__ 1
namespace gfx9
{
#include "wave_reduce_operations.h"
}
#undef __GFX9__
namespace gfx10 /* and newer */
{
#include "wave_reduce_operations.h"
}

static const struct {
    const char *name;
    hipError_t (*sum)(unsigned block, unsigned lanes, const wide *in, wide *out);
    hipError_t (*least)(unsigned block, unsigned lanes, const unsigned *in, unsigned *out);
    hipError_t (*tree)(unsigned block, unsigned count, const wide *in, wide *out);
} generations[] = {
    {"gfx9", gfx9::sum::run, gfx9::least::run, gfx9::tree::run},
    {"gfx10", gfx10::sum::run, gfx10::least::run, gfx10::tree::run},
};
enum { GFX9, GFX10 };

/* ---- tests ---- */

#define BLOCK_MAX 256

static wide *in, *out;
static unsigned *in_min, *out_min;

static unsigned round_up(unsigned lanes)
{
    unsigned power = 1;
    while (power < lanes)
        power *= 2;
    return power;
}

static void check_groups(int generation, unsigned warp, unsigned block, unsigned lanes)
{
    unsigned group = round_up(lanes);

    for (unsigned t = 0; t < block; t++) {
        unsigned lane = t % warp;
        in[t] = lane % group < lanes ? 1ull << lane : 0;
        in_min[t] = lane % group < lanes ? 1 + (lane * 37 + block) % 64 : UINT_MAX;
    }
    ck_assert_int_eq(generations[generation].sum(block, lanes, in, out), hipSuccess);
    ck_assert_int_eq(generations[generation].least(block, lanes, in_min, out_min), hipSuccess);
    for (unsigned t = 0; t < block; t++) {
        unsigned first = t / group * group;
        if (first + group > block)
            continue; /* some of its lanes are missing */
        wide sum = 0;
        unsigned least = UINT_MAX;
        for (unsigned k = 0; k < group; k++) {
            sum += in[first + k];
            least = in_min[first + k] < least ? in_min[first + k] : least;
        }
        ck_assert_msg(out[t] == sum, "%s, warp %u, block %u, lanes %u, thread %u: %llx, not %llx",
                      generations[generation].name, warp, block, lanes, t, out[t], sum);
        ck_assert_msg(out_min[t] == least, "%s, warp %u, block %u, lanes %u, thread %u: minimum %u, not %u",
                      generations[generation].name, warp, block, lanes, t, out_min[t], least);
    }
}

/* What __shfl_down() would give in the first lane. */
static wide tree(const wide *values, unsigned count)
{
    wide value[32];

    for (unsigned k = 0; k < 32; k++)
        value[k] = k < round_up(count) ? values[k] : 0;
    for (unsigned distance = round_up(count) / 2; distance > 0; distance /= 2)
        for (unsigned k = 0; k < distance; k++)
            value[k] = value[k] * 3 + value[k + distance] * 5 + 1;
    return value[0];
}

static void check_trees(int generation, unsigned warp, unsigned block)
{
    for (unsigned t = 0; t < block; t++)
        in[t] = 1 + t * 0x9e3779b97f4a7c15ull;
    for (unsigned count = 1; count <= 32; count = count < 16 ? count + 1 : count + 16) {
        unsigned group = count <= 16 ? 16 : 32;
        ck_assert_int_eq(generations[generation].tree(block, count, in, out), hipSuccess);
        for (unsigned t = 0; t + group <= block; t += group)
            ck_assert_msg(out[t] == tree(in + t, count), "%s, warp %u, block %u, tree of %u, thread %u: %llx, not %llx",
                          generations[generation].name, warp, block, count, t, out[t], tree(in + t, count));
    }
}

static void check_generation(int generation, const char *warp_size)
{
    const unsigned warp = (unsigned)atoi(warp_size);
    const unsigned blocks[] = {warp, 2 * warp, warp + 16, warp + 36, 3 * warp + 1, 20};

    hip_cpu_set_warp_size((int)warp); /* each test runs in its own process */
    in = new wide[BLOCK_MAX];
    out = new wide[BLOCK_MAX];
    in_min = new unsigned[BLOCK_MAX];
    out_min = new unsigned[BLOCK_MAX];
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (unsigned lanes = 1; lanes <= warp && lanes <= blocks[b]; lanes++)
            check_groups(generation, warp, blocks[b], lanes);
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        if (blocks[b] % warp == 0) /* whole warps, as in reproducible */
            check_trees(generation, warp, blocks[b]);
    delete[] in;
    delete[] out;
    delete[] in_min;
    delete[] out_min;
}

TEST(gfx9_wave64) { check_generation(GFX9, "64"); }

TEST(gfx10_wave32) { check_generation(GFX10, "32"); }

TEST(gfx10_wave64) { check_generation(GFX10, "64"); }
