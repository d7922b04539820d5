/* Results that C leaves undefined, and CUDA's functions do not: counts of shifts, and casts of numbers that do not fit. Here
 * the CPU differs from a GPU, and says so.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

__global__ void shifts(struct results *r, const int *x)
{
    unsigned one = 1;
    give(r, one << x[0]);
    give(r, x[2] >> x[1]);
    give(r, 1ull << x[1]);
}
__global__ void casts(struct results *r, const float *x)
{
    for (int i = 0; i < 5; i++) {
        give(r, (int)x[i]), give(r, (unsigned)x[i]), give(r, (long long)x[i]);
        give(r, (unsigned long long)x[i]), give(r, (unsigned char)x[i]), give(r, (short)(double)x[i]);
    }
}

int main()
{
    const int n[] = {32, 64, -5};
    const float x[] = {1e20f, -1e20f, NAN, -1, 300};
    return HAVE(shifts, n, 0x305c3952) | HAVE(casts, x, 0x3e3b0db3);
}
