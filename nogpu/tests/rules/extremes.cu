/* min and max: a NaN gives the other operand; integers of two types compare as C converts them.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

__global__ void numbers(struct results *r, const float *x)
{
    for (int i = 0; i < 5; i++) {
        float a = x[i], b = x[i + 1];
        give(r, min(a, b)), give(r, max(a, b)), give(r, fminf(b, a)), give(r, fmaxf(b, a));
        give(r, fmin((double)a, (double)b)), give(r, max((double)a, (double)b));
    }
    give(r, __saturatef(x[1])), give(r, __saturatef(x[2])), give(r, __saturatef(x[5]));
}
__global__ void integers(struct results *r, const int *x)
{
    give(r, min(x[0], x[1])), give(r, max((unsigned)x[0], x[1])), give(r, umax(x[0], x[1]));
    give(r, min((long long)x[0], 0ll)), give(r, llmax(x[0], x[1]));
}

int main()
{
    const float x[] = {1, NAN, -INFINITY, 2, 1e-42f, 7};
    const int n[] = {-3, 5};
    return HAVE(numbers, x, 0x6ff8ae0d) | HAVE(integers, n, 0x48e9c365);
}
