/* Kernels of blocks.c: blocks, atomics, the small functions, the grid; and those whose order outside.c looks at.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

#include "kernels.h"

/* ---- blocks ---- */

__global__ void reverse(int rounds, const int *in, int *out)
{
    __shared__ int fixed[1024];
    HIP_DYNAMIC_SHARED(int, dynamic);
    unsigned tid = threadIdx.x, other = blockDim.x - 1 - tid;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    int value = in[i];

    for (int round = 0; round < rounds; round++) {
        int *shared = round % 2 == 0 ? fixed : dynamic;
        shared[tid] = value;
        __syncthreads();
        value = shared[other];
        __syncthreads();
    }
    out[i] = value;
}

hipError_t run_reverse(unsigned grid, unsigned block, int rounds, const int *in, int *out)
{
    hipLaunchKernelGGL(reverse, dim3(grid), dim3(block), block * sizeof(int), 0, rounds, in, out);
    return hipGetLastError();
}

__global__ void counts(const int *predicate, int *out)
{
    int mine = predicate[threadIdx.x];
    int *result = out + 3 * threadIdx.x;

    result[0] = __syncthreads_count(mine);
    result[1] = __syncthreads_and(mine);
    result[2] = __syncthreads_or(mine);
}

hipError_t run_counts(unsigned block, const int *predicate, int *out)
{
    hipLaunchKernelGGL(counts, dim3(1), dim3(block), 0, 0, predicate, out);
    return hipGetLastError();
}

__global__ void indices(int *seen, int *wrong)
{
    size_t block = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    size_t thread = ((size_t)threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    if (threadIdx.x >= blockDim.x || threadIdx.y >= blockDim.y || threadIdx.z >= blockDim.z ||
        blockIdx.x >= gridDim.x || blockIdx.y >= gridDim.y || blockIdx.z >= gridDim.z)
        atomicAdd(wrong, 1);
    else
        atomicAdd(&seen[block * blockDim.x * blockDim.y * blockDim.z + thread], 1);
}

hipError_t run_indices(dim3 grid, dim3 block, int *seen, int *wrong)
{
    hipLaunchKernelGGL(indices, grid, block, 0, 0, seen, wrong);
    return hipGetLastError();
}

__global__ void tree(const double *in, double *partials, size_t n)
{
    HIP_DYNAMIC_SHARED(double, shared);
    unsigned tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    shared[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (tid < half)
            shared[tid] += shared[tid + half];
        __syncthreads();
    }
    if (tid == 0)
        partials[blockIdx.x] = shared[0];
}

hipError_t run_tree(unsigned grid, unsigned block, const double *in, double *partials, size_t n)
{
    hipLaunchKernelGGL(tree, dim3(grid), dim3(block), block * sizeof(double), 0, in, partials, n);
    return hipGetLastError();
}

/* first[t] = byte t of shared memory that nobody has written */
__global__ void fresh_shared(unsigned char *first)
{
    HIP_DYNAMIC_SHARED(unsigned char, shared);
    first[threadIdx.x] = shared[threadIdx.x];
}

hipError_t run_shared_bytes(unsigned block, size_t bytes, unsigned char *first)
{
    hipLaunchKernelGGL(fresh_shared, dim3(1), dim3(block), bytes, 0, first);
    return hipGetLastError();
}

__global__ void arguments(long i, double d, struct triple t, const char *text, double *out)
{
    out[0] = (double)i;
    out[1] = d;
    out[2] = t.a + t.b;
    out[3] = t.c;
    out[4] = text[1];
}

hipError_t run_arguments(int i, double d, struct triple t, const char *text, double *out)
{
    /* int converts to the kernel's long */
    hipLaunchKernelGGL(arguments, dim3(1), dim3(1), 0, 0, i, d, t, text, out);
    return hipGetLastError();
}

/* ---- atomics ---- */

__global__ void atomics(struct atomic_results *r, unsigned *seen)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int s = (int)i;

    atomicAdd(&r->i_add, s);
    atomicSub(&r->i_sub, 1);
    atomicMin(&r->i_min, -s);
    atomicMax(&r->i_max, s);
    atomicAnd(&r->i_and, ~(1 << (i % 20)));
    atomicOr(&r->i_or, 1 << (i % 20));
    atomicXor(&r->i_xor, s);
    atomicAdd(&seen[atomicAdd(&r->u_add, 1u)], 1u);
    atomicInc(&r->u_inc, 6u);
    atomicDec(&r->u_dec, 6u);
    atomicMin(&r->u_min, i + 5);
    atomicMax(&r->u_max, i);
    atomicAdd(&r->u_exchanged, atomicExch(&seen[gridDim.x * blockDim.x], i + 1));
    atomicAdd(&r->ull_add, (unsigned long long)i << 20);
    atomicMax(&r->ull_max, ((unsigned long long)i << 40) + 1);
    unsigned long long old = r->ull_cas, assumed;
    do {
        assumed = old;
        old = atomicCAS(&r->ull_cas, assumed, assumed + 3);
    } while (old != assumed);
    atomicMin(&r->ll_min, (long long)i * -(1ll << 33));
    atomicMax(&r->ll_max, (long long)i << 33);
    atomicAdd(&r->f_add, 0.25f);
    atomicAdd(&r->d_add, 0.5);
    unsafeAtomicAdd(&r->d_unsafe, 1.0);
    __threadfence();
}

