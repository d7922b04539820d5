#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# bench and the tools around it: rounds, the CSV, broken and interrupted programs, figures, tables. Most
# tests measure scripts that report prescribed times, so that the results are known.
load ../lib/check
bench=$work/bench
again=$work/again.csv

setup_file() {
    [ -x "$run" ] || { echo "$run is not there: make check-build" && false; }
    make_bench
}

measures() { # measures STATUS ARGUMENT...: bench ends so
    try "$bench" "${@:2}"
    check "bench ${*:2}: exit code $status instead of $1" exits "$1"
}
count() { [ "$(grep -c -e "$2" "$work/said")" -eq "$1" ]; }
one_line() { [ "$(wc -l <"$work/said")" -eq 1 ]; }
no_file() { [ ! -e "$1" ]; }
# columns FILE NAME...: prints these columns of a CSV, separated by spaces; all lines must have as many fields as the first
columns() {
    python3 -c 'import csv, sys
lines = list(csv.reader(open(sys.argv[1])))
assert {len(line) for line in lines} == {len(lines[0])}
for line in lines[1:]:
    print(*(line[lines[0].index(name)] for name in sys.argv[2:]))' "$@"
}
# valid FILE: a CSV of complete lines, each with as many fields as the first
valid() {
    [ -z "$(tail -c 1 "$1" | tr -d '\n')" ] && [ "$(wc -l <"$1")" -ge 2 ] && columns "$1" variant >"$work/variants"
}
rows() { [ "$(($(wc -l <"$2") - 1))" -eq "$1" ]; }

# fake NAME BASE [LINE]: a program that reports BASE us plus 1 ns per element, with up to 0.4 % of noise that differs from
# run to run; LINE is executed first.
fake() {
    mkdir -p "$work/bin"
    cat >"$work/bin/reduction_$1" <<EOF
#!/bin/sh
for word; do
    case \$word in
    --size=*) sizes=\${word#*=} ;;
    --type=*) type=\${word#*=} ;;
    --op=*) op=\${word#*=} ;;
    esac
done
run=\$((\$(cat "\$0.run" 2>/dev/null || echo 0) + 1))
echo \$run >"\$0.run"
check=OK factor=1 at=0 pause=
${3:-:}
echo 'program,device,arch,type,op,n,bytes,cache,launches,block,total_median_us,kernel_median_us,kernel_min_us,ceiling_gbps,check'
for n in \$(echo \$sizes | tr , ' '); do
    awk -v n=\$n -v run=\$run -v factor=\$factor -v at=\$at -v base=$2 -v row="\$type,\$op" -v check=\$check 'BEGIN {
        t = (base + n / 1000) * (1 + ((run * 7919 + n) % 9 - 4) / 1000) * (at == 0 || at == n ? factor : 1)
        printf "reduction_$1,\"A device, made up\",cpu,%s,%d,%d,cold,1,256,%.3f,%.3f,%.3f,100,%s\n", row, n, 8 * n, t, t, t, check }'
    [ -z "\$pause" ] || exec sleep \$pause
done
EOF
    chmod +x "$work/bin/reduction_$1"
}
b=$work/bin/reduction_


unique() { # no row occurs twice
    [ -z "$(columns "$1" round variant type op n | sort | uniq -d)" ]
}

count_in() { [ "$(grep -c -e "$2" "$3")" -eq "$1" ]; }

@test "real programs: the CSV and the table" {
    measures 0 --sizes=1K,2K --rounds=2 --time=1000 --iterations=3 --output="$work/real.csv" \
        "$bin/reduction_shfl/reduction_shfl" "$bin/reduction_atomic/reduction_atomic --atomics=warp" # real programs
    check 'its CSV is valid' valid "$work/real.csv"
    check 'a row for each program, size and round' rows 8 "$work/real.csv"
    check 'the table names the variants' says '^shfl '
    check 'and their options' says '^atomic atomics=warp '
    check 'device, compiler and revision are in the CSV' \
        grep -q '^date,revision,compiler,round,variant,program,version,device,arch,' "$work/real.csv"
    order=$(columns "$work/real.csv" round program n | tr '\n' ';' | sed 's/reduction_//g')
    check 'rounds are interleaved, there and back' [ "$order" = \
        '1 shfl 1024;1 shfl 2048;1 atomic 1024;1 atomic 2048;2 atomic 1024;2 atomic 2048;2 shfl 1024;2 shfl 2048;' ]
}

