/* Each lane loads one byte.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

__global__ void copy_bytes(const unsigned char *in, unsigned char *out) { out[threadIdx.x] = in[threadIdx.x ^ 3]; }

int main(void)
{
    unsigned char *bytes = NULL;

    if (hipMalloc((void **)&bytes, 128) != hipSuccess)
        return 3;
    (void)hipMemset(bytes, 1, 64);
    copy_bytes<<<1, 64>>>(bytes, bytes + 64);
    return hipDeviceSynchronize() == hipSuccess && hipFree(bytes) == hipSuccess ? 0 : 3;
}
