#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# The folder that `make course` writes: it gives no answers away, its links work, and an ordinary user can work with it
# when it is read-only.
load ../lib/check
. tests/lib/copy.sh
kit=$work/kit
home=$work/home

setup_file() {
    unset OUT V VARIANT GPU
    try make -s course TO="$work/kit"
    ends 0 'hand out attendees/ and the pages next to it'
}
teardown_file() {
    chmod -R u+w "$work"
}

# Runs a command as a user who owns nothing here, if the tests run as root.
ordinary() {
    if [ "$(id -u)" -eq 0 ]; then
        HOME=$home setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        HOME=$home "$@"
    fi
}

@test "attendees get no answers" {
    for name in docs/course/workshop.md docs/course/quiz.md docs/course/slides.md reduction_to_fix/01_to_fix/solution.patch \
        reduction_to_fix/01_to_fix/cases.txt; do
        check "attendees/$name is not there" [ ! -e "$kit/attendees/$name" ]
    done
    check 'the questions are there' grep -q '^- Why is there no barrier between blocks' "$kit/attendees/reduction_global_memory/README.md"
    try grep -rl --include='*.md' -e '<details>' -e 'needs a commutative operation.*right one' "$kit/attendees"
    check 'and no answer is' [ ! -s "$work/said" ]
    quiz=$(ls "$kit"/quiz.*)
    check 'the tests have their questions' grep -q 'A kernel is launched with 4 blocks' "$quiz"
    check 'and no key' [ "$(grep -ci 'key of the' "$quiz")" -eq 0 ]
    check 'which the instructor has' grep -q 'Key of the' "$kit"/instructor/quiz_with_key.*
    for answer in 'Blocks run in any order, and only as many at a time' 'Division: none' 'flushes or keeps caches'; do
        check "and all answers: $answer" grep -q "$answer" "$kit"/instructor/answers.*
    done
    check 'no heading of an answer is left alone' [ -z "$(grep -r --include='*.md' '^- The ' "$kit/attendees/docs/course")" ]
    check 'with the solutions' [ -f "$kit/instructor/solutions/01_to_fix.patch" ]
}

@test "links of the attendees' documents work" {
    try python3 "$top/tests/build/documents.py" links $(find "$kit/attendees" -name '*.md')
    ends 0 '^[1-9][0-9]* right'
}

@test "pages are complete" {
    needs pandoc course
    for page in "$kit"/*.html "$kit"/instructor/*.html; do
        verdict "$(grep -c 'src="[^d]' "$page")" "$page: a figure is not inside"
        grep -o 'href="[^"#:]*["#]' "$page" | sed 's/^href="//; s/.$//' | sort -u >"$work/targets" || true
        while read -r target; do
            verdict "$([ -z "$target" ] || [ -e "$(dirname "$page")/$target" ] && echo 0 || echo 1)" "$page: $target is not there"
        done <"$work/targets"
    done
    finish
}

# On a screen of 1600 x 900: a letter of 1.5 % of its width is 24 of 1600, which a last row at six widths reads.
@test "slides can be read from the last row, and nothing sticks out" {
    find_browser
    [ -f "$kit/instructor/slides.html" ] || skip 'there is no pandoc: ./install-deps.sh course'
    cp "$kit/instructor/slides.html" "$work"
    browse "$work/slides.html" tests/build/slides.js -- --window-size=1600,900
    shown=$work/log
    check 'there are slides' grep -q '^slides=[3-9][0-9]$' "$work/log"
    check 'letters are large enough, and nothing sticks out' [ "$(wc -l <"$work/log")" -eq 1 ]
}

# What all programs share is built, and newer than the copy's sources.
shared_in() {
    copy_built "$1"
    find "$1/build" -exec touch -r "$1" {} +
    chmod -R a+rwX "$1"
}

@test "an ordinary user builds from a read-only folder" {
    mkdir "$home" && chmod 777 "$home" && chmod 755 "$work" "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR"
    chmod -R a+rX,a-w "$kit"
    export CCACHE_DISABLE=1
    cd "$kit/attendees"
    try ordinary make GPU=cpu VARIANT=hello
    check 'in place it cannot be built' [ "$status" -ne 0 ]
    shared_in "$home/built"
    try ordinary make GPU=cpu VARIANT=hello OUT="$home/built"
    ends 0 'CXX   reduction_hello'
    try ordinary "$home/built/reduction_hello/reduction_hello" 1 2 3
    ends 0 '^sum of 3 numbers: 6$'
    try ordinary make copy TO="$home/mine" VARIANT=shfl
    ends 0
    shared_in "$home/mine"
    cd "$home/mine/reduction_shfl"
    try ordinary make GPU=cpu
    ends 0 'CXX   reduction_shfl'
    check 'and nothing that was there' [ "$(grep -c '^  CC ' "$work/said")" -eq 0 ]
    try ordinary ./reduction_shfl -n 1K
    ends 0
}

@test "an existing folder, or none, is refused in one line" {
    try make -s course TO="$kit"
    check 'a folder that is there' says "already exists: name another folder"
    try make -s course
    check 'no place' says 'make course: name a folder, make course TO=~/course'
    check 'fails' [ "$status" -ne 0 ]
}
