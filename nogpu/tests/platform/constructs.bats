#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# What HIP and CUDA programs use: for each part a program in constructs/, built with the CPU platform's drivers.
load ../lib/check

setup() {
    work=$BATS_TEST_TMPDIR
}

# runs DRIVER SOURCE WARPS...: builds without warnings and runs with each warp size, also with threads in reverse order
runs() {
    driver=$1 source=$2
    shift 2
    try bin/"$driver" -O1 -Wall -Wextra -Werror -o "$work/program" "tests/constructs/$source"
    ends 0
    for warp; do
        try env HIP_CPU_WARP_SIZE="$warp" "$work/program"
        ends 0
        try env HIP_CPU_SCHEDULE=reverse HIP_CPU_WARP_SIZE="$warp" "$work/program"
        ends 0
    done
}

# built NAME [STATEMENT]: the source on standard input, NAME.cu or NAME.hip, becomes the program $work/NAME; with a statement it
# has no main(), see with_main
built() {
    local name=${1%.*} driver=nvcc
    case $1 in *.hip) driver=hipcc ;; esac
    if [ $# -gt 1 ]; then with_main "$@"; else cat >"$work/$1"; fi
    try bin/$driver -o "$work/$name" "$work/$1"
    ends 0
}
# refused NAME PATTERN: so written on standard input, it is refused with these words in one line
refused() {
    local driver=nvcc
    case $1 in *.hip) driver=hipcc ;; esac
    cat >"$work/$1"
    try bin/$driver -c -o "$work/refused.o" "$work/$1"
    ends 1 "$2"
    check 'in one line' [ "$(wc -l <"$work/said")" -eq 1 ]
}

@test "one program for each part: all warnings, all sizes of warps, threads in reverse order" {
    for source in atomics.cu bits.cu half.cu groups.cu matrices.cu launches.cu primitives.cu sums.cu; do
        runs nvcc $source 32
    done
    for source in vectors.hip warps.hip overloads.hip; do
        runs hipcc $source 32 64
    done
}

@test "Thrust by its own headers, where they are installed" {
    echo '#include <thrust/version.h>' >"$work/thrust.cu"
    bin/nvcc -c -o "$work/thrust.o" "$work/thrust.cu" 2>"$work/said" || {
        check 'names what to install' grep -q 'install libthrust-dev' "$work/said"
        skip "Thrust's headers are not here"
    }
    runs nvcc thrust.cu 32
}

@test "textures and surfaces: addresses, filters, layers, cubes" {
    runs nvcc textures.cu 32
    needs_trace
    for tool in races memory; do
        env HIP_CPU_TRACE=$tool bin/nvcc -o "$work/traced" tests/constructs/textures.cu
        try env HIP_CPU_TRACE=$tool "$work/traced"
        ends 0 'none found'
    done
}

@test "functions under plain names, whatever the C library declares" {
    runs nvcc names.cu 32
    for driver in nvcc hipcc; do
        try bin/$driver -Wall -Wextra -Werror -include tests/platform/c_names.h -x hip -o "$work/program" \
            tests/constructs/names.cu
        ends 0
        try "$work/program"
        ends 0
    done
    # Behind our headers, there. And before them, as our own kernels are compiled:
    printf '#include <%s>\n' hip/hip_runtime.h cuda_runtime.h >"$work/all.h"
    for compiler in __HIPCC__ __CUDACC__; do
        try ${CXX:-c++} -Wall -Wextra -Werror -include tests/platform/c_names.h -std=gnu++17 -x c++ -D$compiler \
            -Iinclude -I"${NOGPU_BUILD:-build}/include" -fsyntax-only "$work/all.h"
        ends 0
    done
}

@test "every other function that the headers define has a prefix" {
    for compiler in __HIPCC__ __CUDACC__; do
        printf '#include <%s>\n' hip/hip_runtime.h hip/hip_fp16.h hip/hip_complex.h cuda_runtime.h cuda_bf16.h >"$work/all.h"
        ${CXX:-c++} -E -P -std=gnu++17 -x c++ -D$compiler -Iinclude -I"${NOGPU_BUILD:-build}/include" "$work/all.h" | tr '\n' ' ' |
            grep -oE 'static inline (__attribute__\(\([a-z_]*\)\) )?[A-Za-z_0-9 *&]*[ *&][A-Za-z_0-9]+ ?\(' |
            sed -E 's/ ?\($//; s/.*[ *&]//' | sort -u >"$work/names"
        check 'they are found' grep -qx hip_cpu_sinpif "$work/names"
        # min, max and norm: names.h says why.
        check "no plain name: $(grep -vE '^(hip|cuda|cu[A-Z]|__|make_|(safe|unsafe)?[aA]tomic|max$|min$|norm$|(wall_)?clock64$)' \
            "$work/names" | tee "$work/plain" | tr '\n' ' ')" [ ! -s "$work/plain" ]
    done
}

