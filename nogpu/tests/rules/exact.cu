/* Functions whose result is a number of the type give that number.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

__global__ void turns(struct results *r, const float *x)
{
    for (int i = 0; i < 8; i++) {
        float half_turns = floorf(x[i] * 2) / 2, s, c;
        double sine, cosine;
        sincospif(half_turns, &s, &c);
        give(r, s), give(r, c), give(r, sinpif(-half_turns)), give(r, cospif(-half_turns));
        sincospi(half_turns, &sine, &cosine);
        give(r, sine), give(r, cosine);
    }
}
__global__ void parts(struct results *r, const float *x)
{
    for (int i = 0; i < 8; i++) {
        int exponent;
        float whole, a = x[i];
        give(r, frexpf(a, &exponent)), give(r, exponent), give(r, modff(a, &whole)), give(r, whole);
        give(r, ldexpf(a, -3)), give(r, scalbnf(a, 200)), give(r, ilogbf(a)), give(r, logbf(a));
        give(r, rintf(a)), give(r, roundf(a)), give(r, truncf(a)), give(r, floorf(a));
        give(r, nearbyintf(a)), give(r, ceilf(a)), give(r, fmodf(a, 0.7f)), give(r, remainderf(a, 0.7f));
        give(r, copysignf(a, -1)), give(r, nextafterf(a, 9)), give(r, fdimf(a, 1)), give(r, fabsf(a));
        give(r, lrintf(a)), give(r, llroundf(a)), give(r, signbit(a) != 0), give(r, exp2f(floorf(a)));
    }
}

int main()
{
    const float x[] = {0, 0.5f, -1.5f, 2.5f, 7.3f, -1e6f, 1e-41f, 100.9f};
    return HAVE(turns, x, 0x1bb73145) | HAVE(parts, x, 0x673debd2);
}
