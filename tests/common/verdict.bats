#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Programs that lose a part of the sum are never OK, whatever the input and shape: exit code 1, or 4 if the error bound is
# too wide to tell. Right programs are never wrong. Works on a copy, GPU=cpu.
load ../lib/check
. tests/lib/copy.sh

setup_file() {
    unset GPU OUT V SAN VARIANTS
    copy_tree "$work/tree" reduction_striding
    copy_built "$work/tree" reduction_striding
    cd "$work/tree"
    mutant() { # mutant NAME FROM TO: reduction_NAME, which reads only the elements for which TO is true instead of FROM
        mkdir "reduction_$1"
        cp reduction_striding/Makefile "reduction_$1"
        sed "s|$2|$3|" reduction_striding/striding.hip >"reduction_$1/$1.hip"
        check "the mutant $1 is one" test -n "$(diff reduction_striding/striding.hip "reduction_$1/$1.hip")"
    }
    mutant half '; i < n; ' '; i < n / 2; '
    mutant quarter '; i < n; ' '; i < n - n / 4; '
    mutant sixteenth '; i < n; ' '; i < n - n / 16; '
    mutant twentieth 'value, input\[i\])' 'value, i % 20 == 7 ? IDENTITY : input[i])'
    make -j2 GPU=cpu >"$work/said" 2>&1 || { cat "$work/said"; false; }
    awk 'BEGIN { for (i = 0; i < 100000; i++) print "1e304" }' >huge
    awk 'BEGIN { for (i = 0; i < 100000; i++) print i % 17 - 8 }' >small
    awk 'BEGIN { for (i = 0; i < 100000; i++) print 0.1 + i % 7 }' >decimals
    echo '1.7e308 1.7e308 -1.7e308' >overflows
}
setup() {
    cd "$work/tree"
}

run_variant() { # run_variant NAME OPTIONS...
    local program=reduction_$1/reduction_$1
    shift
    try "$program" --ceiling 1 -w 0 -i 1 "$@"
}
# judged RIGHT WRONG OPTIONS...: the exit codes of the variant and of its mutants; WRONG may be 1|4
judged() {
    local right=$1 wrong=$2
    shift 2
    run_variant striding "$@"
    check "striding $*: exit code $status" exits "$right" || return 1
    for name in half quarter sixteenth twentieth; do
        run_variant $name "$@"
        check "$name $*: exit code $status instead of $wrong" grep -qx "$status" <<<"${wrong/|/$'\n'}" || return 1
    done
}

@test "losing a part of the sum is a wrong result" {
    judged 0 1 -t float -p random -g 1 -b 2 -n 4M
    judged 0 1 -t float -p random -n 1M
    judged 0 1 -t float -p mixed -g 1 -b 1 -n 1000003
    judged 0 1 -t double -p random -g 1 -b 1 -n 1M
    judged 0 1 -t double -p constant -g 1 -b 1 -n 1M
    judged 0 1 -t float -p ones -g 1 -b 1 -n 16M
    judged 0 1 -t float -p ones -n 1000
    judged 0 1 -t float -p ramp -n 5000
    judged 0 1 -t int -p random -n 1000
    judged 0 1 -t long -p ramp -n 100003
    judged 0 1 -t double --input decimals -g 1 -b 1
    judged 0 1 -t float --input decimals -g 3 -b 7
}

@test "if the bound is too wide to tell, the result is unproven" {
    judged 4 '1|4' -t float -p ones -g 1 -b 1 -n 20M
    judged 4 '1|4' -t float -p constant -g 1 -b 1 -n 4M
    judged 4 '1|4' -t float -p ramp -g 1 -b 2 -n 4M
}

@test "values that nearly cancel: losing a small part is still wrong if nothing rounds" {
    run_variant striding -t float --input small
    ends 0
    run_variant twentieth -t float --input small
    ends 1
}

@test "sums that exceed the range of double" {
    run_variant striding --input huge
    ends 0 'value inf, reference inf, error 0,'
    run_variant striding -g 1 -b 1 --input overflows
    ends 4 '^# an intermediate sum overflowed: '
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
            try "${CC:-cc}" "$flag" -fsyntax-only -I"$top/platform/cpu/include" -I"$top/common" -x c \
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
    sed -i '/^static value_t finish/,/^}/s/    return OP/    static size_t runs;\n    result->count += ++runs == r->n;\n&/' reduction_once/once.hip
    try make GPU=cpu V=once
    ends 0
    for run in 1 4 16 25 45; do
        try reduction_once/reduction_once -w 5 -i 20 -n "$run"
        ends 1 "^# count $((run + 1)), reference $run, error 1, bound 0: FAIL"
    done
    try reduction_once/reduction_once -w 5 -i 20 -n 3,46,47 # the first run with 46
    ends 1 '^# count 47, reference 46, error 1, bound 0: FAIL' 'FAIL (1 of 3 results wrong)'
}
