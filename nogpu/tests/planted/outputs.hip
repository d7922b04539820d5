/* Programs without a race whose output depends on the warp size or on the schedule, or seems to: the argument chooses.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

#include <time.h>

/* Half of a warp of 32 is a quarter of one of 64. */
__global__ void add_all(const int *in, int *sum, int from)
{
    int value = in[threadIdx.x];
    for (int step = from ? from : warpSize / 2; step > 0; step /= 2)
        value += __shfl_down(value, step);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(sum, value);
}

/* Which thread gets which ticket is the schedule's choice. */
__global__ void take_tickets(int *next, int *owner)
{
    owner[atomicAdd(next, 1)] = (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void add_floats(float *sum) { atomicAdd(sum, 1.0f / (float)(1 + threadIdx.x * threadIdx.x)); }

__global__ void say(void) { printf("block %u\n", blockIdx.x); }

int main(int count, char **word)
{
    const char *what = count > 1 ? word[1] : "";
    int ones[256], owner[256], sum = 0;
    float total = 0;

    for (int i = 0; i < 256; i++)
        ones[i] = 1;
    int *in = device_array(256, ones), *out = device_array<int>(1024);
    if (strcmp(what, "tickets") == 0)
        hipLaunchKernelGGL(take_tickets, dim3(4), dim3(64), 0, 0, out, out + 256);
    else if (strcmp(what, "say") == 0)
        hipLaunchKernelGGL(say, dim3(4), dim3(1), 0, 0);
    else if (strcmp(what, "floats") == 0)
        hipLaunchKernelGGL(add_floats, dim3(1), dim3(256), 0, 0, (float *)out);
    else
        hipLaunchKernelGGL(add_all, dim3(1), dim3(256), 0, 0, in, out, strcmp(what, "half") == 0 ? 16 : 0);
    fetch(&sum, out, 1);
    fetch(&total, (float *)out, 1);
    fetch(owner, out + 256, 256);
    if (strcmp(what, "tickets") == 0)
        printf("first 5 owners: %d %d %d %d %d\n", owner[0], owner[1], owner[2], owner[3], owner[4]);
    else if (strcmp(what, "floats") == 0)
        printf("sum %.9g\n", total);
    else if (strcmp(what, "width") == 0)
        printf("%d lanes\n", warpSize);
    else if (strcmp(what, "say") != 0)
        printf("sum %d\n", sum);
    if (strcmp(what, "time") == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        printf("at %ld.%09ld, array %p, took %ld us\n", (long)now.tv_sec, now.tv_nsec, (void *)in,
               now.tv_nsec / 1000 % 9);
    }
}
