#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow tree programs traced
# make explain PAGE=: the page in a headless browser. A script at the end of a copy of the page presses keys and logs what
# the page shows.
load ../lib/check
scripts=tests/trace/page line_of_tree='shared\[i\] = combine'

setup() {
    needs_trace
    find_browser
    number=$(grep -n "$line_of_tree" reduction_bank_conflicts/bank_conflicts.hip | cut -d: -f1)
    [ -s "$work/page.html" ] || explain FROM=interleaved TO=bank_conflicts TYPE=float SIZE=16K PAGE="$work/page.html"
}

explain() {
    try make explain OUT="$bin" WARP=32 "$@"
    ends 0
}
# opened PAGE SCRIPT... -- OPTION...
opened() { browse "$1" $scripts/tools.js "${@:2}" --window-size=1920,1080; }

@test "the page needs no network" {
    check 'nothing comes from a network' \
        [ "$(grep -E '(https?:)?//[a-z]|src=|@import|url\(' "$work/page.html" | grep -vc 'www.w3.org/2000/svg')" -eq 0 ]
}

# Lane l reads word 2 x stride x l: with floats that is the bank, modulo 32; words of the same bank wait for each other.
banks() {
    awk -v stride="$1" 'BEGIN {
        for (l = 0; l < 32; l++) printf "%s%d:%d:%d", l ? " " : "", l, 2 * stride * l % 32, 2 * stride * l / 32 + 1
    }'
}

@test "keys choose the run, the line, the step and the access, and the picture shows its banks" {
    opened "$work/page.html" $scripts/keys.js -- --blink-settings=preferredColorScheme=1
    check 'the numbers of the line' \
        grep -q "data-line=\"$number\".*shared\[i + stride\].*9024, <em>6720</em>" "$work/dom"
    check 'both side by side' grep -q 'lanes at work on average  *8.0  *23.7  *x 2.94' "$work/dom"
    logged begin '' run 'bank_conflicts, warp 32' line "line $number, step 1 of 8" \
        step "line $number, step 3 of 8" access 'load shared[0]' cost '8 passes' banks "$(banks 4)" \
        back "$(banks 2)" last "line $number, step 8 of 8, 1 pass" end "line $number, step 8 of 8" \
        down "line $((number + 1)), barrier" focus "true $((number + 1))" up "line $number, step 1 of 8" \
        address "#bank_conflicts-32-1/$number/1/1" spoken '2 passes' accesses true same true
}

@test "a shuffle is a picture of who reads whom" {
    explain V=shfl TYPE=float SIZE=1000 OPTIONS='--grid 2' PAGE="$work/shfl.html"
    opened "$work/shfl.html" $scripts/shuffle.js --
    logged cost '16 lanes read another lane' from "$(seq -s ' ' 16 31) $(seq -s ' ' 16 31)" \
        next "$(seq -s ' ' 8 31) $(seq -s ' ' 24 31)"
}

@test "values are those that lanes load, have stored and exchange" {
    explain FILE=$scripts/values.hip PAGE="$work/values.html"
    opened "$work/values.html" $scripts/values.js --
    logged hidden 0 half '0 0.25 0.5' double '0.5 0.75 1' short '0 -1 -2' four '0 1e-09 -0.5 100' \
        long '0 -1099511627776 -2199023255552' byte '254 255 0' atomic '0 1 3' has '100.5 100.75 101' \
        gets '100.75 101 101.25'
}

@test "numbers of lanes that access a byte each do not overlap" {
    explain FILE=$scripts/bytes.hip PAGE="$work/bytes.html"
    opened "$work/bytes.html" $scripts/bytes.js --
    logged numbers '3–0 7–4 11–8' over 0
}

@test "tags in a source are shown as text, and dark colours are distinguishable" {
    explain FILE=$scripts/odd.hip PAGE="$work/odd.html"
    opened "$work/odd.html" $scripts/colours.js $scripts/odd.js -- --blink-settings=preferredColorScheme=0
    logged code 'out[i * 64] = "<b>&amp;</script><!--"[i % 8]; /* </script> */' title 'explain odd' kernels 1 \
        dark true contrast true
}

@test "light colours are distinguishable" {
    opened "$work/page.html" $scripts/colours.js -- --blink-settings=preferredColorScheme=1
    logged dark false contrast true
}

@test "mistakes on the command line" {
    try make explain OUT="$bin" V=bank_conflicts PAGE="$work/x.html" FORMAT=json
    ends 2 'give only one'
    try make explain OUT="$bin" V=bank_conflicts PAGE="$work/no/x.html"
    ends 2 'name a file in a folder'
}
