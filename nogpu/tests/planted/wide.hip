/* Loads that are wider than the stores: vectors of elements, structs with padding between members.
 * SPDX-License-Identifier: MIT */
#include "cases.h"
#include "intrinsics.h"

#define THREADS 96

/* One block: what its first thread and its last one come to. */
template <typename T, void (*kernel)(T *, int), int first, int last, size_t shared_bytes = 0>
static bool ends(int fault)
{
    T *out = device_array<T>(THREADS), result[THREADS];
    hipLaunchKernelGGL(HIP_KERNEL_NAME(kernel), dim3(1), dim3(THREADS), shared_bytes, 0, out, fault);
    fetch(result, out, THREADS);
    return result[0] == first && result[THREADS - 1] == last;
}

/* ---- structs, whose padding is never written ---- */

/* All of it with one load. */
template <typename S> static __device__ S whole(const S *from)
{
    union {
        bytes16_t all;
        S s;
    } loaded = {load_16(from)};
    return loaded.s;
}

struct alignas(16) counted {
    double value;
    int count; /* 4 bytes of padding at the end, also at the end of shared memory */
};

__global__ void padding_at_the_end(double *out, int fault)
{
    HIP_DYNAMIC_SHARED(struct counted, shared);
    unsigned tid = threadIdx.x;

    shared[tid].value = tid;
    if (!fault || tid != 5)
        shared[tid].count = 1;
    __syncthreads();
    struct counted other = whole(&shared[THREADS - 1 - tid]);
    out[tid] = other.value * other.count;
}

struct large {
    int key, used[6], unused;
};

static __device__ int sum_of(struct large s)
{
    int sum = s.key;
    for (int k = 0; k < 6; k++)
        sum += s.used[k];
    return sum;
}

/* A struct is copied as a whole; a member that was not written is not used. */
template <bool all> __global__ void member_not_used(int *out, int)
{
    __shared__ struct large shared[THREADS];
    unsigned tid = threadIdx.x;

    shared[tid].key = (int)tid;
    for (int k = 0; k < 6; k++)
        shared[tid].used[k] = k;
    __syncthreads();
    struct large other = shared[THREADS - 1 - tid];
    out[tid] = sum_of(other) + (all ? other.unused : 0);
}

/* ---- vectors: every element counts ---- */

/* Each thread writes four neighbouring elements, and reads another thread's four with one load. */
template <unsigned missing> __global__ void four_at_once(float *out, int fault)
{
    HIP_DYNAMIC_SHARED(float, shared);
    unsigned tid = threadIdx.x;

    for (unsigned k = 0; k < 4; k++)
        if (!fault || k != missing)
            shared[4 * tid + k] = (float)(tid + k);
    __syncthreads();
    float4 other = whole((const float4 *)shared + THREADS - 1 - tid);
    out[tid] = other.x + other.y + other.z + other.w;
}

__global__ void word_of_bytes(unsigned *out, int fault)
{
    __shared__ __attribute__((aligned(16))) unsigned char shared[THREADS];
    unsigned tid = threadIdx.x;

    if (!fault || tid % 4 != 3)
        shared[tid] = 1;
    __syncthreads();
    unsigned word;
    memcpy(&word, shared + tid / 4 * 4, sizeof word);
    out[tid] = word;
}

/* GCC copies so few bytes without a call. */
__global__ void copied_bytes(unsigned *out, int fault)
{
    const char from[] = {1, 2, 3, 4, 5};
    char *to = (char *)out + 3 * threadIdx.x;

    if (fault)
        __builtin_memcpy(to, from, 5);
    else
        __builtin_memcpy(to, from, 3);
}

static bool run_member(int fault)
{
    return fault ? ends<int, member_not_used<true>, THREADS - 1 + 15, 15>(1)
                 : ends<int, member_not_used<false>, THREADS - 1 + 15, 15>(0);
}
template <unsigned missing> static bool run_four(int fault)
{
    return ends<float, four_at_once<missing>, 4 * (THREADS - 1) + 6, 6, 4 * THREADS * sizeof(float)>(fault);
}

const struct planted_case wide[] = {
    {"padding at the end", "one thread forgets a member",
     ends<double, padding_at_the_end, THREADS - 1, 0, THREADS * sizeof(struct counted)>},
    {"member not used", "it is used", run_member},
    {"four at once, second", "the second is not written", run_four<1>},
    {"four at once, last", "the last is not written", run_four<3>},
    {"word of bytes", "the last is not written", ends<unsigned, word_of_bytes, 0x01010101, 0x01010101>},
    {"copied bytes", "each thread copies two of its neighbour's", ends<unsigned, copied_bytes, 0x01030201, 0>},
    {NULL, NULL, NULL},
};
