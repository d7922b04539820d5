/* Does the installed rocPRIM compile for this build's targets? Compiled only after a variant that needs it failed to;
 * see platform/amd.mk.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <iostream> /* as in reduction_prim/prelude.h, which this stands for: rocprim.hpp of 7.2 lacks <cstring> */
#include <rocprim/device/device_reduce.hpp>

hipError_t rocprim_probe(void *storage, size_t *bytes, const double *input, double *result, size_t n)
{
    return rocprim::reduce(storage, *bytes, input, result, 0.0, n, rocprim::plus<double>());
}