@test "barriers of CUDA's library, asynchronous copies, pipelines" {
    runs nvcc barriers.cu 32
    try env HIP_CPU_SCHEDULE=random:7 "$work/program"
    ends 0
}

@test "a copy that nobody waits for is a race, and a barrier that too few reach ends the program" {
    HIP_CPU_TRACE=races built copy.cu 'cudaMemset(data, 0, 512); mirror<<<1, 64>>>(data, word[1][0], word[2][0]);' <<'.'
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
__global__ void mirror(int *x, char what, char wait)
{
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> b;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x == 0)
        init(&b, wait == 'l' ? 65 : 64);
    auto pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    if (what == 'b')
        cuda::memcpy_async(block, s, x, sizeof s, b);
    else if (what == 'p')
        cuda::memcpy_async(block, s, x, sizeof s, pipe);
    else
        cg::memcpy_async(block, s, x, sizeof s);
    pipe.producer_commit();
    auto token = b.arrive();
    if (what == 'b' && wait != 'n')
        b.wait(std::move(token));
    if (what == 'p' && wait != 'n')
        pipe.consumer_wait();
    if (what == 'g' && wait != 'n')
        cg::wait(block);
    x[64 + threadIdx.x] = s[63 - threadIdx.x];
}
.
    for what in barrier pipeline group; do
        try env HIP_CPU_TRACE=races "$work/copy" $what wait
        ends 0 'none found in kernel mirror'
        try env HIP_CPU_TRACE=races "$work/copy" $what none
        ends 1 'race: 1 found' 'copy.cu:28' 'look at: the copy is asynchronous'
    done
    try bin/nvcc -o "$work/copy" "$work/copy.cu"
    ends 0
    try "$work/copy" barrier late
    ends 3 'kernel mirror, block (0,0,0), thread (0,0,0), at .*copy.cu:23: waits for threads of its block that do not come'
}

@test "what a library leaves undefined is not its result, and less storage than it asks for is refused" {
    built undefined.hip <<'.'
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
#include <rocprim/rocprim.hpp>
#include <cstdio>
__global__ void sums(float *out)
{
    typedef hipcub::BlockReduce<float, 128> Block;
    typedef hipcub::WarpReduce<float> Warp;
    __shared__ union {
        Block::TempStorage block;
        Warp::TempStorage warp;
    } shared;
    out[threadIdx.x] = Block(shared.block).Sum(1.0f);
    __syncthreads();
    out[128 + threadIdx.x] = Warp(shared.warp).Sum(1.0f);
}
int main()
{
    float *out, lanes = (float)warpSize;
    size_t bytes = 8;
    (void)hipMallocManaged(&out, 1024);
    sums<<<1, 128>>>(out);
    (void)hipDeviceSynchronize();
    int numbers = 0;
    for (int i = 0; i < 256; i++)
        numbers += out[i] == out[i];
    printf("%d numbers, %g and %g lanes too many, %d\n", numbers, out[0], out[128] - lanes,
           rocprim::reduce(out, bytes, out, out, 8, rocprim::plus<float>()) == hipErrorInvalidValue);
}
.
    for warp in 32 64; do
        try env HIP_CPU_WARP_SIZE=$warp "$work/undefined"
        ends 0 "^$((1 + 128 / warp)) numbers, 128 and 0 lanes too many, 1$"
    done
}

