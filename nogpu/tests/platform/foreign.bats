#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# Other projects with nogpu as their ROCm or CUDA: CMake, static libraries, linking by other tools, and refusals.
load ../lib/check
cpu=$PWD
unset NOGPU_BUILD # other linkers find the library in nogpu/build

setup() {
    unset HIP_CPU_TRACE
    work=$BATS_TEST_TMPDIR
}

# A library with a kernel, and a host program that calls it.
write_project() {
    cat >"$work/kernel.hip" <<'END'
#include <hip/hip_runtime.h>
__global__ void twice(int *x) { x[threadIdx.x] *= FACTOR; }
extern "C" int run(void)
{
    int x[32], *d;
    for (int i = 0; i < 32; i++)
        x[i] = i;
    if (hipMalloc(&d, sizeof x) || hipMemcpy(d, x, sizeof x, hipMemcpyHostToDevice))
        return -1;
    void *arguments[] = {&d};
    const void *kernel = (const void *)twice;
    if (hipLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, 0))
        return -2;
    if (hipLaunchKernel(&x, dim3(1), dim3(32), arguments, 0, 0) != hipErrorInvalidDeviceFunction)
        return -3;
    return hipMemcpy(x, d, sizeof x, hipMemcpyDeviceToHost) ? -4 : x[31];
}
END
    cat >"$work/main.cpp" <<'END'
#include <hip/hip_runtime_api.h>
#include <cstdio>
extern "C" int run(void);
int main()
{
    int count = 0;
    if (hipGetDeviceCount(&count) != hipSuccess)
        return 3;
    std::printf("%d device, %d\n", count, run());
}
END
}

# runs NAME COMMAND...: the command makes this program, which runs the kernel of write_project
runs() {
    try "${@:2}" -o "$1"
    ends 0
    try "./$1"
    ends 0 '1 device, 62'
}

@test "a static library before the program that needs it, a response file, linking by another compiler" {
    write_project
    echo '-O1 "-DFACTOR=(1 + 1)"' >"$work/options"
    cd "$work"
    try "$cpu/bin/hipcc" @options --emit-static-lib -fPIC kernel.hip -o libkernel.a
    ends 0
    runs program "$cpu/bin/hipcc" libkernel.a main.cpp
    ends 0 'which is not known as a kernel'
    runs other c++ -I"$cpu/include" main.cpp -L. -lkernel -L"$cpu/lib" -lamdhip64
    runs other c++ -I"$cpu/include" main.cpp -L. -lkernel -L"$cpu/lib64" -lcuda -lcudart
    runs other "$cpu/bin/nvcc" main.cpp -L. -lkernel "$cpu/lib64/libcudart.so" "$cpu/lib/libcuda.so" "$cpu/lib/libcufft.so"
    runs other c++ -I"$cpu/include" main.cpp -L. -lkernel -L"$cpu/lib" -lcublas -lnvToolsExt -lcudart
}

@test "a shared library that the compiler of C++ links" {
    write_project
    cd "$work"
    try "$cpu/bin/hipcc" -DFACTOR=2 -fPIC -c kernel.hip -o kernel.o
    ends 0
    try c++ -shared kernel.o -o libkernel.so -L"$cpu/lib" -lamdhip64
    ends 0
    for link in "c++ -I$cpu/include" "$cpu/bin/hipcc"; do
        runs shared $link main.cpp -L. -lkernel -Wl,-rpath,. -L"$cpu/lib" -lamdhip64
    done
}

@test "refusals, each in one line" {
    cd "$work"
    for option in --genco --cuda-device-only; do
        try "$cpu/bin/hipcc" $option kernel.hip -o kernel.co
        ends 2 "^hipcc: $option: there is no code for a GPU here: build for one"
        check 'more than a line' [ "$(grep -c . "$work/said")" -eq 1 ]
    done
    try "$cpu/bin/nvcc" -ptx kernel.cu
    ends 2 '^nvcc: -ptx: there is no code for a GPU here'
    echo '__global__ void k(int *x) { asm volatile("v_nop"); }' >asm.cu
    try "$cpu/bin/nvcc" -fsyntax-only asm.cu
    ends 1 '^asm.cu:1:.* error: the CPU platform has no inline assembly of GPUs'
    check 'more than a line' [ "$(grep -c . "$work/said")" -eq 1 ]
    try "$cpu/bin/hipcc" @nothing
    ends 2 'nothing: No such file'
}

