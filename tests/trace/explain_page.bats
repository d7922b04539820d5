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
# browse PAGE SCRIPT... -- OPTION...: the scripts' log() goes to $work/log, the console to $work/console.
browse() {
    {
        cat "$1"
        shift
        printf '<pre id="log"></pre><script>\n'
        cat $scripts/tools.js
        while [ "$1" != -- ]; do
            cat "$1"
            shift
        done
        shift
        echo "console.info('the script has ended'); </script>"
    } >"$work/copy.html"
    [ "$(id -u)" -ne 0 ] || set -- --no-sandbox "$@"
    "$browser" --headless --disable-gpu --user-data-dir="$work/profile" --window-size=1920,1080 \
        --enable-logging=stderr --dump-dom "$@" "file://$work/copy.html" >"$work/dom" 2>"$work/err" </dev/null 3>&-
    sed -n '/<pre id="log">/,/<\/pre>/{s/.*<pre id="log">//;/<\/pre>/d;p;}' "$work/dom" |
        sed -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g' >"$work/log"
    grep CONSOLE "$work/err" >"$work/said" || true
    check 'no message in the console' [ "$(wc -l <"$work/said")" -eq 1 ] || return 1
    check 'the script has ended' says 'the script has ended'
}
logged() { # logged NAME VALUE TEXT
    found=$(sed -n "s/^$1=//p" "$work/log")
    check "$3: $1 is '$found', not '$2'" [ "$found" = "$2" ]
}

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
    browse "$work/page.html" $scripts/keys.js -- --blink-settings=preferredColorScheme=1
    check 'the numbers of the line' \
        grep -q "data-line=\"$number\".*shared\[i + stride\].*9024, <em>6720</em>" "$work/dom"
    check 'both side by side' grep -q 'lanes at work on average  *8.0  *23.7  *x 2.94' "$work/dom"
    logged begin '' 'it begins with the comparison'
    logged run 'bank_conflicts, warp 32' 'a digit chooses a run'
    logged line "line $number, step 1 of 8" 'which begins with its costliest line'
    logged step "line $number, step 3 of 8" 'arrows choose the step'
    logged access 'load shared[0]' 'a chooses the access'
    logged cost '8 passes' 'eight words in one bank are eight passes'
    logged banks "$(banks 4)" 'the banks of step 3'
    logged back "$(banks 2)" 'the banks of step 2'
    logged last "line $number, step 8 of 8, 1 pass" 'End: the last step has one lane'
    logged end "line $number, step 8 of 8" 'there is no step after it'
    logged down "line $((number + 1)), barrier" 'down: the barrier'
    logged focus "true $((number + 1))" 'the focus is there'
    logged up "line $number, step 1 of 8" 'up again'
    logged address "#bank_conflicts-32-1/$number/1/1" 'the address names it'
    logged spoken '2 passes' 'the picture in words'
    logged accesses true 'dozens of accesses are kept'
    logged same true 'all of them cost as much as was counted'
}

@test "a shuffle is a picture of who reads whom" {
    explain V=shfl TYPE=float SIZE=1000 OPTIONS='--grid 2' PAGE="$work/shfl.html"
    browse "$work/shfl.html" $scripts/shuffle.js --
    logged cost '16 lanes read another lane' 'half of the lanes have a partner'
    logged from "$(seq -s ' ' 16 31) $(seq -s ' ' 16 31)" 'by 16 lanes, or itself'
    logged next "$(seq -s ' ' 8 31) $(seq -s ' ' 24 31)" 'then by 8'
}

@test "values are those that lanes load, have stored and exchange" {
    explain FILE=$scripts/values.hip PAGE="$work/values.html"
    browse "$work/values.html" $scripts/values.js --
    logged hidden 0 'none before they are asked for'
    logged half '0 0.25 0.5' 'half'
    logged double '0.5 0.75 1' 'double, in dynamic shared memory'
    logged short '0 -1 -2' 'short, in a static array'
    logged four '0 1e-09 -0.5 100' 'a vector is one access'
    logged long '0 -1099511627776 -2199023255552' 'a member of a struct'
    logged byte '254 255 0' 'a byte'
    logged atomic '0 1 3' 'an atomic operation leaves the sum of the lanes before'
    logged has '100.5 100.75 101' 'a shuffle: what lanes have'
    logged gets '100.75 101 101.25' 'and what they get'
}

@test "numbers of lanes that access a byte each do not overlap" {
    explain FILE=$scripts/bytes.hip PAGE="$work/bytes.html"
    browse "$work/bytes.html" $scripts/bytes.js --
    logged numbers '3–0 7–4 11–8' 'a number for each word'
    logged over 0 'none is over another'
}

@test "tags in a source are shown as text, and dark colours are distinguishable" {
    explain FILE=$scripts/odd.hip PAGE="$work/odd.html"
    browse "$work/odd.html" tests/lib/colours.js $scripts/colours.js $scripts/odd.js -- --blink-settings=preferredColorScheme=0
    logged code 'out[i * 64] = "<b>&amp;</script><!--"[i % 8]; /* </script> */' 'its text'
    logged title 'explain odd' 'its title'
    logged kernels 1 'one kernel'
    logged dark true 'dark, where that is preferred'
    logged contrast true 'colours on dark'
}

@test "light colours are distinguishable" {
    browse "$work/page.html" tests/lib/colours.js $scripts/colours.js -- --blink-settings=preferredColorScheme=1
    logged dark false 'light, where that is preferred'
    logged contrast true 'colours on light'
}

@test "mistakes on the command line" {
    try make explain OUT="$bin" V=bank_conflicts PAGE="$work/x.html" FORMAT=json
    ends 2 'give only one'
    try make explain OUT="$bin" V=bank_conflicts PAGE="$work/no/x.html"
    ends 2 'name a file in a folder'
}
