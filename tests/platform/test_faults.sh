#!/bin/sh
# Faults of the system: full disks, closed pipes, signals, one core, no folder for temporary files, little memory.
# Each ends with one line that says what to do and the documented exit code, and measured rows are kept.
#
#   BENCH=build/cpu/bin/bench REDUCTION_BIN=. tests/platform/test_faults.sh      both are set by make check
cd "$(dirname "$0")/../.." || exit 3
bin=$(cd "${REDUCTION_BIN:-.}" && pwd)
bench=${BENCH:-$bin/build/cpu/bin/bench}
run=$(dirname "$bench")/run
shfl=$bin/reduction_shfl/reduction_shfl
. tests/lib/check.sh
shown=$work/error
mounted=
trap '[ -z "$mounted" ] || umount "$work/disk"; rm -rf "$work"' EXIT

# A failing program writes one line to standard error, which says after a colon what to do.
one_line() { [ "$(wc -l <"$work/error")" -eq 1 ] && grep -q ': [^:]*[a-z]$' "$work/error"; }
exits() { [ $status -eq "$1" ]; }
says() { grep -q -e "$1" "$work/error"; }
short="-n 1000 -i 2 -w 0 --ceiling 1"

# ---- a full disk: every program in every format, and all other tools that write
if [ -w /dev/full ]; then
    for program in "$bin"/reduction_*/reduction_*; do
        case $program in *.*) continue ;; esac
        name=$(basename "$program")
        for format in table csv json; do
            options="$short -f $format"
            [ "$name" != reduction_hello ] || options='1 2' # it takes numbers alone
            # shellcheck disable=SC2086  # options are words
            "$program" $options >/dev/full 2>"$work/error"
            status=$?
            check "$name -f $format on a full disk" exits 3
            check "$name -f $format: one line" one_line
        done
    done
    for words in "--help" "--version" "--list-devices" "-q $short"; do
        # shellcheck disable=SC2086
        "$shfl" $words >/dev/full 2>"$work/error"
        status=$?
        check "$words on a full disk" exits 3
        check "$words: one line" one_line
    done
    for tool in "$run" "$bench"; do
        "$tool" --help >/dev/full 2>"$work/error"
        status=$?
        check "$tool --help on a full disk" exits 3
        check "$tool --help: one line" one_line
    done
    "$run" --size=1000 "$shfl" "$bin/reduction_prim/reduction_prim" >/dev/full 2>"$work/error"
    status=$?
    check 'run on a full disk' exits 3
    check 'run: one line' one_line
    "$bench" --sizes=1K --rounds=1 --output="$work/full.csv" "$shfl" >/dev/full 2>"$work/error"
    status=$?
    check 'the tables of bench on a full disk' exits 3
    check 'its rows are kept' [ "$(wc -l <"$work/full.csv")" -eq 2 ]
    "$bench" --sizes=1K --rounds=1 --output=/dev/full "$shfl" >/dev/null 2>"$work/error"
    status=$?
    check 'the CSV of bench on a full disk' exits 3
    check 'is named' says '^/dev/full: No space left on device: free some space there'
    if command -v gnuplot >/dev/null; then
        python3 bench/plot/plot.py results/h200/sweep/sweep.csv --to "$work/figures" >/dev/full 2>"$work/error"
        status=$?
        check 'plot that cannot say what it has drawn' exits 3
    fi
else
    status=0
    echo 'there is no /dev/full: full disks are not tested'
fi

