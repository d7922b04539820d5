/* The HIP runtime for the CPU: is it right where GPUs are subtle?
 *
 *   test_platform_cpu            all tests; at the warp size and schedule of the environment, and then
 *                                once more for every warp size, schedule and number of workers
 *   test_platform_cpu inner      without the tests that start this program again
 *   test_platform_cpu probe NAME one thing that ends the program or depends on its environment
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"
#include "program.h"

#ifndef __HIP_PLATFORM_CPU__

int main(void)
{
    puts("only for GPU=cpu");
    return 77;
}

#else

#include "platform_cpu_kernels.h"

#define POISON 0x7ff77ff77ff77ff7ull
/* Check writes to a file for every assertion that holds, which is too slow for the inside of a loop. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg("%s", #condition);                                                        \
    } while (0)
#define OK(call) MUST((call) == hipSuccess)

static char self[4096];
static int warp_size, workers;

static void *device_alloc(size_t bytes)
{
    void *memory = NULL;
    OK(hipMalloc(&memory, bytes));
    OK(hipMemset(memory, 0, bytes));
    return memory;
}

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state ^ *state >> 29;
}

/* ---- warp operations ---- */

static const size_t value_bytes[VALUE_COUNT] = {4, 4, 8, 8, 8, 8, 4, 8};

/* Whether lane `other` of a block takes part in what lane `lane` of the same warp does. */
static bool together(int who, unsigned block, unsigned thread, unsigned other)
{
    if (other >= block)
        return false;
    unsigned lane = thread % (unsigned)warp_size, with = other % (unsigned)warp_size;
    return lane == with || who != WHO_RETURNED || with % 3 != 2;
}

/* The lane that the documentation of HIP says. */
static unsigned source_of(int kind, int lane, int operand, int width)
{
    int begin = lane / width * width, source = lane;
    switch (kind) {
    case SHUFFLE_IDX:
        source = begin + ((operand % width) + width) % width;
        break;
    case SHUFFLE_UP:
        source = lane - operand < begin ? lane : lane - operand;
        break;
    case SHUFFLE_DOWN:
        source = lane + operand >= begin + width ? lane : lane + operand;
        break;
    case SHUFFLE_XOR:
        source = (lane ^ operand) >= begin + width ? lane : lane ^ operand;
        break;
    }
    return (unsigned)source;
}

static void check_shuffles(int type, int who, unsigned block)
{
    size_t size = value_bytes[type];
    unsigned char *in = device_alloc(block * size), *out = device_alloc(block * size);
    uint64_t state = (uint64_t)type * 77 + (unsigned)who, poison = POISON;

    for (size_t i = 0; i < block * size; i++)
        in[i] = (unsigned char)(random_bits(&state) >> 20);
    for (int kind = 0; kind < SHUFFLE_COUNT; kind++) {
        for (int width = 0; width <= warp_size; width = width == 0 ? 1 : 2 * width) {
            static const int operands[] = {0, 1, 2, 3, 5, 16, 31, 32, 63};
            for (size_t k = 0; k < sizeof operands / sizeof *operands; k++) {
                int w = width == 0 ? warp_size : width;
                OK(hipMemset(out, 0, block * size));
                OK(run_shuffle(type, kind, who, block, operands[k], width, in, out));
                for (unsigned t = 0; t < block; t++) {
                    unsigned lane = t % (unsigned)warp_size;
                    if (who == WHO_RETURNED && lane % 3 == 2)
                        continue;
                    unsigned from = t - lane + source_of(kind, (int)lane, operands[k], w);
                    const void *want =
                        together(who, block, t, from) ? in + from * size : (void *)&poison;
                    if (memcmp(out + t * size, want, size) != 0)
                        ck_abort_msg(
                            "type %d kind %d who %d block %u operand %d width %d thread %u", type,
                            kind, who, block, operands[k], width, t);
                }
            }
        }
    }
    OK(hipFree(in));
    OK(hipFree(out));
}

START_TEST(shuffles)
{
    static const unsigned blocks[] = {1, 7, 32, 64, 100, 256};
    int type = _i / WHO_COUNT, who = _i % WHO_COUNT;
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        check_shuffles(type, who, blocks[b]);
}
END_TEST

START_TEST(votes)
{
    static const unsigned blocks[] = {1, 32, 33, 64, 100, 1024};
    uint64_t state = 5;

    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        for (int density = 0; density < 4; density++) {
            unsigned block = blocks[b];
            int *predicate = device_alloc(block * sizeof *predicate);
            unsigned long long *out = device_alloc(block * 4 * sizeof *out);
            for (unsigned t = 0; t < block; t++)
                predicate[t] = density == 0   ? 0
                               : density == 1 ? -4
                                              : (random_bits(&state) >> 33) % 20 < (density == 2);
            OK(run_votes(_i, block, predicate, out));
            for (unsigned t = 0; t < block; t++) {
                unsigned long long group = 0, ballot = 0;
                unsigned lane = t % (unsigned)warp_size;
                if (_i == WHO_RETURNED && lane % 3 == 2)
                    continue;
                for (unsigned l = 0; l < (unsigned)warp_size; l++) {
                    unsigned other = t - lane + l;
                    if (!together(_i, block, t, other))
                        continue;
                    group |= 1ull << l;
                    ballot |= (unsigned long long)(predicate[other] != 0) << l;
                }
                MUST(out[4 * t] == (ballot != 0));
                MUST(out[4 * t + 1] == (ballot == group));
                MUST(out[4 * t + 2] == ballot);
                MUST(out[4 * t + 3] == group);
            }
            OK(hipFree(predicate));
            OK(hipFree(out));
        }
    }
}
END_TEST

START_TEST(who_is_here)
{
    static const unsigned blocks[] = {1, 32, 50, 64, 192};

    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        unsigned block = blocks[b];
        unsigned long long *out = device_alloc(block * sizeof *out);
        OK(run_active_masks(block, out));
        for (unsigned t = 0; t < block; t++) {
            unsigned long long want = 0;
            unsigned first = t - t % (unsigned)warp_size;
            for (unsigned l = 0; l < (unsigned)warp_size && first + l < block; l++)
                want |= (unsigned long long)(((first + l) % 3 == 0) == (t % 3 == 0)) << l;
            MUST(out[t] == want);
        }
        OK(hipFree(out));
    }
}
END_TEST