@test "rounds go on until the medians are known well enough, or the time is up" {
    fake one 10
    fake prim 20
    try "$bench" --sizes=1K,64K --types=float,double --ops=sum,max --output="$work/quiet.csv" "${b}one" "${b}prim"
    ends 0 '^round 6:.* 8 of 8 sizes done'
    check 'there is no seventh' count 0 '^round 7'
    check 'all medians are known' count 0 '^one.*~'
    check 'the ratio to the library' says '^one .*11.0.* 1.91\* .*75.5.* 1.13\*'
    check 'the geometric mean' says '^one  *1.47'
    fake outlier 10 '[ $run -ne 2 ] || factor=2'
    try "$bench" --sizes=1K --output="$work/outlier.csv" "${b}outlier"
    check 'with one outlier eight rounds do not suffice' says '^round 8: .* 0 of 1'
    check 'nine do: the interval leaves out one at each end' says '^round 9: .* 1 of 1'
    try "$bench" --sizes=1K --time=0 --output="$work/time.csv" "${b}one"
    check 'without time there is one round, and a message' says 'the time is up'
    check 'one round leaves one row' rows 1 "$work/time.csv"
    check 'which is marked as uncertain' says '^one .*~'
    try "$bench" --sizes=1K,64K --rounds=8 --spread=0 --output="$work/a.csv" "${b}one" "${b}prim"
    check 'eight rounds' rows 32 "$work/a.csv"
}

@test "broken programs are reported and counted, and the others go on" {
    fake one 10
    fake crash 10 'kill -SEGV $$'
    fake fails 10 'echo "the device has gone: look for it" >&2; exit 3'
    fake wrong 10 'check=FAIL; trap "exit 1" EXIT'
    fake short 10 'sizes=${sizes%%,*}'
    fake other 10 'echo something,else; exit 0'
    try "$bench" --sizes=1K,2K --rounds=2 --output="$work/broken.csv" "${b}one" "${b}crash" "${b}fails" "${b}wrong" \
        "${b}short" "${b}other" "$work/nothing"
    ends 1 '^crash, sum of double: crashed: Segm' '^fails, .*exit 3: the device has gone: look for it' \
        '^wrong, .*wrong results' '^short, .*1 rows for 2 sizes' '^other, .*different columns' \
        '^nothing, .*cannot be run: ' '^# 6 failures'
    check 'none is run twice' count 6 ', sum of double: '
    check 'the others go on' [ "$(grep -c ',one,' "$work/broken.csv")" -eq 4 ]
    check 'the CSV is valid' valid "$work/broken.csv"
    check 'a wrong result has no time' says '^wrong .*wrong .*wrong'
}

@test "columns after the common ones are dropped" {
    fake extra 10
    sed -i "s/,check'\$/,check,mean,text'/; s/,100,%s\\\\n/,100,%s,7,\\\\\"a, b\\\\\"\\\\n/" "${b}extra"
    measures 0 --sizes=1K,2K --rounds=2 --output="$work/extra.csv" "${b}one" "${b}extra"
    check 'and has its rows' rows 8 "$work/extra.csv"
    check 'without those columns the CSV is valid' valid "$work/extra.csv"
    measures 0 --sizes=1K,2K --rounds=2 --output="$work/extra2.csv" "${b}extra" "${b}one" # whichever program is first
}

