/* Blocks and grids: barriers, indices, atomics, functions of kernels, cooperative launches.
 * SPDX-License-Identifier: MIT */
#include <time.h>

#include "parts.h"

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

void add_blocks(Suite *suite)
{
    TCase *tests = suite_case(suite, "blocks");

    tcase_add_loop_test(tests, barriers, 0, 8);
    tcase_add_test(tests, barrier_counts);
    tcase_add_loop_test(tests, every_index_once, 0, 6);
    tcase_add_test(tests, arguments_by_value);
    tcase_add_test(tests, tree_and_speed);
    tcase_add_test(tests, atomics);
    tcase_add_test(tests, contended_atomics);
    tcase_add_test(tests, small_functions);
    tcase_add_test(tests, symbols);
    tcase_add_test(tests, cooperative_launch);
}