/* One operation in the source stays one, whatever the optimizer does with the branches around it. */
START_TEST(branches_around)
{
    unsigned block = 128;
    double *in = device_alloc(block * sizeof *in), *out = device_alloc(2 * block * sizeof *out);

    for (unsigned t = 0; t < block; t++)
        in[t] = 100 + t;
    OK(run_threaded_branches(block, in, out));
    for (unsigned t = 0; t < block; t++) {
        unsigned lane = t % (unsigned)warp_size;
        double value = in[t] + (lane < 16);
        if (lane < 16)
            value = 2 * (in[t + 1] + (lane + 1 < 16));
        MUST(out[2 * t] == value);
        double mine = t < 40 ? in[t] : 0, other = (t ^ 1) < 40 ? in[t ^ 1] : 0;
        MUST(out[2 * t + 1] == (t < 40 ? -(mine + other) : mine + other));
    }
    OK(hipFree(in));
    OK(hipFree(out));
}
END_TEST

START_TEST(halves_of_a_warp)
{
    unsigned block = 192, half = (unsigned)warp_size / 2;
    int *in = device_alloc(block * sizeof *in), *out = device_alloc(block * sizeof *out);

    for (unsigned t = 0; t < block; t++)
        in[t] = (int)(t * t + 3);
    OK(run_halves(block, in, out));
    for (unsigned t = 0; t < block; t++) {
        int sum = 0;
        for (unsigned k = t / half * half; k < t / half * half + half; k++)
            sum += in[k];
        MUST(out[t] == (t / half % 2 == 0 ? sum : -2 * sum));
    }
    OK(hipFree(in));
    OK(hipFree(out));
}
END_TEST

START_TEST(lanes_of_a_block)
{
    dim3 block = {3, 7, 11};
    unsigned count = 3 * 7 * 11, *lane = device_alloc(count * sizeof *lane);

    OK(run_lanes(block, lane));
    for (unsigned t = 0; t < count; t++)
        MUST(lane[t] == t % (unsigned)warp_size);
    OK(hipFree(lane));
}
END_TEST

/* ---- blocks ---- */

START_TEST(barriers)
{
    static const unsigned blocks[] = {1, 2, 31, 64, 65, 100, 256, 1024};
    unsigned block = blocks[_i], grid = 19;
    size_t count = (size_t)grid * block;
    int *in = device_alloc(count * sizeof *in), *out = device_alloc(count * sizeof *out);

    for (size_t i = 0; i < count; i++)
        in[i] = (int)(i * 7919);
    for (int rounds = 1; rounds <= 8; rounds += 7) {
        OK(run_reverse(grid, block, rounds, in, out));
        for (size_t i = 0; i < count; i++) {
            size_t first = i / block * block, back = first + block - 1 - (i - first);
            MUST(out[i] == in[rounds % 2 ? back : i]);
        }
    }
    OK(hipFree(in));
    OK(hipFree(out));
}
END_TEST

START_TEST(barrier_counts)
{
    static const unsigned blocks[] = {1, 33, 100, 256, 1024};

    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        unsigned block = blocks[b];
        int *predicate = device_alloc(block * sizeof(int)), *out = device_alloc(block * 12);
        for (unsigned stride = 1; stride <= 2000; stride *= 3) {
            int count = 0;
            for (unsigned t = 0; t < block; t++)
                count += (predicate[t] = t % stride == stride - 1 ? 17 : 0) != 0;
            OK(run_counts(block, predicate, out));
            for (unsigned t = 0; t < block; t++) {
                MUST(out[3 * t] == count);
                MUST((out[3 * t + 1] != 0) == (count == (int)block));
                MUST((out[3 * t + 2] != 0) == (count > 0));
            }
        }
        OK(hipFree(predicate));
        OK(hipFree(out));
    }
}
END_TEST

START_TEST(every_index_once)
{
    static const dim3 shapes[][2] = {
        {{1, 1, 1}, {1, 1, 1}},   {{1000, 1, 1}, {1, 1, 1}}, {{7, 5, 3}, {4, 3, 2}},
        {{3, 1, 4}, {1, 32, 32}}, {{2, 3, 1}, {1, 1, 1024}}, {{129, 2, 1}, {100, 1, 1}},
    };
    dim3 grid = shapes[_i][0], block = shapes[_i][1];
    size_t count = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    int *seen = device_alloc(count * sizeof *seen), *wrong = device_alloc(sizeof *wrong);

    OK(run_indices(grid, block, seen, wrong));
    ck_assert_int_eq(*wrong, 0);
    for (size_t i = 0; i < count; i++)
        MUST(seen[i] == 1);
    OK(hipFree(seen));
    OK(hipFree(wrong));
}
END_TEST

START_TEST(arguments_by_value)
{
    double *out = device_alloc(5 * sizeof *out);
    struct triple t = {40, 2.5, 'x'};

    OK(run_arguments(-7, 1.25, t, "abc", out));
    ck_assert_double_eq(out[0], -7);
    ck_assert_double_eq(out[1], 1.25);
    ck_assert_double_eq(out[2], 42.5);
    ck_assert_double_eq(out[3], 'x');
    ck_assert_double_eq(out[4], 'b');
    OK(hipFree(out));
}
END_TEST

/* The tree of reduction_no_striding: right, and at a speed that a system call per switch cannot have. */
START_TEST(tree_and_speed)
{
    unsigned block = 256, grid = 4000;
    size_t n = (size_t)grid * block - 100;
    double *in = device_alloc(n * sizeof *in), *partials = device_alloc(grid * sizeof *partials);
    double sum = 0, want = 0;
    struct timespec start, stop;

    for (size_t i = 0; i < n; i++)
        want += in[i] = (double)(i % 1000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    OK(run_tree(grid, block, in, partials, n));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stop);
    for (unsigned b = 0; b < grid; b++)
        sum += partials[b];
    ck_assert_double_eq(sum, want);
    double seconds =
        (double)(stop.tv_sec - start.tv_sec) + 1e-9 * (double)(stop.tv_nsec - start.tv_nsec);
    printf("tree, block 256: %.1f M elements/s of processor time\n", (double)n / seconds * 1e-6);
#if !defined(__SANITIZE_ADDRESS__) && defined(__OPTIMIZE__)
    ck_assert_double_gt((double)n / seconds, 3e5);
#endif
    OK(hipFree(in));
    OK(hipFree(partials));
}
END_TEST

/* ---- atomics ---- */

