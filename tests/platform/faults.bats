#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# Faults of the system: full disks, closed pipes, signals, one core, no folder for temporary files, little memory. Each
# causes one line that says what to do, and the documented exit code; measured rows are kept.
load ../lib/check
bench=$work/bench
shfl=$bin/reduction_shfl/reduction_shfl
shown=$work/error
short="-n 1000 -i 2 -w 0 --ceiling 1"
sweep=results/h200/sweep/sweep.csv

setup_file() { make_bench; }
teardown_file() {
    ! mountpoint -q "$work/disk" || umount "$work/disk"
}

# to FILE COMMAND...: sends its standard output to FILE, its standard error to $work/error
to() {
    local file=$1
    shift
    status=0
    "$@" >"$file" 2>"$work/error" </dev/null 3>&- || status=$?
}
# A failing program writes one line to standard error, with what to do after a colon.
one_line() { [ "$(wc -l <"$work/error")" -eq 1 ] && grep -q ': [^:]*[a-z]$' "$work/error"; }
# fails CODE TEXT: the last command failed so, with one line
fails() {
    check "$2: exit code $status instead of $1" exits "$1" || return 1
    check "$2: one line" one_line
}
programs() { # those whose names match the pattern
    for program in "$bin"/reduction_*/reduction_$1; do
        case $program in *.*) ;; *) echo "$program" ;; esac
    done
}
whole_lines() { [ -z "$(tail -c 1 "$1" | tr -d '\n')" ]; }

@test "every program on a full disk, in every format" {
    [ -w /dev/full ] || skip 'there is no /dev/full'
    for program in $(programs '*'); do
        for format in table csv json; do
            options="$short -f $format"
            case $program in *_hello) options='1 2' ;; esac # takes only numbers
            to /dev/full "$program" $options
            fails 3 "$program $options"
        done
    done
    for words in "--help" "--version" "--list-devices" "-q $short"; do
        to /dev/full "$shfl" $words
        fails 3 "$words"
    done
}

@test "run, bench and plot on a full disk" {
    [ -w /dev/full ] || skip 'there is no /dev/full'
    for tool in "$run" "$bench"; do
        to /dev/full "$tool" --help
        fails 3 "$tool --help"
    done
    to /dev/full "$run" --size=1000 "$shfl" "$bin/reduction_prim/reduction_prim"
    fails 3 run
    to /dev/full "$bench" --sizes=1K --rounds=1 --output="$work/full.csv" "$shfl"
    check 'the tables of bench' exits 3
    check 'its rows are kept' [ "$(wc -l <"$work/full.csv")" -eq 2 ]
    to /dev/null "$bench" --sizes=1K --rounds=1 --output=/dev/full "$shfl"
    check 'the CSV of bench' exits 3
    check 'is named' grep -q '^/dev/full: No space left on device: free some space there' "$work/error"
    command -v gnuplot >/dev/null || return 0
    to /dev/full python3 bench/plot/plot.py $sweep --to "$work/figures"
    check 'plot that cannot say what it has drawn' exits 3
}

@test "a limit on file sizes" {
    for program in "$shfl" "$run"; do
        [ "$program" = "$shfl" ] && set -- $short || set -- --size=1000 "$shfl"
        try bash -c '{ (ulimit -f 0; exec "$@" >"$0"); echo "exit $?"; } 2>&1 | cat' "$work/limited" "$program" "$@"
        ends 0 '^exit 3$' 'File too large: raise the limit with ulimit -f'
    done
    try bash -c '{ (ulimit -f 0; exec "$@" >/dev/null); echo "exit $?"; } 2>&1 | cat' sh "$bench" --sizes=1K --rounds=1 \
        --output="$work/limited" "$shfl"
    ends 0 '^exit 3$' 'limited: File too large: '
}

@test "a disk that fills up: rows are kept, and the same command continues" {
    mkdir "$work/disk"
    mount -t tmpfs -o size=64k tmpfs "$work/disk" 2>/dev/null || skip 'tmpfs cannot be mounted here: that needs root'
    csv=$work/disk/bench.csv
    to /dev/null "$bench" --sizes=1K,2K --rounds=1 --iterations=2 --output="$csv" "$shfl"
    check 'a disk with room' exits 0
    rows=$(wc -l <"$csv")
    dd if=/dev/zero of="$work/disk/ballast" bs=1k count=64 2>/dev/null || true
    to "$work/out" "$bench" --sizes=1K,2K --rounds=40 --spread=0 --iterations=2 --output="$csv" "$shfl"
    check 'a disk that fills up' exits 3
    check 'is named, and what to do' \
        grep -q 'bench.csv: No space left on device: free some space there and run the same command again' "$work/error"
    check 'the rows before are whole' whole_lines "$csv"
    check 'and kept' [ "$(wc -l <"$csv")" -ge "$rows" ]
    check 'and shown' grep -q '^shfl ' "$work/out"
    before=$(wc -l <"$csv")
    rm "$work/disk/ballast"
    to /dev/null "$bench" --sizes=1K,2K --time=0 --spread=0 --iterations=2 --output="$csv" "$shfl"
    check 'with room again the same command goes on' exits 0
    check 'where it was' [ "$(wc -l <"$csv")" -eq $((before + 2)) ]
    if command -v gnuplot >/dev/null; then
        dd if=/dev/zero of="$work/disk/ballast" bs=1k count=64 2>/dev/null || true
        to "$work/out" python3 bench/plot/plot.py $sweep --to "$work/disk"
        fails 3 plot
        check 'half a figure is not left' [ -z "$(ls "$work"/disk/*.svg "$work"/disk/*.png 2>/dev/null)" ]
        export TMPDIR=$work/disk
        to "$work/out" python3 bench/plot/plot.py $sweep --to "$work/figures"
        check 'a full TMPDIR: plot uses another folder' exits 0
    fi
}