@test "a misaligned access ends the program, a shared array may be read in vectors" {
    with_main aligned.cu 'int how = atoi(word[1]);
cudaMemset(data, 0, 4096);
vectors<<<1, 64>>>((float *)data + (how > 3), (float *)data + 512, how);' <<'.'
__global__ void vectors(const float *x, float *y, int how)
{
    __shared__ char before;
    __shared__ float s[64];
    before = 1;
    s[threadIdx.x] = before;
    __syncthreads();
    if (how == 0)
        *(float4 *)y = ((float4 *)s)[threadIdx.x % 16];
    else if (how == 1)
        *y = ((const float4 *)x)[threadIdx.x].w;
    else if (how == 2)
        *y = *(const float *)((const char *)x + 2);
    else if (how == 3)
        *(double *)(y + 1) = 1;
    else {
        float4 v = *(const float4 *)x;
        *y = v.x + v.y + v.z + v.w;
    }
}
.
    for option in -O0 -O2; do
        bin/nvcc $option -o "$work/aligned" "$work/aligned.cu"
        for how in 0 1; do
            try "$work/aligned" $how
            ends 0
        done
        for how in 2:13:reads.*float.*of.4 3:15:writes.*double.*of.8 4:17:reads.*float4.*of.16; do
            try "$work/aligned" ${how%%:*}
            ends 3 "at $work/aligned.cu:$(echo ${how#*:} | cut -d: -f1): a misaligned access: ${how##*:}"
        done
    done
}

@test "kernels as loops between their barriers, which ones, and whose fault it is" {
    runs nvcc loops.cu 32
    try "$work/program"
    ends 0
    nm -C "$work/program" | sed -n 's/.* hip_cpu_loops_[0-9]*_\([a-z_]*\).*/\1/p' | sort -u | xargs >"$work/names"
    check 'these and no others' [ "$(cat "$work/names")" = "adds asking calls cast counts ends exchanges given keeps nests steps waiting warp written" ]
    try "$work/program" outside
    ends 3 'kernel keeps, block (1,0,0), thread (95,0,0): reads right past the end of an allocation of 768 bytes'
    try "$work/program" misaligned each
    ends 3 "kernel keeps, block (0,0,0), thread (0,0,0), at .*loops.cu:$(sed -n '/loaded = in/=' tests/constructs/loops.cu): a misaligned access"
    try "$work/program" each at another barrier
    ends 3 'kernel not_one, block (0,0,0): .* 48 wait .* (threads 0-47), 48 wait .* (threads 48-95)'
    try "$work/program" mask of half a warp
    ends 3 'the mask 0xffff lacks lane 16, which calls: give every lane that calls its bit'
    try bin/nvcc -fsanitize=undefined -o "$work/program" tests/constructs/loops.cu
    ends 0
    check 'sanitizers see each thread' [ "$(nm "$work/program" | grep -c hip_cpu_loops_)" -eq 0 ]
    try "$work/program"
    ends 0
}

@test "blocks whose threads are neighbours in memory, and those that only look so" {
    try bin/nvcc -O2 -DHIP_CPU_NO_LOOPS -o "$work/threads" tests/constructs/lines.cu
    ends 0
    "$work/threads" >"$work/expected"
    for level in -O0 -O2 -O3; do
        try bin/nvcc $level -o "$work/program" tests/constructs/lines.cu
        ends 0
        try "$work/program"
        ends 0
        check "as threads do at $level" diff "$work/expected" "$work/said"
    done
}

@test "memory in all its forms" {
    runs nvcc memory.cu 32
    try env HIP_CPU_LATE=1 "$work/program"
    ends 0
}

@test "streams, events, and graphs" {
    runs nvcc streams.cu 32
    try env HIP_CPU_LATE=1 "$work/program"
    ends 0
}

@test "words that streams write and wait for" {
    runs hipcc words.hip 64
    try env HIP_CPU_LATE=1 "$work/program"
    ends 0
}

@test "a block's primitive waits where the kernel calls it; unchecked calls are one line" {
    printf '#include <hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp>\n__global__ void k(int n) {
    __shared__ hipcub::BlockReduce<int, 64>::TempStorage s;
    if ((int)threadIdx.x < n)
        hipcub::BlockReduce<int, 64>(s).Sum(1);
}\nint main() { int *p; hipMalloc(&p, 4); hipFree(p); k<<<1, 64>>>(64); k<<<1, 64>>>(60); hipDeviceSynchronize(); }\n' >"$work/part.hip"
    try bin/nogpu run "$work/part.hip"
    ends 3 'part.hip:8:.*: note: 3 calls here return an error that nothing looks at' '60 wait at .*part.hip:6'
    check 'in two lines' [ "$(wc -l <"$work/said")" -eq 2 ]
    printf '#include <cub/cub.cuh>\n__global__ void k(int *x) {
    typedef cub::BlockScan<int, 64> S; __shared__ S::TempStorage s; int sum;
    S(s).InclusiveSum(1, sum); AGAIN;
    S(s).ExclusiveSum(sum, x[threadIdx.x]);
}\nint main() { int *p; cudaMalloc(&p, 256); k<<<1, 64>>>(p); return cudaFree(p); }\n' >"$work/scan.cu"
    try bin/nogpu race --schedule forward '-DAGAIN=__syncthreads()' "$work/scan.cu"
    ends 0 'race: none found'
    try bin/nogpu race --schedule forward -DAGAIN= "$work/scan.cu"
    ends 1 'race 1: s' 'scan.cu:5'
}

