#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# Built by clang, race and memory find what they find when GCC has built them, and nothing in right programs.
load lib/check

@test "memory, lost elements, rules, and copies of a runtime that clang has compiled" {
    [ "$level" = all ] || skip 'only in check-all'
    needs clang++ cpu
    export NOGPU_BUILD=$work/build
    make -s N="$NOGPU_BUILD" CC=clang CXX=clang++ all >"$work/said" 2>&1 || check 'it is built' false
    # Whether it contracts a*b+c where it may is the compiler's choice.
    try bats -f 'class|until|note|traced|undefined' tests/memory.bats tests/platform/lost.bats tests/platform/rules.bats
    ends 0 '^1\.\.6$'
    cat >"$work/streams.cu" <<'.'
#include <cstdio>
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
int main()
{
    int *x, *y;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocHost(&x, 256);
    cudaMalloc(&y, 256);
    x[5] = 4;
    cudaMemcpyAsync(y, x, 256, cudaMemcpyHostToDevice, s);
    twice<<<1, 64, 0, s>>>(y);
    cudaMemcpyAsync(x, y, 256, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    printf("%d\n", x[5]);
}
.
    try bin/nogpu race "$work/streams.cu"
    ends 0 '^8$' 'race: none found in kernel twice'
    # Adding 0 stays an atomic operation, and is none to the halves of the word.
    with_main add.cu 'halves<<<3, 1>>>((unsigned long long *)data);' <<<'__global__ void halves(unsigned long long *x)
{
    if (blockIdx.x < 2)
        atomicAdd((unsigned *)x + blockIdx.x, 1u);
    else
        x[1] = atomicAdd(x, 0ull) < ~0ull;
}'
    try bin/nogpu race --schedule forward -O2 "$work/add.cu"
    ends 1 'one has 4 bytes and the other 8'
}
