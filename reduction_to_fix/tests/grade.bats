#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# make grade: attendees whose code hangs, crashes, floods the output, uses up memory, leaves processes behind or does not
# compile get one line each, and so do all attendees after them. A second run grades only what has changed.
load ../../tests/lib/check
in=$work/submissions many=$work/many

setup() {
    [ "$level" = all ] || skip 'make check-all has it'
    needs patch test
    needs bwrap test
    needs clang++ develop
    [ -e reduction_to_fix/01_to_fix/solution.patch ] || skip 'the solutions are not part of this copy'
    unset GPU OUT V SAN VARIANTS
    export XDG_STATE_HOME=$work CFLAGS=-O1 CXXFLAGS=-O1 GRADE_SECONDS=60 GRADE_MEMORY=4194304 GRADE_JOBS=2
}

# An attendee with the solution of exercise 1, whose plan() runs CODE as well.
attendee() { # NAME FILE CODE
    mkdir -p "$in/$1"
    sed "s|^static void plan(struct reduction \*r)|extern \"C\" int fork(void);\nextern \"C\" int puts(const char *);\n&|
         s|^    r->launches = 1;|&\n    $3|" "$work/solved.hip" >"$in/$1/$2"
}

submissions() {
    patch -s -o "$work/solved.hip" reduction_to_fix/to_fix.hip reduction_to_fix/01_to_fix/solution.patch
    mkdir -p "$in/ada/reduction_to_fix" "$in/two words, a comma and a \\"
    cp "$work/solved.hip" "$in/ada/reduction_to_fix/to_fix.hip"
    cp reduction_to_fix/10_wrong_identity/wrong_identity.hip "$in/ada"
    cp reduction_to_fix/to_fix.hip "$in/two words, a comma and a \\"
    attendee endless to_fix.hip 'for (volatile int i = 0;; i++)\n        ;'
    attendee flood to_fix.hip 'for (;;)\n        puts("flood flood flood flood flood flood flood flood");'
    attendee hungry to_fix.hip 'for (;;)\n        memset(malloc((size_t)1 << 27), 1, (size_t)1 << 27);'
    attendee crash to_fix.hip '*(volatile int *)8 = 1;'
    attendee orphans to_fix.hip 'static int once;\n    if (once++ == 0 \&\& fork() == 0)\n        for (volatile int i = 0;; i++)\n            ;'
    attendee exits to_fix.hip 'exit(0);'
    mkdir "$in/broken" && echo 'static void plan(' >"$in/broken/to_fix.hip"
    mkdir "$in/nothing" && echo 'no exercise' >"$in/nothing/notes.txt"
    mkdir "$in/empty" "$in/fifo" "$in/included" "$in/"$'esc\033[31m' "$in/renamed"
    mkfifo "$in/fifo/missing_barrier.hip"
    ln -s /etc "$in/link"
    mkdir "$in/01_numbered" && cp reduction_to_fix/to_fix.hip "$in/01_numbered"
    : >"$in/packed.zip"
    sed 's|^#include "reduction.h"|&\n#include "/etc/passwd"|' "$work/solved.hip" >"$in/included/to_fix.hip"
    mkdir "$in/grades.bob" && cp reduction_to_fix/to_fix.hip "$in/grades.bob"
    cp reduction_to_fix/to_fix.hip "$in/"$'esc\033[31m'
    cp reduction_to_fix/04_counted_twice/counted_twice.hip "$in/renamed/my_try.hip"
}

grade() { try ${MAKE:-make} -s grade DIR="$1"; }
left() { grep -lz 'box/runner$' /proc/[0-9]*/cmdline 2>/dev/null | wc -l; }
graded() { # graded ATTENDEE NUMBER VERDICT CODES
    check "$1: no $3 ($4)" grep -qE "^\"?$1\"?,$2,.*,$3,($4)," "$in/grades.csv"
}

