#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# make site: its links, its pages, and what one can do with it in a headless browser, from disk. Without the pages of explain
# and race, except in check-all.
load ../lib/check
site=$work/site

setup_file() {
    command -v pandoc >/dev/null || skip 'there is no pandoc: ./install-deps.sh course'
    if [ "$level" = all ]; then
        try make -s site TO="$work/site" GPU=cpu
    else
        try python3 tools/site/site.py --without-traces "$work/site"
    fi
    ends 0 'open it in a browser'
}
with_browser() {
    find_browser
    options="--headless --disable-gpu --user-data-dir=$work/profile $([ "$(id -u)" -ne 0 ] || echo --no-sandbox)"
}
# opened PAGE SCRIPT [OPTION...]
opened() {
    browse "$site/$1" "tests/site/$2" -- --window-size=1440,1000 --virtual-time-budget=3000 "${@:3}"
}

@test "links lead somewhere, and pages are well formed, need no network and have texts for pictures" {
    try python3 tests/site/check_pages.py "$site"
    ends 0 ': 0 mistakes$'
    for name in $(sh tools/build/variants.sh); do
        check "there is a page about $name" [ -s "$site/$name/index.html" ]
    done
}

@test "a broken link and an unclosed tag are seen" {
    mkdir "$work/broken" && cp -R "$site/." "$work/broken"
    echo '<a href="nowhere.html">x</a><b>' >>"$work/broken/ladder.html"
    try python3 tests/site/check_pages.py "$work/broken"
    ends 1 'link to nowhere.html: there is no such file' 'ladder.html: b is not closed'
}

@test "the playground: steps, pictures, prediction, keys" {
    with_browser
    opened 'playground.html#strided-256-32-4-1-0-0' playground.js
    logged begin 'load, 32' step 'stride 4' lanes 32 address '#strided-256-32-4-1-0-4' hidden true \
        verdict 'Right: 70.' counts '54 23.7 of 32 95 70 55 35 32 72 0 1260' reads '32, 0:16' back load \
        spoken true
}

@test "the counts of the playground are those of make explain, for 100 settings" {
    needs_trace
    with_browser
    for type in float double; do
        HIP_CPU_TRACE=explain try nogpu/bin/hipcc -O2 -DT=$type tests/site/counts.hip -o "$work/$type"
        ends 0
    done
    HIP_CPU_WORKERS=2 try python3 tests/site/counts.py "$work" "$browser" $options
    ends 0 '^100 settings, 10 numbers each: 0 differ$'
}

@test "a lesson: tooltips, steps, colours, on a projector and on a phone, light and dark" {
    with_browser
    for width in 1920 390; do
        opened reduction_bank_conflicts/index.html lesson.js --window-size=$width,900 --blink-settings=preferredColorScheme=$((width > 999))
        logged top 0 gone true steps '← interleaved no_striding →' wide true contrast true code true
    done
    check 'a term says what it is' grep -q '^term=[a-z ]*: [a-z]' "$work/log"
}

@test "search finds a lesson by its words" {
    with_browser
    opened index.html search.js
    logged focus true first reduction_shuffles/index.html none 'Nothing has all of these words.'
}

@test "plots: hovered, by keys, as a table" {
    with_browser
    for width in 1440 390; do
        opened results.html results.js --window-size=$width,900
        logged lines 8 moved true one 1 all true table true hovered true cards true wide true
    done
}

@test "a lesson on paper" {
    with_browser
    "$browser" $options --print-to-pdf="$work/lesson.pdf" "file://$site/reduction_shfl/index.html" 2>/dev/null </dev/null 3>&-
    check 'it has some pages' [ "$(grep -ac '/Type */Page\b' "$work/lesson.pdf")" -ge 4 ]
}