# ---- a disk that fills up while something is written to it: needs root
mkdir "$work/disk"
if mount -t tmpfs -o size=64k tmpfs "$work/disk" 2>/dev/null; then
    mounted=1
    "$bench" --sizes=1K,2K --rounds=1 --iterations=2 --output="$work/disk/bench.csv" "$shfl" >/dev/null 2>"$work/error"
    status=$?
    check 'a disk with room' exits 0
    rows=$(wc -l <"$work/disk/bench.csv")
    dd if=/dev/zero of="$work/disk/ballast" bs=1k count=64 2>/dev/null
    "$bench" --sizes=1K,2K --rounds=40 --spread=0 --iterations=2 --output="$work/disk/bench.csv" "$shfl" >"$work/out" 2>"$work/error"
    status=$?
    check 'a disk that fills up' exits 3
    check 'is named, and what to do' says 'bench.csv: No space left on device: free some space there and run the same command again'
    check 'the rows before are whole' [ -z "$(tail -c 1 "$work/disk/bench.csv" | tr -d '\n')" ]
    check 'and kept' [ "$(wc -l <"$work/disk/bench.csv")" -ge "$rows" ]
    check 'and shown' grep -q '^shfl ' "$work/out"
    before=$(wc -l <"$work/disk/bench.csv")
    rm "$work/disk/ballast"
    "$bench" --sizes=1K,2K --time=0 --spread=0 --iterations=2 --output="$work/disk/bench.csv" "$shfl" >/dev/null 2>"$work/error"
    status=$?
    check 'with room again the same command goes on' exits 0
    check 'where it was' [ "$(wc -l <"$work/disk/bench.csv")" -eq $((before + 2)) ]
    dd if=/dev/zero of="$work/disk/ballast" bs=1k count=64 2>/dev/null
    if command -v gnuplot >/dev/null; then
        python3 bench/plot/plot.py results/h200/sweep/sweep.csv --to "$work/disk" >"$work/out" 2>"$work/error"
        status=$?
        check 'plot on a full disk' exits 3
        check 'plot: one line' one_line
        check 'half a figure is not left' [ -z "$(ls "$work"/disk/*.svg "$work"/disk/*.png 2>/dev/null)" ]
        TMPDIR=$work/disk python3 bench/plot/plot.py results/h200/sweep/sweep.csv --to "$work/figures" >"$work/out" 2>"$work/error"
        status=$?
        check 'a full TMPDIR: plot uses another folder' exits 0
    fi
    umount "$work/disk" && mounted=
else
    echo 'tmpfs cannot be mounted here: a disk that fills up is not tested'
fi

# ---- the reader of a pipe ends
mkfifo "$work/pipe"
# closed FILE COMMAND...: the reader takes one line and ends, and more is written than a pipe holds or in many steps
closed() {
    head -n 1 <"$work/pipe" >"$1" &
    shift
    "$@" >"$work/pipe" 2>"$work/error"
    status=$?
    wait
}
# shellcheck disable=SC2046  # sizes are words
closed "$work/out" "$shfl" -n $(seq -s, 1 200) -i 1 -w 0 --ceiling 1 -f csv
check 'a program whose reader has gone' exits 3
check 'says so' says '^the output could not be written: Broken pipe: '
check 'and one line only' one_line
check 'and what was read is whole' grep -q '^program,version,' "$work/out"
set --
for program in "$bin"/reduction_*/reduction_[f-t]*; do
    case $program in *.*) ;; *) set -- "$@" "$program" ;; esac
done
closed "$work/out" "$run" --size=1000 "$@"
check 'run whose reader has gone' exits 3
check 'run: one line' one_line

# ---- signals
sleeper=$work/reduction_sleeps
printf '#!/bin/sh\n: >"%s/started"\nexec sleep 60\n' "$work" >"$sleeper"
chmod +x "$sleeper"
for signal in INT TERM HUP; do
    case $signal in INT) number=2 ;; TERM) number=15 ;; HUP) number=1 ;; esac
    for tool in run bench; do
        rm -f "$work/signal.csv" "$work/started"
        if [ $tool = run ]; then
            set -- "$run" --size=1000
        else
            set -- "$bench" --sizes=1000 --output="$work/signal.csv"
        fi
        "$@" "$shfl" "$sleeper" >"$work/out" 2>"$work/error" </dev/null &
        id=$!
        tries=0
        while [ ! -e "$work/started" ] && [ $tries -lt 600 ]; do
            sleep 0.1
            tries=$((tries + 1))
        done
        start=$(date +%s)
        kill -$signal $id
        wait $id
        status=$?
        check "$tool on SIG$signal" exits 130
        check "$tool on SIG$signal ends at once" [ $(($(date +%s) - start)) -lt 30 ]
        check "$tool on SIG$signal shows what it has" grep -q '^shfl ' "$work/out"
    done
    timeout --foreground --preserve-status -s $signal 2 "$shfl" -n 1K..1G -i 1000 --ceiling 1 -f csv >"$work/out" 2>"$work/error"
    status=$?
    check "a program on SIG$signal" exits $((128 + number))
    check "a program on SIG$signal leaves whole rows" [ -z "$(tail -c 1 "$work/out" | tr -d '\n')" ]
