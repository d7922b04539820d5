#!/bin/sh
# Does the race tool find what is wrong, and report nothing where all is right?
#
#   test_races.sh            a sample, for every day
#   test_races.sh all        everything: what make check-races runs
#   test_races.sh planted|kernels|variants|costs [PATTERN]   one part of it; planted mistakes that fit PATTERN
#   test_races.sh costs [SECONDS [RATIO]]   processor time of 100,003 doubles: 20, and 60 times that of the plain build
#
# 1. planted/variants.txt: mistakes planted into the variants, each of which has to be found.
# 2. planted/*.hip: small kernels: right ones, tricky ones and faulty ones.
# 3. The variants as they are have no races, for all types, operations, warp sizes, schedules and weak memory.
unset MAKEFLAGS MAKELEVEL MFLAGS # those of make check
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 3
part=${1:-sample}
pattern=${2:-.}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
jobs=$(nproc)

ok() {
    passed=$((passed + 1))
}
bad() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

[ -z "$SAN" ] || { echo "traced kernels cannot be checked by a sanitizer, too"; exit 77; }
case $part in
all | variants | sample | costs) TRACED=all ;;
esac
${MAKE:-make} -s -j"$jobs" traced TRACED=$TRACED >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
traced=$(tail -n 1 "$work/log")
. "$traced"
built=$(dirname "$traced")

export HIP_CPU_TRACE=races HIP_CPU_WORKERS=3
usual='--quiet --iterations=1 --warmup=0 --ceiling=1'

# compile FOLDER VARIANT PROGRAM
compile() {
    name=reduction_$2
    traced_kernel -Wno-error -I"$1" -DVARIANT_NAME="$name" -DVARIANT_SOURCE="\"$2.hip\"" -c tests/trace/planted/one_instance.hip \
        -o "$3.o" 2>"$3.log" || return
    if [ "$2" = multi_gpu ]; then # has a main() of its own, and uses the variants that are built
        # shellcheck disable=SC2046 # words
        traced_link -o "$3" "$3.o" $(find "$built/reduction_multi_gpu" -name '*.o' ! -name reduction_multi_gpu.o) \
            "$built/reduction_single_pass/reduction_single_pass.o" "$built/reduction_reproducible/reduction_reproducible.o" \
            "$built/reduction_prim/reduction_prim.o" -ldl 2>>"$3.log"
    else
        traced_variant "$name" "$3.o" "$3" 2>>"$3.log"
    fi
}

# One planted mistake: NUMBER VARIANT OPTIONS WHAT; the changed sources are in $work/NUMBER. Writes its row.
look_for() {
    folder=$work/$1
    outcome='not found'
    if compile "$folder" "$2" "$folder/program"; then
        rest="$3;"
        while [ -n "$rest" ] && [ "$outcome" = 'not found' ]; do
            options=${rest%%;*} rest=${rest#*;}
            [ "$options" != - ] || options=
            case $options in *--size*) ;; *) options="--size=3000 $options" ;; esac
            # shellcheck disable=SC2086  # words
            HIP_CPU_WARP_SIZE=32 timeout 60 "$folder/program" $usual $options >"$folder/out" 2>&1
            status=$?
            if [ $status -ne 0 ] && grep -q '^race 1:' "$folder/out"; then
                outcome="found, $(sed -n 's/^race: \([0-9]*\) found.*/\1/p' "$folder/out")"
            elif [ $status -ge 2 ]; then
                outcome="stopped: $(grep -m 1 'hip:' "$folder/out" | cut -c 1-60)"
            fi
        done
    else
        outcome='does not compile'
    fi
    printf '%-20s %-52s %s\n' "$2" "$4" "$outcome" >"$folder/row"
}

# 100,003 doubles take at most 10 s on two cores: 20 s of processor time, so that it does not matter what else runs.
costs() {
    slow=0 count=0
    for program in "$built"/reduction_*/reduction_*; do
        case $program in *.* | */reduction_to_fix | */reduction_prim) continue ;; esac
        ranks=
        case $program in *_multi_gpu) ranks='--gpus=3 --share --method=tree' ;; esac
        count=$((count + 1))
        # shellcheck disable=SC2086
        (ulimit -t "${1:-20}"; HIP_CPU_WARP_SIZE=32 exec "$program" $usual --size=100003 $ranks) >"$work/out" 2>&1
        grep -q '^race: none' "$work/out" || { slow=$((slow + 1)); bad "$(basename "$program") with 100003 doubles: $(tail -n 3 "$work/out")"; }
    done
    [ $slow -gt 0 ] || ok
    echo "costs: $count variants, $slow not within 20 s of processor time"
    ratios "${2:-60}"
}

