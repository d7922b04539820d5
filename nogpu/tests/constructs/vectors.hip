/* HIP's vector types: constructors and operators, in kernels and on the host; and HIP's old and new names.
 * SPDX-License-Identifier: MIT */
#define HIP_TEMPLATE_KERNEL_LAUNCH
#include <hip/hip_runtime.h>

#include <hip/hip_ext.h>
#include <hipcub/util_type.hpp>
#include <rocprofiler-sdk-roctx/roctx.h>

#include "construct.h"

__global__ void operators(int *wrong)
{
    float4 a(1, 2, 3, 4), b = make_float4(1, 1, 1, 1), c{4.0, 3, 2, 1};

    HOLDS(a + b == make_float4(2, 3, 4, 5) && a * 2.0f == float4(2, 4, 6, 8));
    HOLDS(12 / a == float4(12, 6, 4, 3) && -a == float4(-1, -2, -3, -4));
    a += c;
    HOLDS(a == float4(5.0f) && a != b);
    a -= 1;
    HOLDS(a == float4(4.0f));
    int3 i(1, 2, 3);
    HOLDS((i << 2) == int3(4, 8, 12) && i % 2 == int3(1, 0, 1) && (i & 2) == int3(0, 2, 2));
    HOLDS(~i == int3(-2, -3, -4) && ++i == int3(2, 3, 4));
    double2 d(0.5, 1.5);
    d *= make_double2(2, 4);
    HOLDS(d.x == 1 && d.y == 6 && d / 2.0 == double2(0.5, 3));
    uchar4 u = make_uchar4(250, 1, 2, 3);
    HOLDS((u + uchar4(10, 0, 0, 0)).x == 4 && float1(3).x == 3 && longlong2(1, 2).y == 2);
    dim3 size = blockDim;
    uint3 at = threadIdx;
    HOLDS(size.x == 64 && at.x == threadIdx.x);
}

__global__ void add_one(unsigned short *out) { out[threadIdx.x]++; }

template <typename T> __global__ void set_all(T *out, T value) { out[threadIdx.x] = value; }

/* A function template with commas in its arguments. */
template <typename T, int N> __global__ void older_names(T *out)
{
    unsigned i = hipThreadIdx_x + hipBlockDim_x * (hipThreadIdx_y + hipBlockDim_y * hipThreadIdx_z);
    unsigned block = hipBlockIdx_x + hipGridDim_x * (hipBlockIdx_y + hipGridDim_y * hipBlockIdx_z);
    out[block * 24 + i] = T(hipBlockDim_z * 10 + hipGridDim_z + N);
}

template <typename T> static bool sorts_as(T a, T b)
{
    typedef hipcub::Traits<T> traits;
    typename traits::UnsignedBits x, y;

    static_assert(sizeof x == sizeof a, "as wide");
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return (traits::TwiddleIn(x) < traits::TwiddleIn(y)) == (a < b) && traits::TwiddleOut(traits::TwiddleIn(x)) == x;
}

static void runs_newer_names()
{
    unsigned short *out, host[64];

    EXPECT(sorts_as(-1.5f, -1.25f) && sorts_as(-0.5, 2.0) && sorts_as(2.0, -0.5));
    EXPECT(sorts_as(-3, 2) && sorts_as(3u, ~0u) && sorts_as<char>('b', 'a'));
    EXPECT(hipcub::NumericTraits<float>::Lowest() == -hipcub::Traits<float>::Max());
    EXPECT(hipMalloc(&out, sizeof host) == hipSuccess && hipMemsetD16Async(out, 0x1234, 64, nullptr) == hipSuccess);
    hipExtLaunchKernelGGL(add_one, dim3(1), dim3(63), 0, nullptr, nullptr, nullptr, 0, out);
    EXPECT(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost) == hipSuccess);
    EXPECT(host[0] == 0x1235 && host[62] == 0x1235 && host[63] == 0x1234);
    hipMemLocation here = {hipMemLocationTypeDevice, 0};
    EXPECT(hipMemPrefetchAsync(out, sizeof host, here, 0u) == hipSuccess);
    EXPECT(hipMemAdvise(out, sizeof host, hipMemAdviseSetReadMostly, here) == hipSuccess);
    roctxRangePush("a range");
    EXPECT(roctxRangePop() == 0);
}

static void runs_older_names()
{
    double *out, host[8 * 24];

    EXPECT(hipMalloc(&out, sizeof host) == HIP_SUCCESS && hipMemset(out, 0, sizeof host) == hipSuccess);
    hipLaunchKernelGGL(set_all, dim3(1), dim3(8), 0, 0, out, 3.0); /* the type is deduced from the arguments */
    EXPECT(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost) == HIP_SUCCESS && host[7] == 3);
    hipLaunchKernelGGL(older_names<double, 5>, dim3(2, 2, 2), dim3(4, 3, 2), 0, 0, out);
    EXPECT(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost) == HIP_SUCCESS);
    for (double value : host)
        EXPECT(value == 27);
    EXPECT(hipErrorInvalidResourceHandle == hipErrorInvalidHandle);
    EXPECT(hipErrorInitializationError == hipErrorNotInitialized);
}

int main(void)
{
    runs_older_names();
    runs_newer_names();
    RUN(operators, 1, 64);
    EXPECT((HIP_vector_type<float, 2>(1, 2) == float2(1, 2)) && float2(1, 2) + float2(3, 4) == make_float2(4, 6));
    EXPECT(alignof(float4) == 16 && alignof(double2) == 16 && sizeof(float3) == 12);
}
