/* Tests that end the program or depend on its environment: they start this program again, as one of these probes.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

#include "parts.h"
#include "program.h"

/* ---- kernels that are wrong, or that report the order in which their threads ran ---- */

enum { DIVERGED_BRANCHES, DIVERGED_LOOP, DIVERGED_LINE, DIVERGED_BARRIER };

__global__ void read_at(const double *in, long index, double *out)
{
    if (blockIdx.x == 1 && threadIdx.x == 2)
        out[0] = in[index];
}

__global__ void write_at(double *out, long index) { out[index] = 1; }

static __attribute__((noinline)) __device__ int descend(unsigned depth, int *out)
{
    volatile int room[512];
    room[depth % 512] = (int)depth;
    if (depth > 0)
        descend(depth - 1, out);
    return out[0] += room[depth % 512];
}

__global__ void deep(unsigned depth, int *out) { descend(depth, out); }

__global__ void divide(int divisor, int *out) { out[0] = 100 / divisor; }

__global__ void read_shared(size_t index, int *out)
{
    HIP_DYNAMIC_SHARED(int, shared);
    out[0] = shared[index];
}

__global__ void barrier_without(unsigned returned, int *out)
{
    if (threadIdx.x < returned)
        return;
    __syncthreads();
    atomicAdd(out, 1);
}

__global__ void barriers_apart(int *out)
{
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
        atomicAdd(out, 1);
    } else {
        __syncthreads();
        atomicAdd(out, 2);
    }
}

/* Lanes of one warp at different places. */
__global__ void diverged(int how, int *out)
{
    int even = threadIdx.x % 2 == 0, value = 1;

    if (how == DIVERGED_BRANCHES) {
        if (even)
            value = __shfl_down(value, 2);
        else
            value = __shfl_xor(value, 2);
    } else if (how == DIVERGED_LOOP) {
        for (unsigned i = 0; i < threadIdx.x % 4; i++)
            value += __any(1);
        value += __all(1);
    } else if (how == DIVERGED_LINE) {
        value = (int)(even ? __ballot(1) : (unsigned long long)__any(1));
    } else {
        if (threadIdx.x < 8)
            __syncwarp();
        __syncthreads();
    }
    atomicAdd(out, value);
}

__global__ void grid_barrier_without(void)
{
    if (blockIdx.x > 0)
        cooperative_groups::this_grid().sync();
}

__global__ void bad_width(int width, int *out) { out[threadIdx.x] = __shfl((int)threadIdx.x, 0, width); }

