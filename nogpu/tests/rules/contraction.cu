/* Each operation rounds: a*b+c is no fused operation, for nvcc with -fmad=false, which contracts by default.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

__global__ void products(struct results *r, const float *x)
{
    double a = x[0], b = x[1];

    give(r, x[0] * x[0] - x[2]), give(r, x[0] * x[1] + x[2]), give(r, x[1] - x[0] * x[0]);
    give(r, a * a - a), give(r, a * b + 1 / a), give(r, fmaf(x[0], x[0], -x[2]));
    give(r, __fadd_rn(__fmul_rn(x[0], x[0]), -x[2]));
}

int main()
{
    const float x[] = {1.0000001f, 0.3f, 1.0000002f};
    return HAVE(products, x, 0xb90fe5df);
}
