/* Shuffles, votes and masks: which lanes take part, and which lanes they read.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include <hip/hip_runtime.h>

#include "parts.h"

/* Which lanes take part in a test of warp operations. */
enum {
    WHO_ALL,
    WHO_RETURNED, /* every third lane has returned */
    WHO_COUNT
};
enum { SHUFFLE_IDX, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, SHUFFLE_COUNT };

#define SHUFFLE(...)                                                                                                   \
    (kind == SHUFFLE_IDX    ? __shfl(value, operand __VA_ARGS__)                                                       \
     : kind == SHUFFLE_UP   ? __shfl_up(value, (unsigned)operand __VA_ARGS__)                                          \
     : kind == SHUFFLE_DOWN ? __shfl_down(value, (unsigned)operand __VA_ARGS__)                                        \
                            : __shfl_xor(value, operand __VA_ARGS__))
template <typename T> static __device__ T shuffle(int kind, T value, int operand, int width)
{
    return width == 0 ? SHUFFLE() : SHUFFLE(, width);
}

template <typename T> __global__ void shuffle_kernel(int kind, int who, int operand, int width, const T *in, T *out)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize;
    T value = in[threadIdx.x];

    if (who == WHO_RETURNED && lane % 3 == 2)
        return;
    out[threadIdx.x] = shuffle(kind, value, operand, width);
}

template <typename T>
static hipError_t launch_shuffle(int kind, int who, unsigned block, int operand, int width, const void *in, void *out)
{
    return LAUNCH(shuffle_kernel<T>, 1, block, 0, kind, who, operand, width, (const T *)in, (T *)out);
}

static const struct {
    size_t bytes;
    hipError_t (*launch)(int, int, unsigned, int, int, const void *, void *);
} types[] = {
    {4, launch_shuffle<int>},           {4, launch_shuffle<unsigned>},  {8, launch_shuffle<long>},
    {8, launch_shuffle<unsigned long>}, {8, launch_shuffle<long long>}, {8, launch_shuffle<unsigned long long>},
    {4, launch_shuffle<float>},         {8, launch_shuffle<double>},
};

__global__ void all_votes(int who, const int *predicate, unsigned long long *out)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize;
    int mine = predicate[threadIdx.x];
    unsigned long long *result = out + 4 * threadIdx.x;

    if (who == WHO_RETURNED && lane % 3 == 2)
        return;
    result[0] = (unsigned long long)__any(mine);
    result[1] = (unsigned long long)__all(mine);
    result[2] = __ballot(mine);
    result[3] = __activemask();
}

/* __activemask() in two branches: the only operation that not all lanes need to execute. */
__global__ void active_masks(unsigned long long *out)
{
    if (threadIdx.x % 3 == 0)
        out[threadIdx.x] = __activemask();
    else
        out[threadIdx.x] = __activemask();
    __any(1);
}

__global__ void threaded_branches(const double *in, double *out)
{
    unsigned lane = threadIdx.x % (unsigned)warpSize;
    double value = in[threadIdx.x], other;

    if (lane < 16)
        value += 1;
    other = __shfl_down(value, 1);
    if (lane < 16)
        value = other * 2;
    out[2 * threadIdx.x] = value;

    value = 0;
    if (threadIdx.x < 40)
        value = in[threadIdx.x];
    value += __shfl_xor(value, 1);
    if (threadIdx.x < 40)
        value = -value;
    out[2 * threadIdx.x + 1] = value;
}

static __device__ int section_sum(int value, int width)
{
    for (int distance = width / 2; distance > 0; distance /= 2)
        value += __shfl_xor(value, distance, width);
    return value;
}

__global__ void halves(const int *in, int *out)
{
    int value = in[threadIdx.x], half = warpSize / 2;

    if ((int)threadIdx.x % warpSize < half)
        value = section_sum(value, half);
    else
        value = -section_sum(2 * value, half);
    out[threadIdx.x] = value;
}

__global__ void lanes(unsigned *lane)
{
    lane[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = __lane_id();
}

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state ^ *state >> 29;
}

/* Whether lane `other` of a block takes part in the operation of lane `lane` of the same warp. */
static bool together(int who, unsigned block, unsigned thread, unsigned other)
{
    if (other >= block)
        return false;
    unsigned lane = thread % (unsigned)warp, with = other % (unsigned)warp;
    return lane == with || who != WHO_RETURNED || with % 3 != 2;
}

/* The source lane by HIP's documentation. */
static unsigned source_of(int kind, int lane, int operand, int width)
{
    int begin = lane / width * width, source = kind == SHUFFLE_IDX    ? begin + ((operand % width) + width) % width
                                               : kind == SHUFFLE_UP   ? lane - operand
                                               : kind == SHUFFLE_DOWN ? lane + operand
                                                                      : lane ^ operand;
    return (unsigned)(source >= begin + width || (kind == SHUFFLE_UP && source < begin) ? lane : source);
}

