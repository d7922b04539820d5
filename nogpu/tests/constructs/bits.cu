/* Bit functions, integer functions, and arithmetic with explicit rounding.
 * SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include "construct.h"

__device__ float third = 3, tenth = 0.1f, big = 1e20f, minus = -2.5f;
__device__ double d_third = 3, d_big = -1e300;

__global__ void integers(int *wrong)
{
    __builtin_assume(wrong != NULL);
    HOLDS(__brev(1u) == 0x80000000u && __brev(0x0000ff01u) == 0x80ff0000u && __brevll(1ull) == 1ull << 63);
    HOLDS(__clz(0) == 32 && __clz(1) == 31 && __clzll(1ll << 40) == 23);
    HOLDS(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 33) == 34 && __popc(0xf0f0u) == 8 && __popcll(~0ull) == 64);
    HOLDS(__byte_perm(0x33221100u, 0x77665544u, 0x7310u) == 0x77331100u);
    HOLDS(__byte_perm(0x000000ffu, 0u, 0x8888u) == 0xffffffffu && __funnelshift_l(0x80000000u, 1u, 1) == 3u);
    HOLDS(__funnelshift_r(2u, 1u, 1) == 0x80000001u && __mulhi(-2, 3) == -1 && __umulhi(0x80000000u, 6u) == 3u);
    HOLDS(__umul64hi(1ull << 63, 10ull) == 5ull && __mul64hi(-1ll, 1ll) == -1ll);
    HOLDS(__mul24(-3, 5) == -15 && __umul24(0x1000002u, 3u) == 6u);
    HOLDS(umin(1u, ~0u) == 1 && umax(1u, ~0u) == ~0u && llmin(-1, 1) == -1);
    HOLDS(llmax(-1, 1) == 1 && ullmin(1, ~0ull) == 1 && ullmax(1, ~0ull) == ~0ull);
    HOLDS(__sad(3, -4, 10u) == 17u && __usad(3u, 5u, 1u) == 3u);
    HOLDS(__hadd(-3, 2) == -1 && __rhadd(3, 4) == 4 && __uhadd(~0u, 1u) == 0x80000000u);
    HOLDS(__float_as_int(1.0f) == 0x3f800000 && __uint_as_float(0x40000000u) == 2);
    HOLDS(__double2hiint(1.0) == 0x3ff00000 && __double2loint(1.0) == 0 && __hiloint2double(0x40000000, 0) == 2.0);
    HOLDS(__double_as_longlong(-0.0) == (long long)(1ull << 63));
    HOLDS(min(3, 4) == 3 && max(2u, 7u) == 7u && min(-1ll, 1ll) == -1ll && max(1.5f, 2.5f) == 2.5f);
}

__global__ void rounded(int *wrong)
{
    HOLDS(__fadd_rn(tenth, third) == tenth + third && __fadd_ru(1.0f, 1e-10f) > 1 && __fadd_rd(1.0f, 1e-10f) == 1);
    HOLDS(__fadd_rz(-1.0f, 1e-10f) > -1 && __fmul_ru(tenth, tenth) >= __fmul_rd(tenth, tenth));
    HOLDS(__fdiv_rd(1.0f, third) < __fdiv_ru(1.0f, third));
    HOLDS(__fdiv_rn(1.0f, third) == 1.0f / 3.0f && __fsub_rn(third, 1.0f) == 2);
    HOLDS(__dadd_rn(d_third, 1.0) == 4 && __dmul_rn(d_third, 2.0) == 6);
    HOLDS(__ddiv_rd(1.0, d_third) < __ddiv_ru(1.0, d_third));
    HOLDS(__fmaf_rn(third, third, 1.0f) == 10 && __fma_rn(d_third, 2.0, 1.0) == 7);
    HOLDS(__fsqrt_rn(9.0f) == 3 && __frcp_rn(4.0f) == 0.25f && __frsqrt_rn(4.0f) == 0.5f);
    HOLDS(__fsqrt_rd(third) < __fsqrt_ru(third) && __fsqrt_rz(third) == __fsqrt_rd(third));
    HOLDS(__frcp_rd(third) < __frcp_ru(third) && __frcp_rz(-third) == __frcp_ru(-third));
    HOLDS(__dsqrt_rd(d_third) < __dsqrt_ru(d_third) && __drcp_rd(d_third) < __drcp_ru(d_third));
    HOLDS(__fmaf_rd(tenth, tenth, 1.0f) < __fmaf_ru(tenth, tenth, 1.0f));
    HOLDS(__fma_rz(d_third, 1e-20, 1.0) == 1 && __fma_ru(d_third, 1e-20, 1.0) > 1);
    HOLDS(__double2float_rd(0.1) < __double2float_ru(0.1));
    HOLDS(__int2float_ru(16777217) == 16777218.0f && __int2float_rd(16777217) == 16777216.0f);
    HOLDS(__float2int_rn(minus) == -2 && __float2int_rz(minus) == -2);
    HOLDS(__float2int_rd(minus) == -3 && __float2int_ru(minus) == -2);
    HOLDS(__float2int_rz(big) == 2147483647 && __float2uint_rz(minus) == 0);
    HOLDS(__double2ll_rz(d_big) == (long long)(1ull << 63) && __float2ull_rn(big) == ~0ull);
    HOLDS(__int2float_rn(16777217) == 16777216.0f && __int2float_rz(-16777219) == -16777218.0f);
    HOLDS(__double2float_rn(0.1) == 0.1f && __saturatef(minus) == 0 && __saturatef(big) == 1);
}

__device__ float near(float x, float y) { return fabsf(x - y) < 1e-5f; }

__global__ void fast(int *wrong)
{
    float s, c;

    HOLDS(near(__expf(1.0f), 2.7182818f) && near(__logf(third), 1.0986123f));
    HOLDS(near(__powf(2.0f, third), 8) && near(__log2f(8.0f), 3) && near(__log10f(1000.0f), 3));
    HOLDS(near(__sinf(1.0f), 0.8414710f) && near(__cosf(1.0f), 0.5403023f));
    HOLDS(near(__fdividef(third, 2.0f), 1.5f) && near(rsqrtf(4.0f), 0.5f));
    __sincosf(1.0f, &s, &c);
    HOLDS(near(s * s + c * c, 1) && near(sinpif(0.5f), 1) && near(cospif(1.0f), -1) && near(normcdff(0.0f), 0.5f));
    HOLDS(near(norm3df(1.0f, 2.0f, 2.0f), 3) && near(rcbrtf(8.0f), 0.5f));
    long long before = clock64();
    __nanosleep(1);
    HOLDS(clock64() >= before && __ldg(&third) == 3 && __ldcg(&third) == 3);
}

__global__ void special(int *wrong)
{
    double s, c, three[] = {1, 2, d_third - 1}, high = 1 - 0x1p-40;

    HOLDS(near(erfinv(0.5), 0.4769363f) && near(erfinvf(-0.5f), -0.4769363f));
    HOLDS(near(erfcinv(0.5), 0.4769363f) && near(erfcinvf(1.0f), 0));
    HOLDS(near(erfcinv(1e-100), 15.0655747f) && near(normcdfinv(0.975), 1.9599640f));
    HOLDS(near(erf(erfinv(high)) == high, 1) && erfinv(1.0) > 1e300 && isnan(erfinv(d_third)));
    HOLDS(near(erfcx(1.0), 0.4275836f) && near(erfcx(20.0), 0.0281743f) && near(erfcxf(-1.0f), 5.0089801f));
    HOLDS(near(cyl_bessel_i0(2.0), 2.2795853f) && near(cyl_bessel_i1f(2.0f), 1.5906369f));
    HOLDS(near(rnorm3df(1, 2, 2), 1 / third) && near(norm4d(2, 2, 2, 2), 4));
    HOLDS(near(rnorm4d(2, 2, 2, 2), 0.25f) && near(norm(3, three), third));
    sincospi(0.5, &s, &c);
    HOLDS(near(s, 1) && near(c, 0) && __funnelshift_lc(1, 2, 40) == 1 && __funnelshift_rc(1, 2, 32) == 2);
    HOLDS(__funnelshift_lc(0x80000000, 1, 1) == 3 && __urhadd(3, 4) == 4 && __ffsll(8) == 4);
    HOLDS(__fns(0xb4, 0, 3) == 5 && __fns(0xb4, 5, -2) == 4 && __fns(0xb4, 3, 0) == ~0u);
    HOLDS(__fns(0xb4, 0, 5) == ~0u && __fns(0xb4, 4, 0) == 4);
}

__global__ void lanes(int *wrong)
{
    unsigned a = 0x80017f00 + threadIdx.x / 32, b = 0x00020001;

    HOLDS(__vmaxs4(a, b) == 0x00027f01 && __vsetles4(a, b) == 0x01010001);
    HOLDS(__vadd2(0x0001ffff, 0x00010001) == 0x00020000 && __vneg2(0x00010000) == 0xffff0000);
    HOLDS(__vsubss4(a, 0x01000000) == 0x80017f00 && __vaddus2(0xffff0001, b) == 0xffff0002);
    HOLDS(__vcmpgtu2(a, b) == 0xffffffff && __vcmpgts2(a, b) == 0x0000ffff);
    HOLDS(__vabs4(0xff01fe80) == 0x01010280 && __vavgs2(0x0003fffd, 0) == 0x0002fffe);
    HOLDS(__vabsdiffu4(0xff000102, 0x01000201) == 0xfe000101 && __vhaddu4(0xff030000, b) == 0x7f020000);
    HOLDS(__dp4a((int)0xff020304, 0x01010101, 10) == 18 && __dp4a(0xff020304u, 0x01010101u, 10u) == 274);
    HOLDS(__dp2a_hi((int)0xffff0002, 0x02030000, 1) == 5);
}

/* Dynamic programming. */
__global__ void dpx(int *wrong)
{
    bool first;

    HOLDS(__viaddmax_s32(3, 4, 9) == 9 && __viaddmin_s32(3, 4, 9) == 7 && __vimax3_s32(1, 9, 4) == 9);
    HOLDS(__vimin3_u32(1, 0xffffffff, 4) == 1 && __viaddmax_u32(0xffffffff, 2, 0) == 1);
    HOLDS(__vimax_s32_relu(-3, -4) == 0 && __vimin3_s32_relu(5, 7, 6) == 5);
    HOLDS(__vimax3_s16x2(0xffff0001, 0x00010002, 0x00000003) == 0x00010003);
    HOLDS(__viaddmax_s16x2_relu(0xfff0fff0, 0x00010001, 0xfff0fff0) == 0);
    HOLDS(__vibmax_s32(5, 4, &first) == 5 && first && __vibmin_s32(5, 4, &first) == 4 && !first);
}

int main(void)
{
    RUN(dpx, 1, 32);
    RUN(lanes, 1, 32);
    RUN(integers, 1, 32);
    RUN(rounded, 1, 32);
    RUN(fast, 1, 32);
    RUN(special, 1, 32);
}
