/* HIP's vector types: constructors and operators, in kernels and on the host; and HIP's older names.
 * SPDX-License-Identifier: MIT */
#define HIP_TEMPLATE_KERNEL_LAUNCH
#include <hip/hip_runtime.h>

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
    HOLDS((u + uchar4(10, 0, 0, 0)).x == 4);
    HOLDS(float1(3).x == 3 && longlong2(1, 2).y == 2);
    dim3 size = blockDim;
    uint3 at = threadIdx;
    HOLDS(size.x == 64 && at.x == threadIdx.x);
}

/* Of a template with commas in its arguments, as a function. */
template <typename T, int N> __global__ void older_names(T *out)
{
    unsigned i = hipThreadIdx_x + hipBlockDim_x * (hipThreadIdx_y + hipBlockDim_y * hipThreadIdx_z);
    unsigned block = hipBlockIdx_x + hipGridDim_x * (hipBlockIdx_y + hipGridDim_y * hipBlockIdx_z);
    out[block * 24 + i] = T(hipBlockDim_z * 10 + hipGridDim_z + N);
}

static void runs_older_names()
{
    double *out, host[8 * 24];

    EXPECT(hipMalloc(&out, sizeof host) == HIP_SUCCESS);
    EXPECT(hipMemset(out, 0, sizeof host) == hipSuccess);
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
    RUN(operators, 1, 64);
    EXPECT(float2(1, 2) + float2(3, 4) == make_float2(4, 6));
    EXPECT(alignof(float4) == 16 && alignof(double2) == 16 && sizeof(float3) == 12);
    return 0;
}