START_TEST(atomics)
{
    unsigned grid = 200, block = 100, n = grid * block;
    struct atomic_results *r = device_alloc(sizeof *r);
    unsigned *seen = device_alloc((n + 1) * sizeof *seen);
    int xor_all = 0;

    r->i_and = -1;
    r->u_min = UINT32_MAX;
    OK(run_atomics(grid, block, r, seen));
    for (unsigned i = 0; i < n; i++) {
        MUST(seen[i] == 1); /* every old value of the counter exactly once */
        xor_all ^= (int)i;
    }
    ck_assert_int_eq(r->i_add, (int)(n * (n - 1ull) / 2));
    ck_assert_int_eq(r->i_sub, -(int)n);
    ck_assert_int_eq(r->i_min, -(int)(n - 1));
    ck_assert_int_eq(r->i_max, (int)(n - 1));
    ck_assert_int_eq(r->i_and, (int)~0xfffffu);
    ck_assert_int_eq(r->i_or, 0xfffff);
    ck_assert_int_eq(r->i_xor, xor_all);
    ck_assert_uint_eq(r->u_add, n);
    ck_assert_uint_eq(r->u_inc, n % 7);
    ck_assert_uint_eq(r->u_dec, (7 - n % 7) % 7);
    ck_assert_uint_eq(r->u_min, 5);
    ck_assert_uint_eq(r->u_max, n - 1);
    ck_assert_uint_eq(r->u_exchanged + seen[n], n * (n + 1) / 2);
    ck_assert_uint_eq(r->ull_add, (unsigned long long)n * (n - 1) / 2 << 20);
    ck_assert_uint_eq(r->ull_max, ((unsigned long long)(n - 1) << 40) + 1);
    ck_assert_uint_eq(r->ull_cas, 3ull * n);
    ck_assert_int_eq(r->ll_min, -((long long)(n - 1) << 33));
    ck_assert_int_eq(r->ll_max, (long long)(n - 1) << 33);
    ck_assert_float_eq(r->f_add, 0.25f * (float)n);
    ck_assert_double_eq(r->d_add, 0.5 * n);
    ck_assert_double_eq(r->d_unsafe, n);
    OK(hipFree(r));
    OK(hipFree(seen));
}
END_TEST

START_TEST(contended_atomics)
{
    int rounds = 100000, *whole = device_alloc(sizeof *whole);
    double *real = device_alloc(sizeof *real);

    OK(run_contended((unsigned)workers, 4, rounds, whole, real));
    ck_assert_int_eq(*whole, workers * 4 * rounds);
    ck_assert_double_eq(*real, workers * 4.0 * rounds);
    OK(hipFree(whole));
    OK(hipFree(real));
}
END_TEST

START_TEST(small_functions)
{
    struct bit_results *r = device_alloc(sizeof *r);

    OK(run_bits(r));
    ck_assert_int_eq(r->popc, 8);
    ck_assert_int_eq(r->popcll, 64);
    ck_assert_int_eq(r->ffs, 4);
    ck_assert_int_eq(r->ffs0, 0);
    ck_assert_int_eq(r->ffsll, 41);
    ck_assert_int_eq(r->clz, 31);
    ck_assert_int_eq(r->clz0, 32);
    ck_assert_int_eq(r->clzll, 63);
    ck_assert_int_eq(r->clzll0, 64);
    ck_assert_uint_eq(r->float_bits, 0x3f800000u);
    ck_assert_float_eq(r->bits_float, 2);
    ck_assert_int_eq(r->double_bits, 0x3ff0000000000000ll);
    ck_assert_double_eq(r->bits_double, 2);
    ck_assert_int_eq(r->minimum, -4);
    ck_assert_double_eq(r->maximum, 2.5);
    ck_assert_float_eq(r->vector_sum, 21);
    ck_assert_int_eq(r->nontemporal, 19);
    ck_assert_int_eq(r->ldg, 8);
    ck_assert_int_gt(r->clock_steps, 0);
    ck_assert_float_eq(r->reciprocal_root, 0.5f);
    ck_assert_double_eq(r->reciprocal_root_double, 0.25);
    ck_assert_float_eq(r->fast[0], 1);
    ck_assert_float_eq(r->fast[1], 0.125f);
    ck_assert_float_eq(r->fast[2], 1);
    ck_assert_float_eq(r->fast[3], 1024);
    ck_assert_int_eq(r->product24, -6);
    ck_assert_int_eq(r->high, 3);
    ck_assert_int_eq(r->symbol, 3);
    ck_assert_int_eq(r->static_shared, 7);
    OK(hipFree(r));
}
END_TEST

START_TEST(symbols)
{
    const int from[] = {10, 20, 30};
    int all[4];

    OK(run_symbol(1, from, 2, all));
    ck_assert_int_eq(all[0], 1);
    ck_assert_int_eq(all[1], 10);
    ck_assert_int_eq(all[2], 20);
    ck_assert_int_eq(all[3], 4);
    ck_assert_int_eq(run_symbol(2, from, 3, all), hipErrorInvalidValue);
    ck_assert_int_eq(hipGetLastError(), hipErrorInvalidValue);
}
END_TEST

/* ---- grid ---- */

START_TEST(cooperative_launch)
{
    unsigned *slots = device_alloc((size_t)workers * sizeof *slots);
    unsigned *wrong = device_alloc(sizeof *wrong);
    int blocks = 0;

    for (unsigned grid = 1; grid <= (unsigned)workers; grid++)
        for (unsigned block = 1; block <= 1024; block *= 32)
            OK(run_cooperative(grid, block, 20, slots, wrong));
    ck_assert_uint_eq(*wrong, 0);
    ck_assert_int_eq(run_cooperative((unsigned)workers + 1, 32, 1, slots, wrong),
                     hipErrorCooperativeLaunchTooLarge);
    ck_assert_int_eq(hipGetLastError(), hipErrorCooperativeLaunchTooLarge);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, slots, 256, 0));
    ck_assert_int_eq(blocks, 1);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, slots, 256, (size_t)65 << 10));
    ck_assert_int_eq(blocks, 0);
    OK(hipFree(slots));
    OK(hipFree(wrong));
}
END_TEST

/* ---- errors, devices, events ---- */

