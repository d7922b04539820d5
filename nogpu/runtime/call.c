/* How a call of HIP begins and ends: failures on request (HIP_CPU_FAIL), to test what a program does then; the device; the
 * last error of each host thread, names and texts.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

bool hip_cpu_fails(const char *call)
{
    struct hip_cpu_config *c = &hip_cpu_config;

    if (!c->fail || (strcmp(c->fail, "any") != 0 && strcmp(c->fail, call) != 0))
        return false;
    uint64_t number = atomic_fetch_add(&c->calls, 1) + 1;
    return number == c->fail_at || (c->fail_on && number > c->fail_at);
}

hipError_t hip_cpu_check_device(int device)
{
    if (hip_cpu_config.devices == 0)
        return hipErrorNoDevice;
    return (unsigned)device < hip_cpu_config.devices ? hipSuccess : hipErrorInvalidDevice;
}

hipError_t hip_cpu_enter(const char *call) { return hip_cpu_fails(call) ? hipErrorUnknown : hip_cpu_check_device(0); }

static __thread hipError_t last_error;

hipError_t hip_cpu_error(hipError_t error)
{
    if (error != hipSuccess && error != hipErrorNotReady) { /* an answer, and no failure, as on ROCm */
        last_error = error;
        OBSERVE(failed, error);
    }
    return error;
}

hipError_t hipGetLastError(void)
{
    hipError_t error = last_error;
    last_error = hipSuccess;
    OBSERVE(failed, hipSuccess);
    return error;
}

hipError_t hipPeekAtLastError(void)
{
    OBSERVE(failed, hipSuccess);
    return last_error;
}

hipError_t hip_cpu_told(hipError_t error)
{
    OBSERVE(errors_read);
    return error;
}

const char *hipGetErrorName(hipError_t error)
{
#define NAME(name, value, meaning)                                                                                     \
    case name:                                                                                                         \
        return #name;
    switch (error) {
        HIP_CPU_ERRORS(NAME)
    }
    return "hipErrorUnknown";
}

/* cuda/cuda.h; never freed, since a program may keep it. */
const char *hip_cpu_cuda_name(hipError_t error)
{
    static _Atomic(char *) names[hipErrorUnknown + 1];
    char *name, *none = NULL;

    if (error < 0 || error > hipErrorUnknown)
        error = hipErrorUnknown;
    if (!names[error] && asprintf(&name, "cuda%s", hipGetErrorName(error) + strlen("hip")) >= 0 &&
        !atomic_compare_exchange_strong(&names[error], &none, name))
        free(name);
    return names[error] ? names[error] : "cudaErrorMemoryAllocation";
}

/* A message about HIP's names, with CUDA's if the program has those; never freed. */
const char *hip_cpu_named(const char *text)
{
    static const char host_free[] = "hipHostFree"; /* cudaFreeHost */
    char *named = hip_cpu_config.cuda ? malloc(2 * strlen(text) + 1) : NULL, *end = named;
    char before = ' ';

    if (!named)
        return text;
    while (*text) {
        if (strncmp(text, host_free, sizeof host_free - 1) == 0) {
            end = stpcpy(end, "cudaFreeHost");
            text += sizeof host_free - 1;
        } else if (!isalnum((unsigned char)before) && strncmp(text, "hip", 3) == 0 && isupper((unsigned char)text[3])) {
            end = stpcpy(end, "cuda");
            text += strlen("hip");
        }
        before = *end++ = *text;
        text += *text != '\0';
    }
    *end = '\0';
    return named;
}

const char *hipGetErrorString(hipError_t error)
{
#define MEANING(name, value, meaning)                                                                                  \
    case name:                                                                                                         \
        return meaning;
    OBSERVE(failed, hipSuccess);
    switch (error) {
        HIP_CPU_ERRORS(MEANING)
    }
    return "unknown error";
}