# closed FILE COMMAND...: the reader takes one line and exits; the command writes more than a pipe holds, or in many steps
closed() {
    local file=$1
    shift
    mkfifo "$work/pipe"
    head -n 1 <"$work/pipe" >"$file" 3>&- &
    to "$work/pipe" "$@"
    wait
    rm "$work/pipe"
}

@test "the reader of a pipe exits" {
    closed "$work/out" "$shfl" -n "$(seq -s, 1 200)" -i 1 -w 0 --ceiling 1 -f csv
    fails 3 'a program'
    check 'says so' grep -q '^the output could not be written: Broken pipe: ' "$work/error"
    check 'and what was read is whole' grep -q '^program,version,' "$work/out"
    closed "$work/out" "$run" --size=1000 $(programs '[f-t]*')
    fails 3 run
}

# signalled SIGNAL FILE COMMAND...: sends the signal to the command once FILE exists and is not empty
signalled() {
    local signal=$1 file=$2
    shift 2
    rm -f "$file"
    # background jobs, and processes that they start, ignore SIGINT
    (trap - INT && exec "$@" >"$work/out" 2>"$work/error" </dev/null 3>&-) &
    local id=$!
    while [ ! -s "$file" ] && kill -0 $id 2>/dev/null; do
        sleep 0.05
    done
    kill -"$signal" $id
    status=0
    wait $id || status=$?
}

@test "run and bench end at once on SIGINT, SIGTERM, SIGHUP, with the rows so far" {
    printf '#!/bin/sh\necho $$ >"%s/started"\nexec sleep 100000\n' "$work" >"$work/reduction_sleeps"
    chmod +x "$work/reduction_sleeps"
    for signal in INT TERM HUP; do
        for tool in "$run --size=1000" "$bench --sizes=1000 --output=$work/signal.csv"; do
            rm -f "$work/signal.csv"
            signalled $signal "$work/started" $tool "$shfl" "$work/reduction_sleeps"
            check "$tool on SIG$signal: exit code $status" exits 130
            check "$tool on SIG$signal shows what it has" grep -q '^shfl ' "$work/out"
        done
    done
}

@test "a program that a signal ends leaves complete rows" {
    for signal in INT TERM HUP; do
        signalled $signal "$work/out" "$shfl" -n 1K..64M -i 1000 --ceiling 1 -f csv
        check "SIG$signal: exit code $status" exits $((128 + $(kill -l $signal)))
        check "SIG$signal leaves whole rows" whole_lines "$work/out"
    done
}

@test "one core is enough" {
    command -v taskset >/dev/null || skip 'there is no taskset'
    core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
    for variant in shfl cooperative single_pass prim segmented atomic; do
        program=$bin/reduction_$variant/reduction_$variant
        [ -x "$program" ] || continue
        to "$work/out" taskset -c "$core" "$program" -n 100003 -i 2 -w 0 --ceiling 1
        check "$variant on one core" exits 0
    done
}

@test "programs and run need no folder for temporary files" {
    for tool in "$run --size=1000" "$bench --sizes=1K --rounds=1 --iterations=2 --output=$work/notmp.csv"; do
        to "$work/out" env TMPDIR=/nothing/there $tool "$shfl"
        check "without TMPDIR: $tool" exits 0
    done
}

run_in() { # run_in KIB OPTION...
    local limit=$1
    shift
    to "$work/out" bash -c 'ulimit -v $0 && exec "$@"' "$limit" "$shfl" "$@" -i 1 -w 0 --ceiling 1
}

@test "little memory: 64 MiB more than a program needs suffice; with less it ends with one line" {
    ! nm "$shfl" 2>/dev/null | grep -q __asan_init || skip 'that sanitizer needs terabytes of addresses'
    low=1000 high=4000000 # KiB: too little to start, and enough
    while [ $((high - low)) -gt 2000 ]; do
        middle=$(((low + high) / 2))
        run_in $middle -n 2M
        if [ $status -eq 0 ]; then
            high=$middle
        else
            low=$middle
            check "2M doubles in $middle KiB: one line" one_line
            # 127: too little to load the program
            check "2M doubles in $middle KiB: exit code 3" [ $((status == 3 || status == 127)) = 1 ]
        fi
    done
    for more in 16 64 128 256; do
        run_in $((high + more * 1024)) -n 2M
        check "2M doubles with $more MiB over the $high KiB that they need" exits 0
    done
    run_in $((high + 65536)) -n 64M
    fails 3 '64M doubles with 64 MiB over that'
    # What it needs varies a little from run to run.
    for part in 1 2 3 4 5 6 7 8 9; do
        run_in $((high * part / 10)) -n 2M
        [ $status -ne 0 ] || [ $part -lt 9 ] || continue
        [ $status -eq 127 ] || fails 3 "2M doubles in $part/10 of what they need"
    done
}

@test "a stack limit that is too small, or too large for any thread" {
    to "$work/out" bash -c 'ulimit -s 100 && exec "$@"' sh "$shfl" $short
    fails 2 'ulimit -s 100'
    for size in 200000G 100000000000000000G 60k; do
        to "$work/out" env OMP_NUM_THREADS=2 OMP_STACKSIZE=$size "$shfl" $short
        check "OMP_STACKSIZE=$size: exit code $status" exits 2
        check "OMP_STACKSIZE=$size: what to do" grep -q "^OMP_STACKSIZE=$size: .*: use 8M or leave it out" "$work/error"
    done
    to "$work/out" env OMP_STACKSIZE=8M "$shfl" $short
    check 'OMP_STACKSIZE=8M' exits 0
}
