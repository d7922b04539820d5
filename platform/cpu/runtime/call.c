/* Errors: the last one of each host thread, names and texts.
 * SPDX-License-Identifier: MIT */
#include "internal.h"

static __thread hipError_t last_error;

hipError_t hip_cpu_error(hipError_t error)
{
    if (error != hipSuccess &&
        error != hipErrorNotReady) /* an answer, and no failure, as on ROCm */
        last_error = error;
    return error;
}

hipError_t hipGetLastError(void)
{
    hipError_t error = last_error;
    last_error = hipSuccess;
    return error;
}

hipError_t hipPeekAtLastError(void)
{
    return last_error;
}

const char *hipGetErrorName(hipError_t error)
{
#define NAME(name, value, meaning)                                                                 \
    case name:                                                                                     \
        return #name;
    switch (error) {
        HIP_CPU_ERRORS(NAME)
    }
    return "hipErrorUnknown";
}

const char *hipGetErrorString(hipError_t error)
{
#define MEANING(name, value, meaning)                                                              \
    case name:                                                                                     \
        return meaning;
    switch (error) {
        HIP_CPU_ERRORS(MEANING)
    }
    return "unknown error";
}
