/* Threads that take turns or wait for each other: progress.bats chooses the kernel by editing main().
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>

struct words {
    unsigned head, flag;
    int sum, data, out;
};

static void must(hipError_t error)
{
    if (error != hipSuccess)
        exit(3);
}

/* A queue that one thread could empty alone. */
__global__ void drain(struct words *w, unsigned items)
{
    while (atomicAdd(&w->head, 1u) < items)
        w->sum += 3;
}

__global__ void drain_right(struct words *w, unsigned items)
{
    while (atomicAdd(&w->head, 1u) < items)
        atomicAdd(&w->sum, 3);
}

/* The first thread waits for the last one, which runs after it: in its own block, or in the last block. */
__global__ void hand_over(struct words *w, unsigned writer)
{
    if (blockIdx.x == writer && threadIdx.x == blockDim.x - 1) {
        w->data = 7;
        __threadfence();
        atomicExch(&w->flag, 1u);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        while (atomicAdd(&w->flag, 0u) == 0)
            ;
        __threadfence();
        w->out = w->data;
    }
    __syncthreads();
}

/* The compiler hoists the load out of the loop. */
__global__ void wait_plainly(struct words *w, unsigned never)
{
    while (w->flag == never)
        ;
    w->out = 1;
}

#define SLOTS 100
__device__ unsigned slot[SLOTS], filled[3 << 19];

/* A hash table that has no place for the last one. */
__global__ void insert(struct words *w, unsigned more)
{
    for (unsigned i = 0; threadIdx.x == 0 && i < SLOTS + more; i++) {
        unsigned k = 7 * i;
        while (atomicCAS(&slot[k % SLOTS], 0u, i + 1) != 0) /* probes */
            k++;
        w->out = (int)k;
    }
}

/* One value, and no end of places. */
__global__ void fill(struct words *w, unsigned value)
{
    for (unsigned i = 0; threadIdx.x == 0 && i < sizeof filled / sizeof *filled; i++)
        filled[i] = w->head + value;
}

/* Each thread changes what is its own, and changes it back. */
__global__ void back_and_forth(struct words *, unsigned turns)
{
    volatile unsigned *own = &filled[blockIdx.x * blockDim.x + threadIdx.x];

    for (unsigned i = 0; i < turns; i++) {
        *own = *own + 1;
        *own = *own - 1;
    }
}

/* Threads that look too early go on with what they should not do. */
__global__ void look_early(struct words *w, unsigned value)
{
    if (threadIdx.x == 0)
        w->data = (int)value;
    if (w->data == 0) {
        if (threadIdx.x == 5)
            w->sum = 1;
        else
            atomicAdd(&w->out, w->sum);
    }
}

/* Stores for longer than a thread may run without an access. */
__global__ void store_long(struct words *w, unsigned value)
{
    for (long i = 0; i < 120000000 && threadIdx.x == 0; i++)
        w->data = (int)(i ^ value);
}

int main(void)
{
    struct words *w, host;

    must(hipMalloc(&w, sizeof *w));
    must(hipMemset(w, 0, sizeof *w));
    hipLaunchKernelGGL(drain, dim3(1), dim3(64), 0, 0, w, 100u);
    must(hipMemcpy(&host, w, sizeof host, hipMemcpyDeviceToHost));
    printf("sum %d, out %d\n", host.sum, host.out);
}
