#!/bin/sh
# Step 0 does what its lesson says, and is what it claims to be: one file of at most 70 lines that includes
# nothing of this project.
#
#   REDUCTION_BIN=. tests/variants/test_hello.sh       REDUCTION_BIN, set by make check, has reduction_hello/reduction_hello
cd "$(dirname "$0")/../.." || exit 3
hello=${REDUCTION_BIN:-.}/reduction_hello/reduction_hello source=reduction_hello/hello.hip
. tests/lib/check.sh

# answers WANTED STATUS ARGUMENT...
answers() {
    wanted=$1 status=$2
    shift 2
    ${REDUCTION_LAUNCH:-} "$hello" "$@" >"$work/said" 2>&1
    [ $? -eq "$status" ] && grep -qx -e "$wanted" "$work/said"
}

for HIP_CPU_WARP_SIZE in 32 64; do
    export HIP_CPU_WARP_SIZE
    check '1 to 8' answers 'sum of 8 numbers: 36' 0
    check '1 to 8, given' answers 'sum of 8 numbers: 36' 0 1 2 3 4 5 6 7 8
    check 'four that cancel' answers 'sum of 4 numbers: 0' 0 -2.5 1.5 -1 2
    check 'one number' answers 'sum of 1 numbers: 0.125' 0 0.125
    # shellcheck disable=SC2046  # words
    for n in 255 256 257 1000 1024; do
        check "1 to $n" answers "sum of $n numbers: $((n * (n + 1) / 2))" 0 $(seq $n)
    done
    # shellcheck disable=SC2046
    check 'too many' answers '1025: give numbers, 1024 at most' 2 $(seq 1025)
    check 'no number' answers 'two: give numbers, 1024 at most' 2 1 two 3
done
nowhere() {
    HIP_VISIBLE_DEVICES='' CUDA_VISIBLE_DEVICES='' answers "$@" && [ "$(wc -l <"$work/said")" -eq 1 ]
}
check 'without a GPU: one line, exit code 77' nowhere 'no GPU here: .* make GPU=cpu' 77
# shellcheck disable=SC2016  # not for this shell
! grep -aq HIP_CPU_FAIL "$hello" || # the CPU platform, where calls fail on purpose
    check 'a call that fails: exit code 3' env HIP_CPU_FAIL=hipMalloc:2 sh -c '"$0"; [ $? -eq 3 ]' "$hello" 2>"$work/said"
check 'at most 70 lines' [ "$(wc -l <$source)" -le 70 ]
# shellcheck disable=SC2016  # not for this shell
check 'nothing of this project' [ "$(grep '^#include' $source | tr -d '\n')" = \
    '#include <stdio.h>#include <stdlib.h>#include <hip/hip_runtime.h>' ]
check 'the signature' grep -q 'solve(const float \*input, float \*output, int N)$' $source

finish
