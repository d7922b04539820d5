#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The exercises and their checker: each exercise as shipped gets the expected diagnosis, its solution passes everything,
# and tempting wrong fixes are recognized (tests/exercises/cases).
#
# make check runs exercise 1, a sixth of the others as shipped, another sixth solved, and every eightieth fix; make
# check-all runs all; EXERCISES='3 5' chooses.
load ../lib/check
. tests/lib/copy.sh

setup() {
    unset GPU OUT V SAN VARIANTS
    [ -d docs/instructor/solutions ] || skip 'the solutions are not part of this copy'
}

field() { awk -F'|' -v n="$1" -v f="$2" '!/^#/ && $1 + 0 == n + 0 { print $f }' reduction_to_fix/exercises.txt; }

# build_and_check NUMBER NAME SOURCE: leaves NAME.json and NAME.log; the status is the checker's, or 9.
build_and_check() {
    set -- "$1" "$work/$2" "$3"
    mkdir -p "$2"
    ${MAKE:-make} -s GPU=cpu TRACE=1 EX="$1" SOURCE="$3" WORK="$2" exercise-judge exercise-runner \
        >"$2.log" 2>&1 || return 9
    "$2/judge" --json="$2.json" --exercise="$1" --runner="$2/runner" --traced \
        --program="$2/plain/program" --build="${MAKE:-make} -s GPU=cpu TRACE= EX=$1 SOURCE='$3' WORK='$2/plain' exercise-program" \
        --symbols="$2/symbols" --rules=reduction_to_fix/checker/rules/rules.txt $(field "$1" 5) >>"$2.log" 2>&1
}

# judged NUMBER NAME KIND SOURCE EXPECTED: writes the outcome to NAME.result
judged() {
    set +e
    build_and_check "$1" "$2" "$4"
    status=$?
    said=$(sed -n 's/.*"code": "\([^"]*\)", "diagnosis": "\(.*\)", "case".*/\1 \2/p' "$work/$2.json" 2>/dev/null)
    [ $status -ne 9 ] || said="compile $(grep -m 1 'error: ' "$work/$2.log")"
    right=no
    case $3 in
    solution | right) [ $status -eq 0 ] && right=yes ;;
    *) [ $status -ne 0 ] && grep -qE "^($5)" <<<"$said" && right=yes ;;
    esac
    {
        echo "$right $2: exit code $status, ${said:-solved}; expected ${5:-solved}"
        [ $right = yes ] || head -n 40 "$work/$2.log"
    } >"$work/$2.result"
    rm -rf "${work:?}/$2"
}

@test "shipped exercises are wrong, solutions right, and tempting wrong fixes recognized" {
    # Build the common objects once.
    ${MAKE:-make} -s GPU=cpu TRACE=1 EX=1 WORK="$work/first" exercise-judge exercise-runner
    python3 tests/exercises/cases.py "$work" ${EXERCISES:-} >"$work/every"
    awk -F'\t' -v all="${EXERCISES:-}${level#usual}" '
        $3 == "shipped" || $3 == "solution" { if (all || $1 == 1 || $1 % 6 == ($3 == "shipped" ? 2 : 0)) print; next }
        all || ++n % 80 == 0' \
        "$work/every" >"$work/cases"
    check "no such exercise: ${EXERCISES:-}" test -s "$work/cases"
    while IFS=$'\t' read -r number name kind source expected _; do
        while [ "$(jobs -r | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
        judged "$number" "$name" "$kind" "$source" "$expected" 3>&- </dev/null &
    done <"$work/cases"
    wait
    shown=/dev/null
    while IFS=$'\t' read -r _ name _; do
        verdict "$(case $(cat "$work/$name.result") in yes*) echo 0 ;; *) echo 1 ;; esac)" "$(cat "$work/$name.result")"
    done <"$work/cases"
    finish
}

@test "an exercise sees the same macros with and without the checker" {
    for trace in '' 1; do ${MAKE:-make} -s GPU=cpu TRACE=$trace OUT="$work/out" exercise-macros; done
    for build in cpu cpu-trace; do # an exercise must not use the platform's names (symbols.sh)
        grep -v '^#define HIP_CPU_' "$work/out/build/$build/exercises/macros" >"$work/$build"
        check "macros of $build" grep -q 'define PRIX64' "$work/$build"
    done
    try diff "$work/cpu" "$work/cpu-trace"
    ends 0
}

@test "exercises and solutions compile for GPUs whose compiler is installed" {
    python3 tests/exercises/cases.py "$work" >"$work/cases"
    {
        printf '#define VARIANT_SOURCE "reduction.h"\n#include "instances.h"\n#define VALUE_TYPE TYPE_LONG\n'
        while read -r _ name kind source _; do
            case $kind in shipped | solution) ;; *) continue ;; esac
            printf '#undef VARIANT_SOURCE\n#define VARIANT_SOURCE "%s"\n#define OPERATION OP_SUM\n' "$source"
            printf '#define INSTANCE exercise_%s\n#include "instance.h"\n#undef UNROLL\n#undef PER_THREAD\n' "$name"
            printf 'const struct variant_entry *entry_%s(void)\n{\n    return &exercise_%s::entry;\n}\n' "$name" "$name"
        done <"$work/cases"
    } >"$work/all.hip"
    for gpu in gfx90a sm_90; do
        case $gpu in gfx*) compiler=${HIPCC:-hipcc} ;; *) compiler=${NVCC:-nvcc} ;; esac
        PATH=$PATH:/usr/local/cuda/bin command -v "$compiler" >/dev/null || { echo "$compiler is not there" && continue; }
        try ${MAKE:-make} -s GPU=$gpu SOURCE="$work/all.hip" WORK="$work/$gpu" WERROR=1 exercise-compiles
        check "for $gpu" exits 0
    done
}

