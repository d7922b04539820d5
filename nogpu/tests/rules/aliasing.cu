/* Memory has no type: what is stored as one is loaded as another.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

__global__ void local(struct results *r, const float *x)
{
    float registers[8], scaled = x[0] * 2;
    half halves[8];
    float4 both;

    *(float4 *)&registers[0] = *(const float4 *)&x[0];
    *(float4 *)&registers[4] = *(const float4 *)&x[4];
    for (int i = 0; i < 8; i++)
        give(r, registers[i]);
    give(r, *(unsigned *)&scaled);
    *(uint4 *)&halves[0] = *(const uint4 *)&x[0];
    for (int i = 0; i < 8; i++)
        give(r, __half2float(halves[i]));
    half2 *pair = (half2 *)&both;
    for (int i = 0; i < 4; i++)
        pair[i] = __half2half2(__float2half(x[i]));
    give(r, both.x), give(r, both.w);
}
__device__ void two_types(struct results *r, int *i, float *f)
{
    *i = 1;
    *f = 2;
    give(r, *i);
    long long *wide = (long long *)i;
    *wide = 3;
    give(r, *i);
    ((short *)i)[1] = 4;
    give(r, *wide);
}
__global__ void memory(struct results *r, const float *x) { two_types(r, (int *)x, (float *)x); }

int main()
{
    const float x[] = {1, -2, 3.5, 4, 5, 6, 7, 8};
    return HAVE(local, x, 0x88d4321d) | HAVE(memory, x, 0xd3454c45);
}
