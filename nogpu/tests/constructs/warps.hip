/* What HIP has and CUDA lacks: warp operations without masks or with 64-bit ones, orders and scopes of atomics, more functions
 * for half.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>
#include <hip/hip_fp16.h>
#include <rocprim/block/block_load.hpp>
#include <rocprim/block/block_reduce.hpp>
#include <rocprim/block/block_store.hpp>

#include "construct.h"

namespace cg = cooperative_groups;

__global__ void warps(int *wrong)
{
    int lane = (int)threadIdx.x % warpSize;
    unsigned long long all = warpSize == 64 ? ~0ull : 0xffffffffull;

    HOLDS(__ballot(1) == all && __popcll(__ballot(lane % 2)) == warpSize / 2);
    HOLDS(__shfl(lane, warpSize - 1) == warpSize - 1 && __any(lane == 0) && !__all(lane == 0));
    HOLDS(__shfl_sync(~0ull, lane, 3) == 3 && __ballot_sync(~0ull, 1) == all);
    HOLDS(__match_any(lane / 8) == 0xffull << lane / 8 * 8);
    HOLDS(__reduce_add_sync(~0ull, 1) == warpSize && __activemask() == all && __lane_id() == (unsigned)lane);
    HOLDS(__ballot64(lane > 0) == (all & ~1ull) && __fns32(0xb400000000ull, 0, 3) == 37 && __fns64(0xb4, 63, -5) == -1);
    HOLDS(__lastbit_u32_u32(8) == 3 && __lastbit_u32_u64(1ull << 40) == 40);
    HOLDS(__lastbit_u32_u32(0) == -1 && __clock() > 0 && __mbcnt_hi(~0u, __mbcnt_lo(~0u, 0)) == (unsigned)lane);
    HOLDS(__builtin_amdgcn_readfirstlane(lane + 5) == 5);
    HOLDS(__builtin_amdgcn_readlane(lane * 2, 3) == 6 && __builtin_amdgcn_rcpf(4) == 0.25f);
    HOLDS(__builtin_amdgcn_workgroup_size_x() == blockDim.x && __builtin_amdgcn_read_exec() == __ballot(1));
    HOLDS((float)__shfl_xor(__float2half((float)lane), 1) == (float)(lane ^ 1));
    HOLDS((float)__shfl_down(__half2((float)lane, 2), 1).x == (float)(lane == warpSize - 1 ? lane : lane + 1));
    HOLDS((float)__shfl(__hip_bfloat16((float)lane), 4) == 4);
    if (lane >= warpSize / 2) {
        unsigned long long upper = all << warpSize / 2 & all;
        HOLDS(__shfl_down_sync(upper, lane, 1) == (lane == warpSize - 1 ? lane : lane + 1));
        cg::coalesced_group active = cg::coalesced_threads();
        HOLDS(active.size() == (unsigned)warpSize / 2);
    }
    __syncthreads();
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    HOLDS(tile.shfl_xor(lane, 15) == (lane ^ 15));
}

__global__ void atomics(int *wrong)
{
    __shared__ float least, most;
    __shared__ double d_most;
    __shared__ int count;
    __shared__ __half2 pair;

    if (threadIdx.x == 0) {
        least = 1000;
        most = -1000;
        d_most = -1;
        count = 0;
        pair = __half2(0, 0);
    }
    __syncthreads();
    atomicMin(&least, -(float)threadIdx.x);
    atomicMax(&most, (float)threadIdx.x / 2);
    atomicMax(&d_most, (double)threadIdx.x);
    unsafeAtomicAdd(&pair, __half2(1, 0.5f));
    __hip_atomic_fetch_add(&count, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    __syncthreads();
    HOLDS(least == -63 && most == 31.5f && d_most == 63 && (float)pair.x == 64 && (float)pair.y == 32);
    HOLDS(__hip_atomic_load(&count, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 64);
    __syncthreads();
    if (threadIdx.x == 0) {
        int expected = 1;
        HOLDS(!__hip_atomic_compare_exchange_strong(&count, &expected, 3, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                                    __HIP_MEMORY_SCOPE_SYSTEM));
        HOLDS(expected == 64 && __hip_atomic_exchange(&least, 2.5f, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == -63);
        HOLDS(__hip_atomic_fetch_max(&most, 99, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 31.5f);
        __hip_atomic_store(&count, -1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
        HOLDS(count == -1 && most == 99 && least == 2.5f && atomicSub(&least, 0.5f) == 2.5f && least == 2);
    }
}

__global__ void __launch_bounds__(64) asked(int *wrong)
{
    static __shared__ int nontemporal[64]; /* an unusual spelling of shared memory */
    hipFloatComplex z = hipCmulf(make_hipFloatComplex(1, 2), make_hipFloatComplex(3, -1));

    HOLDS(__bitinsert_u32(0xffff0000u, 0x12345u, 4, 8) == 0xffff0450u && hipCrealf(z) == 5 && hipCimagf(z) == 5);
    HOLDS(wall_clock64() > 0 && __half2float(hrcp(__float2half(4))) == 0.25f);
    long long start = wall_clock64();
    while (wall_clock64() == start)
        ;
    __builtin_nontemporal_store(11, &nontemporal[threadIdx.x]);
    HOLDS(__builtin_nontemporal_load(&nontemporal[threadIdx.x]) == 11 && rsqrt(16.0) == 0.25);
    assert(threadIdx.x < 64);
    if (threadIdx.x == 99)
        printf("never\n");
}

