/* Kernels by their addresses, for hipLaunchKernel() with an address in a variable.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../internal.h"

static struct noted {
    const void *kernel;
    const char *text;
    hip_cpu_caller call;
} * noted;
static size_t noted_count;
static pthread_mutex_t noted_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct noted find(const void *kernel)
{
    struct noted found = {0};

    pthread_mutex_lock(&noted_mutex);
    for (size_t i = 0; i < noted_count && !found.kernel; i++)
        if (noted[i].kernel == kernel)
            found = noted[i];
    pthread_mutex_unlock(&noted_mutex);
    return found;
}

void hip_cpu_note_kernel(const void *kernel, const char *text, hip_cpu_caller call)
{
    if (find(kernel).kernel)
        return;
    pthread_mutex_lock(&noted_mutex);
    noted = realloc(noted, (noted_count + 1) * sizeof *noted);
    if (!noted)
        hip_cpu_fatal("hip: no memory for %zu kernels\n", noted_count + 1);
    noted[noted_count++] = (struct noted){kernel, text, call};
    pthread_mutex_unlock(&noted_mutex);
}

hipError_t hip_cpu_launch_noted(const void *kernel, int cooperative, dim3 grid, dim3 block, void **arguments,
                                size_t shared_bytes, hipStream_t stream)
{
    struct noted found = find(kernel);

    if (found.kernel)
        return found.call(found.text, cooperative, kernel, grid, block, arguments, shared_bytes, stream);
    if (kernel)
        fprintf(stderr,
                "hip: a launch of %p, which is not known as a kernel: cast its name to "
                "void * where it is written, (const void *)kernel\n",
                kernel);
    return hip_cpu_error(hipErrorInvalidDeviceFunction);
}
