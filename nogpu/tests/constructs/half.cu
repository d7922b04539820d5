/* Numbers of 16 bits: half, bfloat16, and pairs of them.
 * SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "construct.h"

__device__ __half2 pair_sum;
__device__ __half one_sum;

__global__ void halves(int *wrong)
{
    __half a = __float2half(1.5f), b = __float2half(2.25f);
    __half2 p = __floats2half2_rn(1, 2), q = __float2half2_rn(3);

    HOLDS(__half2float(__hadd(a, b)) == 3.75f && __half2float(a * b) == 3.375f);
    HOLDS(__half2float(__hsub(a, b)) == -0.75f && __half2float(__hdiv(b, a)) == 1.5f);
    HOLDS(__half2float(__hfma(a, b, a)) == 4.875f && __half2float(__hneg(a)) == -1.5f);
    HOLDS(__hlt(a, b) && __hge(b, a) && !(a == b) && __hgt(b, a) && a < b);
    HOLDS(__half2float(__float2half(2049.0f)) == 2048 && __half2float(__float2half(2051.0f)) == 2052);
    HOLDS(__half_as_ushort(__float2half(65520.0f)) == 0x7c00 && __half_as_ushort(__float2half(5.9604645e-8f)) == 1);
    HOLDS(__half2float(__ushort_as_half(0x3555)) == 0.333251953125f);
    HOLDS(__hisnan(__ushort_as_half(0x7e00)) && __half2int_rn(b) == 2 && __half2int_ru(b) == 3);
    HOLDS(__half2float(__int2half_rn(-7)) == -7 && __half2float(hsqrt(__float2half(9))) == 3);
    HOLDS(__low2float(p + q) == 4 && __high2float(__hmul2(p, q)) == 6);
    HOLDS(__low2float(__hfma2(p, q, p)) == 4 && __hbeq2(p, p) && !__hbgt2(p, q));
    HOLDS(__half22float2(__lowhigh2highlow(p)).x == 2 && sizeof(__half2) == 4);
    HOLDS(__half2float(__high2half(__halves2half2(a, b))) == 2.25f);
    a += b;
    HOLDS(__half2float(a) == 3.75f);
    __half none = __ushort_as_half(0x7e00);
    HOLDS(__half2float(__hadd_sat(a, b)) == 1 && __half2float(__hsub_sat(b, a)) == 0);
    HOLDS(__half2float(__hfma_sat(b, __float2half(0.25f), __float2half(-0.0625f))) == 0.5f);
    HOLDS(__hltu(none, a) && !__hlt(none, a) && !__hltu(a, b) && __hequ2(p, p).y == b / b);
    __half_raw raw = {0x3c00};
    HOLDS(__half2float(__half(raw)) == 1 && static_cast<__half_raw>(b).x == 0x4080);
}

/* Bits of a number between 1 and its neighbour, of one beyond the largest, and of one below the smallest, each way. */
__global__ void directed(int *wrong)
{
    HOLDS(__half_as_ushort(__float2half_rz(1.0006f)) == 0x3c00 && __half_as_ushort(__float2half_ru(1.0001f)) == 0x3c01);
    HOLDS(__half_as_ushort(__float2half_rd(-1.0001f)) == 0xbc01);
    HOLDS(__half_as_ushort(__float2half_rz(-1.0009f)) == 0xbc00 && __half_as_ushort(__float2half_rz(1e6f)) == 0x7bff);
    HOLDS(__half_as_ushort(__int2half_ru(70000)) == 0x7c00 && __half_as_ushort(__int2half_rd(70000)) == 0x7bff);
    HOLDS(__half_as_ushort(__float2half_ru(1e-30f)) == 1 && __half_as_ushort(__float2half_rd(-1e-30f)) == 0x8001);
    HOLDS(__half_as_ushort(__float2half_rz(-1e-30f)) == 0x8000);
    HOLDS(__half2float(__ull2half_rz(2049)) == 2048 && __half2float(__short2half_ru(2049)) == 2050);
    HOLDS(__half_as_ushort(__double2half(1 + 0x1p-11 + 0x1p-40)) == 0x3c01);
    HOLDS(__bfloat16_as_ushort(__int2bfloat16_rn(0x1010001)) == 0x4b81);
    HOLDS(__bfloat16_as_ushort(__float2bfloat16_ru(1.001f)) == 0x3f81);
    HOLDS(__bfloat16_as_ushort(__ll2bfloat16_rz(-259)) == 0xc381);
    HOLDS(__bfloat16_as_ushort(__double2bfloat16(1 + 0x1p-8 + 0x1p-50)) == 0x3f81);
    HOLDS(__half2char_rz(__float2half(-200)) == -128 && __half2uchar_rz(__float2half(7.9f)) == 7);
}