START_TEST(bad_launches)
{
    static const struct {
        dim3 grid, block;
        hipError_t error;
    } shapes[] = {
        {{0, 1, 1}, {32, 1, 1}, hipErrorInvalidConfiguration},
        {{1, 0, 1}, {32, 1, 1}, hipErrorInvalidConfiguration},
        {{1, 1, 1}, {0, 1, 1}, hipErrorInvalidConfiguration},
        {{1, 1, 1}, {1025, 1, 1}, hipErrorInvalidConfiguration},
        {{1, 1, 1}, {32, 33, 1}, hipErrorInvalidConfiguration},
        {{1, 1, 1}, {65536, 65536, 1}, hipErrorInvalidConfiguration},
        {{1, 65536, 1}, {1, 1, 1}, hipErrorInvalidConfiguration},
        {{1u << 31, 1, 1}, {1, 1, 1}, hipErrorInvalidConfiguration},
        {{1u << 24, 1, 1}, {256, 1, 1}, hipErrorInvalidConfiguration}, /* 2^32 threads */
        {{1, 1, 1}, {1024, 1, 1}, hipSuccess},
    };
    int *seen = device_alloc(1024 * sizeof *seen), *wrong = device_alloc(sizeof *wrong);
    unsigned char *first = device_alloc(16);

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        ck_assert_int_eq(run_indices(shapes[i].grid, shapes[i].block, seen, wrong),
                         shapes[i].error);
        OK(hipGetLastError()); /* returned once */
    }
    ck_assert_int_eq(seen[0], 1); /* and nothing ran but the last */
    OK(run_shared_bytes(16, 65536, first));
    ck_assert_int_eq(run_shared_bytes(16, 65537, first), hipErrorInvalidValue);
    OK(hipGetLastError());

    ck_assert_int_eq(hipFree(first + 1), hipErrorInvalidValue);
    ck_assert_int_eq(hipPeekAtLastError(), hipErrorInvalidValue);
    ck_assert_int_eq(hipGetLastError(), hipErrorInvalidValue);
    OK(hipPeekAtLastError());
    OK(hipFree(seen));
    OK(hipFree(wrong));
    OK(hipFree(first));
}
END_TEST

START_TEST(error_texts)
{
    ck_assert_int_eq(hipSuccess, 0);
    ck_assert_int_eq(hipErrorInvalidValue, 1);
    ck_assert_int_eq(hipErrorOutOfMemory, 2);
    ck_assert_int_eq(hipErrorInvalidConfiguration, 9);
    ck_assert_int_eq(hipErrorNoDevice, 100);
    ck_assert_int_eq(hipErrorInvalidDevice, 101);
    ck_assert_int_eq(hipErrorLaunchFailure, 719);
    ck_assert_int_eq(hipErrorCooperativeLaunchTooLarge, 720);
    ck_assert_str_eq(hipGetErrorName(hipErrorNoDevice), "hipErrorNoDevice");
    ck_assert_str_eq(hipGetErrorString(hipErrorOutOfMemory), "out of memory");
    ck_assert_str_eq(hipGetErrorString((hipError_t)12345), "unknown error");
}
END_TEST

START_TEST(the_device)
{
    hipDeviceProp_t p;
    int value;
    char name[64];
    size_t total, free_bytes;

    OK(hipGetDeviceCount(&value));
    ck_assert_int_eq(value, 1);
    OK(hipSetDevice(0));
    ck_assert_int_eq(hipSetDevice(1), hipErrorInvalidDevice);
    ck_assert_int_eq(hipSetDevice(-1), hipErrorInvalidDevice);
    OK(hipGetDevice(&value));
    ck_assert_int_eq(value, 0);
    ck_assert_int_eq(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 1),
                     hipErrorInvalidDevice);
    ck_assert_int_eq(hipGetDeviceProperties(&p, 3), hipErrorInvalidDevice);
    OK(hipGetDeviceProperties(&p, 0));
    OK(hipDeviceGetName(name, sizeof name, 0));
    ck_assert_int_eq(strncmp(name, "CPU: ", 5), 0);
    ck_assert_int_eq(strncmp(name, p.name, sizeof name - 1), 0);
    OK(hipDeviceTotalMem(&total, 0));
    ck_assert_uint_eq(total, p.totalGlobalMem);
    OK(hipMemGetInfo(&free_bytes, &total));
    ck_assert_uint_eq(total, p.totalGlobalMem);
    ck_assert_uint_le(free_bytes, total);
    ck_assert_uint_gt(free_bytes, 0);

    const struct {
        hipDeviceAttribute_t attribute;
        int want;
    } attributes[] = {
        {hipDeviceAttributeWarpSize, p.warpSize},
        {hipDeviceAttributeMaxThreadsPerBlock, 1024},
        {hipDeviceAttributeMaxBlockDimX, p.maxThreadsDim[0]},
        {hipDeviceAttributeMaxGridDimX, p.maxGridSize[0]},
        {hipDeviceAttributeMaxGridDimY, p.maxGridSize[1]},
        {hipDeviceAttributeMaxSharedMemoryPerBlock, 65536},
        {hipDeviceAttributeMultiprocessorCount, p.multiProcessorCount},
        {hipDeviceAttributeMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {hipDeviceAttributeCooperativeLaunch, 1},
        {hipDeviceAttributeMemoryBusWidth, 0},
        {hipDeviceAttributeL2CacheSize, p.l2CacheSize},
        {hipDeviceAttributeWallClockRate, 1000000},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        OK(hipDeviceGetAttribute(&value, attributes[i].attribute, 0));
        ck_assert_int_eq(value, attributes[i].want);
    }
    ck_assert_int_eq(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)9999, 0),
                     hipErrorInvalidValue);
    OK(hipRuntimeGetVersion(&value));
    ck_assert_int_gt(value, 50000000);
    OK(hipFuncSetAttribute(&p, hipFuncAttributeMaxDynamicSharedMemorySize, 65536));
    ck_assert_int_eq(hipFuncSetAttribute(&p, hipFuncAttributeMaxDynamicSharedMemorySize, 65537),
                     hipErrorInvalidValue);
    OK(hipDeviceSynchronize());
}
END_TEST

