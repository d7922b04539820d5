#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# Builds in which a sum is not that of IEEE 754 are refused, and a further result that is wrong in a single run is found.
# test_verify.c tests the verdict itself. Works on a copy, GPU=cpu.
load ../lib/check
. tests/lib/copy.sh

setup_file() {
    unset GPU OUT V SAN VARIANTS
    copy_tree "$work/tree" reduction_striding
    copy_built "$work/tree" reduction_striding
    cd "$work/tree"
}
setup() {
    cd "$work/tree"
}

# The compiler refuses these flags if a macro reveals them, otherwise the program does: by gcc's linker the processor
# treats subnormal numbers as 0, and clang has no macro for -funsafe-math-optimizations.
@test "flags that change the meaning of a sum are refused" {
    try make -j2 GPU=cpu V=striding OUT=flags CFLAGS='-O1 -ffinite-math-only'
    ends 2 'error.*IEEE 754'
    case $(uname -m)$(${CC:-cc} --version) in
    x86_64*clang*) set -- 'CFLAGS=-O1 -funsafe-math-optimizations' ;;
    x86_64*)
        for flag in -fsingle-precision-constant -freciprocal-math -mfpmath=387; do
            try "${CC:-cc}" "$flag" -fsyntax-only -I"$top/nogpu/include" -I"$top/common" -x c \
                "$top/common/harness/device/device_kernels.h"
            ends 1 'error.*IEEE 754'
        done
        # only the linking differs
        copy_built flags reduction_striding
        rm -f flags/build/cpu/reduction_striding/reduction_striding
        set -- LDFLAGS=-ffast-math
        [ ! -e flags/build/cpu ] || set -- "$@" -o flags/build/cpu/flags -o flags/build/cpu/cflags
        ;;
    *) skip 'known for x86-64 only' ;;
    esac
    try make -j2 GPU=cpu V=striding OUT=flags "$@"
    ends 0
    try flags/reduction_striding/reduction_striding -n 1000 -q
    ends 3 'build without fast math'
    check 'one line' test "$(wc -l <"$work/said")" -eq 1
}

@test "a further result that is wrong in a single run: the first, one in the middle, the last of either clock" {
    cp -R "$top/reduction_statistics" reduction_once
    mv reduction_once/statistics.hip reduction_once/once.hip
    sed -i '/^static value_t finish/,/^}/s/    return result->/    static size_t runs;\n    result->count += ++runs == r->n;\n&/' reduction_once/once.hip
    try make GPU=cpu V=once
    ends 0
    for run in 1 4 16 25 45; do
        try reduction_once/reduction_once -w 5 -i 20 -n "$run"
        ends 1 "^# count $((run + 1)), reference $run, error 1, bound 0: FAIL"
    done
    try reduction_once/reduction_once -w 5 -i 20 -n 3,46,47 # the first run with 46
    ends 1 '^# count 47, reference 46, error 1, bound 0: FAIL' 'FAIL (1 of 3 results wrong)'
}

@test "a run that leaves no result does not pass by the one before it" {
    cp -R "$top/reduction_last_block" reduction_stale
    mv reduction_stale/last_block.hip reduction_stale/stale.hip
    sed -i 's/atomicInc(ticket, gridDim.x - 1)/atomicAdd(ticket, 1u)/' reduction_stale/stale.hip
    try make GPU=cpu V=stale
    ends 0
    for type in float int; do
        try reduction_stale/reduction_stale --type $type -n 100K -w 0 -i 3
        ends 1 'wrong in 4 of 6 runs'
    done
}
