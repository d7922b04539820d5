#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# The table of steps in README.md agrees with the variants' own files: the number after Step, the neighbour after Compare.
load ../lib/check

table() { grep -o '^| \[[a-z_]*\](reduction_[a-z_]*/README.md) |.*' README.md; }

@test "README.md has every variant, in the order of the steps" {
    table | sed 's/^| \[\([a-z_]*\)\].*/reduction_\1/' >"$work/table"
    sh tools/build/variants.sh >"$work/variants"
    diff "$work/variants" "$work/table"
}

@test "each lesson leads to the next step" {
    from=
    while read -r to; do
        [ -z "$from" ] || check "$from does not lead to $to" grep -q "Next: \[[a-z_ ]*\](\.\./$to/README\.md)" "$from/README.md"
        from=$to
    done < <(sh tools/build/variants.sh)
}

@test "README.md compares each variant with the neighbour that its source names" {
    table | sed -n 's/.*`make diff FROM=\([a-z_]*\) TO=\([a-z_]*\)`.*/\1 \2/p' >"$work/pairs"
    [ "$(grep -c . "$work/pairs")" -ge 15 ]
    while read -r from to; do
        check "$to: its source does not compare it with $from" \
            grep -q "^ \* Compare  *diff -u \.\./reduction_$from/$from\.hip $to\.hip" "reduction_$to/$to.hip"
    done <"$work/pairs"
}

@test "a lesson explains the functions that its file is the first to use" {
    try python3 tests/build/named.py $(sh tools/build/variants.sh | grep -v to_fix)
    ends 0 ' 0 not, of'
}

@test "a new step finds its place without being registered" {
    mkdir "$work/tree" && cp -R tools reduction_shfl reduction_atomic "$work/tree" && cd "$work/tree"
    mkdir reduction_mine && printf '/* Mine.\n *\n * Step     111\n */\n' >reduction_mine/mine.hip
    mkdir reduction_last && echo '/* no step */' >reduction_last/last.hip
    [ "$(sh tools/build/variants.sh | paste -s -d ' ' -)" = 'reduction_shfl reduction_mine reduction_atomic reduction_last' ]
}

# Counts words outside of code and comments, including tables; longer lessons need an appendix.
@test "a lesson has at most 900 words, a picture, questions with answers, and sources" {
    for document in $(documents reduction_*/README.md); do
        case $document in reduction_to_fix/*) continue ;; esac # the exercises
        words=$(awk '/^```/ { code = !code; next } /^<!--/ { hidden = 1 } /-->$/ { hidden = 0; next } !code && !hidden { gsub(/[|]|<[^>]*>/, " "); for (i = 1; i <= NF; i++) n += $i ~ /[[:alnum:]]/ } END { print n }' "$document")
        check "$document: $words words" [ "$words" -le 900 ]
        check "$document: no picture" grep -q '^!\[' "$document"
        check "$document: fewer than two answered questions" [ "$(grep -c '^<details><summary>' "$document")" -ge 2 ]
        check "$document: no sources" grep -q '^\[sources\]\|[ (]\[sources\](../docs/course/sources.md)' "$document"
    done
}