__global__ void with_nan(int *wrong)
{
    __half none = __ushort_as_half(0x7e00), a = __float2half(1.5f), b = __float2half(-2);
    __half2 p = __halves2half2(a, none), q = __halves2half2(b, b);

    HOLDS(__half2float(__hmin(a, none)) == 1.5f && __hisnan(__hmin_nan(a, none)));
    HOLDS(__half2float(__hmax_nan(a, b)) == 1.5f && __half2float(__hfma_relu(a, b, a)) == 0);
    HOLDS(__hisnan(__high2half(__hmax2_nan(p, q))) && __low2float(__hmin2_nan(p, q)) == -2);
    HOLDS(__hgt2_mask(p, q) == 0xffffu && __hgtu2_mask(p, q) == 0xffffffffu);
    HOLDS(__hbgtu2(p, q) && !__hbgt2(p, q) && __high2float(__hisnan2(p)) == 1);
    __half2 z = __hcmadd(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4), __floats2half2_rn(5, 6));
    HOLDS(__low2float(z) == 0 && __high2float(z) == 16);
    HOLDS(__low2float(__hadd2_sat(q, p)) == 0 && __half2float(__hmul_rn(a, b)) == -3);
    HOLDS(fabsf(__low2float(h2log10(__float2half2_rn(100))) - 2) < 0.01f);
}

__global__ void shuffled(int *wrong)
{
    __half sum = __int2half_rn((int)threadIdx.x % 32);
    __half2 both = __halves2half2(sum, __float2half(1));

    for (int distance = 16; distance > 0; distance /= 2) {
        sum = __hadd(sum, __shfl_xor_sync(0xffffffffu, sum, distance));
        both = __hadd2(both, __shfl_down_sync(0xffffffffu, both, distance));
    }
    HOLDS(__half2float(sum) == 496 && (threadIdx.x % 32 > 0 || (__low2float(both) == 496 && __high2float(both) == 32)));
    atomicAdd(&pair_sum, __floats2half2_rn(1, 0.5f));
    atomicAdd(&one_sum, __float2half(2));
}

__global__ void bfloats(int *wrong)
{
    __nv_bfloat16 a = __float2bfloat16(1.5f), b = __float2bfloat16(2);

    HOLDS(__bfloat162float(__hadd(a, b)) == 3.5f && __bfloat162float(a * b) == 3);
    HOLDS(__bfloat162float(__float2bfloat16(257.0f)) == 256);
    HOLDS(__bfloat162float(__high2bfloat16(make_bfloat162(a, b))) == __bfloat162float(b));
    HOLDS(__bfloat162int_rd(a) == 1 && __bfloat162float(__uint2bfloat16_rn(7)) == 7);
    HOLDS(__half2float(static_cast<__half>(a)) == 1.5f && __bfloat162float(__float2bfloat16(259.0f)) == 260);
    HOLDS(__bfloat162float(__shfl_xor_sync(0xffffffffu, __float2bfloat16((float)threadIdx.x), 1)) ==
          (float)(threadIdx.x ^ 1));
    HOLDS(__hlt(a, b) && __bfloat162float(__hmax(a, b)) == 2);
}

int main(void)
{
    unsigned pair;
    unsigned short one;

    RUN(halves, 1, 32);
    RUN(shuffled, 2, 64);
    RUN(bfloats, 1, 32);
    RUN(directed, 1, 32);
    RUN(with_nan, 1, 32);
    OK(cudaMemcpyFromSymbol(&pair, pair_sum, sizeof pair));
    EXPECT(pair == 0x54005800u); /* 64 and 128 */
    OK(cudaMemcpyFromSymbol(&one, one_sum, sizeof one));
    EXPECT(one == 0x5c00); /* 256 */
}
