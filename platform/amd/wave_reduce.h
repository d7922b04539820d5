/* AMD only: combines the values of neighbouring lanes without the LDS. It needs combine(), so element.h includes it once
 * for each type and operation.
 *
 * __shfl_*() becomes ds_bpermute_b32, which goes through the LDS: two for 8 bytes, and a wait after each pair.
 * DPP (data parallel primitives) lets an instruction take its operand from another lane instead. There are
 * only a few fixed patterns, and which ones depends on the generation:
 *
 *   lanes apart   gfx8, gfx9                          gfx10 and newer
 *   1, 2          quad_perm                           quad_perm
 *   4, 8          row_half_mirror, row_mirror         the same: within a row of 16 lanes
 *   16            row_bcast:15, a row's last lane     other_row(), from the other row of a pair
 *                 for the whole next row
 *   32            row_bcast:31                        v_readlane
 *
 * A mirror can replace an exchange at a distance of 4 or 8: the two lanes it pairs are in the right halves,
 * and all lanes of a half already hold the same value. (AMD, ISA documents of Vega, CDNA3, RDNA2, RDNA3:
 * DPP, V_PERMLANEX16_B32, V_READLANE_B32.)
 * SPDX-License-Identifier: MIT */

#if defined(__SPIRV__) && defined(__HIP_DEVICE_COMPILE__)
#error "amdgcnspirv: the instructions differ between generations, and which one it will be is not known yet"
#endif

/* value = combine(value, value of another lane), where OTHER fetches each 32 bits, `word`, from that lane. */
#define WAVE_STEP(OTHER)                                                                                               \
    do {                                                                                                               \
        union {                                                                                                        \
            value_t value;                                                                                             \
            int words[sizeof(value_t) / 4];                                                                            \
        } mine, other;                                                                                                 \
        mine.value = value;                                                                                            \
        for (unsigned k = 0; k < sizeof(value_t) / 4; k++) {                                                           \
            int word = mine.words[k];                                                                                  \
            other.words[k] = (OTHER);                                                                                  \
        }                                                                                                              \
        value = combine(value, other.value);                                                                           \
    } while (0)

/* All rows and banks. A lane without a source reads 0, and its result is never used. So the compiler can fold the move
 * into the addition and need not copy the old value. */
#define DPP(PATTERN) __builtin_amdgcn_update_dpp(0, word, PATTERN, 0xf, 0xf, true)

/* The word of this lane's counterpart in the other row of 16 of a pair: by v_permlanex16 where there is one, or, with
 * HIPFLAGS=-DACROSS_ROWS_BY_SWIZZLE, by ds_swizzle (lane xor 16; through the LDS, but no bank of it). rocPRIM does the
 * latter and says that the former can be slower; neither is measured here.
 *
 * LLVM 15 and 17 (ROCm 5) sink v_permlanex16 into an `if (lane == 0)` that follows, where inactive lanes yield 0
 * (docs/amd.md): something must use it here. No bound_ctrl, for which LLVM 15 (ROCm 5.2) sets bits that must be 0
 * (https://github.com/llvm/llvm-project/issues/59547). */
static __device__ __forceinline__ int other_row(int word)
{
#if defined(__GFX8__) || defined(__GFX9__) || defined(ACROSS_ROWS_BY_SWIZZLE)
    return __builtin_amdgcn_ds_swizzle(word, 0x401f);
#else
    int other = __builtin_amdgcn_permlanex16(0, word, 0x76543210, 0xfedcba98, false, false);
    return (int)lane_not_kept((unsigned)other);
#endif
}

/* All lanes get the value of one. */
static __device__ __forceinline__ value_t wave_broadcast(value_t value, int lane)
{
    union {
        value_t value;
        int words[sizeof(value_t) / 4];
    } one;
    one.value = value;
    for (unsigned k = 0; k < sizeof(value_t) / 4; k++)
        one.words[k] = __builtin_amdgcn_readlane(one.words[k], lane);
    return one.value;
}

/* Combines the values of each group of `lanes` neighbouring lanes; every lane of a group holds its result.
 * lanes is the same in the whole wavefront and at most its size. It need not be a power of two if the lanes
 * up to the next one hold IDENTITY. All lanes of a group must be active; other groups need not be. */
static __device__ __forceinline__ value_t wave_reduce(value_t value, unsigned lanes)
{
    /* In a scalar register, so that the whole wavefront branches at once. */
    lanes = (unsigned)__builtin_amdgcn_readfirstlane((int)lanes);
    if (lanes > 1)
        WAVE_STEP(DPP(0xb1)); /* quad_perm:[1,0,3,2] */
    if (lanes > 2)
        WAVE_STEP(DPP(0x4e)); /* quad_perm:[2,3,0,1] */
    if (lanes > 4)
        WAVE_STEP(DPP(0x141)); /* row_half_mirror */
    if (lanes > 8)
        WAVE_STEP(DPP(0x140)); /* row_mirror */
#if defined(__GFX8__) || defined(__GFX9__)
    /* From here on only the last lane of each group is right, and only that is read. If the rows hold a b c d,
     * then after row_bcast:15   a+0   a+b   b+c       c+d
     *       after row_bcast:31  ...   ...   b+c+a+b   c+d+a+b, in lane 63 each row once.
     * Row masks 0xa and 0xc would leave the other rows as they are; for the last lane nothing changes. */
    if (lanes > 16)
        WAVE_STEP(DPP(0x142)); /* row_bcast:15 */
    if (lanes > 32) {
        WAVE_STEP(DPP(0x143)); /* row_bcast:31 */
        value = wave_broadcast(value, 63);
    } else if (lanes > 16) {
        value_t low = wave_broadcast(value, 31), high = wave_broadcast(value, 63);
        value = __lane_id() < 32 ? low : high;
    }
#else
    if (lanes > 16)
        WAVE_STEP(other_row(word));
    if (lanes > 32 && warp_lanes() > 32)
        value = combine(wave_broadcast(value, 0), wave_broadcast(value, 32));
#endif
    return value;
}

/* The tree of __shfl_down() at the distances 8, 4, 2, 1 that are below count: the same pairs, so that lane 0 of each 16
 * holds the same bits. row_shl:d fetches from the lane d places up in the row. count is at most 16 and the same in the
 * whole wavefront. */
static __device__ __forceinline__ value_t wave_tree_16(value_t value, unsigned count)
{
    if (count > 8)
        WAVE_STEP(DPP(0x108));
    if (count > 4)
        WAVE_STEP(DPP(0x104));
    if (count > 2)
        WAVE_STEP(DPP(0x102));
    if (count > 1)
        WAVE_STEP(DPP(0x101));
    return value;
}

/* The same from the distance 16 on: lane 0 of each 32 holds what __shfl_down() would give. */
static __device__ __forceinline__ value_t wave_tree_32(value_t value)
{
    WAVE_STEP(other_row(word));
    return wave_tree_16(value, 16);
}

#undef WAVE_STEP
#undef DPP
