/* platform/amd/wave_reduce.h on the CPU: every group of lanes holds the sum of its own values, each counted
 * once. Lane l has the value 1 << l, so that a sum tells which lanes are in it. The minimum of positive values
 * tells whether the 0 of a lane without a source gets into a result.
 * SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>

#include "suite.h"
#include "wave_reduce_cpu_kernels.h"

#define BLOCK_MAX 256

/* The platform takes another one between launches. */
extern int hip_cpu_warp_size __asm__("warpSize");

static unsigned long long *in, *out;
static unsigned *in_32, *out_32, *in_min, *out_min;

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
        in_32[t] = lane % group < lanes ? 1u << lane % 32 : 0;
        in_min[t] = lane % group < lanes ? 1 + (lane * 37 + block) % 64 : UINT_MAX;
    }
    ck_assert_int_eq(run_wave_reduce(generation, block, lanes, in, out), hipSuccess);
    ck_assert_int_eq(run_wave_reduce_32(generation, block, lanes, in_32, out_32), hipSuccess);
    ck_assert_int_eq(run_wave_reduce_min(generation, block, lanes, in_min, out_min), hipSuccess);
    for (unsigned t = 0; t < block; t++) {
        unsigned first = t / group * group;
        if (first + group > block)
            continue; /* not all of its lanes are there */
        unsigned long long sum = 0;
        unsigned sum_32 = 0, least = UINT_MAX;
        for (unsigned k = 0; k < group; k++) {
            sum += in[first + k];
            sum_32 += in_32[first + k];
            least = in_min[first + k] < least ? in_min[first + k] : least;
        }
        ck_assert_msg(out[t] == sum,
                      "gfx%d, warp %u, block %u, lanes %u, thread %u: %llx, not %llx",
                      generation == GFX9 ? 9 : 10, warp, block, lanes, t, out[t], sum);
        ck_assert_msg(out_32[t] == sum_32,
                      "gfx%d, warp %u, block %u, lanes %u, thread %u: %x, not %x",
                      generation == GFX9 ? 9 : 10, warp, block, lanes, t, out_32[t], sum_32);
        ck_assert_msg(out_min[t] == least,
                      "gfx%d, warp %u, block %u, lanes %u, thread %u: minimum %u, not %u",
                      generation == GFX9 ? 9 : 10, warp, block, lanes, t, out_min[t], least);
    }
}

/* What __shfl_down() would give in the first lane. */
static unsigned long long tree(const unsigned long long *values, unsigned count)
{
    unsigned long long value[32];

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
        ck_assert_int_eq(run_wave_tree(generation, block, count, in, out), hipSuccess);
        for (unsigned t = 0; t + group <= block; t += group)
            ck_assert_msg(out[t] == tree(in + t, count),
                          "gfx%d, warp %u, block %u, tree of %u, thread %u: %llx, not %llx",
                          generation == GFX9 ? 9 : 10, warp, block, count, t, out[t],
                          tree(in + t, count));
    }
}

static void check_generation(int generation, const char *warp_size)
{
    const unsigned warp = (unsigned)atoi(warp_size);
    const unsigned blocks[] = {warp, 2 * warp, warp + 16, warp + 36, 3 * warp + 1, 20};

    hip_cpu_warp_size = (int)warp; /* each test is a process of its own */
    in = malloc(BLOCK_MAX * sizeof *in);
    out = malloc(BLOCK_MAX * sizeof *out);
    in_32 = malloc(BLOCK_MAX * sizeof *in_32);
    out_32 = malloc(BLOCK_MAX * sizeof *out_32);
    in_min = malloc(BLOCK_MAX * sizeof *in_min);
    out_min = malloc(BLOCK_MAX * sizeof *out_min);
    ck_assert(in != NULL && out != NULL && in_32 != NULL && out_32 != NULL && in_min != NULL &&
              out_min != NULL);
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (unsigned lanes = 1; lanes <= warp && lanes <= blocks[b]; lanes++)
            check_groups(generation, warp, blocks[b], lanes);
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        if (blocks[b] % warp == 0) /* whole warps, as in reproducible */
            check_trees(generation, warp, blocks[b]);
    free(in);
    free(out);
    free(in_32);
    free(out_32);
    free(in_min);
    free(out_min);
}

START_TEST(gfx9)
{
    check_generation(GFX9, "64");
}
END_TEST

START_TEST(gfx10_wave32)
{
    check_generation(GFX10, "32");
}
END_TEST

START_TEST(gfx10_wave64)
{
    check_generation(GFX10, "64");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wave_reduce");
    TCase *groups = suite_case(suite, "groups");

    tcase_add_test(groups, gfx9);
    tcase_add_test(groups, gfx10_wave32);
    tcase_add_test(groups, gfx10_wave64);
    return suite_run(suite);
}
