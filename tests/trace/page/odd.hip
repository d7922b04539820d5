/* A source with tags in it, for the page.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

__global__ void scatter(int *out)
{
    unsigned i = threadIdx.x;
    out[i * 64] = "<b>&amp;</script><!--"[i % 8]; /* </script> */
}

int main(void)
{
    int *out;
    if (hipMalloc((void **)&out, 32 * 64 * sizeof *out) != hipSuccess)
        return 3;
    hipLaunchKernelGGL(scatter, dim3(1), dim3(32), 0, 0, out);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
