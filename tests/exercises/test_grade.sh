#!/bin/sh
# make grade: attendees whose code hangs, crashes, floods the output, takes all memory, leaves processes behind or
# does not compile get a line each, and so do all attendees after them. A second run grades only what has changed.
unset MAKEFLAGS MAKELEVEL MFLAGS GPU OUT V SAN WERROR VARIANTS
export CFLAGS=-O1 CXXFLAGS=-O1 GRADE_SECONDS=60 GRADE_MEMORY=1048576 GRADE_JOBS=2
cd "$(dirname "$0")/../.." || exit 1
command -v patch >/dev/null || { echo 'the program patch is not there'; exit 77; }
[ -d docs/instructor/solutions ] || { echo 'the solutions are not part of this copy'; exit 77; }
make=${MAKE:-make}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0

check() { # check TEXT COMMAND...
    text=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $text"
        cat "$work/said" "$in/grades.csv" 2>/dev/null
    fi
}

# An attendee whose plan() does this, in exercise 1 with its solution.
attendee() { # NAME FILE CODE
    mkdir -p "$in/$1"
    sed "s|^static void plan(struct reduction \*r)|extern \"C\" int fork(void);\nextern \"C\" int puts(const char *);\n&|
         s|^    r->launches = 1;|&\n    $3|" "$work/solved.hip" >"$in/$1/$2"
}

in=$work/submissions
patch -s -o "$work/solved.hip" reduction_to_fix/to_fix.hip docs/instructor/solutions/01_to_fix.patch || exit 1
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
mkdir "$in/empty" "$in/fifo" "$in/included" "$in/$(printf 'esc\033[31m')" "$in/renamed"
mkfifo "$in/fifo/missing_barrier.hip"
ln -s /etc "$in/link"
sed 's|^#include "reduction.h"|&\n#include "/etc/passwd"|' "$work/solved.hip" >"$in/included/to_fix.hip"
cp reduction_to_fix/to_fix.hip "$in/$(printf 'esc\033[31m')"
cp reduction_to_fix/04_counted_twice/counted_twice.hip "$in/renamed/my_try.hip"

grade() { $make -s grade DIR="$1" >"$work/said" 2>&1; }
left() { ps -eo args | grep -c '[b]ox/runner [0-9]'; }
verdict() { # ATTENDEE NUMBER VERDICT CODES
    grep -qE "^\"?$1\"?,$2,.*,$3,($4)," "$in/grades.csv"
}
before=$(left)

check 'a folder of attendees' grade "$in"
check 'what is solved' verdict ada 1 solved ''
check 'what is not' verdict ada 10 wrong identity
check 'a name with spaces, a comma and a backslash' verdict 'two words, a comma and a \\' 1 wrong one_thread
check 'an endless loop' verdict endless 1 wrong 'hang|limit|crash'
check 'output without end' verdict flood 1 wrong 'hang|limit|crash'
check 'all memory' verdict hungry 1 wrong 'crash|hang|limit|out_of_bounds'
check 'a crash' verdict crash 1 wrong 'crash|out_of_bounds'
check 'an exit with code 0 in the middle' verdict exits 1 wrong 'crash|call'
check 'processes left behind: a verdict' verdict orphans 1 wrong call
check 'and no process' test "$(left)" -le "$before"
check 'what does not compile' verdict broken 1 wrong compile
check 'a folder without an exercise' grep -q '^nothing,,,,missing,folder,' "$in/grades.csv"
check 'an empty folder' grep -q '^empty,,,,missing,folder,' "$in/grades.csv"
check 'a link' grep -q '^link,,,,missing,folder,"a symbolic link' "$in/grades.csv"
check 'what is no file' grep -q '^fifo,2,.*,missing,file,not a regular file' "$in/grades.csv"
check 'a file of the system is not shown' verdict included 1 wrong include
check 'and is not in the table' test "$(grep -c root: "$in/grades.csv" "$work/said" | sed 's/.*://' | paste -sd+ | bc)" = 0
check 'a file with another name' verdict renamed 4 wrong double
check 'JSON that a reader takes' python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$in/grades.json"
check 'the table' grep -q '^ada  *1  solved' "$work/said"
check 'JSON' grep -q '"attendee": "ada", "exercise": 1, .*"verdict": "solved"' "$in/grades.json"
check 'a backslash in JSON' grep -qF '"attendee": "two words, a comma and a \\", "exercise": 1,' "$in/grades.json"
check 'as many objects as lines' \
    test "$(grep -c '"attendee"' "$in/grades.json")" -eq $(($(wc -l <"$in/grades.csv") - 1))

lines=$(wc -l <"$in/grades.csv")
check 'again' grade "$in"
check 'does nothing twice' test "$(wc -l <"$in/grades.csv")" -eq "$lines"
echo '/* changed */' >>"$in/ada/wrong_identity.hip"
check 'after a change' grade "$in"
check 'that one is checked again' test "$(wc -l <"$in/grades.csv")" -eq $((lines + 1))
check 'and is one object still' test "$(grep -c '"attendee"' "$in/grades.json")" -eq $((lines - 1))

# Ended in the middle, and started again
many=$work/many
mkdir "$many" && cp -R "$in/ada" "$many/first" && cp -R "$in/ada" "$many/second"
$make -s grade DIR="$many" >"$work/said" 2>&1 &
making=$!
for _ in $(seq 240); do
    [ "$(wc -l 2>/dev/null <"$many/grades.csv" || echo 0)" -lt 2 ] || break
    sleep 1
done
kill -TERM $making
wait $making
check 'an end in the middle has its exit code' test $? -eq 143
check 'says how to go on' grep -q 'the same command goes on' "$work/said"
check 'leaves no process behind' test "$(left)" -le "$before"
check 'and keeps what is done' grep -q '^first,1,.*solved' "$many/grades.csv"
first=$(grep '^first,1,' "$many/grades.csv")
check 'the same command' grade "$many"
check 'does the rest' grep -q '^second,10,.*wrong' "$many/grades.csv"
check 'and only the rest' test "$(grep '^first,1,' "$many/grades.csv")" = "$first"

check 'one attendee alone' grade "$in/ada"
check 'has a list of its own' grep -q '^ada,1,.*solved' "$in/ada/grades.csv"
check 'without DIR= it says so' sh -c "! $make -s grade >'$work/said' 2>&1 && grep -q 'DIR=submissions' '$work/said'"
check 'a folder that is not there' sh -c "! $make -s grade DIR=/nowhere >'$work/said' 2>&1 && grep -q 'no such folder' '$work/said'"
mkdir "$work/empty"
check 'a folder without exercises' sh -c "! $make -s grade DIR='$work/empty' >'$work/said' 2>&1 && grep -q 'no folder and no exercise below' '$work/said'"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
