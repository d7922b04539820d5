#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow long programs traced
# The exercises and their checker: each exercise as shipped gets the expected diagnosis, its solution passes everything,
# and right and wrong fixes are judged so (bank.py check).
#
# make check runs exercise 1, a sixth of the others as shipped, another sixth solved, and every thirtieth fix; make
# check-all runs all; EXERCISES='3 5' chooses.
load ../../tests/lib/check
. tests/lib/copy.sh

setup() {
    unset GPU OUT V SAN VARIANTS
    [ -e reduction_to_fix/01_to_fix/solution.patch ] || skip 'the solutions are not part of this copy'
}

bank() { python3 reduction_to_fix/bank.py "$@"; }

@test "shipped exercises are wrong, solutions right, and right and wrong fixes recognized" {
    every=1
    [ -n "${EXERCISES:-}${level#usual}" ] || every=30
    bank check --every $every ${EXERCISES:-} >"$work/said" || cat "$work/said" >&2
    while IFS= read -r line; do
        case $line in right*) verdict 0 "$line" ;; WRONG*) verdict 1 "$line" ;; esac
    done <"$work/said"
    grep -q 'judged; 0 wrong' "$work/said"
    shown=/dev/null
    finish
}

@test "an exercise that is not finished is named with what it lacks" {
    mkdir -p "$work/course/reduction_to_fix"
    cp -R reduction_to_fix/bank.py reduction_to_fix/to_fix.hip reduction_to_fix/[0-9]* reduction_to_fix/README.md "$work/course/reduction_to_fix"
    cp -R reduction_*/ docs "$work/course" 2>/dev/null || true
    cd "$work/course"
    try python3 reduction_to_fix/bank.py new 'Bad name'
    ends 1 'lower-case letters'
    try python3 reduction_to_fix/bank.py new mine
    ends 0 '24_mine: fill what says TODO'
    sed 's/^    (void)shared;/    shared[0] = value; \/* mine *\//' reduction_to_fix/24_mine/mine.hip >mine.hip
    for missing in 'exercise.txt: no title' 'exercise.txt: no lesson' 'no solution yet' 'hints.txt: three hints' 'README.md: its table'; do
        try python3 -c 'import sys; sys.path.insert(0, "reduction_to_fix"); import bank; print(*bank.faults(), sep="\n")'
        ends 0 "$missing"
    done
    try python3 reduction_to_fix/bank.py add 24 solution - mine.hip
    ends 0
    try python3 reduction_to_fix/bank.py add 24 wrong stores mine.hip 'it stores'
    ends 1 'or its solution'
    sed -i 's/mine/nothing/' mine.hip
    try python3 reduction_to_fix/bank.py add 24 wrong stores mine.hip 'it stores'
    ends 0
    try python3 reduction_to_fix/bank.py write "$work/sources" 24
    ends 0 '24_solution.*solution' '24_stores.*wrong.*TODO'
    check 'the case is what was added' diff mine.hip "$work/sources/24_stores.hip"
    check 'beside the solution' [ "$(diff mine.hip "$work/sources/24_solution.hip" | grep -c mine)" -eq 1 ]
}

@test "exercises and solutions compile for GPUs whose compiler is installed" {
    bank write "$work" >"$work/cases"
    {
        printf '#define VARIANT_SOURCE "reduction.h"\n#include "instances/instances.h"\n#define VALUE_TYPE TYPE_LONG\n'
        while read -r _ name kind source _; do
            case $kind in shipped | solution) ;; *) continue ;; esac
            printf '#undef VARIANT_SOURCE\n#define VARIANT_SOURCE "%s"\n#define OPERATION OP_SUM\n' "$source"
            printf '#define INSTANCE exercise_%s\n#include "instances/instance.h"\n#undef UNROLL\n#undef PER_THREAD\n' "$name"
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

