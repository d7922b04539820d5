#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The ladder stays a ladder: each step differs from the one it names under "Compare", and all variants have the same
# skeleton.
load ../lib/check

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
            case $line:$source in *finish*:reduction_multi_gpu/*) continue ;; esac # a rank has words, and no value yet
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

@test "every variant has a neighbour, and differs from it by more than comments" {
    for source in $(sources); do
        compare=$(sed -n 's/^ \* Compare  *diff -u \([^ ]*\) .*/\1/p' "$source")
        [ -n "$compare" ] || continue
        base=$(dirname "$source")/$compare
        check "$source: compares with $compare, which is not there" test -f "$base"
        check "$source: the same as $(basename "$base")" [ "$(text "$base")" != "$(text "$source")" ]
    done
}