START_TEST(streams_and_events)
{
    hipStream_t stream;
    hipEvent_t start, stop, untimed;
    float ms = -1, again = -1;

    OK(hipStreamCreate(&stream));
    OK(hipEventCreate(&start));
    OK(hipEventCreateWithFlags(&stop, hipEventBlockingSync));
    OK(hipEventCreateWithFlags(&untimed, hipEventDisableTiming));
    ck_assert_int_eq(hipEventElapsedTime(&ms, start, stop), hipErrorInvalidHandle);
    struct timespec pause = {0, 20000000}, before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    OK(hipEventRecord(start, stream));
    OK(hipEventRecord(untimed, stream));
    nanosleep(&pause, NULL);
    OK(hipEventRecord(stop, stream));
    clock_gettime(CLOCK_MONOTONIC, &after);
    OK(hipEventSynchronize(stop));
    OK(hipStreamWaitEvent(stream, stop, 0));
    OK(hipEventElapsedTime(&ms, start, stop));
    ck_assert_float_ge(ms, 19);
    double most = 1e3 * (double)(after.tv_sec - before.tv_sec) +
                  1e-6 * (double)(after.tv_nsec - before.tv_nsec);
    ck_assert_double_le((double)ms, most + 1e-3); /* a float rounds */
    OK(hipEventElapsedTime(&again, stop, start));
    ck_assert_float_eq_tol(again, -ms, 1e-4f);
    ck_assert_int_eq(hipEventElapsedTime(&ms, start, untimed), hipErrorInvalidHandle);
    ck_assert_int_eq(hipEventRecord(NULL, stream), hipErrorInvalidHandle);
    OK(hipStreamSynchronize(stream));
    OK(hipEventDestroy(start));
    OK(hipEventDestroy(stop));
    OK(hipEventDestroy(untimed));
    OK(hipStreamDestroy(stream));
    OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    OK(hipStreamDestroy(stream));
    ck_assert_int_eq(hipStreamCreateWithFlags(&stream, 77), hipErrorInvalidValue);
}
END_TEST

/* ---- memory ---- */

START_TEST(memory)
{
    static const size_t sizes[] = {1, 4, 8, 16, 100, 4095, 4096, 4097, 1000000};
    unsigned char bytes[200], *memory;
    void *none = &none;
    uint64_t poison = POISON;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        OK(hipMalloc((void **)&memory, sizes[i]));
        MUST((uintptr_t)memory % 16 == 0);
        for (size_t k = 0; k < sizes[i]; k++)
            MUST(memory[k] == ((unsigned char *)&poison)[k % 8]);
        OK(hipMemset(memory, 0x5a, sizes[i]));
        MUST(memory[sizes[i] - 1] == 0x5a);
        ck_assert_int_eq(hipMemset(memory, 0, sizes[i] + 1), hipErrorInvalidValue);
        OK(hipFree(memory));
        ck_assert_int_eq(hipFree(memory), hipErrorInvalidValue);
        ck_assert_int_eq(hipMemset(memory, 0, 1), hipErrorInvalidValue);
    }
    OK(hipMalloc(&none, 0));
    ck_assert_ptr_null(none);
    OK(hipFree(NULL));
    ck_assert_int_eq(hipMalloc(NULL, 10), hipErrorInvalidValue);
    ck_assert_int_eq(hipMalloc((void **)&memory, SIZE_MAX / 2), hipErrorOutOfMemory);
    ck_assert_ptr_null(memory);
    ck_assert_int_eq(hipMalloc((void **)&memory, SIZE_MAX), hipErrorOutOfMemory);

    /* Allocated memory counts as used even before it is touched. */
    size_t before, after, total;
    OK(hipMemGetInfo(&before, &total));
    OK(hipMalloc((void **)&memory, total / 4));
    OK(hipMemGetInfo(&after, &total));
    ck_assert_uint_le(after, total - total / 4);
    ck_assert_int_eq(hipMalloc(&none, total - total / 8), hipErrorOutOfMemory);
    OK(hipFree(memory));

    memory = device_alloc(100);
    for (unsigned i = 0; i < 200; i++)
        bytes[i] = (unsigned char)i;
    OK(hipMemcpy(memory, bytes + 7, 100, hipMemcpyHostToDevice));
    OK(hipMemcpy(memory + 1, memory, 99, hipMemcpyDeviceToDevice)); /* may overlap */
    memset(bytes, 0, sizeof bytes);
    OK(hipMemcpyAsync(bytes, memory, 100, hipMemcpyDefault, NULL));
    MUST(bytes[0] == 7);
    MUST(bytes[1] == 7);
    MUST(bytes[99] == 105);
    ck_assert_int_eq(hipMemcpy(memory, bytes, 101, hipMemcpyHostToDevice), hipErrorInvalidValue);
    ck_assert_int_eq(hipMemcpy(bytes, memory + 50, 51, hipMemcpyDeviceToHost),
                     hipErrorInvalidValue);
    ck_assert_int_eq(hipMemcpy(bytes, memory - 1, 1, hipMemcpyDeviceToHost), hipErrorInvalidValue);
    /* the wrong way round */
    ck_assert_int_eq(hipMemcpy(bytes, memory, 10, hipMemcpyHostToDevice), hipErrorInvalidValue);
    ck_assert_int_eq(hipMemcpy(memory, bytes, 10, hipMemcpyDeviceToHost), hipErrorInvalidValue);
    ck_assert_int_eq(hipMemcpy(memory, bytes, 10, (hipMemcpyKind)9),
                     hipErrorInvalidMemcpyDirection);
    ck_assert_int_eq(hipMemcpy(NULL, bytes, 10, hipMemcpyHostToDevice), hipErrorInvalidValue);
    OK(hipMemcpy(NULL, bytes, 0, hipMemcpyHostToDevice));
    OK(hipFree(memory));

    void *host, *device;
    OK(hipHostMalloc(&host, 64, hipHostMallocDefault));
    OK(hipMemcpy(host, bytes, 64, hipMemcpyHostToHost));
    OK(hipMemcpy(bytes, host, 64, hipMemcpyDeviceToHost));
    OK(hipHostGetDevicePointer(&device, host, 0));
    ck_assert_ptr_eq(device, host);
    ck_assert_int_eq(hipFree(host), hipErrorInvalidValue);
    OK(hipHostFree(host));

    for (int i = 0; i < 500; i++) { /* more than are kept after hipFree */
        OK(hipMalloc(&host, 5000));
        OK(hipFree(host));
    }
}
END_TEST

START_TEST(fresh_shared_memory)
{
    uint64_t poison = POISON;
    unsigned char *first = device_alloc(200);

    for (int again = 0; again < 3; again++) {
        OK(run_shared_bytes(200, 200, first));
        for (unsigned i = 0; i < 200; i++)
            MUST(first[i] == ((unsigned char *)&poison)[i % 8]);
    }
    OK(hipFree(first));
}
END_TEST

/* ---- hosts with threads and children ---- */

static void *launch_often(void *memory)
{
    int *seen = memory;
    for (int i = 0; i < 50; i++)
        if (run_indices((dim3){20, 1, 1}, (dim3){10, 1, 1}, seen, seen + 200) != hipSuccess)
            return memory;
    return NULL;
}