@test "macros of the architecture follow --offload-arch, -arch and the size of a warp" {
    printf '#include <hip/hip_runtime.h>\n#include <stdio.h>\n__global__ void k() {
#ifdef __GFX9__
#define LANES 64
#else
#define LANES 32
#endif
printf("%%d %%d ", LANES == warpSize, __AMDGCN_WAVEFRONT_SIZE__);
#ifdef __gfx90a__
printf("gfx90a ");
#endif
}\nint main() { k<<<1, 1>>>(); (void)hipDeviceSynchronize();
#ifdef __GFX9__
puts("on the host, too");
#endif
hipDeviceProp_t p; (void)hipGetDeviceProperties(&p, 0); printf("%%d.%%d\\n", p.major, p.minor); }\n' >"$work/target.hip"
    while read -r size options said; do
        try env ${size#none} bin/hipcc ${options#none} -o "$work/program" "$work/target.hip"
        ends 0
        try "$work/program"
        ends 0 "^$said"
    done <<END
none none 1 64 9.0
HIP_CPU_WARP_SIZE=32 none 1 32 9.0
none --offload-arch=gfx90a:xnack+ 1 64 gfx90a 9.0
none --offload-arch=gfx942 1 64 9.4
none --offload-arch=gfx1100 1 32 11.0
END
    try env HIP_CPU_WARP_SIZE=64 "$work/program"
    ends 2 'use the size that the program was built for'
    try bin/nogpu race "$work/target.hip"
    ends 0 'warps of 32 and 64'
    echo '__global__ void k(int *p) { *p = __CUDA_ARCH__; }
int main() { int *p; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p); cudaDeviceSynchronize(); return *p / 10; }' >"$work/target.cu"
    for version in 75 90; do
        bin/nvcc -gencode arch=compute_70,code=sm_70 -arch=sm_$version -o "$work/program" "$work/target.cu"
        try "$work/program"
        ends $version
    done
}

@test "a message names the lanes of a mask that do not arrive" {
    built mask.cu 'forgets<<<1, 32>>>();' <<'.'
#include <cuda_runtime.h>
__global__ void forgets()
{
    if (threadIdx.x < 8)
        __shfl_sync(0xffffffff, 1, 0);
    __syncthreads();
}
.
    try "$work/mask"
    ends 3 'lanes of one warp wait at different places: 8 at __shfl_sync' '(lanes 0-7, mask 0xffffffff)'
}

@test "features that the platform lacks are refused in one line" {
    for header in hip/hiprtc.h hip/hip_fp8.h cuda_fp8.h cublas_v2.h rocblas/rocblas.h; do
        printf '\n#include <%s>\n' "$header" >"$work/refused.h"
        refused refused.hip '/refused.h:2.*: error: the CPU platform has no' <<<'#include "refused.h"'
    done
    refused refused.hip 'refused.hip:1:.*: error: the CPU platform has no instruction __builtin_amdgcn_ds_swizzle: write this line in HIP' \
        <<<'__global__ void k(int *x) { *x = __builtin_amdgcn_ds_swizzle(*x, 31); }'
    refused refused.cu 'refused.cu:1:.*: error: the CPU platform has no mipmaps:' <<<'cudaMipmappedArray_t array;'
}