@test "what no GPU takes is named by clang, hipcc and nvcc, whichever is there" {
    bank write "$work" 1 2 >/dev/null
    for name in CLANG HIPCC NVCC; do
        case $name in CLANG) compiler=clang++ ;; HIPCC) compiler=hipcc ;; *) compiler=nvcc ;; esac
        compiler=$(PATH=$PATH:/usr/local/cuda/bin command -v $compiler) || { echo "no $name here" && continue; }
        front_end() { env CLANG=/none HIPCC=/none NVCC=/none "$name=$compiler" sh reduction_to_fix/front_end.sh "$work/log" "$@" -DVARIANT_NAME=mine; }
        front_end "$work/02_solution.hip"
        check "$name takes a solution" test -e "$work/log" -a ! -s "$work/log"
        front_end "$work/01_no_device.hip"
        shown=$work/log
        check "$name names the call" grep -q '01_no_device.hip:40:.*error: .*reduce_block' "$work/log"
    done
    CLANG=/none HIPCC=/none NVCC=/none sh reduction_to_fix/front_end.sh "$work/log" "$work/02_solution.hip"
    check 'no log without a compiler' [ ! -e "$work/log" ]
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
    bank write "$work" 3 >/dev/null
    in_folder EX=3 SOURCE="$work/03_solution.hip" check
    ends 0 SOLVED
    for known in yes changed; do
        { [ $known = changed ] || printf 'solved.03 '; cksum <reduction_to_fix/03_dropped_tail/dropped_tail.hip; } |
            sed 's/^\([0-9]\)/solved.03 1\1/' >"$work/out/reduction_to_fix/.progress"
        in_folder list
        ends 0 "^  3  *$known"
    done
    in_folder EX=3 compare
    ends 2 'solve it first'
    { printf 'solved.03 '; cksum <reduction_to_fix/03_dropped_tail/dropped_tail.hip; } >"$work/out/reduction_to_fix/.progress"
    in_folder EX=3 compare # as if what was shipped were right
    ends 0 'yours has [0-9]* lines, the reference [0-9]' '^+' ' yours  *reference' 'global memory: sectors loaded'
    in_folder EX=99 check
    ends 2 'no such exercise'
    in_folder EX=14 explain
    ends 0 'shared loads  *[0-9][0-9]* passes, [1-9]'
    check 'no temporary file is left' [ -z "$(ls "$TMPDIR")" ]
}

@test "small tasks of the ladder: a number predicted, a bar reached, a race found" {
    task() { BUILT="$work/out/" MAKE="sh $work/make" try sh -c "echo $1 | sh reduction_to_fix/task.sh $2"; }
    says_make() { printf 'case $* in *run*) exit %s ;; *) echo "%s" ;; esac\n' "$2" "$1" >"$work/make"; }
    says_make '  barriers              9.0 for each warp' 0
    task 8 global_memory
    ends 1 'counts 9' 'Not yet'
    task x global_memory
    ends 1 'a whole number'
    task 9 global_memory
    ends 0 'Right. All of it: make explain SIZE=512 WARP=32 V=global_memory'
    task 1 ''
    ends 1 'global_convergent' 'make race finds none yet' # the next one
    says_make '  look at: no __syncthreads() between the two, and no warp_sync() (__syncwarp),' 0
    task 1 unroll_last_warp
    ends 0 'no warp_sync()' 'Right. Put back'
    sed -n 's/.* :: race :: s.[.]\*\([^.]*\)[.].*/\1/p' reduction_to_fix/tasks.txt >"$work/words"
    while IFS= read -r words; do
        check "make race never says: $words" grep -rqF "$words" nogpu/trace/race
    done <"$work/words"
    check 'two races' [ "$(wc -l <"$work/words")" -eq 2 ]
    says_make '  shared loads          140 passes, 3 of them conflicts' 0
    task 1 bank_conflicts
    ends 1 'counts 3, and at most 0'
    says_make '  shared loads          140 passes, 0 of them conflicts' 1
    task 1 bank_conflicts
    ends 1 'but the result is wrong'
    says_make '  shared loads          140 passes, 0 of them conflicts' 0
    task 1 bank_conflicts
    ends 0 'Right. Put back'
    task 1 nowhere
    ends 2 'these steps have a small task: global_memory'
    steps=interleaved
    [ "$level" != all ] || steps=$(sed -n 's/ :: \(predict\|reach\).*//p' reduction_to_fix/tasks.txt)
    for step in $steps; do # what make really prints has the number
        try sh -c "echo 77777 | BUILT='$work/out/' MAKE='${MAKE:-make} GPU=cpu' sh reduction_to_fix/task.sh $step"
        ends 1 'make explain counts [0-9]'
    done
    check 'a task for each of the first twelve steps' \
        diff <(sh tools/build/variants.sh | sed -n '2,13s/reduction_//p') <(sed -n 's/ :: .*//p' reduction_to_fix/tasks.txt | grep -v '^#')
}