START_TEST(two_host_threads)
{
    pthread_t threads[2];
    int *memory[2];

    for (int i = 0; i < 2; i++) {
        memory[i] = device_alloc(201 * sizeof(int));
        MUST(pthread_create(&threads[i], NULL, launch_often, memory[i]) == 0);
    }
    for (int i = 0; i < 2; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
        for (int k = 0; k < 200; k++)
            MUST(memory[i][k] == 50);
        OK(hipFree(memory[i]));
    }
}
END_TEST

START_TEST(launch_after_fork)
{
    int *memory = device_alloc(201 * sizeof(int));
    ck_assert_ptr_null(launch_often(memory));
    pid_t child = fork();
    if (child == 0)
        _exit(launch_often(memory) == NULL && memory[7] == 100 ? 0 : 1);
    int status;
    waitpid(child, &status, 0);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(memory[7], 50);
    OK(hipFree(memory));
}
END_TEST

/* ---- what ends the program, or depends on its environment: this program is started again ---- */

static int probe(const char *name)
{
    double *memory = NULL;
    int *ints = NULL;
    unsigned *order = NULL;
    hipError_t error = hipMalloc((void **)&memory, 4096);

    if (error == hipSuccess)
        error = hipMalloc((void **)&ints, 1024 * sizeof *ints);
    if (error == hipSuccess)
        error = hipMalloc((void **)&order, 20001 * sizeof *order);
    if (error == hipSuccess && hipMemset(order, 0, 20001 * sizeof *order) == hipSuccess &&
        hipMemset(ints, 0, 1024 * sizeof *ints) == hipSuccess) {
        if (strcmp(name, "read_past") == 0)
            error = run_read(memory, 513, memory);
        else if (strcmp(name, "write_past") == 0)
            error = run_write(memory, 512);
        else if (strcmp(name, "write_before") == 0)
            error = run_write(memory, -1);
        else if (strcmp(name, "read_past_odd") == 0) {
            double *odd;
            error = hipMalloc((void **)&odd, 800);
            if (error == hipSuccess)
                error = run_read(odd, 100, memory);
        } else if (strcmp(name, "write_far") == 0)
            error = run_write(memory, 512 + 1000000 / 8);
        else if (strcmp(name, "write_null") == 0)
            error = run_write(NULL, 3);
        else if (strcmp(name, "write_wild") == 0)
            error = run_write((double *)(uintptr_t)0x123400000000, 0);
        else if (strcmp(name, "write_freed") == 0)
            error = hipFree(memory) != hipSuccess ? hipErrorUnknown : run_write(memory, 2);
        else if (strcmp(name, "host_read") == 0)
            error = memory[512] > 0 ? hipErrorUnknown : hipSuccess;
        else if (strcmp(name, "slack") == 0) {
            double *odd;
            error = hipMalloc((void **)&odd, 8);
            if (error == hipSuccess)
                error = run_write(odd, 1);
            if (error == hipSuccess)
                error = hipFree(odd);
        } else if (strcmp(name, "overflow") == 0)
            error = run_overflow(100000, ints);
        else if (strcmp(name, "divide") == 0)
            error = run_divide(ints[0], ints);
        else if (strcmp(name, "shared_past") == 0)
            error = run_shared_read(400, 101, ints);
        else if (strcmp(name, "barrier_without") == 0)
            error = run_barrier_without(100, 30, ints);
        else if (strcmp(name, "barriers_apart") == 0)
            error = run_barriers_apart(10, ints);
        else if (strcmp(name, "diverged_branches") == 0)
            error = run_diverged(DIVERGED_BRANCHES, 40, ints);
        else if (strcmp(name, "diverged_loop") == 0)
            error = run_diverged(DIVERGED_LOOP, 64, ints);
        else if (strcmp(name, "diverged_line") == 0)
            error = run_diverged(DIVERGED_LINE, 64, ints);
        else if (strcmp(name, "diverged_barrier") == 0)
            error = run_diverged(DIVERGED_BARRIER, 64, ints);
        else if (strcmp(name, "grid_barrier_without") == 0)
            error = run_grid_barrier_without(2);
        else if (strcmp(name, "grid_barrier_plain") == 0)
            error = run_grid_barrier_plain();
        else if (strcmp(name, "bad_width") == 0)
            error = run_bad_width(12, ints);
        else if (strcmp(name, "order") == 0)
            error = run_order(100, 200, order + 20000, order);
        else if (strcmp(name, "order_after_barrier") == 0)
            error = run_order_after_barrier(200, order + 20000, order);
        else if (strcmp(name, "warp_size") == 0) {
            error = hipDeviceGetAttribute(&ints[0], hipDeviceAttributeWarpSize, 0);
            if (error == hipSuccess)
                error = hipDeviceGetAttribute(&ints[1], hipDeviceAttributeMultiprocessorCount, 0);
        } else
            return 99;
    }
    if (error != hipSuccess) {
        fprintf(stderr, "%s\n", hipGetErrorName(error));
        return 50;
    }
    printf("%d %d\n", ints[0], ints[1]);
    for (unsigned i = 0; i < order[20000]; i++)
        printf("%u ", order[i]);
    return 0;
}

/* Runs this program with settings of the environment separated by spaces. */
static struct ran run_self(const char *settings, const char *command, const char *name)
{
    char copy[512], *arguments[16] = {"/usr/bin/env"};
    size_t count = 1;

    snprintf(copy, sizeof copy, "%s", settings);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        arguments[count++] = word;
    arguments[count++] = self;
    arguments[count++] = (char *)command;
    arguments[count++] = (char *)name;
    return program_run(arguments, NULL);
}

/* One line on stderr that has all the pieces, and nothing else except output of a sanitizer. */
static void check_error(const char *settings, const char *name, int status,
                        const char *const *pieces)
{
    struct ran r = run_self(settings, "probe", name);
    char *line = strstr(r.error, "hip: ");

    ck_assert_msg(r.status == status, "%s: exit code %d: %s", name, r.status, r.error);
    ck_assert_msg(line != NULL, "%s: %s", name, r.error);
    ck_assert_msg(strchr(line, '\n') == line + strlen(line) - 1, "%s: not one line: %s", name,
                  r.error);
    for (; *pieces; pieces++)
        ck_assert_msg(strstr(line, *pieces) != NULL, "%s: no \"%s\" in: %s", name, *pieces, line);
    ran_free(&r);
}

#define PIECES_MAX 8
#if defined(__x86_64__)
#define READS  "reads"
#define WRITES "writes"
#else
#define READS  "reads or writes"
#define WRITES "reads or writes"
#endif

