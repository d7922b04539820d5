#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: programs
# Step 0 does what its lesson says, and is one file of at most 70 lines that includes nothing of this project.
load ../lib/check
hello=$bin/reduction_hello/reduction_hello source=reduction_hello/hello.hip

# answers WANTED STATUS ARGUMENT...: the program's output and exit code
answers() {
    local wanted=$1 code=$2
    shift 2
    try $launch "$hello" "$@"
    check "hello $*: $wanted" grep -qx -e "$wanted" "$work/said"
    check "hello $*: exit code $code" exits "$code"
}

@test "numbers are added" {
    for HIP_CPU_WARP_SIZE in 32 64; do
        export HIP_CPU_WARP_SIZE
        answers 'sum of 8 numbers: 36' 0
        answers 'sum of 8 numbers: 36' 0 1 2 3 4 5 6 7 8
        answers 'sum of 4 numbers: 0' 0 -2.5 1.5 -1 2
        answers 'sum of 1 numbers: 0.125' 0 0.125
        for n in 255 256 257 1000 1024; do
            answers "sum of $n numbers: $((n * (n + 1) / 2))" 0 $(seq $n)
        done
    done
}

@test "too many numbers and words are refused" {
    answers '1025: give numbers, 1024 at most' 2 $(seq 1025)
    answers 'two: give numbers, 1024 at most' 2 1 two 3
}

@test "without a GPU: one line, exit code 77" {
    export HIP_VISIBLE_DEVICES='' CUDA_VISIBLE_DEVICES=''
    answers 'no GPU found: .* make GPU=cpu' 77
    [ "$(wc -l <"$work/said")" -eq 1 ]
}

@test "a call that fails: exit code 3" {
    grep -aq HIP_CPU_FAIL "$hello" || skip 'calls fail on purpose on the CPU platform'
    HIP_CPU_FAIL=hipMalloc:2 try "$hello"
    exits 3
}

@test "it is one file of at most 70 lines" {
    [ "$(wc -l <$source)" -le 70 ]
    [ "$(grep '^#include' $source | tr -d '\n')" = '#include <stdio.h>#include <stdlib.h>#include <hip/hip_runtime.h>' ]
    grep -q 'solve(const float \*input, float \*output, int N)$' $source
}