@test "every attendee gets one line, whatever the code does" {
    mkdir -p "$in"
    submissions
    before=$(left)
    grade "$in"
    ends 0 '^ada  *1  solved'
    graded ada 1 solved ''
    graded ada 10 wrong identity
    graded 'two words, a comma and a \\' 1 wrong one_thread
    graded endless 1 wrong 'hang|limit|crash'
    graded flood 1 wrong 'hang|limit|crash'
    graded hungry 1 wrong 'crash|hang|limit|out_of_bounds'
    graded crash 1 wrong 'crash|out_of_bounds'
    graded exits 1 wrong crash
    graded orphans 1 '(solved|wrong)' '.*'
    graded included 1 wrong include
    graded renamed 4 wrong double
    graded broken 1 wrong compile
    check 'and no process' [ "$(left)" -le "$before" ]
    check 'a folder without an exercise' grep -q '^nothing,,,,missing,folder,' "$in/grades.csv"
    check 'an empty folder' grep -q '^empty,,,,missing,folder,' "$in/grades.csv"
    check 'a link' grep -q '^link,,,,missing,folder,"a symbolic link' "$in/grades.csv"
    check 'no folder' grep -q '^packed.zip,,,,missing,folder,not a folder' "$in/grades.csv"
    graded 01_numbered 1 wrong one_thread
    check 'a folder named as the results' grep -q '^grades.bob,1,.*,wrong,one_thread' "$in/grades.csv"
    check 'what is no file' grep -q '^fifo,2,.*,missing,file,not a regular file' "$in/grades.csv"
    check 'a file of the system is not shown' [ "$(cat "$in/grades.csv" "$work/said" | grep -c root:)" -eq 0 ]
}

@test "the sandbox shows a submission the course, and one folder to write to" {
    cat >"$work/probe" <<'END'
ls / /dev /root /home 2>&1 | grep -v 'cannot access'
cat reduction_to_fix/*/solution.patch reduction_to_fix/*/cases.txt; ls tests
grep -E 'CapEff|CapBnd|NoNew' /proc/self/status
wc -l </proc/net/dev
for at in reduction_to_fix /usr / "$1"; do touch $at/new 2>/dev/null && echo "writes to ${at##*/}"; done
kill -0 "$2" 2>/dev/null && echo 'sees others'
env | grep HOME
END
    for with in bwrap unshare; do
        GRADE_WITH=$with python3 reduction_to_fix/sandbox.py try || { echo "$with does not work here" && continue; }
        mkdir -p "$work/$with/box" "$work/hidden"
        try env GRADE_WITH=$with python3 reduction_to_fix/sandbox.py "$PWD" "$PWD/build" "$work/hidden" "$work/$with" \
            sh -c "$(cat "$work/probe")" x "$work/$with/box" $$
        ends 0 '^writes to box' '^HOME=/tmp' 'CapEff:.*0000000000000000' 'NoNewPrivs:.*1'
        check "$with: more than that" [ "$(grep -cE 'writes|sees|^[0-9]+$|SPOILER|home|[.]bats' "$work/said")" -eq 2 ]
        check "$with: no network" grep -qx 3 "$work/said"
    done
}

@test "the table in JSON" {
    python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$in/grades.json"
    grep -q '"attendee": "ada", "exercise": 1, .*"verdict": "solved"' "$in/grades.json"
    grep -qF '"attendee": "two words, a comma and a \\", "exercise": 1,' "$in/grades.json"
    [ "$(grep -c '"attendee"' "$in/grades.json")" -eq $(($(wc -l <"$in/grades.csv") - 1)) ]
}

@test "a second run grades only what has changed" {
    lines=$(wc -l <"$in/grades.csv")
    grade "$in"
    ends 0
    check 'nothing twice' [ "$(wc -l <"$in/grades.csv")" -eq "$lines" ]
    echo '/* changed */' >>"$in/ada/wrong_identity.hip"
    grade "$in"
    ends 0
    check 'that one is checked again' [ "$(wc -l <"$in/grades.csv")" -eq $((lines + 1)) ]
    check 'and is one object still' [ "$(grep -c '"attendee"' "$in/grades.json")" -eq $((lines - 1)) ]
}