# Processor time of a command and its children, in seconds.
seconds() {
    ("$@" >"$work/out" 2>&1; times) | tail -n 1 | awk -F'[ms ]+' '{ print 60 * $1 + $2 + 60 * $3 + $4 }'
}

# The processor time of one more reduction is at most 60 times that of the plain build. Without what a program needs once.
ratios() {
    names='reduction_interleaved reduction_shfl reduction_atomic reduction_cooperative reduction_single_pass reduction_statistics'
    plain=$(echo "$built" | sed 's/cpu-trace/cpu/')
    # shellcheck disable=SC2086
    ${MAKE:-make} -s -j"$jobs" GPU=cpu $names >"$work/log" 2>&1 || { bad 'the plain programs'; cat "$work/log"; return; }
    for name in $names; do
        for build in "$plain" "$built"; do
            more=20
            [ "$build" = "$built" ] || more=400
            for turns in 1 $((more + 1)); do
                seconds "$build/$name/$name" --quiet --warmup=0 --ceiling=1 --size=100003 --iterations=$turns
            done | awk -v more=$more 'NR == 1 { once = $1 } END { print ($1 - once) / more }'
        done | awk -v name="$name" -v limit="$1" '
            NR == 1 { plain = $1 < 0.00001 ? 0.00001 : $1 }
            END {
                printf "costs: %s: %.2f ms of processor time, %.2f ms traced, %.1f times\n", name, 1000 * plain, 1000 * $1, $1 / plain
                exit !(NR == 2 && $1 > 0 && $1 <= limit * plain)
            }' && ok || bad "$name: traced, one reduction takes more than $1 times the processor time"
    done
}