static void check_shuffles(int type, int who, unsigned block)
{
    size_t size = types[type].bytes;
    unsigned char *in = device_alloc<unsigned char>(block * size);
    unsigned char *out = device_alloc<unsigned char>(block * size);
    uint64_t state = (uint64_t)type * 77 + (unsigned)who, poison = POISON;

    for (size_t i = 0; i < block * size; i++)
        in[i] = (unsigned char)(random_bits(&state) >> 20);
    for (int kind = 0; kind < SHUFFLE_COUNT; kind++) {
        for (int width = 0; width <= warp; width = width == 0 ? 1 : 2 * width) {
            static const int operands[] = {0, 1, 2, 3, 5, 16, 31, 32, 63};
            for (size_t k = 0; k < COUNT(operands); k++) {
                int w = width == 0 ? warp : width;
                OK(hipMemset(out, 0, block * size));
                OK(types[type].launch(kind, who, block, operands[k], width, in, out));
                for (unsigned t = 0; t < block; t++) {
                    unsigned lane = t % (unsigned)warp;
                    if (who == WHO_RETURNED && lane % 3 == 2)
                        continue;
                    unsigned from = t - lane + source_of(kind, (int)lane, operands[k], w);
                    const void *want = together(who, block, t, from) ? in + from * size : (void *)&poison;
                    if (memcmp(out + t * size, want, size) != 0)
                        ck_abort_msg("type %d kind %d who %d block %u operand %d width %d thread %u", type, kind, who,
                                     block, operands[k], width, t);
                }
            }
        }
    }
    OK(hipFree(in));
    OK(hipFree(out));
}

TESTS(shuffles, COUNT(types) * WHO_COUNT)
{
    static const unsigned blocks[] = {1, 7, 32, 64, 100, 256};
    int type = _i / WHO_COUNT, who = _i % WHO_COUNT;
    for (size_t b = 0; b < COUNT(blocks); b++)
        check_shuffles(type, who, blocks[b]);
}

TESTS(votes, WHO_COUNT)
{
    static const unsigned blocks[] = {1, 32, 33, 64, 100, 1024};
    uint64_t state = 5;

    for (size_t b = 0; b < COUNT(blocks); b++) {
        for (int density = 0; density < 4; density++) {
            unsigned block = blocks[b];
            int *predicate = device_alloc<int>(block);
            unsigned long long *out = device_alloc<unsigned long long>(4 * block);
            for (unsigned t = 0; t < block; t++)
                predicate[t] = density == 0 ? 0 : density == 1 ? -4 : (random_bits(&state) >> 33) % 20 < (density == 2);
            OK(LAUNCH(all_votes, 1, block, 0, _i, predicate, out));
            for (unsigned t = 0; t < block; t++) {
                unsigned long long group = 0, ballot = 0;
                unsigned lane = t % (unsigned)warp;
                if (_i == WHO_RETURNED && lane % 3 == 2)
                    continue;
                for (unsigned l = 0; l < (unsigned)warp; l++) {
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

TEST(who_is_here)
{
    static const unsigned blocks[] = {1, 32, 50, 64, 192};

    for (size_t b = 0; b < COUNT(blocks); b++) {
        unsigned block = blocks[b];
        unsigned long long *out = device_alloc<unsigned long long>(block);
        OK(LAUNCH(active_masks, 1, block, 0, out));
        for (unsigned t = 0; t < block; t++) {
            unsigned long long want = 0;
            unsigned first = t - t % (unsigned)warp;
            for (unsigned l = 0; l < (unsigned)warp && first + l < block; l++)
                want |= (unsigned long long)(((first + l) % 3 == 0) == (t % 3 == 0)) << l;
            MUST(out[t] == want);
        }
        OK(hipFree(out));
    }
}

/* One operation in the source stays one, whatever the optimizer does with surrounding branches. */
TEST(branches_around)
{
    unsigned block = 128;
    double *in = device_alloc<double>(block), *out = device_alloc<double>(2 * block);

    for (unsigned t = 0; t < block; t++)
        in[t] = 100 + t;
    OK(LAUNCH(threaded_branches, 1, block, 0, in, out));
    for (unsigned t = 0; t < block; t++) {
        unsigned lane = t % (unsigned)warp;
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

TEST(halves_of_a_warp)
{
    unsigned block = 192, half = (unsigned)warp / 2;
    int *in = device_alloc<int>(block), *out = device_alloc<int>(block);

    for (unsigned t = 0; t < block; t++)
        in[t] = (int)(t * t + 3);
    OK(LAUNCH(halves, 1, block, 0, in, out));
    for (unsigned t = 0; t < block; t++) {
        int sum = 0;
        for (unsigned k = t / half * half; k < t / half * half + half; k++)
            sum += in[k];
        MUST(out[t] == (t / half % 2 == 0 ? sum : -2 * sum));
    }
    OK(hipFree(in));
    OK(hipFree(out));
}

TEST(lanes_of_a_block)
{
    dim3 block = {3, 7, 11};
    unsigned count = 3 * 7 * 11, *lane = device_alloc<unsigned>(count);

    OK(LAUNCH(lanes, 1, block, 0, lane));
    for (unsigned t = 0; t < count; t++)
        MUST(lane[t] == t % (unsigned)warp);
    OK(hipFree(lane));
}
