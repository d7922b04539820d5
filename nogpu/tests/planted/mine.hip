/* A program with a main() and one race: make race FILE=...; SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <stdio.h>

__global__ void reverse(const int *in, int *out)
{
    HIP_DYNAMIC_SHARED(int, turned);

    turned[blockDim.x - 1 - threadIdx.x] = in[threadIdx.x];
    /* __syncthreads() is missing here */
    out[threadIdx.x] = turned[threadIdx.x];
}

int main(void)
{
    int host[64], *in, *out;

    for (int i = 0; i < 64; i++)
        host[i] = i;
    if (hipMalloc(&in, sizeof host) != hipSuccess || hipMalloc(&out, sizeof host) != hipSuccess ||
        hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess)
        return 3;
    hipLaunchKernelGGL(reverse, dim3(1), dim3(64), sizeof host, 0, in, out);
    if (hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost) != hipSuccess)
        return 3;
    printf("%d %d\n", host[0], host[63]);
    return 0;
}