hipError_t run_atomics(unsigned grid, unsigned block, struct atomic_results *r, unsigned *seen)
{
    hipLaunchKernelGGL(atomics, dim3(grid), dim3(block), 0, 0, r, seen);
    return hipGetLastError();
}

__global__ void contended(int rounds, int *whole, double *real)
{
    cooperative_groups::this_grid().sync(); /* all workers are awake now */
    for (int i = 0; i < rounds; i++) {
        atomicAdd(whole, 1);
        atomicAdd(real, 1.0);
    }
}

hipError_t run_contended(unsigned grid, unsigned block, int rounds, int *whole, double *real)
{
    void *arguments[] = {&rounds, &whole, &real};
    return hipLaunchCooperativeKernel(contended, dim3(grid), dim3(block), arguments, 0, 0);
}

/* ---- the small functions ---- */

__constant__ int four[4] = {1, 2, 3, 4};

__global__ void __launch_bounds__(1) bits(struct bit_results *r)
{
    static __shared__ int shared[2]; /* as some write it */

    long long start = wall_clock64();
    float4 v = make_float4(1, 2, 3, 4);
    longlong2 w = make_longlong2(5, 6);

    r->popc = __popc(0xf0f0u);
    r->popcll = __popcll(~0ull);
    r->ffs = __ffs(8);
    r->ffs0 = __ffs(0);
    r->ffsll = __ffsll(1ull << 40);
    r->clz = __clz(1);
    r->clz0 = __clz(0);
    r->clzll = __clzll(1);
    r->clzll0 = __clzll(0);
    r->float_bits = __float_as_uint(1.0f);
    r->bits_float = __uint_as_float(0x40000000u);
    r->double_bits = __double_as_longlong(1.0);
    r->bits_double = __longlong_as_double(0x4000000000000000ll);
    r->minimum = min(3, -4);
    r->maximum = max(2.5, 1.5);
    r->vector_sum = v.x + v.y + v.z + v.w + (float)(w.x + w.y);
    r->ldg = __ldg(&r->popc);
    __builtin_nontemporal_store(11, &r->nontemporal);
    r->nontemporal += __builtin_nontemporal_load(&r->popc);
    r->reciprocal_root = rsqrtf(4);
    r->reciprocal_root_double = rsqrt(16.0);
    r->fast[0] = __expf(0) + __logf(1);
    r->fast[1] = __fdividef(1, 8);
    r->fast[2] = __saturatef(1.5f) + __saturatef(-1.5f);
    r->fast[3] = __powf(2, 10) + __sinf(0) * __cosf(0);
    r->product24 = __mul24(0x7f000003, -2);
    r->high = (int)__umulhi(0x80000000u, 6);
    r->symbol = four[2];
    shared[1] = 7;
    r->static_shared = shared[1];
    while (wall_clock64() == start)
        ;
    r->clock_steps = clock64() - start;
}

hipError_t run_bits(struct bit_results *r)
{
    hipLaunchKernelGGL(bits, dim3(1), dim3(1), 0, 0, r);
    return hipGetLastError();
}

hipError_t run_symbol(size_t first, const int *from, size_t count, int *all)
{
    hipError_t error =
        hipMemcpyToSymbol(HIP_SYMBOL(four), from, count * sizeof(int), first * sizeof(int));
    return error != hipSuccess ? error : hipMemcpyFromSymbol(all, four, sizeof four);
}

/* ---- grid ---- */

__global__ void cooperative(int rounds, unsigned *slots, unsigned *wrong)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    cooperative_groups::thread_block block = cooperative_groups::this_thread_block();

    for (int round = 1; round <= rounds; round++) {
        if (block.thread_rank() == 0)
            slots[blockIdx.x] = (unsigned)round * (blockIdx.x + 1);
        block.sync();
        grid.sync();
        unsigned sum = 0, want = 0;
        for (unsigned b = 0; b < gridDim.x; b++) {
            sum += slots[b];
            want += (unsigned)round * (b + 1);
        }
        if (sum != want)
            atomicAdd(wrong, 1u);
        grid.sync();
    }
    if (grid.size() != (unsigned long long)gridDim.x * blockDim.x ||
        grid.thread_rank() != (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x)
        atomicAdd(wrong, 1u);
}

hipError_t run_cooperative(unsigned grid, unsigned block, int rounds, unsigned *slots,
                           unsigned *wrong)
{
    void *arguments[] = {&rounds, &slots, &wrong};
    return hipLaunchCooperativeKernel(cooperative, dim3(grid), dim3(block), arguments, 0, 0);
}

/* ---- order ---- */

__global__ void note_order(unsigned *ticket, unsigned *order)
{
    order[atomicAdd(ticket, 1u)] = blockIdx.x * blockDim.x + threadIdx.x;
}

hipError_t run_order(unsigned grid, unsigned block, unsigned *ticket, unsigned *order)
{
    hipLaunchKernelGGL(note_order, dim3(grid), dim3(block), 0, 0, ticket, order);
    return hipGetLastError();
}

__global__ void note_order_after_barrier(unsigned *ticket, unsigned *order)
{
    __syncthreads();
    order[atomicAdd(ticket, 1u)] = threadIdx.x;
}

hipError_t run_order_after_barrier(unsigned block, unsigned *ticket, unsigned *order)
{
    hipLaunchKernelGGL(note_order_after_barrier, dim3(1), dim3(block), 0, 0, ticket, order);
    return hipGetLastError();
}