# Waits until fewer than $jobs of these run.
running=
start() {
    "$@" &
    running="$running $!"
    # shellcheck disable=SC2086
    set -- $running
    if [ $# -ge "$jobs" ]; then
        wait "$1"
        shift
        running=$*
    fi
}

# Each call makes $work/NUMBER with changed sources and runs the tool.
number=0
ln -s "$PWD/reduction_reproducible" "$work" # for multi_gpu, which includes a file of it
plant() { # VARIANT
    number=$((number + 1))
    mkdir "$work/$number" && cp reduction_"$1"/*.hip "$work/$number/"
    for header in reduction_"$1"/*.h; do
        [ ! -f "$header" ] || cp "$header" "$work/$number/"
    done
}

# A sample runs every third mistake; the sources are compared with the whole list nevertheless.
seen=0
is_chosen() {
    seen=$((seen + 1))
    [ "$part" != sample ] || [ $((seen % 3)) -eq 0 ]
}

planted() {
    barrier='__syncthreads();\|warp_sync();\|grid_sync();'
    while read -r kind variant rest; do
        case $kind in
        '' | \#*) continue ;;
        esac
        echo "$kind $variant $rest" | grep -q "$pattern" || continue
        case $kind in
        barriers)
            count=${rest%% *} options=${rest#* }
            reached=${count#*/} count=${count%/*}
            there=$(cat reduction_"$variant"/*.[h]* | grep -c "$barrier")
            [ "$there" = "$count" ] ||
                { bad "$variant has $there barriers and not $count: bring tests/trace/planted/variants.txt up to date"; continue; }
            turn=0
            for file in reduction_"$variant"/*.[h]*; do
                for line in $(grep -n "$barrier" "$file" | cut -d : -f 1); do
                    turn=$((turn + 1))
                    [ $turn -le "$reached" ] && is_chosen || continue
                    plant "$variant"
                    sed "${line}s/$barrier/;/" "$file" >"$work/$number/$(basename "$file")"
                    start look_for $number "$variant" "$options" "barrier $turn of $count removed"
                done
            done
            ;;
        edit)
            file=${rest%% *} rest=${rest#* }
            options=${rest%%|*} rest=${rest#*|}
            what=${rest%%|*} script=${rest#*| }
            is_chosen || continue
            plant "$variant"
            sed "$script" "reduction_$variant/$file" >"$work/$number/$file"
            changed=$(diff "reduction_$variant/$file" "$work/$number/$file" | grep -c '^>')
            [ "$changed" = 1 ] ||
                { bad "$variant: '$script' changes $changed lines of $file and not 1: bring tests/trace/planted/variants.txt up to date"; rm -r "${work:?}/$number"; continue; }
            start look_for $number "$variant" "${options% }" "$(echo $what)"
            ;;
        shipped)
            is_chosen || continue
            plant "$variant"
            start look_for $number "$variant" "${rest%% |*}" "${rest#*| }"
            ;;
        *) bad "tests/trace/planted/variants.txt: what is $kind?" ;;
        esac
    done <tests/trace/planted/variants.txt
    wait
    i=0 found=0
    printf '\nplanted into the variants                                                 outcome\n'
    while [ $i -lt $number ]; do
        i=$((i + 1))
        [ -f "$work/$i/row" ] || continue
        cat "$work/$i/row"
        if grep -q ' found, [0-9]*$' "$work/$i/row"; then
            found=$((found + 1))
            ok
        else
            bad "$(cat "$work/$i/row")"
            cat "$work/$i/program.log" 2>/dev/null | head -n 5
        fi
    done
    echo "planted: found $found of $number"
}

# ---- small kernels ----

# The tool's verdict on a case: KIND NAME right|fault. Sets $status and $found.
run_case() {
    timeout 60 "$work/cases" "$@" >"$work/out" 2>&1
    status=$?
    found=$(sed -n 's/^race: \([0-9]*\) found.*/\1/p' "$work/out")
}

kernels() {
    for file in cases tricky wide progress algorithms; do
        traced_kernel -c tests/trace/planted/$file.hip -o "$work/$file.o" || { bad "tests/trace/planted/$file.hip"; return; }
    done
    traced_link -o "$work/cases" "$work/cases.o" "$work/tricky.o" "$work/wide.o" "$work/progress.o" "$work/algorithms.o" || { bad 'linking'; return; }
    HIP_CPU_TRACE= "$work/cases" list >"$work/list"
    printf '\nkernel                       as it is      with its fault                       found by\n'
    clean=0 alarms=0 all=0 faults=0 caught=0
    while IFS='|' read -r kind name fault; do
        all=$((all + 1))
        word=clean
        for warp in 32 64; do
            for schedule in forward reverse random:1; do
                for memory in strong weak:1; do
                    HIP_CPU_WARP_SIZE=$warp HIP_CPU_SCHEDULE=$schedule HIP_CPU_MEMORY=$memory run_case "$kind" "$name" right
                    [ $status -eq 0 ] && [ -z "$found" ] || { word='FALSE ALARM'; cp "$work/out" "$work/alarm"; }
                done
            done
            [ "$part" != sample ] || break
        done
        if [ "$word" = clean ]; then
            clean=$((clean + 1))
            ok
        else
            alarms=$((alarms + 1))
            bad "$name, as it is: $(grep -v '^$' "$work/alarm" | head -n 4)"
        fi
        by=
        if [ -n "$fault" ]; then
            faults=$((faults + 1))
            run_case "$kind" "$name" fault
            if [ $status -eq 1 ] && [ -n "$found" ]; then
                by=races
                # Whichever thread runs first, the same lines are found.
                HIP_CPU_SCHEDULE=reverse run_case "$kind" "$name" fault
                [ -n "$found" ] || by='races, but not in reverse'
            else
                for seed in 1 2 3 4 5 6 7 8; do
                    HIP_CPU_MEMORY=weak:$seed run_case "$kind" "$name" fault
                    [ $status -ne 1 ] || by='weak memory'
                done
                HIP_CPU_SCHEDULE=random:1 run_case "$kind" "$name" fault
                [ -z "$found" ] || by='races, blocks by turns'
            fi
            case $by in
            races | 'weak memory' | 'races, blocks by turns') caught=$((caught + 1)) && ok ;;
            *) bad "$name with its fault: ${by:-not found}" ;;
            esac
        fi
        printf '%-28s %-13s %-36s %s\n' "$name" "$word" "${fault:--}" "${by:-${fault:+not found}}"
    done <"$work/list"
    echo "kernels: $clean of $all right ones clean, false alarms $alarms; found $caught of $faults faults"
}

