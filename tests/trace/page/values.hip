/* Lanes load, store, change and exchange numbers of every kind.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

struct pair {
    float weight;
    long long count;
};

__global__ void move(const half *halves, const float4 *fours, pair *pairs, unsigned char *bytes, int *counter)
{
    extern __shared__ double shared[];
    __shared__ short table[64];
    unsigned i = threadIdx.x;

    shared[i] = (double)(float)halves[i] + 0.5;
    table[i] = (short)-(int)i;
    __syncthreads();
    float4 four = fours[i];
    pairs[i].count = (long long)table[i] << 40;
    pairs[i].weight = (float)shared[i] + four.w + (four.x + four.y + four.z) * 0;
    bytes[i] = (unsigned char)(i + 254);
    atomicAdd(counter, (int)i);
    float next = __shfl_down(pairs[i].weight, 1);
    shared[i] = next;
}

int main(void)
{
    half h[64];
    float4 f[64];
    half *halves;
    float4 *fours;
    pair *pairs;
    unsigned char *bytes;
    int *counter;

    for (int i = 0; i < 64; i++) {
        h[i] = (half)(float)(0.25 * i);
        f[i] = make_float4((float)i, 1e-9f, -0.5f, 100.0f);
    }
    if (hipMalloc(&halves, sizeof h) || hipMalloc(&fours, sizeof f) || hipMalloc(&pairs, 64 * sizeof *pairs) ||
        hipMalloc(&bytes, 64) || hipMalloc(&counter, sizeof *counter) || hipMemset(counter, 0, sizeof *counter) ||
        hipMemcpy(halves, h, sizeof h, hipMemcpyHostToDevice) || hipMemcpy(fours, f, sizeof f, hipMemcpyHostToDevice))
        return 3;
    move<<<1, warpSize, warpSize * sizeof(double)>>>(halves, fours, pairs, bytes, counter);
    return hipDeviceSynchronize() || hipFree(halves) || hipFree(fours) || hipFree(pairs) || hipFree(bytes) ||
                   hipFree(counter)
               ? 3
               : 0;
}
