/* Matrices of a warp (wmma). A lane has consecutive elements of one row of a fragment, which programs must not know: so it
 * multiplies with vectors. For that, the lanes give each other theirs.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_MMA_H
#define HIP_CPU_CUDA_MMA_H

#include <type_traits>

#include "hip_cpu/cuda/bfloat16.h"
#include "hip_cpu/kernel/warp_mask.h"
#include "hip_cpu/numbers/half.h"

namespace nvcuda
{
namespace wmma
{
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32; /* a float of 19 bits */
}

HIP_CPU_INLINE float __float_to_tf32(float x)
{
    uint32_t bits = hip_cpu_float_bits(x);
    bool is_number = (bits & 0x7f800000) != 0x7f800000;
    return is_number ? hip_cpu_float_of((bits + 0x1000) & ~0x1fffu) : x;
}

template <typename T> struct hip_cpu_element {
    typedef T type;
};
template <> struct hip_cpu_element<precision::tf32> {
    typedef float type;
};
/* In which sums are computed. */
template <typename T> struct hip_cpu_sum {
    typedef
        typename std::conditional<std::is_integral<T>::value, int,
                                  typename std::conditional<std::is_same<T, double>::value, double, float>::type>::type
            type;
};

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment
{
  public:
    static constexpr int rows = std::is_same<Use, matrix_b>::value ? K : M;
    static constexpr int columns = std::is_same<Use, matrix_a>::value ? K : N;
    static constexpr int num_elements = rows * columns / 32;
    static constexpr int num_storage_elements = num_elements;
    typedef typename hip_cpu_element<T>::type element_type, storage_element_type;
    element_type x[num_elements];
};

/* Of the i-th element of this lane: its place in rows and columns that begin at each `stride`. */
template <typename F> HIP_CPU_INLINE size_t hip_cpu_place(int i, unsigned stride, bool by_columns)
{
    size_t element = (size_t)__lane_id() * F::num_elements + (size_t)i;
    size_t row = element / F::columns, column = element % F::columns;
    return by_columns ? column * stride + row : row * stride + column;
}
template <typename F, typename T>
HIP_CPU_INLINE void hip_cpu_load(F &f, const T *from, unsigned stride, bool by_columns, const char *file, int line)
{
    if (warpSize != 32)
        hip_cpu_fail("matrices of a warp need warps of 32: set HIP_CPU_WARP_SIZE=32", file, line);
    for (int i = 0; i < F::num_elements; i++)
        f.x[i] = (typename F::element_type)from[hip_cpu_place<F>(i, stride, by_columns)];
    __syncwarp(~0u, file, line);
}

template <typename Use, int M, int N, int K, typename T, typename Layout, typename S>
HIP_CPU_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const S *from, unsigned stride,
                                     HIP_CPU_PLACE)
{
    static_assert(!std::is_void<Layout>::value, "an accumulator is loaded with its layout");
    hip_cpu_load(f, from, stride, std::is_same<Layout, col_major>::value, file, line);
}
template <int M, int N, int K, typename T, typename S>
HIP_CPU_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const S *from, unsigned stride,
                                     layout_t layout, HIP_CPU_PLACE)
{
    hip_cpu_load(f, from, stride, layout == mem_col_major, file, line);
}
template <int M, int N, int K, typename T, typename S>
HIP_CPU_INLINE void store_matrix_sync(S *to, const fragment<accumulator, M, N, K, T> &f, unsigned stride,
                                      layout_t layout, HIP_CPU_PLACE)
{
    typedef fragment<accumulator, M, N, K, T> F;
    for (int i = 0; i < F::num_elements; i++)
        to[hip_cpu_place<F>(i, stride, layout == mem_col_major)] = f.x[i];
    __syncwarp(~0u, file, line);
}
template <typename Use, int M, int N, int K, typename T, typename Layout, typename V>
HIP_CPU_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const V &value)
{
    for (auto &x : f.x)
        x = (typename fragment<Use, M, N, K, T, Layout>::element_type)value;
}

/* What the lanes of the block's warps give each other, which is no memory of the program's, and no trace sees it. */
#define HIP_CPU_UNSEEN static __attribute__((noinline, no_sanitize("thread")))
template <typename S, int A, int B> struct hip_cpu_matrices {
    S a[A], b[B];
};
template <typename S, int A, int B> HIP_CPU_UNSEEN hip_cpu_matrices<S, A, B> *hip_cpu_matrices_of()
{
    static thread_local hip_cpu_matrices<S, A, B> of_warp[1024 / 32];
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    return &of_warp[thread / 32];
}
template <typename S, typename FA, typename FB> HIP_CPU_UNSEEN void hip_cpu_give(const FA &a, const FB &b)
{
    auto *m = hip_cpu_matrices_of<S, FA::rows * FA::columns, FB::rows * FB::columns>();
    S *__restrict to_a = m->a + __lane_id() * FA::num_elements, *__restrict to_b =
                                                                    m->b + __lane_id() * FB::num_elements;
    for (int i = 0; i < FA::num_elements; i++)
        to_a[i] = (S)a.x[i];
    for (int i = 0; i < FB::num_elements; i++)
        to_b[i] = (S)b.x[i];
}
template <typename S, typename FA, typename FB, typename FD, typename FC>
HIP_CPU_UNSEEN void hip_cpu_multiply(FD &d, const FC &c)
{
    static_assert(FD::columns % FD::num_elements == 0, "a lane has elements of one row");
    auto *m = hip_cpu_matrices_of<S, FA::rows * FA::columns, FB::rows * FB::columns>();
    unsigned element = __lane_id() * FD::num_elements;
    const S *a = m->a + element / FD::columns * FA::columns, *b = m->b + element % FD::columns;
    typedef S part __attribute__((vector_size(FD::num_elements * sizeof(S))));
    part sum, of_b;
    for (int i = 0; i < FD::num_elements; i++)
        sum[i] = (S)c.x[i];
#pragma GCC unroll 16
    for (int k = 0; k < FA::columns; k++) {
        memcpy(&of_b, b + k * FB::columns, sizeof of_b);
        sum += a[k] * of_b;
    }
    for (int i = 0; i < FD::num_elements; i++)
        d.x[i] = (typename FD::element_type)sum[i];
}
template <int M, int N, int K, typename TA, typename LA, typename TB, typename LB, typename TD, typename TC>
HIP_CPU_INLINE void mma_sync(fragment<accumulator, M, N, K, TD> &d, const fragment<matrix_a, M, N, K, TA, LA> &a,
                             const fragment<matrix_b, M, N, K, TB, LB> &b, const fragment<accumulator, M, N, K, TC> &c,
                             bool = false, HIP_CPU_PLACE)
{
    typedef fragment<matrix_a, M, N, K, TA, LA> FA;
    typedef fragment<matrix_b, M, N, K, TB, LB> FB;
    typedef typename hip_cpu_sum<TC>::type S;

    hip_cpu_give<S>(a, b);
    __syncwarp(~0u, file, line);
    hip_cpu_multiply<S, FA, FB>(d, c);
    __syncwarp(~0u, file, line);
}
} // namespace wmma
} // namespace nvcuda

#endif