@test "CUDA's driver interface, and kernels that are members, are refused" {
    refused refused.cu 'refused.cu:2:.*the CPU platform has no driver interface of CUDA' <<<'#include <cuda.h>
int main() { CUdevice device; CUcontext context; return cuInit(0) != 0; }'
    echo '#include <cuda.h>
static inline const char *name(CUresult r) { const char *s; return cuGetErrorString(r, &s) ? "" : s; }
int main() { CUdeviceptr p = 0; return p != 0; }' >"$work/named.cu"
    try bin/nvcc -Wall -Werror -o "$work/named" "$work/named.cu"
    ends 0
    echo 'template <typename T> __global__ void first(T *x)
{
    extern __shared__ T s[];
    s[0] = *x;
    *x = s[0];
}
int main() { first<<<1, 1, 8>>>((float *)0); }' >"$work/refused.cu"
    try bin/nvcc -c -o "$work/refused.o" "$work/refused.cu"
    ends 0
    sed -i '$s/$/ void more() { first<<<1, 1, 8>>>((double *)0); }/' "$work/refused.cu"
    try bin/nvcc -c -o "$work/refused.o" "$work/refused.cu"
    ends 1 'refused.cu:3:.*error: .*hip_cpu_extern_shared_s'
    refused refused.cu 'refused.cu:1:.*the CPU platform has no memory of other processes (IPC)' <<<'cudaIpcMemHandle_t handle;'
    refused refused.cu 'refused.cu:3:5: error: .*no kernels that are members: make it static' <<<'struct both {
    static __global__ void right(int *x) { *x = 1; }
    __global__ void member(int *x) { *x = 1; }
};'
}

@test "launches from kernels: CUDA has them, HIP not; one that cannot be, and a wait, end the program" {
    runs nvcc children.cu 32
    built wrong.cu <<<'__global__ void child(int *x) { *x = 1; }
__global__ void parent(int *x, int threads)
{
    child<<<1, threads>>>(x);
    if (threads == 1)
        cudaDeviceSynchronize();
}
int main(int argc, char **) { int *x; cudaMalloc(&x, 4); parent<<<1, 1>>>(x, argc > 1 ? 1 : 1025); }'
    try "$work/wrong"
    ends 3 'kernel parent, block (0,0,0), thread (0,0,0), launches kernel child: invalid configuration'
    try "$work/wrong" 1
    ends 3 'kernel parent, block (0,0,0), thread (0,0,0), waits for the device, which no kernel can'
    sed 's/cuda/hip/g' "$work/wrong.cu" >"$work/wrong.hip"
    try bin/hipcc -o "$work/wrong" "$work/wrong.hip"
    ends 1 'wrong.hip:4:.*: error: .*HIP has no launches from kernels: launch this one from the host'
}

@test "a thread that returns counts at barriers, one that skips them does not; an index that is too large" {
    built returns.cu 'sum<<<2, 64>>>(data, 40, count == 2, count > 2);
    cudaMemcpy(&count, data + 39, sizeof count, cudaMemcpyDeviceToHost);
    printf("%d\n", count);' <<'.'
#include <cstdio>
__global__ void sum(int *out, int n, bool past, int behind)
{
    __shared__ int x[64];
    x[threadIdx.x + behind] = threadIdx.x;
    if (!past && (int)threadIdx.x >= n)
        return;
    if ((int)threadIdx.x < n) {
        __syncthreads();
        out[threadIdx.x] = x[n - 1 - threadIdx.x] + x[63];
    }
}
.
    try env HIP_CPU_SCHEDULE=reverse "$work/returns"
    ends 0 '^63$'
    try "$work/returns" past
    ends 3 'a barrier that not all 64 threads of the block reach: 40 wait at .*returns.cu:9 (threads 0-39), 24 have returned' \
        'is undefined: let every thread reach the same barrier, or move it out of the branch'
    try env HIP_CPU_STRICT_BARRIER=1 "$work/returns"
    ends 3 '24 have returned (threads 40-63), which HIP_CPU_STRICT_BARRIER=0 takes'
    try "$work/returns" an index
    ends 3 'kernel sum, block ([01],0,0): writes past the static __shared__ variables: check the index'
}

@test "output before a fault is not lost" {
    built stops.cu <<<'#include <cassert>
#include <cstdio>
__global__ void stops(int n) { assert(n > 1); }
int main() { printf("begun\n"); stops<<<1, 1>>>(1); return cudaDeviceSynchronize(); }'
    try "$work/stops"
    ends 3 '^begun$' 'kernel stops, block (0,0,0), thread (0,0,0): an assert() failed'
}

