#!/bin/sh
# The ladder stays a ladder: each variant differs from the one it names under "Compare" by its idea and by
# nothing else, and all have the same skeleton.
#
# The budget is the number of lines that diff shows, without comments and blank lines, for the variant with the
# headers in its folder. It is what the idea needs today: a change that exceeds it is either drift, or a reason to
# raise the number on purpose.
#
#   tests/variants/test_ladder.sh [--show]     --show prints the numbers
set -u
cd "$(dirname "$0")/../.." || exit 3
show=${1:-}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

budgets='
interleaved        113
bank_conflicts       5
no_striding          9
first_add           10
unroll_last_warp    12
recursive           56
striding            33
two_kernel_calls    29
two_kernels_unroll 102
shfl                74
atomic             128
cooperative         49
statistics         241
segmented          608
head_flags         255
custom             285
single_pass        477
reproducible      1218
multi_gpu         1335
to_fix              18
'

verdict() { # verdict RIGHT TEXT
    if [ "$1" = yes ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  $2"
    fi
}

# The code without its comments, one statement's lines as clang-format left them.
code() {
    awk '{
        line = $0
        kept = ""
        while (line != "") {
            at = index(line, inside ? "*/" : "/*")
            if (!inside)
                kept = kept (at ? substr(line, 1, at - 1) : line)
            if (!at)
                break
            line = substr(line, at + 2)
            inside = !inside
        }
        sub(/ *\/\/.*$/, "", kept)
        sub(/ +$/, "", kept)
        if (kept != "")
            print kept
    }' "$1"
}

# These lines, in this order, and the header comment's three entries.
skeleton='^#include <hip/hip_runtime\.h>$
^#include "reduction\.h"$
^static void plan\(struct reduction \*r\)$
^static void launch\(const struct reduction \*r, const value_t \*input\)$
^static value_t finish\(const struct reduction \*r\)$
^VARIANT = \{$'

# Step 0 is no variant.
sources=$(grep -l '^#include "reduction\.h"' reduction_*/*.hip)

for source in $sources; do
    name=$(basename "$source" .hip)

    last=0 right=yes missing=
    while IFS= read -r line; do
        at=$(grep -nE "$line" "$source" | head -n 1 | cut -d: -f1)
        if [ -z "$at" ] || [ "$at" -le "$last" ]; then
            right=no missing=$line
            break
        fi
        last=$at
    done <<END
$skeleton
END
    verdict $right "$source: the skeleton's line $missing is missing or out of order"

    right=yes
    for entry in Idea Compare Try; do
        sed '/\*\//q' "$source" | grep -q "^ \* $entry  *[^ ]" || right="no $entry"
    done
    case $name in global_memory) [ "$right" = "no Compare" ] && right=yes ;; esac # the first step
    verdict "$right" "$source: its header comment lacks:${right#no}"
done

# A variant and the headers beside it.
text() {
    for part in "$1" "$(dirname "$1")"/*.h; do
        [ ! -f "$part" ] || code "$part"
    done
}

for source in $sources; do
    name=$(basename "$source" .hip)
    compare=$(sed -n 's/^ \* Compare  *diff -u \([^ ]*\) .*/\1/p' "$source")
    [ -n "$compare" ] || continue
    base=$(dirname "$source")/$compare
    budget=$(echo "$budgets" | awk -v name="$name" '$1 == name { print $2 }')
    if [ ! -f "$base" ] || [ -z "$budget" ]; then
        verdict no "$source: compares with $compare: no such file, or no budget in $0"
        continue
    fi
    text "$base" >"$work/base"
    text "$source" >"$work/source"
    lines=$(diff "$work/base" "$work/source" | grep -c '^[<>]')
    [ "$show" = --show ] && printf '%-20s %4d of %4d  from %s\n' "$name" "$lines" "$budget" "$(basename "$base" .hip)"
    right=yes
    [ "$lines" -le "$budget" ] || right=no
    verdict $right "$source: $lines lines differ from $(basename "$base"), the budget is $budget"
    right=yes
    [ "$lines" -gt 0 ] || right=no
    verdict $right "$source: the same as $(basename "$base")"
done

echo "ladder: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
