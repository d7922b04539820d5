/* CUB's argmax, to compare with.
 * SPDX-License-Identifier: MIT */
#if defined(__HIP_PLATFORM_NVIDIA__)
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#endif

#include <hip/hip_runtime.h>

#include "types.h"

#if defined(__HIP_PLATFORM_NVIDIA__) && CUB_VERSION >= 300000
template <typename T>
static bool argmax(const void *x, size_t n, void *temporary, void *result, hipStream_t stream)
{
    size_t bytes = (size_t)16 << 20;
    int64_t *index = (int64_t *)result;

    return cub::DeviceReduce::ArgMax(temporary, bytes, (const T *)x, (T *)(index + 1), index,
                                     (int64_t)n, stream) == cudaSuccess;
}

extern "C" bool vendor_argmax(int type, const void *x, size_t n, void *temporary, void *result,
                              hipStream_t stream)
{
    switch (type) {
    case TYPE_FLOAT:
        return argmax<float>(x, n, temporary, result, stream);
    case TYPE_DOUBLE:
        return argmax<double>(x, n, temporary, result, stream);
    case TYPE_INT:
        return argmax<int32_t>(x, n, temporary, result, stream);
    default:
        return argmax<int64_t>(x, n, temporary, result, stream);
    }
}
#else
extern "C" bool vendor_argmax(int, const void *, size_t, void *, void *, hipStream_t)
{
    return false;
}
#endif
