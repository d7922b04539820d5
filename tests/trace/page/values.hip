/* Lanes load, store, change and exchange numbers of every kind.
 * SPDX-License-Identifier: MIT */
#include "../../../nogpu/tests/planted/cases.h"

#include <hip/hip_fp16.h>

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

    for (int i = 0; i < 64; i++) {
        h[i] = (half)(float)(0.25 * i);
        f[i] = make_float4((float)i, 1e-9f, -0.5f, 100.0f);
    }
    move<<<1, warpSize, warpSize * sizeof(double)>>>(device_array(64, h), device_array(64, f), device_array<pair>(64),
                                                     device_array<unsigned char>(64), device_array<int>(1));
    must(hipDeviceSynchronize());
}