/* 190 of 192 elements are valid, and the block sums and stores them. */
__global__ void block(const int *in, int *out, int *wrong)
{
    typedef rocprim::block_load<int, 64, 3, rocprim::block_load_method::block_load_striped> load;
    int items[3], sum;

    load().load(in, items, 190, 7);
    HOLDS(items[0] == (int)threadIdx.x && items[2] == (threadIdx.x < 62 ? (int)threadIdx.x + 128 : 7));
    rocprim::block_load<int, 64, 3>().load(in, items, 190, 0);
    HOLDS(items[0] == 3 * (int)threadIdx.x);
    rocprim::block_store<int, 64, 3>().store(out, items, 190);
    rocprim::block_reduce<int, 64>().reduce(items, sum, rocprim::plus<int>());
    if (threadIdx.x == 0)
        HOLDS(sum == 189 * 190 / 2);
}

/* Threads in three dimensions, the last warp not full: who is in a branch, and what lanes give that do not exist or have
 * returned. */
__global__ void absent(int *wrong)
{
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z, size = (unsigned)warpSize;
    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = t % size, next = lane + 1;
    unsigned long long here, want = 0;

    if (t % 3 == 0)
        here = __activemask();
    else
        here = __activemask();
    for (unsigned l = 0; l < size && t - lane + l < threads; l++)
        want |= (unsigned long long)(((t - lane + l) % 3 == 0) == (t % 3 == 0)) << l;
    HOLDS(here == want && __lane_id() == lane && __any(1));
    if (lane % 3 == 2)
        return;
    long long wide = __shfl_down((long long)lane, 1);
    int narrow = __shfl_xor((int)lane, 1, 2), own = __shfl_up((int)lane, 2, 2);
    HOLDS(wide == (next == size ? lane : next % 3 != 2 && t + 1 < threads ? next : 0x7ff77ff77ff77ff7ll));
    HOLDS(narrow == ((lane ^ 1) % 3 != 2 && t - lane + (lane ^ 1) < threads ? (int)lane ^ 1 : 0x7ff77ff7));
    HOLDS(own == (int)lane && __shfl_down((int)lane, 1, 1) == (int)lane && __ballot(1) == __activemask() &&
          __all(lane % 3 != 2));
}

int main(void)
{
    hipDeviceProp_t p;
    int *wrong;

    RUN(warps, 2, 128);
    RUN(atomics, 2, 64);
    RUN(asked, 1, 64);
    RUN(absent, 2, dim3(3, 7, 11));
    OK(hipGetDeviceProperties(&p, 0));
    EXPECT(p.gcnArchName[0] && p.arch.hasWarpShuffle && p.warpSize == warpSize);
    OK(hipHostMalloc(&wrong, sizeof *wrong));
    *wrong = 0;
    void *arguments[] = {&wrong};
    OK(hipLaunchKernel((void *)asked, dim3(1), dim3(64), arguments, 0, 0));
    hipLaunchKernelGGL(HIP_KERNEL_NAME(asked), dim3(1), dim3(64), 0, hipStreamDefault, wrong);
    hipStream_t stream;
    hipEvent_t before, behind;
    hipDevice_t device = -1;
    uint32_t units = 3;
    float milliseconds = -1;
    OK(hipEventCreate(&before));
    OK(hipEventCreate(&behind));
    OK(hipExtStreamCreateWithCUMask(&stream, 1, &units));
    OK(hipExtStreamGetCUMask(stream, 1, &units));
    OK(hipStreamGetDevice(stream, &device));
    EXPECT(units != 0 && device == 0);
    OK(hipExtLaunchKernel((void *)asked, dim3(1), dim3(64), arguments, 0, stream, before, behind, 0));
    OK(hipEventSynchronize(behind));
    OK(hipEventElapsedTime(&milliseconds, before, behind));
    EXPECT(milliseconds >= 0);
    hipExtLaunchKernelGGL(asked, dim3(1), dim3(64), 0, stream, nullptr, behind, 0, wrong);
    hipLaunchParams launch = {(void *)asked, dim3(1), dim3(64), arguments, 0, stream};
    OK(hipLaunchCooperativeKernelMultiDevice(&launch, 1, hipCooperativeLaunchMultiDeviceNoPreSync));
    EXPECT(hipLaunchCooperativeKernelMultiDevice(&launch, 2, 0) == hipErrorInvalidValue);
    OK(hipStreamDestroy(stream));
    OK(hipDeviceSynchronize());
    EXPECT(*wrong == 0);

    int *in;
    OK(hipMallocManaged((void **)&in, 384 * sizeof *in, hipMemAttachGlobal));
    for (int i = 0; i < 192; i++)
        in[i] = i, in[192 + i] = -1;
    block<<<1, 64>>>(in, in + 192, wrong);
    OK(hipDeviceSynchronize());
    EXPECT(*wrong == 0 && in[192 + 189] == 189 && in[192 + 190] == -1);
    OK(hipFree(in));

    /* Programs with streams stop without these. */
    hipPointerAttribute_t attributes;
    int engines = 0;
    OK(hipPointerGetAttributes(&attributes, wrong));
    EXPECT(attributes.memoryType == attributes.type);
    OK(hipDeviceGetAttribute(&engines, hipDeviceAttributeAsyncEngineCount, 0));
    EXPECT(engines == 1 && p.asyncEngineCount == 1 && p.deviceOverlap == 1);
    OK(hipFree(wrong));
}
