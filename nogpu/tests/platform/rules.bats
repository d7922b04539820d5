#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# Rules of device code: the programs of rules/ give the same bits at every level of optimization, and traced.
load ../lib/check

setup() {
    work=$BATS_TEST_TMPDIR
    rules=tests/rules
}

trace=
# same OPTION...: built with these, all but what C leaves undefined
same() {
    env HIP_CPU_TRACE="$trace" sh tests/programs.sh build rules "$work/out" bin/nvcc -Wall -Wextra -Werror "$@" >"$work/built" 2>&1 ||
        check "$(cat "$work/built")" false
    rm "$work/out/undefined"
    try sh tests/programs.sh run rules "$work/out"
    ends 0 "^$(($(find $rules -name '*.cu' | wc -l) - 1)) right$"
}

@test "bits without optimization" {
    same -O0
}

@test "bits with all optimization, for this machine's processor" {
    same -O3 -Xcompiler -march=native,-fstrict-aliasing
}

@test "bits of traced programs" {
    needs_trace
    trace=races
    same -O2
}

@test "a*b+c rounds once where the command asks for it" {
    grep -qw fma /proc/cpuinfo || skip 'this processor cannot'
    for option in -fmad=true "--fmad true" -ffp-contract=fast; do
        bin/nvcc -O2 $option -o "$work/contraction" $rules/contraction.cu
        try "$work/contraction"
        ends 1 '^products: .*' '^  28800000 '
    done
    bin/nvcc -O2 -fmad=false -o "$work/contraction" $rules/contraction.cu
    try "$work/contraction"
    ends 0
}

@test "what C leaves undefined is noted once for each place in a kernel" {
    for trace in '' races; do
        env HIP_CPU_TRACE=$trace bin/nvcc -O2 -o "$work/undefined" $rules/undefined.cu
        try "$work/undefined"
        ends 1 "note: kernel kernel, block .*, at $rules/undefined.cu:9: shifts 'unsigned int' by 32 bits or more" \
            "undefined.cu:10: shifts 'int' by 32" "undefined.cu:11: shifts '.*long.*' by 64 bits" \
            "undefined.cu:.*: converts from 'float' to 'int' a number that does not fit" \
            "from 'double' to 'short"
        check 'once' [ "$(grep -c 'note:' "$work/said")" -eq 9 ]
    done
    bin/nvcc -std=c++17 -o "$work/zero" $rules/zero.cu
    try "$work/zero" int
    ends 3 'kernel kernel, block .*thread .*: integer division by zero'
    try bin/nvcc -std=c++17 -Wall -DUNSET -c -o "$work/zero.o" $rules/zero.cu
    ends 0 "zero.cu:[0-9:]* warning: .*uninit"
    echo '__global__ void fits(int *x, float f) { *x = 1 << *x | (int)f | (unsigned char)(f + 300); }
int main() { int *x; cudaMalloc(&x, 4); cudaMemset(x, 0, 4); fits<<<1, 1>>>(x, 3.9f); return cudaDeviceSynchronize(); }' >"$work/fits.cu"
    bin/nvcc -o "$work/fits" "$work/fits.cu"
    try "$work/fits"
    ends 0
    check 'silence' [ ! -s "$work/said" ]
}