# shows WORDS: waits for them while the watch lives
shows() {
    until grep -qE "$1" "$work/said"; do
        check "no $1" kill -0 $watcher || return 1
        sleep 0.2
    done
}

@test "make update takes what is new, and leaves what is changed" {
    commit() { git -C "$work/course" -c user.name=t -c user.email=t@localhost commit -qam "$1"; }
    mkdir -p "$work/course/reduction_to_fix"
    cp reduction_to_fix/update.sh "$work/course/reduction_to_fix"
    git init -q "$work/course"
    for name in one two gone; do echo shipped >"$work/course/$name.hip"; done
    git -C "$work/course" add .
    commit shipped
    git clone -q "$work/course" "$work/clone"
    for name in one two; do echo new >"$work/course/$name.hip"; done
    git -C "$work/course" rm -q gone.hip
    commit 'all is new'
    cd "$work/clone"
    for name in one gone; do echo mine >$name.hip; done
    try sh reduction_to_fix/update.sh
    ends 0 '^one.hip is new, and stays' '^gone.hip is no longer in the course' 'all is new'
    check 'changed' [ "$(cat one.hip gone.hip | grep -cx mine)" -eq 2 ]
    check 'not changed' grep -qx new two.hip
    check 'nothing is left in the stash' [ -z "$(git stash list)$(git diff --cached)" ]
    try sh reduction_to_fix/update.sh
    ends 0 'nothing is new'
    git -c user.name=a -c user.email=a@localhost commit -qam mine
    echo newer >"$work/course/two.hip"
    commit newer
    echo more >one.hip
    try sh reduction_to_fix/update.sh
    ends 3 'commits of your own'
    check 'and nothing is changed' [ "$(cat one.hip two.hip)" = "$(printf 'more\nnew')" ]
    git branch -q --unset-upstream
    try sh reduction_to_fix/update.sh
    ends 2 'follows no other one'
}

@test "exercises that begin with an empty kernel have bars, from the lowest to the highest" {
    printf '#!/bin/sh\necho "{\\"arch\\": \\"sm_90\\", \\"total_gbps\\": 3680, \\"ceiling_gbps\\": 4600}"\n' >"$work/program"
    chmod +x "$work/program"
    mkdir -p "$work/results/h200/exercises" "$work/reduction_to_fix"
    cp -R reduction_to_fix/19_* reduction_to_fix/03_* "$work/reduction_to_fix"
    echo '  19 sm_90        83.4     91.6     76.6  custom' >"$work/results/h200/exercises/bars.txt"
    try sh reduction_to_fix/bar.sh "$work"/reduction_to_fix/19_* "$work/program"
    ends 0 'You reach 80.0 % of the read ceiling' 'over  bar 1:  76.6 %  custom' 'below bar 2:  83.4 %' 'below bar 3:  91.6 %'
    try sh reduction_to_fix/bar.sh "$work"/reduction_to_fix/03_*/ "$work/program"
    ends 0
    check 'nothing about others' [ ! -s "$work/said" ]
}

