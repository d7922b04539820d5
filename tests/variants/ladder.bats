#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: lessons
# The ladder stays a ladder: each step differs little from the one it names under "Compare", and all variants have the same
# structure.
load ../lib/check

sources() { # the variants' sources; step 0 is not a variant
    grep -l '^#include "reduction\.h"' reduction_*/*.hip | while read -r source; do
        ! wanted "$(basename "$source" .hip)" || echo "$source"
    done
}

# Prints the code without comments, with clang-format's line breaks.
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

@test "every variant has plan, launch, finish and its table, in this order" {
    for source in $(sources); do
        last=0
        while IFS= read -r line; do
            case $line:$source in *finish*:reduction_multi_gpu/*) continue ;; esac # a rank has no value yet
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
        for entry in 'St[eu][pd]y*' Idea Compare Try; do
            case $entry:$source in St*:reduction_to_fix*) continue ;; esac # exercises come last
            [ $entry != Compare ] || [ "$source" != reduction_global_memory/global_memory.hip ] || continue # the first
            check "$source: its header comment lacks $entry" grep -q "^ \* $entry  *[^ ]" <(sed '/\*\//q' "$source")
        done
    done
}

# Lines of code removed and added. What cannot be that little says "Study" in place of "Step".
@test "a step of the ladder differs from its neighbour by at most 60 lines of code" {
    for source in $(sources); do
        name=$(basename "$source" .hip)
        compare=$(sed -n 's/^ \* Compare  *diff -u \([^ ]*\) .*/\1/p' "$source")
        [ -n "$compare" ] || continue
        base=$(dirname "$source")/$compare
        check "$source: compares with $compare, which is not there" test -f "$base"
        code "$base" >"$work/base" && code "$source" >"$work/code"
        changed=$(diff "$work/base" "$work/code" | grep -c '^[<>]') || :
        check "$source: the same as $base" [ "$changed" -gt 0 ]
        grep -q '^ \* Study ' "$source" ||
            check "$source: $changed lines differ from $base, 60 may" [ "$changed" -le 60 ]
    done
}

@test "no step of the ladder leads over a study" {
    check 'there are steps' [ "$(grep -l '^ \* Step ' reduction_*/*.hip | wc -l)" -ge 15 ]
    for source in $(grep -l '^ \* Step ' $(sources)); do
        compare=$(sed -n 's/^ \* Compare  *diff -u \.\.\/\([^ ]*\) .*/\1/p' "$source")
        [ -z "$compare" ] || check "$source: $compare is a study" grep -q '^ \* Step ' "$compare"
    done
}
