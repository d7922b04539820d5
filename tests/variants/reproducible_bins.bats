#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# Binned sums when carries happen all the time, and when a build would make them wrong.
load ../lib/check
. tests/lib/copy.sh
usual=$bin/reduction_reproducible/reduction_reproducible many=$bin/reduction_multi_gpu/reduction_multi_gpu
short='-i 1 -w 0 --ceiling 1 -q'

# With bins of 46 bits instead of 40, a sum of slices has room for 32 of them instead of 2048, and a total of 50 bits
# overflows after a few moves, so that every carry happens within a few thousand elements.
@test "bins of 46 bits: every carry happens, and the sums are right" {
    copy_built "$work"
    try make GPU=cpu OUT="$work" CXXFLAGS=-DBIN_WIDTH=46 -o "$work/build/cpu/flags" reduction_reproducible
    ends 0
    # Few threads, so that each takes many elements; equal signs, alternating signs, and different magnitudes.
    for pattern in random ones constant ramp mixed; do
        for options in '-t double --folds 3' '-t float --folds 3' '-t float --folds 2' '-t double --folds 3 --grid 3 --block 32'; do
            try $launch "$work/reduction_reproducible/reduction_reproducible" --method binned -p $pattern $options \
                --grid 1 --block 64 -n 400009 $short
            verdict $status "$pattern $options"
        done
    done
    finish
}

# With two folds a few doubles lose more than additions would, but stay within the bound.
@test "two folds are within their bound" {
    for n in 2,3 31,32,33 63,64,65,127,129,1025; do
        try $launch "$usual" --method binned --folds 2 -t double -p mixed -n $n $short
        ends 0
    done
}

@test "test_reproducible checks the lesson's table of errors" {
    rows=$(grep -o '"[^"]*"' tests/variants/reproducible_errors.h | tr -d '"')
    [ -n "$rows" ]
    [ "$(grep -cFx "$rows" reduction_reproducible/appendix.md)" -eq "$(wc -l <<<"$rows")" ]
}

@test "fast math does not compile" {
    for flags in -ffast-math '-fassociative-math -fno-signed-zeros -fno-trapping-math'; do
        case "$flags $(${CC:-cc} --version)" in *assoc*clang*) continue ;; esac # clang has no macro for this flag
        try ${CC:-cc} -std=c11 $flags -E reduction_reproducible/binned.h
        check "binned.h compiles with $flags" [ $status -ne 0 ]
    done
}

# If no macro reveals it, as with nvcc, the program says so when it starts: here a preloaded library makes the processor
# treat subnormal numbers as 0.
@test "kernels that treat subnormal numbers as 0: exit code 3 and advice" {
    [ "$(uname -m)" = x86_64 ] || skip 'the library is for x86-64'
    ${CC:-cc} -shared -fPIC -o "$work/flush.so" -x c - <<'END'
__attribute__((constructor)) static void flush(void)
{
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
}
END
    refused() { # refused LINES COMMAND...
        local lines=$1
        shift
        try env LD_PRELOAD="$work/flush.so" ASAN_OPTIONS=verify_asan_link_order=0 $launch "$@" -n 5 -q
        ends 3 '^the kernels of this program take subnormal numbers for 0, .*: build without fast math' || return 1
        check "$lines lines" [ "$(wc -l <"$work/said")" -eq "$lines" ]
    }
    refused 1 "$usual"
    refused 1 "$usual" --method binned
    refused 1 "$usual" -t float -o min
    refused 2 "$many" --gpus 2 --share --method tree # and which rank said so
    refused 2 "$many" --gpus 2 --share --method binned
}
