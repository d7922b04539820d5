/* Functions of conversion saturate, NaN becomes 0, and each rounds as its name says; casts in range round to zero.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

__global__ void to_integers(struct results *r, const double *x)
{
    for (int i = 0; i < 14; i++) {
        float f = (float)x[i];
        give(r, __float2int_rn(f)), give(r, __float2int_rz(f)), give(r, __float2int_ru(f));
        give(r, __float2int_rd(f)), give(r, __float2uint_rn(f)), give(r, __float2uint_ru(f));
        give(r, __float2ll_rd(f)), give(r, __float2ull_rn(f)), give(r, __double2int_rn(x[i]));
        give(r, __double2uint_rz(x[i])), give(r, __double2ll_ru(x[i]));
        give(r, __double2ull_rd(x[i]));
    }
}
__global__ void from_integers(struct results *r, const long long *x)
{
    for (int i = 0; i < 7; i++) {
        give(r, __ll2float_rn(x[i])), give(r, __ll2float_rz(x[i])), give(r, __ll2float_ru(x[i]));
        give(r, __ll2double_rd(x[i])), give(r, __ull2float_rn(x[i])), give(r, (float)x[i]);
        give(r, (double)(unsigned long long)x[i]), give(r, __int2float_rd((int)x[i]));
        give(r, __uint2float_ru((unsigned)x[i])), give(r, __half2float(__float2half((float)x[i])));
    }
}
__global__ void between(struct results *r, const double *x)
{
    for (int i = 0; i < 14; i++) {
        float f = (float)x[i];
        give(r, f), give(r, __double2float_rz(x[i])), give(r, __double2float_ru(x[i]));
        give(r, __half2float(__float2half(f))), give(r, __half2float(__float2half_rz(f)));
        give(r, __half2float(__float2half_ru(f)));
        if (fabs(x[i]) < 100)
            give(r, (int)x[i]), give(r, (signed char)f), give(r, (short)f);
    }
}

int main()
{
    const double x[] = {0.5, 1.5, -2.5, 2.7, -3.3, 1e20, -1e20, 1e10, -1e10, 4294967040.0, NAN, INFINITY, -0.0, 6.1e-5};
    const long long n[] = {0, 16777217, -16777219, 0x7fffffffffffffff, -1, 9007199254740993, 2049};
    return HAVE(to_integers, x, 0x20f5588b) | HAVE(from_integers, n, 0xf2a368e2) | HAVE(between, x, 0xbe2dc73b);
}
