/* Kernels that are wrong on purpose, for codegen.bats: each violates one expectation in tools/code/codegen.txt. They have the
 * names of kernels of single_pass, atomic, compensated and reproducible, and never run.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>
#include <stdint.h>

#define LOADS 8
typedef struct __attribute__((aligned(16))) {
    double lane[2];
} vector_t;

static __device__ double loop_without_corrections(const double *input, size_t n)
{
    double sum = 0;
#pragma unroll 1
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        sum += input[i];
    return sum;
}

template <unsigned COUNT> static __device__ double many_registers(const vector_t *input)
{
    vector_t v[COUNT];
    double sum = 0;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
        v[k] = input[k * blockDim.x + threadIdx.x];
    __syncthreads(); /* no value is used before all have arrived */
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++)
        sum = sum * v[k].lane[0] + v[COUNT - 1 - k].lane[1];
    return sum;
}

namespace double_sum /* local memory: an array whose index is only known at run time */
{
__global__ void reduce_small(const double *input, double *result, const int *where)
{
    double values[64];
    for (int i = 0; i < 64; i++)
        values[i] = input[i * blockDim.x + threadIdx.x];
    values[where[0]] += 1;
    values[where[1]] += values[where[2]];
    result[threadIdx.x] = values[where[3]];
}
__global__ void reduce_neumaier(const double *input, double *result, size_t n)
{
    result[threadIdx.x] = loop_without_corrections(input, n);
}
} // namespace double_sum

namespace double_min /* wide loads, one at a time */
{
__global__ void reduce_small(const vector_t *input, double *result, const int *next)
{
    double sum = 0;
    for (int k = 0, i = (int)threadIdx.x; k < LOADS; k++) {
        vector_t v = input[i];
        sum += v.lane[0] + v.lane[1];
        i = next[i] + (int)v.lane[0];
    }
    result[threadIdx.x] = sum;
}
__global__ void reduce_blocks(const double *input, double *result) { result[threadIdx.x] = input[threadIdx.x]; }
} // namespace double_min

namespace double_max /* narrow loads, each with its own wait; a loop without corrections */
{
__global__ void reduce_small(const double *input, double *result)
{
    double sum = 0;
    for (unsigned k = 0; k < LOADS; k++)
        sum += input[k * blockDim.x + threadIdx.x];
    result[threadIdx.x] = sum;
}
__global__ void reduce_single_pass(const double *input, double *result, size_t n)
{
    result[threadIdx.x] = loop_without_corrections(input, n);
}
} // namespace double_max

namespace float_sum /* too many registers */
{
__global__ void __launch_bounds__(256) reduce_small(const vector_t *input, double *result)
{
    result[threadIdx.x] = many_registers<32>(input);
}
} // namespace float_sum

namespace float_min /* compare and swap */
{
__global__ void reduce_small(const double *input, unsigned long long *result)
{
    unsigned long long seen = *result;
    for (;;) {
        unsigned long long found = atomicCAS(result, seen, seen + (uint64_t)input[threadIdx.x]);
        if (found == seen)
            return;
        seen = found;
    }
}
} // namespace float_min

namespace int_sum /* the lanes exchange by shuffles; no atomics; no bound that the hardware tests */
{
__global__ void reduce_small(const int *input, int *result)
{
    int value = input[threadIdx.x];
    for (int distance = warpSize / 2; distance > 0; distance /= 2)
        value += __shfl_down(value, distance);
    result[threadIdx.x] = value;
}
__global__ void reduce_blocks(const int *input, int *result) { result[threadIdx.x] = input[threadIdx.x]; }
__global__ void reduce_tiles(const int *input, int *result, unsigned n)
{
    if (threadIdx.x < n)
        result[threadIdx.x] = input[threadIdx.x];
}
} // namespace int_sum

namespace int_max /* a ticket that does not wait for the stores of the other warps */
{
__global__ void reduce_small(int *partials, unsigned *ticket)
{
    partials[blockIdx.x * blockDim.x + threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicInc(ticket, gridDim.x - 1);
    }
}
#if defined(__GFX10__)
__global__ void reduce_blocks(int *result) /* reads from an inactive lane */
{
    /* v_permlanex16 with the bits of LLVM 15 */
    asm volatile(".long 0xd7781205, 0x401c1503" ::: "v5");
    if (threadIdx.x == 0)
        result[0] = __builtin_amdgcn_permlanex16(0, result[0], 0x76543210, (int)0xfedcba98, false, true);
}
#endif
} // namespace int_max

#if defined(__HIP_PLATFORM_AMD__)
#define FEW_REGISTERS __attribute__((amdgpu_flat_work_group_size(1, 1024), amdgpu_waves_per_eu(8)))
#else
#define FEW_REGISTERS __launch_bounds__(1024, 2)
#endif
namespace int_min /* more registers than there are */
{
FEW_REGISTERS __global__ void reduce_small(const vector_t *input, double *result)
{
    result[threadIdx.x] = many_registers<40>(input);
}
FEW_REGISTERS __global__ void reduce_tree(const vector_t *input, double *result)
{
    result[threadIdx.x] = many_registers<40>(input);
}
} // namespace int_min
