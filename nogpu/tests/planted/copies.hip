/* Kernels whose accesses host compilers split or join, and the counts that explain_compilers.bats wants: accesses
 * that the source names one by one stay separate, and a copy of a struct stays whole.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

struct eight {
    float a, b;
};
struct twelve {
    float a, b, c;
};
struct __attribute__((aligned(16))) sixteen {
    float a, b, c, d;
};
struct gap {
    double a;
    float b;
    double c;
};
struct tail {
    double a, b;
    float c;
};
struct large {
    double a, b;
    float c, d;
    double e, f, g;
};

#define COPY(S)                                                                                                        \
    __global__ void copy_##S(const struct S *from, struct S *to)                                                       \
    {                                                                                                                  \
        struct S s = from[threadIdx.x];                                                                                \
        s.a += 1;                                                                                                      \
        to[threadIdx.x] = s;                                                                                           \
    }
COPY(eight)   /* load 8 1, store 8 1 */
COPY(twelve)  /* load 4 3, store 4 3 */
COPY(sixteen) /* load 16 1, store 16 1 */
COPY(gap)     /* load 8 3, store 8 3 */
COPY(tail)    /* load 8 3, store 8 3 */
COPY(large)   /* load 8 6, store 8 6 */

__global__ void copy_shared(const struct twelve *from, struct twelve *to) /* 2 load 4 3, 2 store 4 3 */
{
    __shared__ struct twelve shared[32];
    shared[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    struct twelve s = shared[31 - threadIdx.x];
    s.a += 1;
    to[threadIdx.x] = s;
}

static __device__ float sum_of(struct eight a, struct eight b) { return a.a * b.a + a.b * b.b; }
__global__ void arguments(const float *from, float *to) /* load 8 2, store 4 1 */
{
    const struct eight *pair = (const struct eight *)from + 2 * threadIdx.x;
    to[threadIdx.x] = sum_of(pair[0], pair[1]);
}

__global__ void vector_4(const float *from, float *to) /* load 16 1, store 4 1 */
{
    float4 v = *(const float4 *)(from + 4 * threadIdx.x);
    to[threadIdx.x] = v.x * v.y + v.z * v.w;
}

/* ---- one by one ---- */

__global__ void loop(const float *from, float *to) /* load 4 4, store 4 1 */
{
    float sum = 0;
    for (unsigned k = 0; k < 4; k++)
        sum += from[4 * threadIdx.x + k];
    to[threadIdx.x] = sum;
}

__global__ void unrolled(const float *from, float *to) /* load 4 4, store 4 1 */
{
    float v[4];
#pragma unroll
    for (unsigned k = 0; k < 4; k++)
        v[k] = from[4 * threadIdx.x + k];
    to[threadIdx.x] = v[0] * v[1] + v[2] * v[3];
}

__global__ void moved(const float *__restrict__ from, float *__restrict__ to) /* load 4 4, store 4 4 */
{
    for (unsigned k = 0; k < 4; k++)
        to[4 * threadIdx.x + k] = from[4 * threadIdx.x + k];
}

__global__ void searched(const float *from, float *to) /* load 4 6, store 4 1 */
{
    unsigned k = 8 * threadIdx.x;
    while (from[k] < 5)
        k++;
    to[threadIdx.x] = (float)k;
}

__global__ void neighbours(const float *from, float *to) /* load 4 2, store 4 1 */
{
    to[threadIdx.x] = from[2 * threadIdx.x] + from[2 * threadIdx.x + 1];
}

static __device__ float at(const float *from, unsigned i) { return from[i]; }
__global__ void called(const float *from, float *to) /* load 4 2, store 4 1 */
{
    to[threadIdx.x] = at(from, 2 * threadIdx.x) + at(from, 2 * threadIdx.x + 1);
}

#define SUM_OF_TWO(i) (from[i] + from[(i) + 1])
__global__ void expanded(const float *from, float *to) /* load 4 2, store 4 1 */
{
    to[threadIdx.x] = SUM_OF_TWO(2 * threadIdx.x);
}

__global__ void stored(const float *from, float *to) /* load 4 1, store 4 2 */
{
    float x = from[threadIdx.x];
    to[2 * threadIdx.x] = x, to[2 * threadIdx.x + 1] = x + 1;
}

__global__ void chosen(const float2 *from, float *to, int second) /* load 4 1, store 4 1 */
{
    to[threadIdx.x] = second ? from[threadIdx.x].y : from[threadIdx.x].x;
}

/* Two branches on one line. */
/* clang-format off */
__global__ void branches(const float *from, const float *two, float *a, float *b) /* 2 load 4 1, 2 store 4 1 */
{
    unsigned i = threadIdx.x;
    if (i % 2) a[i] = from[i]; else b[i] = two[2 * i];
}
__global__ void calling_branches(const float *from, const float *two, float *a, float *b) /* 2 load 4 1, 2 store 4 1 */
{
    unsigned i = threadIdx.x;
    if (i % 2) a[i] = at(from, i); else b[i] = at(two, 2 * i);
}
/* clang-format on */

#define N         4096
#define LAUNCH(S) hipLaunchKernelGGL(copy_##S, dim3(1), dim3(32), 0, 0, (struct S *)from, (struct S *)to)
int main(void)
{
    float host[N], *from, *to;

    for (unsigned i = 0; i < N; i++)
        host[i] = (float)(i % 8);
    if (hipMalloc((void **)&from, sizeof host) != hipSuccess || hipMalloc((void **)&to, sizeof host) != hipSuccess ||
        hipMemcpy(from, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess)
        return 3;
    void (*const kernels[])(const float *, float *) = {arguments, vector_4,   loop,   unrolled, moved,
                                                       searched,  neighbours, called, expanded, stored};
    for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++)
        hipLaunchKernelGGL(kernels[i], dim3(1), dim3(32), 0, 0, from, to);
    LAUNCH(eight);
    LAUNCH(twelve);
    LAUNCH(sixteen);
    LAUNCH(gap);
    LAUNCH(tail);
    LAUNCH(large);
    hipLaunchKernelGGL(copy_shared, dim3(1), dim3(32), 0, 0, (struct twelve *)from, (struct twelve *)to);
    hipLaunchKernelGGL(chosen, dim3(1), dim3(32), 0, 0, (float2 *)from, to, 1);
    hipLaunchKernelGGL(branches, dim3(1), dim3(32), 0, 0, from, from + 64, to, to + 64);
    hipLaunchKernelGGL(calling_branches, dim3(1), dim3(32), 0, 0, from, from + 64, to, to + 64);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
