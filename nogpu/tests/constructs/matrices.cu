/* Matrices of a warp: d = a b + c, in each type and layout.
 * SPDX-License-Identifier: MIT */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "construct.h"

using namespace nvcuda;

/* Small integers, which every type has. */
template <typename T> __device__ T number(int i) { return (T)(float)((i * 7 + 3) % 5); }
template <> __device__ signed char number<signed char>(int i) { return (signed char)((i * 7 + 3) % 5 - 2); }

template <typename T, typename C, int M, int N, int K, typename LA, typename LB, typename P = T>
__device__ void multiply(int *wrong)
{
    __shared__ __align__(32) T a[M * K], b[K * N];
    __shared__ __align__(32) C c[M * N], d[M * N];
    const bool a_by_columns = sizeof(LA) == sizeof(int), b_by_columns = sizeof(LB) == sizeof(int);
    typedef typename LA::layout layout_a;
    typedef typename LB::layout layout_b;

    __syncthreads();
    for (int i = (int)threadIdx.x; i < M * K; i += 32)
        a[i] = number<T>(i);
    for (int i = (int)threadIdx.x; i < K * N; i += 32)
        b[i] = number<T>(i + 1);
    for (int i = (int)threadIdx.x; i < M * N; i += 32)
        c[i] = (C)(float)(i % 3);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, M, N, K, P, layout_a> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, P, layout_b> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> fc, fd;
    wmma::load_matrix_sync(fa, a, a_by_columns ? M : K);
    wmma::load_matrix_sync(fb, b, b_by_columns ? K : N);
    wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
    wmma::fill_fragment(fd, (C)0.0f);
    wmma::mma_sync(fd, fa, fb, fd);
    for (int i = 0; i < fd.num_elements; i++)
        fd.x[i] = fd.x[i] + fc.x[i];
    wmma::store_matrix_sync(d, fd, M, wmma::mem_col_major);
    __syncthreads();
    for (int i = (int)threadIdx.x; i < M * N; i += 32) {
        int row = i / N, column = i % N;
        float sum = (float)(i % 3);
        for (int k = 0; k < K; k++)
            sum += (float)a[a_by_columns ? k * M + row : row * K + k] *
                   (float)b[b_by_columns ? column * K + k : k * N + column];
        HOLDS((float)d[column * M + row] == sum);
    }
}

struct by_rows {
    typedef wmma::row_major layout;
    char size;
};
struct by_columns {
    typedef wmma::col_major layout;
    int size;
};

__global__ void halves(int *wrong)
{
    multiply<half, float, 16, 16, 16, by_rows, by_rows>(wrong);
    multiply<half, float, 16, 16, 16, by_columns, by_rows>(wrong);
    multiply<half, half, 16, 16, 16, by_rows, by_columns>(wrong);
    multiply<half, float, 32, 8, 16, by_columns, by_columns>(wrong);
    multiply<half, float, 8, 32, 16, by_rows, by_columns>(wrong);
}
__global__ void others(int *wrong)
{
    multiply<__nv_bfloat16, float, 16, 16, 16, by_rows, by_columns>(wrong);
    multiply<float, float, 16, 16, 8, by_rows, by_columns, wmma::precision::tf32>(wrong);
    multiply<double, double, 8, 8, 4, by_rows, by_columns>(wrong);
    multiply<signed char, int, 16, 16, 16, by_rows, by_columns>(wrong);
    HOLDS(wmma::__float_to_tf32(1.0f) == 1.0f && wmma::__float_to_tf32(1.0001f) == 1.0f);
}

int main(void)
{
    RUN(halves, 2, 32);
    RUN(others, 2, 32);
}
