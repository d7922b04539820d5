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
REDUCE(float_sum, float, sum, 1)
REDUCE(float_product, float, product, 1)
REDUCE(float_largest, float, largest, -1)
REDUCE(float_lowest, float, lowest, 1)
REDUCE(double_sum, double, sum, 1)
REDUCE(double_product, double, product, 1)
REDUCE(double_largest, double, largest, -1)
REDUCE(double_lowest, double, lowest, 1)
REDUCE(int_sum, int, sum, 1)
REDUCE(int_product, int, product, 1)
REDUCE(int_largest, int, largest, -1)
REDUCE(int_lowest, int, lowest, 1)
REDUCE(unsigned_sum, unsigned, sum, 1)
REDUCE(unsigned_product, unsigned, product, 1)
REDUCE(unsigned_largest, unsigned, largest, 1)
REDUCE(unsigned_lowest, unsigned, lowest, 1)
REDUCE(long_sum, long, sum, 1)
REDUCE(long_product, long, product, 1)
REDUCE(long_largest, long, largest, -1)
REDUCE(long_lowest, long, lowest, 1)
REDUCE(ulong_sum, ulong, sum, 1)
REDUCE(ulong_product, ulong, product, 1)
REDUCE(ulong_largest, ulong, largest, 1)
REDUCE(ulong_lowest, ulong, lowest, 1)
REDUCE(half_sum, __half, sum, 1)
REDUCE(half_product, __half, product, 1)
REDUCE(half_largest, __half, largest, -1)
REDUCE(half_lowest, __half, lowest, 1)
REDUCE(bfloat_sum, __hip_bfloat16, sum, 1)
REDUCE(bfloat_product, __hip_bfloat16, product, 1)
REDUCE(bfloat_largest, __hip_bfloat16, largest, -1)
REDUCE(bfloat_lowest, __hip_bfloat16, lowest, 1)
REDUCE(int_every_bit, int, every_bit, -1)
REDUCE(int_any_bit, int, any_bit, 1)
REDUCE(int_odd_bits, int, odd_bits, 1)
REDUCE(ulong_every_bit, ulong, every_bit, -1)
REDUCE(ulong_any_bit, ulong, any_bit, 1)
REDUCE(ulong_odd_bits, ulong, odd_bits, 1)

int main(int count, char **)
{
    void *out;

    if (hipMalloc(&out, 64) != hipSuccess)
        return 3;
    for (auto row : rows)
        row(out, count > 1);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
