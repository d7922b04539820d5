/* How CUB and hipCUB begin a call for a whole array: a kernel of one thread does the work, one element after the other, when
 * its stream comes to it. Right, and no measure of anything.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_CALL_H
#define HIP_CPU_PRIMITIVES_CALL_H

#include "hip_cpu/primitives/operators.h"
#include "hip_cpu/primitives/tree.h"

namespace cub
{
/* f() as a kernel of one thread. */
template <typename F> hipError_t hip_cpu_serially(const char *name, hipStream_t stream, F f)
{
    struct hip_cpu_launch launch = {};
    launch.kernel = name;
    launch.stream = stream;
    launch.grid = dim3(1);
    launch.block = dim3(1);
    return hip_cpu_launch_body(&launch, nullptr, f);
}
/* Every call of the library: without temporary storage it says how much is needed, and does nothing. What is in the storage
 * is lost. Calls that need none ask for a byte, and do not look at it (CUB 3 on an H200: DeviceSegmentedReduce). */
template <typename F>
hipError_t hip_cpu_call(const char *name, void *temporary, size_t &bytes, hipStream_t stream, F f, size_t needed = 1024)
{
    if (!temporary) {
        bytes = needed > 0 ? needed : 1;
        return hipSuccess;
    }
    if (bytes < needed)
        return hipErrorInvalidValue;
    return hip_cpu_serially(name, stream, [=]() {
        memset(temporary, 0x7f, needed);
        f();
    });
}
} // namespace cub

#endif
