/* platform/amd/exp_below.h on the CPU: every 499th float that is not above 0, within 2 ulps although the instruction may be
 * off by one, and random doubles, within 1.25. The instruction is exp2f() with what is below the normal numbers as 0, and
 * then its neighbours, too.
 * SPDX-License-Identifier: MIT */
#include "suite.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static float away; /* how far the instruction is off: to infinity, to 0, or not at all */

static float exp2_instruction(float x)
{
    float y = exp2f(x);

    if (away != 0 && y < 1)
        y = nextafterf(y, away);
    return y < FLT_MIN ? 0 : y;
}

#define EXP2_INSTRUCTION exp2_instruction
#define __device__
#define __forceinline__ inline
#include "../../platform/amd/exp_below.h"

/* Ulps between a result and the right one; what is below the normal numbers may be 0. */
static double float_ulps(float got, long double right)
{
    if (right < 2 * (long double)FLT_MIN)
        return got >= 0 && got < 2.1F * FLT_MIN ? 0 : INFINITY;
    return (double)(fabsl(got - right) / (long double)ldexp(1, ilogbl(right) - 23));
}

static double double_ulps(double got, long double right)
{
    if (right < 2 * (long double)DBL_MIN)
        return got >= 0 && got < 2.1 * DBL_MIN ? 0 : INFINITY;
    return (double)(fabsl(got - right) / (long double)ldexp(1, ilogbl(right) - 52));
}

static const float directions[] = {0, -1, INFINITY};

TESTS(floats, COUNT(directions))
{
    away = directions[_i];
    double worst = 0;
    for (uint32_t bits = 0x80000000; bits <= 0xff800000; bits += 499) {
        float x;
        memcpy(&x, &bits, sizeof x);
        double ulps = float_ulps(exp_float_below_0(x), expl(x));
        if (!(ulps <= worst))
            worst = ulps;
    }
    ck_assert_msg(worst <= 2, "%g ulps", worst);
    ALL(exp_float_below_0(0) == 1, exp_float_below_0(-INFINITY) == 0, exp_float_below_0(-FLT_MAX) == 0);
}

TEST(doubles)
{
    double worst = 0;

    srand48(1);
    for (int i = 0; i < 1000000; i++) {
        double x = -ldexp(drand48(), i % 64 - 53);
        double ulps = double_ulps(exp_double_below_0(x), expl(x));
        if (!(ulps <= worst))
            worst = ulps;
    }
    ck_assert_msg(worst <= 1.25, "%g ulps", worst);
    ALL(exp_double_below_0(0) == 1, exp_double_below_0(-INFINITY) == 0, exp_double_below_0(-DBL_MAX) == 0);
}