@test "interrupted: the CSV has all rows so far" {
    fake slow 10 '[ $run -lt 3 ] || pause=100000; echo $$ >"$0.id"'
    for signal in INT TERM KILL; do
        rm -f "$work"/bin/*.run "$work/interrupted.csv"
        "$bench" --sizes=1K,2K --output="$work/interrupted.csv" "${b}one" "${b}slow" >"$work/said" 2>&1 3>&- &
        id=$!
        # slow runs last, first, last: 2 rounds x 2 programs x 2 sizes, 2 + 1 rows of the third round, and the header
        until [ "$(wc -l 2>/dev/null <"$work/interrupted.csv" || echo 0)" -ge 12 ]; do
            check 'bench is running' kill -0 $id
            sleep 0.1
        done
        status=0
        "$bench" --sizes=1K,2K --output="$work/interrupted.csv" "${b}one" "${b}slow" >"$work/second" 2>&1 3>&- || status=$?
        check 'a second bench leaves its CSV alone' exits 2
        check 'and says so' grep -q 'interrupted.csv: another bench writes to it: wait' "$work/second"
        kill -$signal $id
        status=0
        wait $id || status=$? # the program itself would take a day
        [ $signal != KILL ] || kill "$(cat "${b}slow.id")" 2>/dev/null || true # it may have ended with bench
        check "SIG$signal leaves a valid CSV" valid "$work/interrupted.csv"
        check "with all rows so far" rows 11 "$work/interrupted.csv"
        [ $signal = KILL ] || check "SIG$signal: exit code 130" exits 130
        [ $signal = KILL ] || check "SIG$signal: the table of the rows so far" says '^slow '
    done
}

@test "the same command continues a CSV" {
    again="$work/again.csv"
    fake slow 10 '[ $run -ne 5 ] || kill -KILL $PPID'
    rm -f "$work"/bin/*.run
    measures 137 --sizes=1K,2K --rounds=8 --output="$again" "${b}one" "${b}slow" # bench is killed in the fifth round
    printf '2026-11-21T00:00:00Z,torn' >>"$again"
    try "$bench" --sizes=1K,2K --rounds=8 --output="$again" "${b}one" "${b}slow"
    ends 0 "rows go to $again, which has 18 rows of 5 rounds"
    check 'an incomplete last line is removed' valid "$again"
    check 'the count of rounds continues' says '^round 7: .* 2 of 2 sizes done'
    check 'and does not start again' count 0 '^round [12345]:'
    check 'no row occurs twice' unique "$again"
    check 'all medians are known' count 0 '^slow.*~'
    cp "$again" "$work/before.csv"
    measures 0 --sizes=1K,2K --rounds=8 --output="$again" "${b}one" "${b}slow" # a finished CSV is no error
    check 'nothing more is measured' cmp -s "$again" "$work/before.csv"
    check 'and bench says so' says 'all 2 sizes are done already'

    # The exit code reflects all rows, not only those of this run.
    fake once 10 '[ $run -ne 1 ] || { check=FAIL; trap "exit 1" EXIT; }'
    measures 1 --sizes=1K --rounds=3 --output="$work/once.csv" "${b}one" "${b}once" # a wrong row fails the run
    try "$bench" --sizes=1K --rounds=3 --output="$work/once.csv" "${b}one" "${b}once"
    ends 1 '^# 1 of all .* rows are wrong'
    fake doubt 10 '[ $run -ne 1 ] || { check=UNPROVEN; trap "exit 4" EXIT; }'
    measures 4 --sizes=1K --rounds=2 --output="$work/doubt.csv" "${b}one" "${b}doubt"
    measures 4 --sizes=1K --rounds=4 --output="$work/doubt.csv" "${b}one" "${b}doubt" # also when the CSV is continued
    fake fails 10 'exit 3'
    for go_on in '' ' when the CSV is continued'; do
        try "$bench" --sizes=1K --rounds=1 --output="$work/fails.csv" "${b}one" "${b}fails"
        check "a program without a row fails the run$go_on" exits 1
    done
    for other in --sizes=1K --iterations=3 --warm --types=float --pattern=ones; do
        try "$bench" --sizes=1K,2K "$other" --output="$again" "${b}one" "${b}slow"
        ends 2 "$again holds another measurement, .* not '.*: name another --output"
    done
    try "$bench" --sizes=1K,2K --output="$again" "${b}one"
    check 'so are other programs' says "slow, sum of double, 1K elements"
    check 'the CSV is as it was' cmp -s "$again" "$work/before.csv"
    fake one 10
    sed -i 's/A device, made up/Another device/' "${b}one"
    try "$bench" --sizes=1K,2K --spread=0 --rounds=9 --output="$again" "${b}one" "${b}slow"
    ends 2 "is of A device, made up, and now a program ran elsewhere"
    check 'and its rows are not added' count_in 0 'Another device' "$again"
    fake one 10
    printf 'remember the milk' >"$work/notes"
    measures 2 --sizes=1K --output="$work/notes" "${b}one" # a file that is not a CSV is refused
    check 'and left as it was' [ "$(cat "$work/notes")" = 'remember the milk' ]
}

@test "--time limits the measurement, and what is missing is reported" {
    fake naps 10 'sleep 0.1'
    start=$(date +%s%N)
    try "$bench" --sizes=1K,2K,4K --time=2 --spread=0 --output="$work/naps.csv" "${b}naps" "${b}one"
    took=$((($(date +%s%N) - start) / 1000000))
    check "the time is used ($took ms of 2000)" [ $took -ge 1500 ]
    check 'and bench says that it is up' says 'the time is up (--time=2)'
    fake stuck 10 '[ $run -lt 2 ] || exec sleep 100000'
    rm -f "$work"/bin/*.run
    try "$bench" --sizes=1K --types=float,double --time=2 --output="$work/stuck.csv" "${b}one" "${b}stuck" "${b}naps"
    check 'a round that takes too long leaves its rows so far' rows 4 "$work/stuck.csv"
    check 'and bench says what is missing' says '^2 rows of the first round are missing: the same command continues'
}

@test "a launcher starts everything that uses the device" {
    cat >"$work/bin/launcher" <<'EOT'
#!/bin/sh
echo "$*" >>"${0%/*}/launched"
shift
exec "$@"
EOT
    chmod +x "$work/bin/launcher"
    measures 0 --launch="$work/bin/launcher -n1" --sizes=1K --rounds=1 --output="$work/launched.csv" "${b}one --x=1"
    check 'which starts the program that queries the device' grep -q '^-n1 .*/device --device=0$' "$work/bin/launched"
    check 'and every program' grep -q "^-n1 ${b}one --x=1 --cold --iterations=20 --size=1024 --type=double" "$work/bin/launched"
    measures 3 --launch="$work/bin/nobody -n1" --sizes=1K --output="$work/nobody.csv" "${b}one"
    check 'one line' one_line
}

