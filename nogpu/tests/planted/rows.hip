/* What explain says about single lines: two arrays in one expression, neighbours in shared memory, blocks that take turns.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

__global__ void rows(const float *a, const float *b, float *out)
{
    __shared__ float tile[32][36];
    __shared__ double two[64];
    unsigned t = threadIdx.x;
    float sum = 0;

    for (unsigned k = 0; k < 32; k++)
        tile[k][t] = a[t] * b[32 * t + k]; /* two rows */
    __syncthreads();
    for (unsigned k = 0; k < 32; k++)
        sum += tile[t][k]; /* side by side */
    two[2 * t] = sum;      /* next to the store below */
    two[2 * t + 1] = -sum;
    __syncthreads();
    for (unsigned d = 16; d > 0; d /= 2) {
        if (t < d)
            tile[0][t] += tile[0][t + d]; /* not side by side */
        __syncthreads();
    }
    out[t] = tile[0][0] + (float)two[t];
    out[t + 32] = a[t] + a[32 * t]; /* two loads with different costs */
}

/* The first thread of each block waits for the other block, while its other threads go on. */
__global__ void in_turns(const float *a, float *out, unsigned *turn)
{
    for (unsigned i = 0; i < 8; i++) {
        if (threadIdx.x == 0)
            while (atomicAdd(turn, 0u) % 2 != blockIdx.x)
                ;
        out[32 * blockIdx.x + threadIdx.x] += a[threadIdx.x]; /* 16 instructions of 32 lanes */
        __syncthreads();
        if (threadIdx.x == 0)
            atomicAdd(turn, 1u);
    }
}

int main(void)
{
    float *a, *b, *out;
    unsigned *turn;

    if (hipMalloc(&a, 8192) != hipSuccess || hipMalloc(&b, 8192) != hipSuccess || hipMalloc(&out, 256) != hipSuccess ||
        hipMalloc(&turn, 4) != hipSuccess || hipMemset(turn, 0, 4) != hipSuccess)
        return 3;
    hipLaunchKernelGGL(rows, dim3(1), dim3(32), 0, 0, a, b, out);
    hipLaunchKernelGGL(in_turns, dim3(2), dim3(32), 0, 0, a, out, turn);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