in_folder() { try ${MAKE:-make} -s -C reduction_to_fix OUT="$work/out" GPU=cpu "$@"; }

@test "make hint shows three hints per exercise, one by one" {
    for words in 'hint 1 of 3' 'hint 2 of 3' 'hint 3 of 3' 'that was the last hint'; do
        in_folder hint
        ends 0 "$words"
    done
    in_folder EX=7 hint
    ends 0 'Exercise 7, hint 1 of 3'
    in_folder EX=x hint
    ends 2 'no such exercise'
    for folder in reduction_to_fix reduction_to_fix/[0-2]*/; do
        check "three hints in $folder" [ "$(grep -c '^%$' "$folder/hints.txt")" -eq 2 ]
        check "of 80 columns in $folder" [ -z "$(awk 'length > 80' "$folder/hints.txt")" ]
    done
}

@test "make, make check and make list in an exercise's folder" {
    copy_built "$work/out"
    if [ -e "$bin/build/cpu-trace/exercises/judge" ]; then # built by the test above
        mkdir -p "$work/out/build/cpu-trace/exercises"
        find "$bin/build/cpu-trace/exercises" -maxdepth 1 -type f -exec cp -p {} "$work/out/build/cpu-trace/exercises" ';'
    fi
    mkdir "$work/temporary"
    export TMPDIR=$work/temporary
    in_folder
    ends 0
    check 'exercise 1 is built' test -x "$work/out/reduction_to_fix/reduction_to_fix"
    in_folder EX=3
    ends 0
    check 'exercise 3 is built' test -x "$work/out/reduction_to_fix/03_dropped_tail/reduction_dropped_tail"
    in_folder list
    ends 0 '^  3  *several elements'
    in_folder EX=3 check
    ends 2 'WRONG .tail.' 'two_kernels_unroll/README.md'
    python3 tests/exercises/cases.py "$work" 3 >/dev/null
    in_folder EX=3 SOURCE="$work/03_solution.hip" check
    ends 0 SOLVED
    in_folder list
    ends 0 '^  3  *yes'
    in_folder EX=99 check
    ends 2 'no such exercise'
    in_folder EX=14 explain
    ends 0 'shared loads  *[0-9][0-9]* passes, [1-9]'
    check 'no temporary file is left' [ -z "$(ls "$TMPDIR")" ]
}

# shows WORDS: waits for them while the watch lives
shows() {
    until grep -qE "$1" "$work/said"; do
        check "no $1" kill -0 $watcher || return 1
        sleep 0.2
    done
}