# A course with nothing but its exercises; check.sh does what $1 says.
course_to_watch() {
    mkdir -p "$work/course/reduction_to_fix"
    cp -R reduction_to_fix/exercise.sh reduction_to_fix/watch.sh reduction_to_fix/to_fix.hip reduction_to_fix/[0-9]* "$work/course/reduction_to_fix"
    cd "$work/course"
    echo "$1" >reduction_to_fix/check.sh
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

@test "make watch opens the file in an editor, and Ctrl-C leaves one line" {
    course_to_watch 'echo wrong; exit 1'
    printf '#!/bin/sh\n[ -t 0 ] && echo "edits $*"\n' >"$work/editor"
    chmod +x "$work/editor"
    python3 -c '
import os, pty, signal, sys
pid, terminal = pty.fork()
if pid == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL) # of a suite in the background it is ignored
    os.environ["VISUAL"] = sys.argv[1]
    os.execvp("sh", ["sh", "reduction_to_fix/watch.sh", "1"])
def until(word):
    said = b""
    while word not in said:
        said += os.read(terminal, 1000)
    return said
until(b"q quit\r\n")
os.write(terminal, b"o")
print(until(b"q quit\r\n").decode())
os.write(terminal, b"\x03")
said = b""
try:
    while block := os.read(terminal, 1000):
        said += block
except OSError:
    pass
print("at the end:", said.decode().replace("^C", "").split("\r\n"))
' "$work/editor" >"$work/said" 3>&-
    shown=$work/said
    check 'the editor has the file' grep -q 'edits reduction_to_fix/to_fix.hip' "$work/said"
    check 'one line' grep -qF "at the end: ['', 'make EX=1 watch goes on from here', '']" "$work/said"
}

@test "make watch checks again when the file is saved, and goes on when it is solved; ending it ends its check" {
    course_to_watch 'echo $$ >pid; echo "check of $1"; [ "$1" != 01 ] || { grep -q mended reduction_to_fix/to_fix.hip; exit; }; sleep 1000 & wait'
    : >"$work/said"
    setsid sh reduction_to_fix/watch.sh 1 >"$work/said" 2>&1 </dev/null 3>&- &
    watcher=$!
    shows 'waits for reduction_to_fix/to_fix.hip'
    echo '// mended' >>reduction_to_fix/to_fix.hip
    shows 'check of 02'
    check 'exercise 1 was checked twice' [ "$(grep -c 'check of 01' "$work/said")" -eq 2 ]
    kill $watcher
    wait $watcher || true
    for _ in {1..300}; do [ -z "$(in_session "($watcher|$(cat pid))")" ] && return; sleep 0.2; done
    check 'the check goes on without it' false
}

@test "make copy leaves out solutions and wrong fixes, and suites that need them are skipped" {
    try ${MAKE:-make} -s copy TO="$work/copy"
    ends 0
    edited=$work/copy/reduction_to_fix/03_dropped_tail/dropped_tail.hip
    cp "$edited" "$work/shipped"
    echo '// mine' >>"$edited"
    try ${MAKE:-make} -s -C "$work/copy/reduction_to_fix" EX=3 reset
    ends 0 'dropped_tail.hip.mine'
    check 'as it was shipped' cmp "$edited" "$work/shipped"
    check 'and mine is kept' grep -q mine "$edited.mine"
    check 'no solution and no case' [ -z "$(find "$work/copy" -name '*.patch' -o -name 'cases.txt')" ]
    for suite in exercises grade; do
        try bats "$work/copy/reduction_to_fix/tests/$suite.bats"
        check "$suite is skipped" [ "$(grep -c '^ok.* # skip' "$work/said")" -eq "$(grep -c '^ok\|^not ok' "$work/said")" ]
    done
}
