/* Shuffles that read lanes that do not exist, of each type and operation. With an argument the value is not used.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <vector>

template <typename T> __device__ T sum(T a, T b) { return a + b; }
template <typename T> __device__ T product(T a, T b) { return a * b; }
template <typename T> __device__ T largest(T a, T b) { return b > a ? b : a; }
template <typename T> __device__ T lowest(T a, T b) { return b < a ? b : a; }
template <typename T> __device__ T every_bit(T a, T b) { return a & b; }
template <typename T> __device__ T any_bit(T a, T b) { return a | b; }
template <typename T> __device__ T odd_bits(T a, T b) { return a ^ b; }

static std::vector<void (*)(void *, bool)> rows;
static bool has(void (*row)(void *, bool)) { return rows.push_back(row), true; }

/* A kernel for each row, since findings at one line are one. Values between 1 and 11, or between -11 and -1. */
#define REDUCE(name, T, combine, sign)                                                                                 \
    __global__ void name(T *out, bool is_right)                                                                        \
    {                                                                                                                  \
        T value = T(sign * (1 + (int)threadIdx.x % 11));                                                               \
        for (unsigned d = 8; d > 0; d /= 2) {                                                                          \
            T other = __shfl_down(value, d);                                                                           \
            value = is_right && threadIdx.x + d >= blockDim.x ? value : combine(value, other);                         \
        }                                                                                                              \
        if (threadIdx.x == 0)                                                                                          \
            *out = value;                                                                                              \
    }                                                                                                                  \
    static const bool has_##name =                                                                                     \
        has([](void *out, bool is_right) { hipLaunchKernelGGL(name, dim3(1), dim3(11), 0, 0, (T *)out, is_right); });
#define NUMBERS(name, T, sign)                                                                                         \
    REDUCE(name##_sum, T, sum, 1)                                                                                      \
    REDUCE(name##_product, T, product, 1)                                                                              \
    REDUCE(name##_largest, T, largest, sign)                                                                           \
    REDUCE(name##_lowest, T, lowest, 1)
#define BITS(name, T)                                                                                                  \
    REDUCE(name##_every_bit, T, every_bit, -1)                                                                         \
    REDUCE(name##_any_bit, T, any_bit, 1)                                                                              \
    REDUCE(name##_odd_bits, T, odd_bits, 1)
NUMBERS(float, float, -1)
NUMBERS(double, double, -1)
NUMBERS(int, int, -1)
NUMBERS(unsigned, unsigned, 1)
NUMBERS(long, long, -1)
NUMBERS(ulong, ulong, 1)
NUMBERS(half, __half, -1)
NUMBERS(bfloat, __hip_bfloat16, -1)
BITS(int, int)
BITS(ulong, ulong)

int main(int count, char **)
{
    void *out;

    if (hipMalloc(&out, 64) != hipSuccess)
        return 3;
    for (auto row : rows)
        row(out, count > 1);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