@test "nobody is lost: strays, copies and other formats have rows of their own" {
    odd=$work/odd
    mkdir -p "$odd/ada/old" "$odd/bob" "$odd/04_counted_twice" "$odd/=1+2" "$odd/wide" "$odd/suffix"
    cp "$work/solved.hip" "$odd/ada/to_fix.hip"
    cp reduction_to_fix/to_fix.hip "$odd/ada/old" # as shipped: it does not count beside another
    cp reduction_to_fix/to_fix.hip "$odd/bob"
    sed 's/^/ /' "$work/solved.hip" >"$odd/bob/solved.hip"
    cp reduction_to_fix/04_counted_twice/counted_twice.hip "$odd/04_counted_twice"
    cp "$work/solved.hip" "$odd/to_fix.hip" # beside the folders
    cp "$work/solved.hip" "$odd/=1+2/to_fix.hip"
    iconv -t UTF-16 "$work/solved.hip" >"$odd/wide/to_fix.hip"
    cp "$work/solved.hip" "$odd/suffix/to_fix.hip.txt"
    cp "$work/solved.hip" "$odd/suffix/dropped_tail.cu"
    mkdir -m 0 "$odd/closed"
    try ${MAKE:-make} -s grade DIR="$odd"
    ends 0
    rows() { grep -cE "$1" "$odd/grades.csv" || true; }
    check 'ada solved it' [ "$(rows '^ada,1,.*,solved,')$(rows '^ada,')" = 11 ]
    check 'bob did not' [ "$(rows '^bob,1,.*,wrong,one_thread')" -eq 1 ]
    check 'a folder beside the others' [ "$(rows '^04_counted_twice,4,.*,wrong,double')" -eq 1 ]
    check 'a file beside the folders' [ "$(rows '^to_fix.hip,1,to_fix.hip,.*,solved,')" -eq 1 ]
    check 'no formula for a spreadsheet' [ "$(rows "^'=1\+2,1,.*,solved,")" -eq 1 ]
    check 'but a name' grep -q '"attendee": "=1+2", "exercise": 1' "$odd/grades.json"
    check 'UTF-16' [ "$(rows '^wide,1,.*,missing,file,"UTF-16, which no compiler reads: save it as UTF-8"')" -eq 1 ]
    check 'another suffix' [ "$(rows '^suffix,.*,missing,name,only files called (to_fix|dropped_tail).hip are checked: rename it')" -eq 2 ]
    [ "$(id -u)" -eq 0 ] || check 'a closed folder' [ "$(rows '^closed,.*,missing,folder,this folder cannot be read')" -eq 1 ]
    try ${MAKE:-make} -s grade DIR="$odd"
    ends 0
    check 'nothing is done twice' [ "$(rows '^.=1')" -eq 1 ]
    chmod 700 "$odd/closed"
}

@test "after an interruption the same command continues" {
    mkdir "$many"
    cp -R "$in/ada" "$many/first"
    cp -R "$in/ada" "$many/second"
    before=$(left)
    ${MAKE:-make} -s grade DIR="$many" >"$work/said" 2>&1 </dev/null 3>&- &
    making=$!
    until [ "$(wc -l 2>/dev/null <"$many/grades.csv" || echo 0)" -ge 2 ]; do
        check 'it goes on' kill -0 $making
        sleep 0.2
    done
    kill -TERM $making
    status=0
    wait $making || status=$?
    ends 143 'the same command goes on'
    check 'no process is left behind' [ "$(left)" -le "$before" ]
    kept=$(sed -n 2p "$many/grades.csv")
    check 'what is done is kept' grep -qE '^(first|second),10?,.*,(solved|wrong),' <<<"$kept"
    grade "$many"
    ends 0
    check 'the rest is done' grep -q '^second,10,.*wrong' "$many/grades.csv"
    check 'and only the rest' [ "$(wc -l <"$many/grades.csv") $(grep -cFx -- "$kept" "$many/grades.csv")" = '5 1' ]
}

@test "a single attendee, and invalid folders" {
    grade "$in/ada"
    ends 0
    check 'a list of its own' grep -q '^ada,1,.*solved' "$in/ada/grades.csv"
    try ${MAKE:-make} -s grade
    ends 2 'DIR=submissions'
    grade /nowhere
    ends 2 'no such folder'
    mkdir "$work/empty"
    grade "$work/empty"
    ends 2 'no folder and no exercise below'
}
