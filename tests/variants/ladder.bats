#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The ladder stays a ladder: each step differs from the one it names under "Compare" by its idea and by nothing else,
# and all variants have the same skeleton.
load ../lib/check

# Lines that diff shows, without comments and blank lines, for a step with the headers in its folder: what its idea
# needs. More is either drift, or a reason to raise the number on purpose. (120 lines of shfl, and so of vector_loads, are
# its comparison of trees, tiles.h and nvidia_warp.h.)
ideas='
interleaved         52
bank_conflicts       5
no_striding          9
first_add           10
unroll_last_warp    12
unrolled            50
vector_loads       185
mixed              108
last_block          38
recursive           58
striding            32
two_kernel_calls    32
two_kernels_unroll 101
shfl               196
atomic             131
cooperative         49
to_fix              22
'

sources() { # of the variants; step 0 is none
    grep -l '^#include "reduction\.h"' reduction_*/*.hip | while read -r source; do
        ! wanted "$(basename "$source" .hip)" || echo "$source"
    done
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
# A variant and the headers beside it.
text() {
    for part in "$1" "$(dirname "$1")"/*.h; do
        [ ! -f "$part" ] || code "$part"
    done
}

@test "every variant has plan, launch, finish and its table, in this order" {
    for source in $(sources); do
        last=0
        while IFS= read -r line; do
            at=$(grep -nE "$line" "$source" | head -n 1 | cut -d: -f1)
            check "$source: $line is missing or out of order" [ "${at:-0}" -gt "$last" ]
            last=$at
        done <<'END'
^#include <hip/hip_runtime\.h>$
^#include "reduction\.h"$
^static void plan\(struct reduction \*r\)$
^static void launch\(const struct reduction \*r, const (value|element)_t \*input\)$
^static value_t finish\(const struct reduction \*r\)$
^VARIANT = \{$
END
    done
}

@test "every variant says its step, its idea, its neighbour and a command to try" {
    for source in $(sources); do
        for entry in Step Idea Compare Try; do
            case $entry:$source in Step:reduction_to_fix*) continue ;; esac # exercises come last
            [ $entry != Compare ] || [ "$source" != reduction_global_memory/global_memory.hip ] || continue # the first
            check "$source: its header comment lacks $entry" grep -q "^ \* $entry  *[^ ]" <(sed '/\*\//q' "$source")
        done
    done
}

@test "every variant differs from its neighbour, and a step of the ladder by its idea alone" {
    for source in $(sources); do
        name=$(basename "$source" .hip)
        compare=$(sed -n 's/^ \* Compare  *diff -u \([^ ]*\) .*/\1/p' "$source")
        [ -n "$compare" ] || continue
        base=$(dirname "$source")/$compare
        check "$source: compares with $compare, which is not there" test -f "$base"
        lines=$(diff <(text "$base") <(text "$source") | grep -c '^[<>]')
        check "$source: the same as $(basename "$base")" [ "$lines" -gt 0 ]
        most=$(awk -v name="$name" '$1 == name { print $2 }' <<<"$ideas")
        check "$source: $lines lines differ from $(basename "$base"), its idea needs $most" [ "$lines" -le "${most:-$lines}" ]
    done
}
