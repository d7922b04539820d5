/* SPDX-License-Identifier: MIT */
/* A newcomer's program: 64 threads turn an array round, with a barrier in between if asked. */
#include <cstdio>
__global__ void turn(int *a)
{
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x];
#ifdef BARRIER
    __syncthreads();
#endif
    a[threadIdx.x] = s[63 - threadIdx.x];
}
int main()
{
    int *a;
    if (cudaMallocManaged(&a, 64 * sizeof *a) != cudaSuccess)
        return 3;
    for (int i = 0; i < 64; i++)
        a[i] = i;
    turn<<<1, 64>>>(a);
    return cudaDeviceSynchronize() != cudaSuccess || std::printf("%d\n", a[0]) < 0;
}