@test "mistakes" {
    refused() { # refused ARGUMENT...: in one line
        try "$bench" "$@"
        check "$*: exit code $status" exits 2 || return 1
        check "$*: one line" one_line
    }
    refused
    refused --sizes=12Q "${b}one"
    refused --types=quad "${b}one"
    refused --time=soon "${b}one"
    cp "$work/a.csv" "$work/kept.csv"
    measures 2 --sizes=1K --output="$work/kept.csv" "${b}one"
    check 'a file that exists is kept' cmp -s "$work/a.csv" "$work/kept.csv"
    fake usage 10 'echo "unknown option" >&2; exit 2'
    measures 2 --sizes=1K --output="$work/f.csv" "${b}usage" "${b}one" # a mistake in the programs' options ends it
    check 'and leaves no empty CSV' no_file "$work/f.csv"
}

@test "figures" {
    if command -v gnuplot >/dev/null; then
        try python3 bench/plot/plot.py "$work/a.csv" --to "$work/figures"
        check 'figures' exits 0
        check 'eight files' count 8 "^$work/figures/a-double-sum-"
        for figure in bandwidth time speedup bars; do
            check "$figure: the SVG names the variants" grep -q '>one<' "$work/figures/a-double-sum-$figure.svg"
            check "$figure: and the device" grep -q 'A device, made up' "$work/figures/a-double-sum-$figure.svg"
            check "$figure: and the date" grep -q "$(date -u +%Y)-" "$work/figures/a-double-sum-$figure.svg"
            check "$figure: a title of its own" grep -q '<title>.*sum of doubles.*A device, made up.*</title>' \
                "$work/figures/a-double-sum-$figure.svg"
            check "$figure: the PNG is one" [ "$(head -c 4 "$work/figures/a-double-sum-$figure.png" | tail -c 3)" = PNG ]
        done
        for axis in 'bandwidth:elements in the array' 'bandwidth:bandwidth in GB/s' 'time:time of a reduction' \
            'speedup:speed-up over the library' 'bars:bandwidth in GB/s'; do
            check "axis $axis" grep -q ">${axis#*:}<" "$work/figures/a-double-sum-${axis%%:*}.svg"
        done
    fi
    # Rounds that differ give error bars: of nine, the second from either end; wide ones are marked.
    awk 'BEGIN { print "variant,type,op,n,bytes,total_median_us,ceiling_gbps,check"
        for (i = 1; i <= 9; i++) for (n = 1024; n <= 2048; n *= 2) {
            printf "wide,double,sum,%d,%d,%d,100,OK\n", n, 8 * n, 90 + 2 * i
            printf "narrow,double,sum,%d,%d,%.1f,100,OK\n", n, 8 * n, 100 + i / 10 } }' >"$work/rounds.csv"
    try python3 bench/plot/plot.py "$work/rounds.csv" --data "$work/rounds"
    check 'the interval' grep -q '^1024 100 0.08192 NaN 94 106 0.077283 0.0871489 NaN NaN$' "$work/rounds/double-sum/curves.dat"
    check 'error bars' [ "$(grep -o 'with yerrorbars' "$work/rounds/double-sum/bandwidth.set" | grep -c .)" -eq 2 ]
    check 'the mark of the wide one' grep -q '"wide" "[0-9. %]*~" ' "$work/rounds/double-sum/bars.dat"
    check 'and of it alone' [ "$(grep -c '~' "$work/rounds/double-sum/bars.dat")" -eq 1 ]
    # Sixteen curves that end at the same point: their names must not overlap.
    awk 'BEGIN { print "variant,type,op,n,bytes,total_median_us,ceiling_gbps,check"
        for (i = 1; i <= 16; i++) for (n = 1024; n <= 4096; n *= 2)
            printf "v%d,double,sum,%d,%d,%.2f,100,OK\n", i, n, 8 * n, n / 100 + i / 100 }' >"$work/labels.csv"
    try python3 bench/plot/plot.py "$work/labels.csv" --data "$work/labels"
    check 'labels do not overlap' awk -F'graph 1.03,' '/^set label "v/ { y[++n] = $2 + 0 }
        END { for (i = 2; i <= n; i++) if (y[i] - y[i - 1] < 0.035) bad = 1; exit bad || n != 16 || y[1] < 0 || y[n] > 1 }' \
        "$work/labels/double-sum/bandwidth.set"
    # All variants, and some that a user added: no two lines look the same.
    awk 'BEGIN { print "variant,type,op,n,bytes,total_median_us,ceiling_gbps,check"
        while ((getline v) > 0) for (n = 1024; n <= 4096; n *= 2) printf "%s,double,sum,%d,%d,%.2f,100,OK\n", v, n, 8 * n, n / 100 }' \
        >"$work/styles.csv" <<EOT