__global__ void note_order(unsigned *ticket, unsigned *order)
{
    order[atomicAdd(ticket, 1u)] = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void note_order_after_barrier(unsigned *ticket, unsigned *order)
{
    __syncthreads();
    order[atomicAdd(ticket, 1u)] = threadIdx.x;
}

/* ---- probes ---- */

#if defined(__x86_64__)
#define READS  "reads"
#define WRITES "writes"
#else
#define READS  "reads or writes"
#define WRITES "reads or writes"
#endif

enum { GRID = 100, BLOCK = 200, ALL = GRID * BLOCK };

static double *memory, *odd; /* 512 doubles; the size of odd is in allocate_odd() */
static int *ints;            /* 1024, all 0 */
static unsigned *numbers;    /* ALL, and their count */

static hipError_t allocate_odd(size_t bytes) { return hipMalloc((void **)&odd, bytes); }

static hipError_t attributes(void)
{
    hipError_t error = hipDeviceGetAttribute(&ints[0], hipDeviceAttributeWarpSize, 0);

    if (error != hipSuccess)
        return error;
    return hipDeviceGetAttribute(&ints[1], hipDeviceAttributeMultiprocessorCount, 0);
}

/* How many devices there are; the last of them, and a bit for each right answer about its peer. */
static hipError_t peers(void)
{
    int last, can;
    hipError_t error = hipGetDeviceCount(&ints[0]);

    if (error == hipSuccess)
        error = hipSetDevice(ints[0] - 1);
    if (error == hipSuccess)
        error = hipGetDevice(&last);
    if (error == hipSuccess)
        error = hipDeviceCanAccessPeer(&can, last, 0);
    if (error == hipSuccess)
        ints[1] = last * 100 + can + 2 * (hipDeviceDisablePeerAccess(0) == hipErrorPeerAccessNotEnabled) +
                  4 * (hipDeviceEnablePeerAccess(0, 0) == hipSuccess) +
                  8 * (hipDeviceEnablePeerAccess(0, 0) == hipErrorPeerAccessAlreadyEnabled) +
                  16 * (hipDeviceDisablePeerAccess(0) == hipSuccess);
    return error;
}

#define PROBES(X)                                                                                                      \
    X(read_past, LAUNCH(read_at, 2, 4, 0, memory, 513, memory))                                                        \
    X(read_past_odd, ((void)allocate_odd(800), LAUNCH(read_at, 2, 4, 0, odd, 100, memory)))                            \
    X(write_past, LAUNCH(write_at, 1, 1, 0, memory, 512))                                                              \
    X(write_before, LAUNCH(write_at, 1, 1, 0, memory, -1))                                                             \
    X(write_far, LAUNCH(write_at, 1, 1, 0, memory, 512 + 1000000 / 8))                                                 \
    X(write_null, LAUNCH(write_at, 1, 1, 0, NULL, 3))                                                                  \
    X(write_wild, LAUNCH(write_at, 1, 1, 0, (double *)(uintptr_t)0x123400000000, 0))                                   \
    X(write_freed, ((void)hipFree(memory), LAUNCH(write_at, 1, 1, 0, memory, 2)))                                      \
    X(host_read, memory[512] > 0 ? hipErrorUnknown : hipSuccess)                                                       \
    X(slack, ((void)allocate_odd(8), LAUNCH(write_at, 1, 1, 0, odd, 1), hipFree(odd)))                                 \
    X(overflow, LAUNCH(deep, 1, 1, 0, 100000, ints))                                                                   \
    X(division, LAUNCH(divide, 1, 1, 0, ints[0], ints))                                                                \
    X(shared_past, LAUNCH(read_shared, 1, 1, 400, 101, ints))                                                          \
    X(barrier_missing, LAUNCH(barrier_without, 2, 100, 0, 30, ints))                                                   \
    X(two_barriers, LAUNCH(barriers_apart, 1, 10, 0, ints))                                                            \
    X(diverged_branches, LAUNCH(diverged, 1, 40, 0, DIVERGED_BRANCHES, ints))                                          \
    X(diverged_loop, LAUNCH(diverged, 1, 64, 0, DIVERGED_LOOP, ints))                                                  \
    X(diverged_line, LAUNCH(diverged, 1, 64, 0, DIVERGED_LINE, ints))                                                  \
    X(diverged_barrier, LAUNCH(diverged, 1, 64, 0, DIVERGED_BARRIER, ints))                                            \
    X(grid_barrier_missing, hipLaunchCooperativeKernel(grid_barrier_without, dim3(2), dim3(8), nullptr, 0, 0))         \
    X(grid_barrier_plain, (hipLaunchKernelGGL(grid_barrier_without, dim3(2), dim3(8), 0, 0), hipGetLastError()))       \
    X(odd_width, LAUNCH(bad_width, 1, 32, 0, 12, ints))                                                                \
    X(order, LAUNCH(note_order, GRID, BLOCK, 0, numbers + ALL, numbers))                                               \
    X(order_after_barrier, LAUNCH(note_order_after_barrier, 1, BLOCK, 0, numbers + ALL, numbers))                      \
    X(warp_size, attributes())                                                                                         \
    X(devices, peers())

#define NAME(name, call) name,
enum { PROBES(NAME) PROBE_COUNT };

static hipError_t run(int which)
{
#define RUN(name, call)                                                                                                \
    case name:                                                                                                         \
        return call;
    switch (which) {
        PROBES(RUN)
    default:
        return hipErrorInvalidValue;
    }
}

int probe(int which)
{
    hipError_t error = hipMalloc((void **)&memory, 4096);

    if (error == hipSuccess)
        error = hipMalloc((void **)&ints, 1024 * sizeof *ints);
    if (error == hipSuccess)
        error = hipMalloc((void **)&numbers, (ALL + 1) * sizeof *numbers);
    if (error == hipSuccess && hipMemset(numbers, 0, (ALL + 1) * sizeof *numbers) == hipSuccess &&
        hipMemset(ints, 0, 1024 * sizeof *ints) == hipSuccess)
        error = run(which);
    if (error != hipSuccess) {
        fprintf(stderr, "%s\n", hipGetErrorName(error));
        return 50;
    }
    printf("%d %d\n", ints[0], ints[1]);
    for (unsigned i = 0; i < numbers[ALL]; i++)
        printf("%u ", numbers[i]);
    return 0;
}

/* Runs this program with environment settings, separated by spaces. */
static struct ran run_self(const char *settings, const char *command, int which)
{
    char copy[256], number[16];
    /* Its results are not those of this run. */
    char *arguments[16] = {(char *)"/usr/bin/env", (char *)"-u", (char *)"CK_TAP_LOG_FILE_NAME"};
    size_t count = 3;

    snprintf(copy, sizeof copy, "%s", settings);
    snprintf(number, sizeof number, "%d", which);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        arguments[count++] = word;
    arguments[count++] = outside;
    arguments[count++] = (char *)command;
    arguments[count++] = number;
    return program_run(arguments, NULL);
}

/* Pieces of one line on standard error, separated by |. */
static const struct {
    int status, which;
    const char *settings, *pieces;
} errors[] = {
    {3, read_past, "",
     "kernel read_at|block (1,0,0)|thread (2,0,0)|" READS " 8 bytes past the end of an allocation of 4096 bytes"},
    {3, read_past_odd, "", "kernel read_at|" READS " right past the end of an allocation of 800 bytes"},
    {3, write_past, "", "kernel write_at|" WRITES " right past the end of an allocation of 4096 bytes"},
    {3, write_before, "", "kernel write_at|" WRITES " 8 bytes before the start of an allocation of 4096 bytes"},
    {3, write_far, "", "kernel write_at|1000000 bytes past the end of an allocation"},
    {3, write_null, "", "kernel write_at|" WRITES " through a null pointer"},
    {3, write_wild, "", "kernel write_at|not near any allocation"},
    {3, write_freed, "", "kernel write_at|byte 16 of a freed allocation of 4096 bytes: free it after"},
    {3, host_read, "", "host code|" READS " right past the end of an allocation of 4096"},
    {3, slack, "", "wrote past the end of an allocation of 8 bytes|hipFree"},
    {3, overflow, "", "kernel deep|stack overflow"},
    {3, division, "", "kernel divide|integer division by zero"},
    {3, shared_past, "", "kernel read_shared|4 bytes past the end of dynamic shared memory of 400 bytes"},
    {3, barrier_missing, "",
     "kernel barrier_without|block (|70 wait at |kernels.hip:|(threads 30-99)|"
     "30 have returned (threads 0-29)"},
    {3, two_barriers, "", "kernel barriers_apart|5 wait at|(threads 0, 2, 4, 6, 8)|(threads 1, 3, 5, 7, 9)"},
    {3, diverged_branches, "HIP_CPU_WARP_SIZE=32",
     "kernel diverged|block (0,0,0), warp 0|16 at __shfl_down, |kernels.hip:|(lanes 0, 2, 4, 6|"
     "16 at __shfl_xor, |(lanes 1, 3, 5, 7"},
    {3, diverged_loop, "HIP_CPU_WARP_SIZE=64", "warp 0|48 at __any, |(lanes 1-3, 5-7|16 at __all, |(lanes 0, 4, 8"},
    {3, diverged_line, "HIP_CPU_WARP_SIZE=64", "32 at __ballot, |32 at __any, "},
    {3, diverged_barrier, "HIP_CPU_WARP_SIZE=32",
     "warp 0|8 at __syncwarp, |(lanes 0-7)|24 at a barrier, |(lanes 8-31)"},
    {3, grid_barrier_missing, "HIP_CPU_WORKERS=2",
     "kernel grid_barrier_without|1 of 2 blocks wait at the grid barrier"},
    {3, grid_barrier_plain, "", "kernel grid_barrier_without|hipLaunchCooperativeKernel"},
    {3, odd_width, "", "kernel bad_width|width 12|power of two"},
    {2, warp_size, "HIP_CPU_WARP_SIZE=48", "HIP_CPU_WARP_SIZE=48|32 or 64"},
    {2, warp_size, "HIP_CPU_WARP_SIZE=", "HIP_CPU_WARP_SIZE=|32 or 64"},
    {2, warp_size, "HIP_CPU_WORKERS=0", "HIP_CPU_WORKERS=0|1 to 1024"},
    {2, warp_size, "HIP_CPU_WORKERS=2x", "HIP_CPU_WORKERS=2x"},
    {2, warp_size, "HIP_CPU_SCHEDULE=backward", "HIP_CPU_SCHEDULE|reverse or random:SEED"},
    {2, warp_size, "HIP_CPU_SCHEDULE=random:", "HIP_CPU_SCHEDULE=random:"},
    {2, warp_size, "HIP_CPU_SCHEDULE=random:-1", "HIP_CPU_SCHEDULE=random:-1"},
    {2, warp_size, "HIP_CPU_MEMORY=weak:3", "HIP_CPU_MEMORY=weak:3|make race MEMORY=weak"},
    {2, warp_size, "HIP_CPU_STRICT_BARRIER=maybe", "HIP_CPU_STRICT_BARRIER|0 or 1"},
};

/* The output is one line with all the pieces, and nothing else except a sanitizer's. */
TESTS(errors_are_told, outside ? COUNT(errors) : 0)
{
    struct ran r = run_self(errors[_i].settings, "probe", errors[_i].which);
    char *line = strstr(r.error, "hip: "), pieces[512];

    ck_assert_msg(r.status == errors[_i].status, "exit code %d: %s", r.status, r.error);
    ck_assert_msg(line != NULL, "%s", r.error);
    ck_assert_msg(strchr(line, '\n') == line + strlen(line) - 1, "not one line: %s", r.error);
    snprintf(pieces, sizeof pieces, "%s", errors[_i].pieces);
    for (char *piece = strtok(pieces, "|"); piece != NULL; piece = strtok(NULL, "|"))
        ck_assert_msg(strstr(line, piece) != NULL, "no \"%s\" in: %s", piece, line);
    ran_free(&r);
}

/* Runs a probe that prints two values and then this many numbers. */
static void values_of(const char *settings, int which, int values[2], unsigned *list, unsigned count)
{
    struct ran r = run_self(settings, "probe", which);
    char *at = r.out;

    ck_assert_msg(r.status == 0, "%s, %d: %d %s", settings, which, r.status, r.error);
    values[0] = (int)strtol(at, &at, 10);
    values[1] = (int)strtol(at, &at, 10);
    for (unsigned i = 0; i < count; i++)
        list[i] = (unsigned)strtoul(at, &at, 10);
    ran_free(&r);
}

static void numbers_of(const char *settings, int which, unsigned *list, unsigned count)
{
    int values[2];

    values_of(settings, which, values, list, count);
}

TESTS(settings, outside != NULL)
{
    int values[2];

    values_of("-u HIP_CPU_WARP_SIZE", warp_size, values, NULL, 0);
    ALL(values[0] == 64, values[1] == workers);
    values_of("HIP_CPU_WARP_SIZE=32 HIP_CPU_WORKERS=7", warp_size, values, NULL, 0);
    ALL(values[0] == 32, values[1] == 7);

    /* Hardware tolerates these, and so do we if asked to. */
    values_of("HIP_CPU_STRICT_BARRIER=0", barrier_missing, values, NULL, 0);
    ck_assert_int_eq(values[0], 140);
    values_of("HIP_CPU_STRICT_BARRIER=0", two_barriers, values, NULL, 0);
    ck_assert_int_eq(values[0], 15);

    values_of("HIP_VISIBLE_DEVICES=0,1,2", devices, values, NULL, 0);
    ALL(values[0] == 3, values[1] == 231);
    values_of("HIP_VISIBLE_DEVICES=0", devices, values, NULL, 0);
    ALL(values[0] == 1, values[1] == 0);
    struct ran r = run_self("HIP_VISIBLE_DEVICES=", "probe", order);
    ck_assert_int_eq(r.status, 50);
    ck_assert_str_eq(r.error, "hipErrorNoDevice\n");
    ran_free(&r);
}

static bool is_permutation(const unsigned *list, unsigned count)
{
    bool *seen = (bool *)calloc(count, sizeof *seen), all = true;
    for (unsigned i = 0; i < count; i++) {
        all = all && list[i] < count && !seen[list[i]];
        if (all)
            seen[list[i]] = true;
    }
    free(seen);
    return all;
}

/* Upwards or downwards. */
static bool is_sorted(const unsigned *list, unsigned count)
{
    unsigned up = 0, down = 0;
    for (unsigned i = 1; i < count; i++) {
        up += list[i] > list[i - 1];
        down += list[i] < list[i - 1];
    }
    return up == 0 || down == 0;
}

TESTS(schedules, outside != NULL)
{
    static unsigned first[ALL], again[ALL], other[ALL];

    numbers_of("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=forward", order, first, ALL);
    for (unsigned i = 0; i < ALL; i++)
        MUST(first[i] == i);
    numbers_of("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=reverse", order, first, ALL);
    for (unsigned i = 0; i < ALL; i++)
        MUST(first[i] == ALL - 1 - i);

    numbers_of("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=random:1", order, first, ALL);
    numbers_of("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=random:1", order, again, ALL);
    numbers_of("HIP_CPU_WORKERS=1 HIP_CPU_SCHEDULE=random:2", order, other, ALL);
    ck_assert_mem_eq(first, again, sizeof first);
    ck_assert_mem_ne(first, other, sizeof first);
    ck_assert(is_permutation(first, ALL) && is_permutation(other, ALL));
    unsigned blocks[GRID];
    for (unsigned b = 0; b < GRID; b++) {
        blocks[b] = first[b * BLOCK] / BLOCK;
        ck_assert(!is_sorted(first + b * BLOCK, BLOCK)); /* threads */
        for (unsigned t = 0; t < BLOCK; t++)
            MUST(first[b * BLOCK + t] / BLOCK == blocks[b]);
    }
    ck_assert(is_permutation(blocks, GRID) && !is_sorted(blocks, GRID));

    numbers_of("HIP_CPU_SCHEDULE=forward", order_after_barrier, first, BLOCK);
    for (unsigned i = 0; i < BLOCK; i++)
        MUST(first[i] == i);
    numbers_of("HIP_CPU_SCHEDULE=reverse", order_after_barrier, first, BLOCK);
    for (unsigned i = 0; i < BLOCK; i++)
        MUST(first[i] == BLOCK - 1 - i);
    numbers_of("HIP_CPU_SCHEDULE=random:3", order_after_barrier, first, BLOCK);
    ck_assert(is_permutation(first, BLOCK) && !is_sorted(first, BLOCK));
}

/* All tests above that do not start this program, in different environments. */
TESTS(everywhere, outside ? 5 : 0)
{
    static const char *const settings[] = {
        "HIP_CPU_WARP_SIZE=32",
        "HIP_CPU_WARP_SIZE=32 HIP_CPU_SCHEDULE=reverse HIP_CPU_WORKERS=1",
        "HIP_CPU_WARP_SIZE=64 HIP_CPU_SCHEDULE=reverse HIP_CPU_WORKERS=5",
        "HIP_CPU_WARP_SIZE=32 HIP_CPU_SCHEDULE=random:7 HIP_CPU_WORKERS=4",
        "HIP_CPU_WARP_SIZE=64 HIP_CPU_SCHEDULE=random:123456789 HIP_CPU_WORKERS=3",
    };
    struct ran r = run_self(settings[_i], "inner", 0);
    ck_assert_msg(r.status == 0, "%s:\n%s%s", settings[_i], r.out, r.error);
    ran_free(&r);
}