static const struct {
    const char *settings, *name;
    int status;
    const char *pieces[PIECES_MAX];
} errors[] = {
    {"",
     "read_past",
     3,
     {"kernel read_at", "block (1,0,0)", "thread (2,0,0)",
      READS " 8 bytes past the end of an allocation of 4096 bytes"}},
    {"",
     "read_past_odd",
     3,
     {"kernel read_at", READS " right past the end of an allocation of 800 bytes"}},
    {"",
     "write_past",
     3,
     {"kernel write_at", WRITES " right past the end of an allocation of 4096 bytes"}},
    {"",
     "write_before",
     3,
     {"kernel write_at", WRITES " 8 bytes before the start of an allocation of 4096 bytes"}},
    {"", "write_far", 3, {"kernel write_at", "1000000 bytes past the end of an allocation"}},
    {"", "write_null", 3, {"kernel write_at", WRITES " through a null pointer"}},
    {"", "write_wild", 3, {"kernel write_at", "not near any allocation"}},
    {"", "write_freed", 3, {"kernel write_at", "16 bytes into a freed allocation of 4096 bytes"}},
    {"", "host_read", 3, {"host code", READS " right past the end of an allocation of 4096"}},
    {"", "slack", 3, {"wrote past the end of an allocation of 8 bytes", "hipFree"}},
    {"", "overflow", 3, {"kernel deep", "stack overflow"}},
    {"", "divide", 3, {"kernel divide", "integer division by zero"}},
    {"",
     "shared_past",
     3,
     {"kernel read_shared", "4 bytes past the end of dynamic shared memory of 400 bytes"}},
    {"",
     "barrier_without",
     3,
     {"kernel barrier_without", "block (", "70 wait at ", "kernels.hip:", "(threads 30-99)",
      "30 have returned (threads 0-29)"}},
    {"",
     "barriers_apart",
     3,
     {"kernel barriers_apart", "5 wait at", "(threads 0, 2, 4, 6, 8)", "(threads 1, 3, 5, 7, 9)"}},
    {"HIP_CPU_WARP_SIZE=32",
     "diverged_branches",
     3,
     {"kernel diverged", "block (0,0,0), warp 0", "16 at __shfl_down, ",
      "kernels.hip:", "(lanes 0, 2, 4, 6", "16 at __shfl_xor, ", "(lanes 1, 3, 5, 7"}},
    {"HIP_CPU_WARP_SIZE=64",
     "diverged_loop",
     3,
     {"warp 0", "48 at __any, ", "(lanes 1-3, 5-7", "16 at __all, ", "(lanes 0, 4, 8"}},
    {"HIP_CPU_WARP_SIZE=64", "diverged_line", 3, {"32 at __ballot, ", "32 at __any, "}},
    {"HIP_CPU_WARP_SIZE=32",
     "diverged_barrier",
     3,
     {"warp 0", "8 at __syncwarp, ", "(lanes 0-7)", "24 at a barrier, ", "(lanes 8-31)"}},
    {"HIP_CPU_WORKERS=2",
     "grid_barrier_without",
     3,
     {"kernel grid_barrier_without", "1 of 2 blocks wait at the grid barrier"}},
    {"", "grid_barrier_plain", 3, {"kernel grid_barrier_without", "hipLaunchCooperativeKernel"}},
    {"", "bad_width", 3, {"kernel bad_width", "width 12", "power of two"}},
    {"HIP_CPU_WARP_SIZE=48", "warp_size", 2, {"HIP_CPU_WARP_SIZE=48", "32 or 64"}},
    {"HIP_CPU_WARP_SIZE=", "warp_size", 2, {"HIP_CPU_WARP_SIZE=", "32 or 64"}},
    {"HIP_CPU_WORKERS=0", "warp_size", 2, {"HIP_CPU_WORKERS=0", "1 to 1024"}},
    {"HIP_CPU_WORKERS=2x", "warp_size", 2, {"HIP_CPU_WORKERS=2x"}},
    {"HIP_CPU_SCHEDULE=backward", "warp_size", 2, {"HIP_CPU_SCHEDULE", "reverse or random:SEED"}},
    {"HIP_CPU_SCHEDULE=random:", "warp_size", 2, {"HIP_CPU_SCHEDULE=random:"}},
    {"HIP_CPU_SCHEDULE=random:-1", "warp_size", 2, {"HIP_CPU_SCHEDULE=random:-1"}},
    {"HIP_CPU_MEMORY=weak:3", "warp_size", 2, {"HIP_CPU_MEMORY=weak:3", "make race MEMORY=weak"}},
    {"HIP_CPU_STRICT_BARRIER=maybe", "warp_size", 2, {"HIP_CPU_STRICT_BARRIER", "0 or 1"}},
};
#define ERRORS ((int)(sizeof errors / sizeof *errors))

START_TEST(errors_are_told)
{
    check_error(errors[_i].settings, errors[_i].name, errors[_i].status, errors[_i].pieces);
}
END_TEST

/* What the probe prints in its first line, and in its second as numbers. */
static void probe_numbers(const char *settings, const char *name, int first[2], unsigned *numbers,
                          unsigned count)
{
    struct ran r = run_self(settings, "probe", name);
    char *at = r.out;

    ck_assert_msg(r.status == 0, "%s %s: %d %s", settings, name, r.status, r.error);
    first[0] = (int)strtol(at, &at, 10);
    first[1] = (int)strtol(at, &at, 10);
    for (unsigned i = 0; i < count; i++)
        numbers[i] = (unsigned)strtoul(at, &at, 10);
    ran_free(&r);
}

START_TEST(settings)
{
    int values[2];

    probe_numbers("-u HIP_CPU_WARP_SIZE", "warp_size", values, NULL, 0);
    ck_assert_int_eq(values[0], 64);
    ck_assert_int_eq(values[1], workers);
    probe_numbers("HIP_CPU_WARP_SIZE=32 HIP_CPU_WORKERS=7", "warp_size", values, NULL, 0);
    ck_assert_int_eq(values[0], 32);
    ck_assert_int_eq(values[1], 7);

    /* Hardware tolerates these, and so do we when told to. */
    probe_numbers("HIP_CPU_STRICT_BARRIER=0", "barrier_without", values, NULL, 0);
    ck_assert_int_eq(values[0], 140);
    probe_numbers("HIP_CPU_STRICT_BARRIER=0", "barriers_apart", values, NULL, 0);
    ck_assert_int_eq(values[0], 15);

    struct ran r = run_self("HIP_VISIBLE_DEVICES=", "probe", "order");
    ck_assert_int_eq(r.status, 50);
    ck_assert_str_eq(r.error, "hipErrorNoDevice\n");
    ran_free(&r);
}
END_TEST

