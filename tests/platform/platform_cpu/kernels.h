/* Kernels of test_platform_cpu: each function launches one and returns the error of the launch.
 * SPDX-License-Identifier: MIT */
#ifndef PLATFORM_CPU_KERNELS_H
#define PLATFORM_CPU_KERNELS_H

#include <hip/hip_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which lanes meet in a test of warp operations. */
enum {
    WHO_ALL,
    WHO_RETURNED, /* every third lane has returned */
    WHO_COUNT
};

/* TYPE_ of the values of a shuffle */
enum {
    VALUE_INT,
    VALUE_UINT,
    VALUE_LONG,
    VALUE_ULONG,
    VALUE_LLONG,
    VALUE_ULLONG,
    VALUE_FLOAT,
    VALUE_DOUBLE,
    VALUE_COUNT
};
enum { SHUFFLE_IDX, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, SHUFFLE_COUNT };

/* out[t] = what thread t of one block gets from a shuffle of in[]; width 0: the default argument. */
hipError_t run_shuffle(int type, int kind, int who, unsigned block, int operand, int width,
                       const void *in, void *out);
/* out[4 * t ..] = any, all, ballot, activemask of predicate[t]. */
hipError_t run_votes(int who, unsigned block, const int *predicate, unsigned long long *out);
/* out[t] = mask of the lanes of every third thread for these, of the others for those */
hipError_t run_active_masks(unsigned block, unsigned long long *out);
/* Shuffles and votes around branches that an optimizer likes to thread through. out[2 * t ..] */
hipError_t run_threaded_branches(unsigned block, const double *in, double *out);
/* Both halves of a warp call one function, out[t] = its sum over the own half. */
hipError_t run_halves(unsigned block, const int *in, int *out);
hipError_t run_lanes(dim3 block, unsigned *lane);

/* out[t] = in[block - 1 - t] by static and dynamic shared memory, again and again. */
hipError_t run_reverse(unsigned grid, unsigned block, int rounds, const int *in, int *out);
/* out[3 * t ..] = count, and, or of the predicates. */
hipError_t run_counts(unsigned block, const int *predicate, int *out);
/* Adds 1 to seen[] of every thread of the grid and checks its indices; wrong[0] counts mistakes. */
hipError_t run_indices(dim3 grid, dim3 block, int *seen, int *wrong);
/* sum[b] by a tree over n elements. */
hipError_t run_tree(unsigned grid, unsigned block, const double *in, double *partials, size_t n);
hipError_t run_shared_bytes(unsigned block, size_t bytes, unsigned char *first);

struct triple {
    int a;
    double b;
    char c;
};
hipError_t run_arguments(int i, double d, struct triple t, const char *text, double *out);

struct atomic_results {
    int i_add, i_sub, i_min, i_max, i_and, i_or, i_xor;
    unsigned u_add, u_inc, u_dec, u_min, u_max, u_exchanged;
    unsigned long long ull_add, ull_max, ull_cas;
    long long ll_min, ll_max;
    float f_add;
    double d_add, d_unsafe;
    unsigned returned_twice; /* old values of an atomicAdd that two threads got */
};
hipError_t run_atomics(unsigned grid, unsigned block, struct atomic_results *r, unsigned *seen);

/* All threads of one block per worker add 1 to both, at the same time. */
hipError_t run_contended(unsigned grid, unsigned block, int rounds, int *whole, double *real);

struct bit_results {
    int popc, popcll, ffs, ffs0, ffsll, clz, clz0, clzll, clzll0;
    unsigned float_bits;
    float bits_float;
    long long double_bits;
    double bits_double;
    int minimum;
    double maximum;
    float vector_sum;
    int nontemporal, ldg;
    long long clock_steps;
    float reciprocal_root, fast[4];
    double reciprocal_root_double;
    int product24, high;
    int symbol, static_shared;
};
hipError_t run_bits(struct bit_results *r);
/* Copies to a __constant__ array of 4 ints from this element on, reads all of it back. */
hipError_t run_symbol(size_t first, const int *from, size_t count, int *all);

/* Every block adds its number, waits for the grid and sums what the others wrote, `rounds` times. */
hipError_t run_cooperative(unsigned grid, unsigned block, int rounds, unsigned *slots,
                           unsigned *wrong);

/* order[i] = i-th thread of the grid that ran, among grid * block; between barriers if there are two. */
hipError_t run_order(unsigned grid, unsigned block, unsigned *ticket, unsigned *order);
hipError_t run_order_after_barrier(unsigned block, unsigned *ticket, unsigned *order);

/* Kernels that are wrong. */
hipError_t run_read(const double *in, long index, double *out);
hipError_t run_write(double *out, long index);
hipError_t run_overflow(unsigned depth, int *out);
hipError_t run_divide(int divisor, int *out);
hipError_t run_shared_read(size_t bytes, size_t index, int *out);
hipError_t run_barrier_without(unsigned block, unsigned returned, int *out);
hipError_t run_barriers_apart(unsigned block, int *out);
enum { DIVERGED_BRANCHES, DIVERGED_LOOP, DIVERGED_LINE, DIVERGED_BARRIER };
hipError_t run_diverged(int how, unsigned block, int *out);
hipError_t run_grid_barrier_without(unsigned grid);
hipError_t run_grid_barrier_plain(void);
hipError_t run_bad_width(int width, int *out);

#ifdef __cplusplus
}
#endif

#endif