# ---- the variants as they are ----

# One run: PROGRAM OPTIONS with settings in the environment; a line in $work/dirty if it is not clean.
run_clean() {
    out=$(timeout 120 "$@" 2>&1)
    status=$?
    case $status in
    0 | 4) ;; # 4: right as far as can be said of so many floats
    *) out="$out stopped" ;;
    esac
    if echo "$out" | grep -q stopped || ! echo "$out" | grep -q "^race: n"; then
        {
            echo "$HIP_CPU_WARP_SIZE $HIP_CPU_SCHEDULE $HIP_CPU_MEMORY: $(basename "$1") $*: exit code $status"
            echo "$out" | grep -E -m 6 '^race [0-9]|hip:|FAIL|^  [a-z].*:[0-9]'
        } >>"$work/dirty"
    fi
    echo x >>"$work/runs"
}

variants() {
    : >"$work/dirty" >"$work/runs"
    turn=0
    for program in "$built"/reduction_*/reduction_*; do
        name=$(basename "$program")
        case $name in *.* | reduction_to_fix) continue ;; esac
        own=
        "$program" --help | grep -q -- '--op OP' || own=yes
        ranks=
        [ "$name" != reduction_multi_gpu ] || ranks='--gpus=3 --share --method=tree'
        for type in float double int long; do
            for op in sum min max; do
                turn=$((turn + 1))
                [ "$part" != sample ] || [ $((turn % 5)) -eq 0 ] || continue
                [ -z "$own" ] || [ $op = sum ] || continue
                for warp in 32 64; do
                    for schedule in forward reverse random:1 random:2 random:3; do
                        for memory in strong weak:$turn; do
                            if [ "$part" = sample ]; then
                                case $schedule/$memory/$((turn % 2)) in
                                forward/strong/* | reverse/weak*/0 | random:1/weak*/1) ;;
                                *) continue ;;
                                esac
                            fi
                            sizes=0,1,31,1000,4097
                            [ "$part" != sample ] || sizes=1000,4097
                            export HIP_CPU_WARP_SIZE=$warp HIP_CPU_SCHEDULE=$schedule HIP_CPU_MEMORY=$memory
                            # shellcheck disable=SC2086
                            operation=
                            [ -n "$own" ] || operation=--op=$op
                            start run_clean "$program" $usual --size=$sizes --type=$type $operation $ranks
                        done
                    done
                done
            done
        done
        # Odd shapes, and the options.
        for options in '--block=100 --grid=3' '--block=1' '--shuffle=up' '--shuffle=xor --block=96' \
            '--order=divergent' '--atomics=warp' '--atomics=thread' '--unroll=4' \
            '--segment=300 --ragged' '--segment=7' '--example=dot' '--example=logsumexp' '--result=device' \
            '--method=thread' '--method=warp' '--method=block' '--method=plain' '--method=binned' '--method=binned --folds=2'; do
            case $options in
            --block*) ;;
            *) "$program" --help | grep -q -- "${options%%=*} " || continue ;;
            esac
            case $options in
            --method=*)
                method=${options%% *}
                "$program" --help | grep -q "method.*${method#*=}" || continue
                ;;
            esac
            for warp in 32 64; do
                export HIP_CPU_WARP_SIZE=$warp HIP_CPU_SCHEDULE=forward HIP_CPU_MEMORY=strong
                # shellcheck disable=SC2086
                start run_clean "$program" $usual --size=3001 $ranks $options
            done
        done
    done
    wait
    unset HIP_CPU_WARP_SIZE HIP_CPU_SCHEDULE HIP_CPU_MEMORY
    runs=$(grep -c x "$work/runs")
    if [ -s "$work/dirty" ]; then
        bad 'variants that are not clean:'
        sed "s|$built/||g" "$work/dirty" | head -n 40
    else
        ok
    fi
    echo "variants: $runs runs, $(grep -c 'exit code' "$work/dirty") not clean"
}

case $part in
planted) planted ;;
kernels) kernels ;;
variants) variants ;;
costs) costs "$2" "$3" ;;
*)
    planted
    kernels
    variants
    costs
    ;;
esac

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