@test "options of nvcc that say nothing to a CPU, and folders of objects" {
    cd "$work"
    mkdir objects
    echo '__global__ void k() {}' | tee one.cu >two.cu
    try "$cpu/bin/nvcc" -c one.cu -odir objects -m 64 -t4 --Werror reorder -diag-warn 3 -gpu-architecture=sm_80
    ends 0
    try "$cpu/bin/nvcc" -c one.cu --output-directory objects --archiver-binary ar --cudadevrt=none --compress-mode size \
        --brief-diagnostics true -opt-info inline --Wno-deprecated-gpu-targets -fopenmp=libomp --frandom-seed 1
    ends 0
    check 'nothing is said' [ ! -s "$work/said" ]
    check 'the object is in the folder' [ -f objects/one.o ]
    try "$cpu/bin/nvcc" -c one.cu two.cu --output-directory=objects
    ends 2 '^nvcc: -odir objects: compile one source at a time'
    echo '-Werror=all-warnings -no-compress -time t.csv' >options
    try "$cpu/bin/nvcc" --options-file=options -c one.cu --generate-dependencies-with-compile --dependency-output one.d
    ends 0
    check 'dependencies' grep -q one.cu one.d
    try "$cpu/bin/nvcc" -clean one.cu
    ends 2 '^nvcc: -clean: remove'
}

@test "a warp size that is a constant" {
    cd "$work"
    echo '#include <hip/hip_runtime.h>
__global__ void k() { __shared__ int x[1024 / warpSize]; x[0] = 0; }
int main() { k<<<1, 1>>>(); return warpSize; }' >constant.hip
    try env HIPCC_COMPILE_FLAGS_APPEND=-DHIP_CPU_WARP_SIZE=32 "$cpu/bin/hipcc" -w constant.hip -o constant
    ends 0
    try ./constant
    ends 32
    try "$cpu/bin/hipcc" -w -c constant.hip
    ends 1 '^constant.hip:2:.* no warpSize that is a constant: compile with -DHIP_CPU_WARP_SIZE'
    check 'more than a line' [ "$(grep -c . "$work/said")" -eq 1 ]
    try env HIP_CPU_WARP_SIZE=64 ./constant
    ends 2 'HIP_CPU_WARP_SIZE=64 is not valid: use the size that the program was built for'
    try env HIP_CPU_SCHEDULE=$'a\nb' ./constant
    ends 2 'HIP_CPU_SCHEDULE=a?b is not valid'
    try env HIP_CPU_SCHEDUEL=reverse ./constant
    ends 2 'HIP_CPU_SCHEDUEL is no setting; HIP_CPU_HELP=1 lists them'
    try env HIP_CPU_HELP=1 ./constant
    ends 0 'HIP_CPU_WORKERS  *a number from 1 to 1024; default: the online cores'
    check 'reference.md has the settings that the runtime lists' [ \
        "$(sed -n 's/^\(HIP_[A-Z_]*\) .*/\1/p' "$work/said" | sort)" = \
        "$(sed -n 's/^| `\(HIP_[A-Z_]*\)` .*/\1/p' "$cpu/reference.md" | sort)" ]
}

@test "CMake: the languages HIP and CUDA, find_package(hip)" {
    needs cmake develop
    write_project
    cp "$work/kernel.hip" "$work/kernel.cu"
    cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(foreign LANGUAGES CXX)
enable_language(${LANGUAGE})
set(CMAKE_${LANGUAGE}_STANDARD 17)
find_package(hip REQUIRED)
add_library(kernel STATIC kernel.${SUFFIX})
target_compile_definitions(kernel PRIVATE FACTOR=2)
target_link_libraries(kernel hip::host)
add_executable(program main.cpp)
target_link_libraries(program kernel hip::host)
END
    cd "$work"
    for language in 'HIP hip' 'CUDA cu'; do
        set -- $language
        try env PATH="$cpu/bin:$PATH" cmake -S . -B "$1" -DCMAKE_PREFIX_PATH="$cpu" -DLANGUAGE="$1" -DSUFFIX="$2"
        ends 0
        try cmake --build "$1"
        ends 0
        try "$1/program"
        ends 0 '1 device, 62'
    done
}