@test "race: a launch whose error nobody reads is a note; memory that was freed is named so" {
    HIP_CPU_TRACE=races built launch.cu <<'.'
__global__ void sum(const int *x, int *y) { atomicAdd(y, x[threadIdx.x % 64]); }
int main(int count, char **argument)
{
    int *x, *y;
    cudaMalloc(&x, 256);
    cudaMalloc(&y, 256);
    cudaMemset(x, 0, 256);
    cudaMemset(y, 0, 256);
    sum<<<1, 64>>>(x, y);
    if (argument[1][0] == 'f')
        cudaFree(x);
    sum<<<1, argument[1][0] == 'f' ? 64 : 2048>>>(x, y);
    if (argument[1][0] == 'r')
        cudaGetLastError();
    void *all[] = {&x, &y};
    return argument[1][0] == 'r' && cudaLaunchKernel((void *)sum, 1, 2048, all, 0, 0) == cudaSuccess;
}
.
    try env HIP_CPU_TRACE=races "$work/launch" unread
    ends 0 'race: none found' '^note: .*launch.cu:12: '
    try env HIP_CPU_TRACE=races "$work/launch" read
    ends 0 'race: none found'
    check 'a note about an error that was read' [ "$(grep -c '^note' "$work/said")" = 0 ]
    try env HIP_CPU_TRACE=races "$work/launch" freed
    ends 3 'launch.cu:1: reads byte 0 of a freed allocation of 256 bytes through x'
}

@test "race: a return before a barrier is a note in HIP, and none in CUDA" {
    HIP_CPU_TRACE=races built early.hip 'k<<<1, 64>>>(data, 40u, count > 1);' <<'.'
#include <hip/hip_runtime.h>
__global__ void k(int *x, unsigned n, bool all)
{
    if (threadIdx.x >= n && !all)
        return;
    __syncthreads();
    x[threadIdx.x] = 1;
}
.
    try env HIP_CPU_TRACE=races "$work/early"
    ends 0 'race: none found' '^note: .*early.hip:6: '
    try env HIP_CPU_TRACE=races "$work/early" all
    check 'a note where all threads arrive' [ "$(grep -c '^note' "$work/said")" = 0 ]
    cp "$work/early.hip" "$work/early.cu"
    try env HIP_CPU_TRACE=races bin/nvcc -o "$work/early" "$work/early.cu"
    try env HIP_CPU_TRACE=races "$work/early"
    ends 0 'race: none found'
    check 'a note in CUDA' [ "$(grep -c '^note' "$work/said")" = 0 ]
}

@test "stores of one value, the read before a compare-and-swap, and a mask of lanes that have gone are notes" {
    cat >"$work/level.cu" <<'END'
__device__ bool found;
__global__ void k(const int *x, int *m) {
    if (x[threadIdx.x] > 3)
        found = true;
    int old = *m, assumed;
    do { assumed = old; old = atomicCAS(m, assumed, max(assumed, (int)threadIdx.x)); } while (assumed != old);
    if (threadIdx.x >= 48)
        return;
    if (__shfl_xor_sync(0xffffffffu, old, 1) == 1000)
        *m = 7;
}
__global__ void bad(const int *x, int *m) { m[threadIdx.x / 2] = x[threadIdx.x]; }
__global__ void two(int *m) { /* compilers make one store of it */
    if (m[threadIdx.x + 1] + threadIdx.x > 40)
        m[0] = 1;
    else
        m[0] = 0;
}
int main(int arguments, char **) {
    int h[64], *x, *m;
    for (int &v : h) v = 9;
    cudaMalloc(&x, 256); cudaMalloc(&m, 256); cudaMemset(m, 0, 256);
    cudaMemcpy(x, h, 256, cudaMemcpyHostToDevice);
    if (arguments > 2) two<<<1, 63>>>(m);
    else if (arguments > 1) bad<<<1, 64>>>(x, m);
    else k<<<2, 64>>>(x, m);
    return cudaDeviceSynchronize();
}
END
    try env -C "$work" "$nogpu/bin/nogpu" race --schedule forward level.cu
    ends 0 'race: none found' 'level.cu:4: several threads of kernel k store one value into found' \
        'level.cu:5 in kernel k reads plainly' 'level.cu:9: the mask of kernel k names lane 16,'
    try env -C "$work" "$nogpu/bin/nogpu" race --strict --schedule forward level.cu
    ends 1 'race: 2 found'
    try bin/nogpu race --schedule forward "$work/level.cu" -- bad
    ends 1 'race 1: m\[0\]'
    try bin/nogpu race "$work/level.cu" -- other values
    ends 1 'race 1: m\[0\]'
}