$(ls -d reduction_*/ | sed 's|reduction_||; s|/||')
atomic atomics=warp
mine
yours
EOT
    try python3 bench/plot/plot.py "$work/styles.csv" --data "$work/styles"
    check 'no two lines look the same' awk 'BEGIN { RS = "\047[^\047]*curves.dat\047" } / with / { sub(/.* with /, ""); sub(/,* *("\n.*)?$/, "")
        if (seen[$0]++) bad = 1; lines++ } END { exit bad || lines < 20 }' "$work/styles/double-sum/bandwidth.set"
    mkdir "$work/path"
    python=$(python3 -c 'import sys; print(sys.executable)') # not a script that needs other programs
    for tool in sh awk sed tr dirname basename mkdir mktemp rm cat sort grep env; do
        ln -s "$(command -v $tool)" "$work/path/$tool"
    done
    try env PATH="$work/path" "$python" bench/plot/plot.py "$work/a.csv" --to "$work/figures"
    ends 2 'gnuplot-nox'
    try python3 bench/plot/plot.py ''
    check 'no CSV: make bench' says 'make bench'
    try python3 bench/plot/plot.py "$work/strange.csv"
    check 'a strange CSV' exits 2
}

@test "diff, asm" {
    try make -s diff FROM=striding TO=shfl
    ends 0 '^+static __device__ value_t reduce_warp'
    try make -s diff FROM=striding TO=nothing
    check 'diff with a missing variant' says 'no such variant'
    try make -s asm GPU=cpu OUT="$bin" V=striding TYPE=int OP=max
    ends 0 '^reduce_blocks$'
    check 'and no other' count 1 '^[a-z_]*$'
    check "and the source's lines" says '^striding.hip:[0-9]*  *for (size_t i'
    try make -s asm GPU=cpu OUT="$bin"
    check 'asm without a variant' says 'name a variant'
    try python3 -c '
import sys
sys.path.append("tools/code")
from asm import Path, kernel_names, re
for path in Path().glob("reduction_*/*.h*"):
    text = path.read_text()
    if len(kernel_names(text)) < len(re.findall("^__global__", text, re.MULTILINE)):
        print(path)'
    check 'a kernel without a name for asm' count 0 .
    mkdir -p "$work/path"
    python=$(python3 -c 'import sys; print(sys.executable)') # not a script that needs other programs
    try env PATH="$work/path" CUDA_HOME="$work/nothing" "$python" tools/code/asm.py nvidia sm_90 double sum \
        reduction_shfl/shfl.hip "$work/nothing/nvcc"
    check 'no nvdisasm' says 'cuda-nvdisasm'
}
