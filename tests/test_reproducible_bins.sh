#!/bin/sh
# The carries of binned sums: a build of reduction_reproducible whose bins are 46 bits wide instead of 40. A sum
# of slices then has room for 32 of them instead of 2048, and a total of 50 bits overflows after a few moves, so
# that every carry happens within a few thousand elements.
#
# And the table of errors in README.md is the one that test_reproducible checks.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # those of make check
cd "$(dirname "$0")/.." || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

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
        if "$program" --method binned -p $pattern $options --grid 1 --block 64 -n 400009 -i 1 -w 0 --ceiling 1 -q \
            >"$work/log" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL  bins of 46 bits, $pattern $options: $(tail -n 1 "$work/log")"
        fi
    done
done
rows=$(grep -o '"[^"]*"' tests/reproducible_errors.h | tr -d '"')
if [ -n "$rows" ] && [ "$(grep -cFx "$rows" reduction_reproducible/README.md)" -eq "$(echo "$rows" | wc -l)" ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL  the table of errors in reduction_reproducible/README.md is not that of tests/reproducible_errors.h"
fi

# Bins as usual: a few doubles with two folds lose more than additions would, and that is within the bound.
usual=${REDUCTION_BIN:-.}/reduction_reproducible/reduction_reproducible
for n in 2,3 31,32,33 63,64,65,127,129,1025; do
    if "$usual" --method binned --folds 2 -t double -p mixed -n $n -i 1 -w 0 --ceiling 1 -q >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  two folds, mixed, $n elements: $(tail -n 1 "$work/log")"
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