@test "make watch checks again when the file is saved, and leaves no process" {
    cp reduction_to_fix/03_dropped_tail/dropped_tail.hip "$work/watched.hip"
    python3 tests/exercises/cases.py "$work" 3 >/dev/null
    : >"$work/said"
    setsid ${MAKE:-make} -s -C reduction_to_fix OUT="$work/out" GPU=cpu EX=3 SOURCE="$work/watched.hip" watch >"$work/said" 2>&1 </dev/null 3>&- &
    watcher=$!
    shows 'WRONG .tail.'
    shows "waits for $work/watched.hip"
    cp "$work/03_solution.hip" "$work/watched.hip"
    shows SOLVED
    kill $watcher
    wait $watcher || true
    while [ -n "$(in_session $watcher)" ]; do sleep 0.2; done # otherwise the suite would leave processes behind
}

@test "exercises that begin with an empty kernel have bars, from the lowest to the highest" {
    printf '#!/bin/sh\necho "{\\"arch\\": \\"sm_90\\", \\"total_gbps\\": 3680, \\"ceiling_gbps\\": 4600}"\n' >"$work/program"
    chmod +x "$work/program"
    mkdir -p "$work/top" "$work/results/h200/exercises" && cp reduction_to_fix/bar.sh reduction_to_fix/bars.txt "$work/top"
    echo '  19 sm_90        83.4     91.6     76.6  custom' >"$work/results/h200/exercises/bars.txt"
    try sh "$work/top/bar.sh" 19 "$work/program"
    ends 0 'You reach 80.0 % of the read ceiling' 'over  bar 1:  76.6 %  custom' 'below bar 2:  83.4 %' 'below bar 3:  91.6 %'
    try sh "$work/top/bar.sh" 3 "$work/program"
    ends 0
    check 'nothing about others' [ ! -s "$work/said" ]
}

# A course with nothing but its exercises' names; exercise.sh does what $1 says.
course_to_watch() {
    mkdir -p "$work/course/reduction_to_fix"
    cp reduction_to_fix/exercises.txt reduction_to_fix/watch.sh "$work/course/reduction_to_fix"
    cd "$work/course"
    awk -F'|' '!/^#/ { print $2 }' reduction_to_fix/exercises.txt | sed 's|^|reduction_to_fix/|' | xargs mkdir -p
    awk -F'|' '!/^#/ { print $2 "/" $3 }' reduction_to_fix/exercises.txt | sed 's|^|reduction_to_fix/|' | xargs touch
    echo "$1" >reduction_to_fix/exercise.sh
}

@test "make watch ends when its terminal is closed, also where the signal is ignored" {
    course_to_watch 'echo wrong; exit 1'
    for before in '' "trap '' HUP; "; do
        watcher=$(python3 -c '
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh", "-c", sys.argv[1] + "exec sh reduction_to_fix/watch.sh 1"])
said = b""
while b"q quit" not in said: # it waits for a key
    said += os.read(terminal, 1000)
print(pid)
' "$before" 3>&-)
        for _ in {1..300}; do kill -0 "$watcher" 2>/dev/null || break; sleep 0.2; done
        check "it goes on without a terminal ($before)" [ "$(kill -0 "$watcher" 2>&1 | wc -l)" -eq 1 ]
    done
}

@test "make watch goes on when an exercise is solved; ending it ends its check" {
    course_to_watch 'echo $$ >pid; echo "$1 of $2"; [ "$2" = 1 ] || { sleep 1000 & wait; }' # solved, and one that hangs
    : >"$work/said"
    setsid sh reduction_to_fix/watch.sh 1 >"$work/said" 2>&1 </dev/null 3>&- &
    watcher=$!
    shows 'check of 4'
    check 'exercise 1 was checked' grep -q 'check of 1' "$work/said"
    kill $watcher
    wait $watcher || true
    for _ in {1..300}; do [ -z "$(in_session "($watcher|$(cat pid))")" ] && return; sleep 0.2; done
    check 'the check goes on without it' false
}

@test "make copy leaves out solutions and wrong fixes, and suites that need them are skipped" {
    try ${MAKE:-make} -s copy TO="$work/copy"
    ends 0
    check 'no solution and no case' [ -z "$(find "$work/copy" -name '*.patch' -o -name '*.cases')" ]
    for suite in exercises grade; do
        try bats "$work/copy/tests/exercises/$suite.bats"
        check "$suite is skipped" [ "$(grep -c '^ok.* # skip' "$work/said")" -eq "$(grep -c '^ok\|^not ok' "$work/said")" ]
    done
}
