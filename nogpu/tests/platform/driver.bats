#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# bin/hipcc and nvcc, called as by other projects' Makefiles and CMake; race of several files, and of a program.
load ../lib/check
bin=bin

setup() {
    needs_trace
    unset HIP_CPU_TRACE
    mkdir -p "$work/src/parts" "$work/inc"
    cat >"$work/inc/kernel.h" <<'END'
#pragma once
#include <hip/hip_runtime.h>
template <typename T> __global__ void fill(T *x, T value)
{
    extern __shared__ T tile[];
    tile[threadIdx.x] = value;
    BARRIER;
    x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
int total(const int *x, int n);
END
    cat >"$work/src/main.hip" <<'END'
#include <kernel.h>
#include <iostream>
#include <stdexcept>
#include "parts/launch.h"
int main(int argc, char **argv)
{
    int *x;
    if (hipMalloc(&x, 64 * sizeof(int)) != hipSuccess)
        return 3;
    launch(x);
    int host[64];
    if (hipMemcpy(host, x, sizeof host, hipMemcpyDeviceToHost) != hipSuccess)
        return 3;
    try {
        if (argc > 1)
            throw std::runtime_error(argv[1]);
    } catch (const std::exception &e) {
        std::cout << "caught " << e.what() << std::endl;
    }
    std::cout << "total " << total(host, 64) << std::endl;
}
END
    echo 'static void launch(int *x) { fill<<<1, 64, 64 * sizeof(int)>>>(x, VALUE); }' >"$work/src/parts/launch.h"
    echo '#include "kernel.h"
#ifdef __CUDACC__
#error nvcc passes it on to the compiler of the host
#endif
int total(const int *x, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += x[i]; return sum; }' >"$work/src/total.cpp"
}

# called COMMAND...: runs it in the folder; it must print nothing
called() {
    try env -C "$work" "$@"
    ends 0
}

@test "HIP's and CUDA's names are read compiled, unless a project's flags need others" {
    ! "${CXX:-c++}" --version | grep -q clang || skip 'only with GCC'
    echo '__global__ void none() {}' >"$work/none.hip"
    called "$PWD/$bin/hipcc" -H -Wall -DVALUE=3 -c none.hip -o none.o
    check 'HIP compiled' grep -q '^! .*/hip_cpu/language.h.gch' "$work/said"
    called "$PWD/$bin/nvcc" -H -g -c -x cu none.hip -o none.o
    check 'CUDA compiled' grep -q '^! .*/cuda_runtime.h.gch' "$work/said"
    called "$PWD/$bin/hipcc" -H -std=c++20 -c none.hip -o none.o
    check 'or as text' [ "$(grep -c '^! ' "$work/said")" -eq 0 ]
}

@test "objects, dependencies, and a program" {
    mkdir "$work/temporary"
    export TMPDIR=$work/temporary
    local flags="-DBARRIER=__syncthreads() -DVALUE=3 -Iinc -O3 -g -Wall -Werror --offload-arch=gfx90a -munsafe-fp-atomics"
    called "$PWD/$bin/hipcc" $flags -std=c++14 -MMD -MP -x hip -c src/main.hip -o main.o
    check 'dependencies' grep -q 'src/parts/launch.h' "$work/main.d"
    check 'dependencies on what is gone' [ "$(grep -c hip_translate. "$work/main.d")" -eq 0 ]
    printf '#!/bin/sh\ng++ "$@" && sed -i "s,[^ ]*/hip_translate,../hip_translate," "$d"\n' >"$work/relative" # as ccache
    chmod +x "$work/relative"
    d=$work/relative.d called "${NOGPU_BUILD:-$PWD/build}/hip_translate" ./relative -std=c++17 -x c++ -Iinc \
        "-I$nogpu/include" -DBARRIER= -DVALUE=3 -MMD -c src/main.hip -o relative.o
    check 'dependencies of ccache' grep -q '^ *[^ ]*src/main.hip' "$work/relative.d"
    check 'and none of them is gone' [ "$(grep -c hip_translate. "$work/relative.d")" -eq 0 ]
    called "$PWD/$bin/hipcc" $flags --offload-arch gfx1030 -c src/total.cpp -o total.o
    echo 'int none(void) { return 0; }' >"$work/src/none.c"
    called "$PWD/$bin/hipcc" $flags -std=c++14 -c src/none.c -o none.o
    called "$PWD/$bin/hipcc" main.o total.o none.o -lm -lamdhip64 -o program
    called ./program twice
    ends 0 'caught twice' 'total 192'
    check 'nothing is left' [ -z "$(ls "$TMPDIR")" ]
}

@test "one command, the options of nvcc, and a shared library" {
    mv "$work/src/main.hip" "$work/src/main.cu"
    called "$PWD/$bin/nvcc" -arch=sm_90 -gencode arch=compute_90,code=sm_90 -std c++17 -Xcompiler -Wall,-fPIC -lineinfo \
        '-DBARRIER=__syncthreads()' -D VALUE=4 -I inc src/main.cu src/total.cpp -o program
    called ./program
    ends 0 'total 256'
    called "$PWD/$bin/hipcc" -Iinc -shared -fPIC src/total.cpp -o libtotal.so -DBARRIER=
    called "$PWD/$bin/hipcc" '-DBARRIER=__syncthreads()' -DVALUE=5 -Iinc -x hip src/main.cu -L. -ltotal -Wl,-rpath,. -o program
    called ./program
    ends 0 'total 320'
    called "$PWD/$bin/hipcc" --version
    ends 0 'HIP version: '
    called "$PWD/$bin/nvcc" --version
    ends 0 'release 12\.'
}

@test "headers of -isystem, without warnings; OpenMP; the host's compiler" {
    mkdir -p "$work/system"
    echo '#pragma once
static int unused_here() { int unused; return 0; }
template <typename T> __global__ void put(T *x) { extern __shared__ T y[]; y[0] = 7; *x = y[0]; }
template <typename T> void launch(T *x) { put<<<1, 1, sizeof(T)>>>(x); }' >"$work/system/put.h"
    with_main src/put.cu 'int host = 0, threads = 0;
launch(data);
#pragma omp parallel num_threads(3) reduction(+ : threads)
threads++;
return cudaMemcpy(&host, data, sizeof host, cudaMemcpyDeviceToHost) ? 3 : host * 10 + threads;' <<'.'
#include <omp.h>
#include <put.h>
.
    for options in '-ccbin g++ -Xcompiler -fopenmp' '-ccbin=c++ -Xcompiler=-fopenmp -lgomp' '-fopenmp --compiler-bindir g++ -fopenmp-targets=amdgcn-amd-amdhsa
        -target x86_64-pc-linux-gnu -Xopenmp-target=amdgcn-amd-amdhsa -march=gfx90a'; do
        called "$PWD/$bin/nvcc" $options -Wall -Wextra -Werror -isystem system -c src/put.cu -o put.o
        called "$PWD/$bin/nvcc" $options put.o -o put
        try "$work/put"
        check "$options: exit code $status" exits 73
        called "$PWD/$bin/nvcc" $options -Wall -Werror -isystem system src/put.cu -o put
        try "$work/put"
        check "$options: exit code $status" exits 73
    done
}

@test "macros of one letter, all warnings, and options without a meaning on a CPU" {
    with_main src/letters.cu 'int last;
k<<<1, N>>>(data);
return cudaMemcpy(&last, data + N - 1, sizeof last, cudaMemcpyDeviceToHost) ? 3 : last;' <<'.'
#define N 64
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cub/cub.cuh>
static inline __device__ __forceinline__ int both() { return T + F; }
__forceinline__ __host__ __device__ inline int none() { return 0; }
__global__ void k(int *x) { cooperative_groups::this_thread_block().sync(); x[threadIdx.x] = both() + none(); }
.
    called "$PWD/$bin/nvcc" -DT=3 -DF=4 -Dreal=float -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -O 2 \
        --gpu-architecture=sm_90 -Xptxas -v -Werror cross-execution-space-call,reorder \
        -allow-unsupported-compiler -diag-suppress=177 -default-stream=legacy -rtlib=compiler-rt -Wshorten-64-to-32 \
        --relocatable-device-code true -Xfatbin -compress-all -lcublas -Xcompiler '"-Wall -std=c++14"' -Ofc max \
        -Xlinker -rpath,/nowhere -Xlinker=-z,now --include-path=src -split-compile 0 -brief-diag=true \
        --library=m --output-file=letters src/letters.cu
    check 'not a word' [ ! -s "$work/said" ]
    try "$work/letters"
    ends 7
    for suffix in .foo ''; do # the ending of a file of a given language says nothing
        mv "$work/src/letters.cu" "$work/src/letters$suffix"
        called "$PWD/$bin/nvcc" -x cu -DT=3 -DF=4 -c -fno-such -Wmost -Werror=most -MJ x.json "src/letters$suffix" -o letters.o
        check 'one option is named' [ "$(cat "$work/said")" = 'nvcc: ignoring unknown option -fno-such' ]
        called "$PWD/$bin/hipcc" -x hip -DT=3 -DF=4 "src/letters$suffix" -x none -o letters
        try "$work/letters"
        check "letters$suffix: exit code $status" exits 7
        mv "$work/src/letters$suffix" "$work/src/letters.cu"
    done
    echo 'typedef struct { float x, y; } float4;
int main() { float4 f = {3, 4}; return (int)(f.x + f.y); }' >"$work/src/own.cpp"
    for driver in hipcc nvcc; do
        called "$PWD/$bin/$driver" -Wall -Werror src/own.cpp -o own
        try "$work/own"
        ends 7
    done
}

@test "mistakes are reported with the author's file and line, and an exit code" {
    echo 'void f() { kernel<<<1, 2>>>(); }' >"$work/src/wrong.hip"
    try env -C "$work" "$PWD/$bin/hipcc" -c src/wrong.hip
    ends 1 'src/wrong\.hip:1:12: error'
    try "$bin/hipcc" -c "$work/nowhere.hip"
    ends 2 'nowhere\.hip: no such file'
}

@test "launches that do not fit their kernel: the compiler's message about the kernel, without the launch's internals" {
    with_main src/launch.cu 'MISTAKE;' <<'.'
__global__ void add(int *x, float y) { *x += (int)y; }
template <typename T> __global__ void scale(T *x, T by) { *x *= by; }
.
    while IFS='|' read -r mistake message; do
        sed "s/MISTAKE/$mistake/" "$work/src/launch.cu" >"$work/src/mistake.cu"
        try env -C "$work" "$PWD/$bin/nvcc" -c src/mistake.cu
        check "$mistake: exit code $status" exits 1
        check "no $message" grep -q "src/mistake.cu:4:.*$message" "$work/said"
        check "$mistake: nothing of ours" [ -z "$(grep hip_cpu "$work/said")" ]
    done <<'.'
add<<<1, 32>>>(data)|error: too few arguments to function .*void add(int.*float)
add<<<1, 32>>>(data, 1.f, 2)|error: too many arguments to function .*void add(int.*float)
add<<<1, 32>>>(*data, 1.f)|error: invalid conversion
scale<<<1, 32>>>(data, 1.f)|error: no matching function for call to .*scale
nothing<<<1, 32>>>(data)|error: .*nothing.* was not declared in this scope
add<<<1>>>(data, 1.f)|error: kernel add: a launch is <<<grid, block
add<<<1, word>>>(data, 1.f)|error: kernel add: a launch is <<<grid, block
.
    called "$PWD/$bin/nvcc" '-DMISTAKE=add(data, 1.f)' src/launch.cu -o launch
    try "$work/launch"
    ends 3 'the host calls kernel add as a function: launch it, add<<<grid, block>>>(\.\.\.)'
}

@test "HIP_CPU_TRACE: built with it, run with it, race of a program" {
    export HIP_CPU_TRACE=races
    called "$PWD/$bin/hipcc" -DBARRIER= -DVALUE=3 -Iinc -O3 -march=native src/main.hip src/total.cpp -o program
    try env HIP_CPU_WARP_SIZE=32 "$work/program"
    ends 1 'inc/kernel\.h:8' ': tile\['
    unset HIP_CPU_TRACE
    called ./program
    ends 0 'total '
    try bin/nogpu race --warp=32 "$work/program" -- twice
    ends 1 'caught twice' 'inc/kernel\.h:8'
    called "$PWD/$bin/hipcc" -DBARRIER= -DVALUE=3 -Iinc src/main.hip src/total.cpp -o program
    try env HIP_CPU_TRACE=races "$work/program"
    ends 2 'HIP_CPU_TRACE=races is not valid: use a program built for tracing: build it again with this variable'
}

@test "race: several files, folders of headers, options" {
    try bin/nogpu race --warp=32 "$work/src/main.hip" "$work/src/total.cpp" "-I$work/inc" -DBARRIER= -DVALUE=3 -- thrice
    ends 1 'caught thrice' 'inc/kernel\.h:8'
    try bin/nogpu race --warp=32 "$work/src/main.hip" "$work/src/total.cpp" "-I$work/inc" '-DBARRIER=__syncthreads()' -DVALUE=3
    ends 0 'none found in kernel fill'
    try bin/nogpu race "$work/src/main.hip" "$work/src/none.cpp"
    ends 2 'src/none\.cpp'
}
