/* Operations round to nearest, or as their names say, with all denormal numbers: sums, products, quotients, roots.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

template <typename T> __device__ void operate(struct results *r, const T *x, int n)
{
    for (int i = 0; i < n; i++) {
        T a = x[i], b = x[(i + 1) % n];
        give(r, a + b), give(r, a - b), give(r, a * b), give(r, a / b);
        give(r, (T)sqrt(a)), give(r, (T)fma(a, b, x[2]));
    }
}
__global__ void floats(struct results *r, const float *x) { operate(r, x, 10); }
__global__ void doubles(struct results *r, const double *x) { operate(r, x, 10); }
__global__ void directed(struct results *r, const float *x)
{
    for (int i = 0; i < 5; i++) {
        float a = x[i], b = x[i + 1];
        give(r, __fadd_rz(a, b)), give(r, __fadd_ru(a, b)), give(r, __fmul_rd(a, b)), give(r, __fdiv_ru(a, b));
        give(r, __frcp_rn(a)), give(r, __fmaf_rz(a, b, a)), give(r, __dadd_rd(a, b)), give(r, __dmul_ru(a, b));
        give(r, __fsqrt_rd(fabsf(a))), give(r, __dsqrt_ru(fabs((double)b)));
    }
}

int main()
{
    const float f[] = {0.1f, 3, -7.7f, 1e-40f, 1e-38f, 1e38f, 1e-45f, INFINITY, -0.0f, 0};
    const double d[] = {0.1, 3, -7.7, 1e-310, 2e-308, 1e308, 5e-324, INFINITY, -0.0, 0};
    return HAVE(floats, f, 0x6a98e489) | HAVE(doubles, d, 0x32d6dd7c) | HAVE(directed, f, 0xc0b7f54e);
}