static bool is_permutation(const unsigned *numbers, unsigned count)
{
    bool *seen = calloc(count, sizeof *seen), all = true;
    for (unsigned i = 0; i < count; i++) {
        all = all && numbers[i] < count && !seen[numbers[i]];
        if (all)
            seen[numbers[i]] = true;
    }
    free(seen);
    return all;
}

/* `numbers` begins as 0 1 2 ... or the other way round. */
static bool is_sorted(const unsigned *numbers, unsigned count)
{
    unsigned up = 0, down = 0;
    for (unsigned i = 1; i < count; i++) {
        up += numbers[i] > numbers[i - 1];
        down += numbers[i] < numbers[i - 1];
    }
    return up == 0 || down == 0;
}

START_TEST(schedules)
{
    enum { GRID = 100, BLOCK = 200, ALL = GRID * BLOCK };
    static unsigned order[ALL], again[ALL], other[ALL];
    int values[2];

    probe_numbers("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=forward", "order", values, order, ALL);
    for (unsigned i = 0; i < ALL; i++)
        MUST(order[i] == i);
    probe_numbers("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=reverse", "order", values, order, ALL);
    for (unsigned i = 0; i < ALL; i++)
        MUST(order[i] == ALL - 1 - i);

    probe_numbers("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=random:1", "order", values, order, ALL);
    probe_numbers("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=random:1", "order", values, again, ALL);
    probe_numbers("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=random:2", "order", values, other, ALL);
    ck_assert_mem_eq(order, again, sizeof order);
    ck_assert_mem_ne(order, other, sizeof order);
    ck_assert(is_permutation(order, ALL) && is_permutation(other, ALL));
    unsigned blocks[GRID];
    for (unsigned b = 0; b < GRID; b++) {
        blocks[b] = order[b * BLOCK] / BLOCK;
        ck_assert(!is_sorted(order + b * BLOCK, BLOCK)); /* threads */
        for (unsigned t = 0; t < BLOCK; t++)
            MUST(order[b * BLOCK + t] / BLOCK == blocks[b]);
    }
    ck_assert(is_permutation(blocks, GRID) && !is_sorted(blocks, GRID));

    probe_numbers("HIP_CPU_SCHEDULE=forward", "order_after_barrier", values, order, BLOCK);
    for (unsigned i = 0; i < BLOCK; i++)
        MUST(order[i] == i);
    probe_numbers("HIP_CPU_SCHEDULE=reverse", "order_after_barrier", values, order, BLOCK);
    for (unsigned i = 0; i < BLOCK; i++)
        MUST(order[i] == BLOCK - 1 - i);
    probe_numbers("HIP_CPU_SCHEDULE=random:3", "order_after_barrier", values, order, BLOCK);
    ck_assert(is_permutation(order, BLOCK) && !is_sorted(order, BLOCK));
}
END_TEST

/* All tests above that do not start this program, in other environments. */
START_TEST(everywhere)
{
    static const char *const settings[] = {
        "HIP_CPU_WARP_SIZE=32",
        "HIP_CPU_WARP_SIZE=64",
        "HIP_CPU_WARP_SIZE=32 HIP_CPU_SCHEDULE=reverse HIP_CPU_WORKERS=1",
        "HIP_CPU_WARP_SIZE=64 HIP_CPU_SCHEDULE=reverse HIP_CPU_WORKERS=5",
        "HIP_CPU_WARP_SIZE=32 HIP_CPU_SCHEDULE=random:7 HIP_CPU_WORKERS=4",
        "HIP_CPU_WARP_SIZE=64 HIP_CPU_SCHEDULE=random:123456789 HIP_CPU_WORKERS=3",
    };
    struct ran r = run_self(settings[_i], "inner", NULL);
    ck_assert_msg(r.status == 0, "%s:\n%s%s", settings[_i], r.out, r.error);
    ran_free(&r);
}
END_TEST

static Suite *platform_cpu_suite(bool inner)
{
    Suite *suite = suite_create("platform_cpu");

    TCase *warps = suite_case(suite, "warps");
    tcase_add_loop_test(warps, shuffles, 0, VALUE_COUNT * WHO_COUNT);
    tcase_add_loop_test(warps, votes, 0, WHO_COUNT);
    tcase_add_test(warps, who_is_here);
    tcase_add_test(warps, branches_around);
    tcase_add_test(warps, halves_of_a_warp);
    tcase_add_test(warps, lanes_of_a_block);

    TCase *blocks = suite_case(suite, "blocks");
    tcase_add_loop_test(blocks, barriers, 0, 8);
    tcase_add_test(blocks, barrier_counts);
    tcase_add_loop_test(blocks, every_index_once, 0, 6);
    tcase_add_test(blocks, arguments_by_value);
    tcase_add_test(blocks, tree_and_speed);
    tcase_add_test(blocks, atomics);
    tcase_add_test(blocks, contended_atomics);
    tcase_add_test(blocks, small_functions);
    tcase_add_test(blocks, symbols);
    tcase_add_test(blocks, cooperative_launch);

    TCase *hosts = suite_case(suite, "hosts");
    tcase_add_test(hosts, bad_launches);
    tcase_add_test(hosts, error_texts);
    tcase_add_test(hosts, the_device);
    tcase_add_test(hosts, streams_and_events);
    tcase_add_test(hosts, memory);
    tcase_add_test(hosts, fresh_shared_memory);
    tcase_add_test(hosts, two_host_threads);
    tcase_add_test(hosts, launch_after_fork);

    if (!inner) {
        TCase *outside = suite_case(suite, "outside");
        tcase_add_loop_test(outside, errors_are_told, 0, ERRORS);
        tcase_add_test(outside, settings);
        tcase_add_test(outside, schedules);
        tcase_add_loop_test(outside, everywhere, 0, 6);
    }
    return suite;
}

int main(int argc, char **argv)
{
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (argc == 3 && strcmp(argv[1], "probe") == 0)
        return probe(argv[2]);
    if (length <= 0 ||
        hipDeviceGetAttribute(&warp_size, hipDeviceAttributeWarpSize, 0) != hipSuccess ||
        hipDeviceGetAttribute(&workers, hipDeviceAttributeMultiprocessorCount, 0) != hipSuccess)
        return EXIT_FAILURE;
    return suite_run(platform_cpu_suite(argc > 1));
}

#endif
