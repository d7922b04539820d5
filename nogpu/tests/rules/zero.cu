/* Signs of zero, also of integers that become numbers. Division by zero: numbers have infinities and NaN, integers no rule.
 * `zero int` divides an integer: a GPU goes on with some bits (and prints them), this platform ends the program. With
 * -DUNSET one operand has no value, and compilers say so.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

__global__ void floats(struct results *r, const float *x)
{
    float one = x[0], zero = x[1], minus = -x[1];

    give(r, one / zero), give(r, one / minus), give(r, -one / zero), give(r, zero / zero);
    give(r, __fdiv_rn(one, zero)), give(r, 1 / minus), give(r, fmodf(one, zero)), give(r, fmodf(zero, one));
}
__global__ void doubles(struct results *r, const double *x)
{
    double one = x[0], zero = x[1], minus = -x[1];

    give(r, one / zero), give(r, one / minus), give(r, -one / zero), give(r, zero / zero);
    give(r, fmod(one, zero)), give(r, remainder(one, zero)), give(r, log(zero)), give(r, sqrt(-one));
}
__global__ void signs(struct results *r, const int *x)
{
    int zero = x[1];

    give(r, 0.0 - (double)zero), give(r, 0.0f - (float)zero), give(r, (double)zero * -1), give(r, -(float)zero);
    give(r, 0.0 + (double)zero), give(r, 1.0 / (0.0 - (double)(unsigned)zero));
}
__global__ void ints(struct results *r, const int *x)
{
    int one = x[0], zero = x[1];
#ifdef UNSET
    int unset;
    give(r, one + unset);
#endif
    give(r, one / zero), give(r, one % zero), give(r, (unsigned)one / zero), give(r, (long long)one / zero);
}

int main(int count, char **)
{
    const float f[] = {1, 0};
    const double d[] = {1, 0};
    const int i[] = {1, 0};
    return count > 1 ? HAVE(ints, i, 0)
                     : HAVE(floats, f, 0x8544987d) | HAVE(doubles, d, 0x02e541cd) | HAVE(signs, i, 0xbeac62b5);
}