done
if ! nm "$shfl" 2>/dev/null | grep -q __asan_init; then # that sanitizer has a handler of its own
    timeout -k 5 --preserve-status -s SEGV 1 "$shfl" -n 1K..1G -i 1000 --ceiling 1 -q >"$work/out" 2>"$work/error"
    status=$?
    check 'a program to which someone sends SIGSEGV' exits 139
fi

# ---- one core
# shellcheck disable=SC2086
if command -v taskset >/dev/null; then
    for variant in shfl cooperative single_pass prim segmented atomic; do
        [ -x "$bin/reduction_$variant/reduction_$variant" ] || continue
        timeout 120 taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" \
            "$bin/reduction_$variant/reduction_$variant" -n 100003 -i 2 -w 0 --ceiling 1 >"$work/out" 2>"$work/error"
        status=$?
        check "$variant on one core" exits 0
    done
fi

# ---- no folder for temporary files: nothing that runs or compares needs one
for tool in "$run --size=1000" "$bench --sizes=1K --rounds=1 --iterations=2 --output=$work/notmp.csv"; do
    # shellcheck disable=SC2086
    TMPDIR=/nothing/there $tool "$shfl" >"$work/out" 2>"$work/error"
    status=$?
    check "without TMPDIR: $tool" exits 0
done
# /tmp itself is taken away where root may do that in a namespace of its own.
if unshare -m sh -c 'mount -t tmpfs -o ro none /tmp' 2>/dev/null && case $bin$work in /tmp/*) false ;; esac; then
    unshare -m sh -c 'mount -t tmpfs -o ro none /tmp && exec "$@"' sh "$run" --size=1000 "$shfl" \
        >/dev/null 2>/dev/null
    status=$?
    : >"$work/error"
    check 'run with a /tmp that nobody can write to' exits 0
fi
# ---- little memory: what a program needs and 64 MiB suffice, and with less it ends in one line
if ! nm "$shfl" 2>/dev/null | grep -q __asan_init; then # it needs terabytes of addresses
    # shellcheck disable=SC3045  # dash and bash have it
    run_in() { # run_in KIB OPTION...
        limit=$1
        shift
        (ulimit -v "$limit" && exec "$shfl" "$@" -i 1 -w 0 --ceiling 1 >"$work/out" 2>"$work/error")
        status=$?
    }
    low=1000 high=4000000 # KiB: it cannot start, and it can
    while [ $((high - low)) -gt 2000 ]; do
        middle=$(((low + high) / 2))
        run_in $middle -n 2M
        if [ $status -eq 0 ]; then
            high=$middle
        else
            low=$middle
            check "2M doubles in $middle KiB: one line" one_line
            # 127: it could not even be loaded
            check "2M doubles in $middle KiB: exit code 3" [ $((status == 3 || status == 127)) = 1 ]
        fi
    done
    for more in 16 64 128 256; do
        run_in $((high + more * 1024)) -n 2M
        check "2M doubles with $more MiB over the $high KiB that they need" exits 0
    done
    run_in $((high + 65536)) -n 64M
    check '64M doubles with 64 MiB over that' exits 3
    check '64M doubles: one line' one_line
    # How much it needs varies a little from run to run.
    for part in 1 2 3 4 5 6 7 8 9; do
        run_in $((high * part / 10)) -n 2M
        [ $status -ne 0 ] || [ $part -lt 9 ] || continue
        check "2M doubles in $part/10 of what they need: one line" one_line
        check "2M doubles in $part/10 of what they need: exit code 3" exits 3
    done
fi

finish
