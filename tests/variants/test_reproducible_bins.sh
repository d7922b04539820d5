#!/bin/sh
# The carries of binned sums: a build of reduction_reproducible whose bins are 46 bits wide instead of 40. A sum
# of slices then has room for 32 of them instead of 2048, and a total of 50 bits overflows after a few moves, so
# that every carry happens within a few thousand elements.
#
# And what a build must not do to sums is refused; and the table of errors in README.md is the one that
# test_reproducible checks.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # those of make check
cd "$(dirname "$0")/../.." || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 launch=${REDUCTION_LAUNCH:-} # of make check LAUNCH=

make GPU=cpu OUT="$work" CXXFLAGS=-DBIN_WIDTH=46 reduction_reproducible >"$work/log" 2>&1 || {
    cat "$work/log"
    echo '0 passed, 1 failed'
    exit 1
}
program=$work/reduction_reproducible/reduction_reproducible

# Few threads, so that each takes many elements; signs that agree, that alternate, and magnitudes that differ.
for pattern in random ones constant ramp mixed; do
    for options in '-t double --folds 3' '-t float --folds 3' '-t float --folds 2' '-t double --folds 3 --grid 3 --block 32'; do
        # shellcheck disable=SC2086  # options are words
        if $launch "$program" --method binned -p $pattern $options --grid 1 --block 64 -n 400009 -i 1 -w 0 --ceiling 1 -q \
            >"$work/log" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL  bins of 46 bits, $pattern $options: $(tail -n 1 "$work/log")"
        fi
    done
done
rows=$(grep -o '"[^"]*"' tests/variants/reproducible_errors.h | tr -d '"')
if [ -n "$rows" ] && [ "$(grep -cFx "$rows" reduction_reproducible/README.md)" -eq "$(echo "$rows" | wc -l)" ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL  the table of errors in reduction_reproducible/README.md is not that of tests/variants/reproducible_errors.h"
fi

# Bins as usual: a few doubles with two folds lose more than additions would, and that is within the bound.
usual=${REDUCTION_BIN:-.}/reduction_reproducible/reduction_reproducible
for n in 2,3 31,32,33 63,64,65,127,129,1025; do
    if $launch "$usual" --method binned --folds 2 -t double -p mixed -n $n -i 1 -w 0 --ceiling 1 -q >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  two folds, mixed, $n elements: $(tail -n 1 "$work/log")"
    fi
done

# Fast math. Where the compiler tells, nothing compiles; where it does not, as nvcc, the program says so when it starts:
# here a library in front of the system's makes the processor take subnormal numbers for 0.
for flags in -ffast-math '-fassociative-math -fno-signed-zeros -fno-trapping-math'; do
    case "$flags $(${CC:-cc} --version)" in *assoc*clang*) continue ;; esac # clang does not tell
    # shellcheck disable=SC2086  # flags are words
    if ${CC:-cc} -std=c11 $flags -E reduction_reproducible/binned.h >"$work/log" 2>&1; then
        failed=$((failed + 1))
        echo "FAIL  binned.h compiles with $flags"
    else
        passed=$((passed + 1))
    fi
done
# refused LINES COMMAND...
refused() {
    lines=$1
    shift
    # shellcheck disable=SC2086
    env LD_PRELOAD="$work/flush.so" ASAN_OPTIONS=verify_asan_link_order=0 $launch "$@" -n 5 -q >"$work/log" 2>&1
    status=$?
    if [ $status -eq 3 ] && [ "$(wc -l <"$work/log")" -eq "$lines" ] &&
        grep -q '^the kernels of this program take subnormal numbers for 0, .*: build without fast math' "$work/log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  exit code $status instead of 3, with $lines lines: $*"
        sed 's/^/      /' "$work/log"
    fi
}
if [ "$(uname -m)" = x86_64 ]; then
    cat >"$work/flush.c" <<'END'
__attribute__((constructor)) static void flush(void)
{
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
}
END
    ${CC:-cc} -shared -fPIC -o "$work/flush.so" "$work/flush.c" || failed=$((failed + 1))
    many=${REDUCTION_BIN:-.}/reduction_multi_gpu/reduction_multi_gpu
    refused 1 "$usual"
    refused 1 "$usual" --method binned
    refused 1 "$usual" -t float -o min
    refused 2 "$many" --gpus 2 --share --method tree # and which rank said so
    refused 2 "$many" --gpus 2 --share --method binned
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
