/* Functions of the device under plain names, as programs name them: called, by address, by using, with the global scope
 * in front, and hidden by a variable.
 * SPDX-License-Identifier: MIT */
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#endif
#include <complex>

#include "construct.h"

namespace own
{
using ::rsqrt;
using ::sinpif;
__device__ float sine(float x) { return sinpif(x) * rsqrt(1.0f); }
struct circle {
    float normf, rnorm;
    __device__ float rcbrt() const { return normf + rnorm + ::rcbrtf(8); }
};
} // namespace own

template <typename F> __device__ float at(F f, float x) { return f(x); }
__device__ float sine(float x) { return at(&sinpif, x) + at(sinpif, x); }

__global__ void names(int *wrong)
{
    float (*cosine)(float) = &cospif, s, c;
    double (*root)(double) = rsqrt, three[] = {1, 2, 2};
    auto error = erfcxf;
    own::circle circle = {1, 2};

    HOLDS(sine(0.5f) == 2 && own::sine(1.5f) == -1 && circle.rcbrt() == 3.5f);
    HOLDS(cosine(0.5f) == 0 && cosine(3) == -1 && root(0.25) == 2 && error(0) == 1);
    HOLDS(sizeof rsqrt(1.0f) == sizeof(float) && sizeof rsqrt(1.0) == sizeof(double));
    sincospif(0.5f, &s, &c);
    HOLDS(s == 1 && c == 0 && !signbit(c));
    sincospif(-7, &s, &c);
    HOLDS(s == 0 && signbit(s) && c == -1);
    HOLDS(sinpi(1e15 + 0.5) == 1 && cospi(1e300) == 1 && isnan(sinpi(INFINITY)) && isnan(cospi(NAN)));
    HOLDS(norm(3, three) == 3 && umin(1u, 2u) == 1);
}

int main()
{
    constexpr float normcdf = 1;
    RUN(names, 1, 1);
    return normcdf != 1 || std::norm(std::complex<double>(3, 4)) != 25;
}
