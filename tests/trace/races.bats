#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: tree variants programs traced
# Does the race tool find mistakes, and report nothing in right kernels?
#
# 1. variants.txt: mistakes planted into the variants, each of which must be found.
# 2. nogpu/tests/planted/*.hip: small kernels: right ones, tricky ones and faulty ones.
# 3. The variants as they are have no races, for all types, operations, warp sizes, schedules and weak memory.
# 4. Its cost.
#
# make check runs a sample, make check-fast a smaller one; make check-races runs all. PLANTED='shfl|fence' chooses mistakes.
load ../lib/check
jobs=$(nproc)
usual='--quiet --iterations=1 --warmup=0 --ceiling=1'

setup() {
    needs_trace
    export HIP_CPU_TRACE=races HIP_CPU_WORKERS=3
    if [ ! -s "$work/traced" ]; then # the last line of make's output names the file to source
        # Planted mistakes of multi_gpu are linked with the engines of its program.
        { if [ "$level" = fast ]; then echo multi_gpu; else names; fi && chosen; } | while read -r name type op _; do program_of "$name" "$type" "$op"; done | sort -u >"$work/programs"
        try ${MAKE:-make} -s -j"$jobs" traced TRACED="$(tr '\n' ' ' <"$work/programs")"
        check 'the traced programs build' exits 0
        tail -n 1 "$work/said" >"$work/traced"
    fi
    . "$(cat "$work/traced")"
    built=$(dirname "$(cat "$work/traced")")
    rm -rf "$work/runs" && mkdir "$work/runs"
}
every() { # every FAST USUAL: prints n, to run every nth case; 1 in make check V= and check-all
    [ "$level" != all ] && [ -z "${REDUCTION_VARIANT:-}${PLANTED:-}" ] || { echo 1 && return; }
    [ "$level" = fast ] && echo "$1" || echo "$2"
}
names() {
    for folder in reduction_*/; do
        name=${folder#reduction_} name=${name%/}
        case $name in hello | to_fix) continue ;; esac
        ! wanted "$name" || echo "$name"
    done
}
# Prints the types and operations of the variants as they are: NAME TYPE OP TURN.
chosen() {
    local turn=0 step
    step=$(every 29 5)
    for name in $(names); do
        for type in float double int long; do
            for op in sum min max; do
                turn=$((turn + 1))
                [ $((turn % step)) -ne 0 ] || echo "$name $type $op $turn"
            done
        done
    done
}
more_of() { sed -n "s/^$1: *//p" platform/cpu/race_options.txt; }
# program_of NAME [TYPE OP]: prints where it is in $built. Without TYPE it has what make race runs; if all types and
# operations are chosen, one program has them.
program_of() {
    if [ "$(every 29 5)" = 1 ]; then
        echo "reduction_$1/reduction_$1"
    elif [ -n "${2-}" ]; then
        echo "instances/$2_$3/reduction_$1"
    else
        echo "instances/$(sh platform/cpu/instances.sh '' "; $(more_of "$1")")/reduction_$1"
    fi
}
ranks_of() { case $1 in *_multi_gpu) echo --gpus=3 --share --method=tree ;; esac; }

# start COMMAND...: runs it in the background, at most as many at a time as there are processors
start() {
    while [ "$(jobs -r | wc -l)" -ge "$jobs" ]; do wait -n || true; done
    "$@" 3>&- &
}

# ---- mistakes in the variants

# compile FOLDER VARIANT PROGRAM
compile() {
    name=reduction_$2
    compile_kernel -Wno-error -I"$1" -I"$name" -DVARIANT_NAME="$name" -DVARIANT_SOURCE="\"$2.hip\"" \
        "$(sh tools/build/only.sh double_sum)" -c common/instances/instantiate.hip -o "$3.o" 2>"$3.log" || return
    if [ "$2" = multi_gpu ]; then # has its own main(), and uses built variants
        link_program -o "$3" "$3.o" $(find "$built/reduction_multi_gpu" -name '*.o' ! -name reduction_multi_gpu.o) \
            "$built"/instances/double_sum/reduction_{single_pass,reproducible,prim}.o -ldl 2>>"$3.log"
    else
        link_variant "$name" "$3.o" "$3" 2>>"$3.log"
    fi
}

# look_for NUMBER VARIANT OPTIONS WHAT: the changed sources are in $work/runs/NUMBER. Writes a row with the outcome.
look_for() {
    set +e
    folder=$work/runs/$1
    outcome='not found'
    if compile "$folder" "$2" "$folder/program"; then
        rest="$3;"
        while [ -n "$rest" ] && [ "$outcome" = 'not found' ]; do
            options=${rest%%;*} rest=${rest#*;}
            [ "$options" != - ] || options=
            case $options in *--size*) ;; *) options="--size=3000 $options" ;; esac
            (ulimit -t 300; HIP_CPU_WARP_SIZE=32 exec "$folder/program" $usual $options) >"$folder/out" 2>&1 </dev/null
            status=$?
            if [ $status -ne 0 ] && grep -q '^race 1:' "$folder/out"; then
                outcome=found
            elif [ $status -ge 2 ]; then
                outcome="stopped: $(grep -m 1 'hip:' "$folder/out" | cut -c 1-60)"
            fi
        done
    else
        outcome='does not compile'
    fi
    echo "$outcome $2: $4" >"$folder/row"
}

# plant VARIANT FILE SCRIPT: edits the sources by sed, in $work/runs/$number
plant() {
    number=$((number + 1))
    mkdir "$work/runs/$number"
    cp "reduction_$1"/*.h* "$work/runs/$number"
    sed "$3" "$2" >"$work/runs/$number/$(basename "$2")"
}

@test "mistakes planted into the variants are found" {
    export HIP_CPU_GRID_BARRIER=release # as in make race of variants
    barrier='__syncthreads();\|warp_sync();\|grid_sync();'
    step=$(every 12 7) seen=0 number=0
    ln -s "$PWD/reduction_reproducible" "$work/runs" # for multi_gpu, which includes a file of it
    # A sample runs some of them; but every edit in the list must fit the sources.
    is_chosen() { seen=$((seen + 1)) && [ $((seen % step)) -eq 0 ]; }
    while read -r kind variant rest; do
        case $kind in '' | \#*) continue ;; esac
        wanted "$variant" && grep -qE "${PLANTED:-.}" <<<"$kind $variant $rest" || continue
        case $kind in
        barriers)
            count=${rest%% *} options=${rest#* }
            reached=${count#*/} count=${count%/*}
            there=$(cat reduction_"$variant"/*.[h]* | grep -c "$barrier")
            check "$variant has $there barriers and not $count: bring variants.txt up to date" [ "$there" = "$count" ]
            turn=0
            for file in reduction_"$variant"/*.[h]*; do
                for line in $(grep -n "$barrier" "$file" | cut -d : -f 1); do
                    turn=$((turn + 1))
                    [ $turn -le "$reached" ] && is_chosen || continue
                    plant "$variant" "$file" "${line}s/$barrier/;/"
                    start look_for $number "$variant" "$options" "barrier $turn of $count removed"
                done
            done
            ;;
        edit)
            file=reduction_$variant/${rest%% *} rest=${rest#* }
            options=${rest%%|*} rest=${rest#*|}
            what=${rest%%|*} script=${rest#*| }
            changed=$(diff "$file" <(sed "$script" "$file") | grep -c '^>') || true
            check "$variant: '$script' changes $changed lines of $file and not 1: bring variants.txt up to date" \
                [ "$changed" = 1 ]
            is_chosen || continue
            plant "$variant" "$file" "$script"
            start look_for $number "$variant" "${options% }" "$(echo $what)"
            ;;
        shipped)
            is_chosen || continue
            plant "$variant" "reduction_$variant/$variant.hip" ''
            start look_for $number "$variant" "${rest%% |*}" "${rest#*| }"
            ;;
        *) check "variants.txt: what is $kind?" false ;;
        esac
    done <tests/trace/variants.txt
    wait
    for turn in $(seq $number); do
        shown=$work/runs/$turn/program.log
        row=$(cat "$work/runs/$turn/row")
        verdict "$(case $row in found*) echo 0 ;; *) echo 1 ;; esac)" "$row"
    done
    [ $failed -eq 0 ]
    check 'some were planted' [ $((number > 0 || ${#REDUCTION_VARIANT} > 0)) = 1 ]
}

# ---- small kernels

# run_case ARGUMENT...: sets $status and $found
run_case() {
    status=0
    (ulimit -t 300; exec "$work/cases" "$@") >"$work/said" 2>&1 </dev/null 3>&- || status=$?
    found=$(sed -n 's/^race: \([0-9]*\) found.*/\1/p' "$work/said")
}

# The first finding names two lines; if the source marks the racing lines, it must name those.
names_the_lines() {
    ! grep -q '/\* races \*/' "nogpu/tests/planted/$1.hip" ||
        [ "$(sed -n '1,/^  look at/p' "$work/said" | grep -c '/\* races \*/')" -eq 2 ]
}

# A missing barrier, fence or atomic operation is one finding, however many accesses race because of it. Volatile flags are
# reported separately.
is_one_finding() { [ "$found" = 1 ] || grep -q '^volatile' "$work/said"; }

# fault_is_found KIND NAME: in forward order, or when threads take turns (reverse, all seeds), or by weak memory
fault_is_found() {
    for schedule in forward reverse; do
        HIP_CPU_SCHEDULE=$schedule run_case "$1" "$2" fault
        [ $status -eq 1 ] && [ -n "$found" ] || continue
        names_the_lines "$1" && is_one_finding
        return
    done
    seeds=0
    for seed in 1 2 3 4; do # make race runs two
        HIP_CPU_SCHEDULE=random:$seed run_case "$1" "$2" fault
        [ -z "$found" ] || { seeds=$((seeds + 1)) && names_the_lines "$1" || return; }
    done
    [ $seeds -eq 0 ] || { [ $seeds -eq 4 ] || echo "with $seeds of 4 seeds" >>"$work/said"; [ $seeds -eq 4 ]; return; }
    for seed in 1 2 3 4 5 6 7 8; do
        HIP_CPU_MEMORY=weak:$seed run_case "$1" "$2" fault
        [ $status -ne 1 ] || return 0
    done
    return 1
}

@test "small kernels: no finding in right ones, and the fault of each wrong one" {
    [ -z "${REDUCTION_VARIANT:-}" ] || skip 'about no variant'
    for file in cases wide algorithms scopes streams pairs; do
        start compile_kernel -c nogpu/tests/planted/$file.hip -o "$work/$file.o"
    done
    wait
    link_program -o "$work/cases" "$work"/{cases,wide,algorithms,scopes,streams,pairs}.o
    # All right ones in one process: a finding in any of them shows.
    turn=0 step=$(every 7 3)
    for warp in 32 64; do
        for schedule in forward reverse random:1 random:2 random:3; do
            for memory in strong weak:1; do
                turn=$((turn + 1))
                [ $((turn % step)) -eq 0 ] || continue
                export HIP_CPU_WARP_SIZE=$warp HIP_CPU_SCHEDULE=$schedule HIP_CPU_MEMORY=$memory
                run_case right
                verdict $((status != 0 || ${#found} > 0)) "as they are: warp $warp, $schedule, $memory"
            done
        done
    done
    unset HIP_CPU_WARP_SIZE HIP_CPU_SCHEDULE HIP_CPU_MEMORY
    turn=0 step=$(every 4 1)
    HIP_CPU_TRACE= "$work/cases" list >"$work/list"
    while IFS='|' read -r kind name fault; do
        turn=$((turn + 1))
        [ $((turn % step)) -eq 0 ] && [ -n "$fault" ] || continue
        missed=0
        fault_is_found "$kind" "$name" || missed=1
        verdict $missed "$name with its fault is not found: $fault"
    done <"$work/list"
    # The result itself, without the race tool.
    stale=0
    for seed in 1 2 3 4 5 6 7 8; do
        HIP_CPU_TRACE= HIP_CPU_MEMORY=weak:$seed run_case pairs 'released where it is acquired' right
        verdict $status "weak:$seed, a release at the word that is acquired"
        HIP_CPU_TRACE= HIP_CPU_MEMORY=weak:$seed run_case pairs 'released where it is acquired' fault
        stale=$((stale + status))
    done
    verdict $((stale == 0)) "weak memory shows a release at another word: $stale of 8"
    finish
}

# ---- the variants as they are

# run_clean PROGRAM OPTIONS: settings come from the environment; a finding adds a line to $work/dirty
run_clean() {
    set +e
    export HIP_CPU_FINDINGS="$work/recorded/${1##*/reduction_}.$BASHPID"
    out=$(ulimit -t 600; "$@" 2>&1 </dev/null)
    status=$?
    out=$out$'\n'$(cat "$HIP_CPU_FINDINGS")
    case $status in
    0 | 4) ;; # 4: right, as far as the bound for so many floats can tell
    *) out="$out stopped" ;;
    esac
    if grep -q stopped <<<"$out" || ! grep -q '^race: n' <<<"$out"; then
        {
            echo "$HIP_CPU_WARP_SIZE $HIP_CPU_SCHEDULE $HIP_CPU_MEMORY: $(basename "$1") ${*:2}: exit code $status"
            grep -E -m 6 '^race [0-9]|hip:|FAIL|^  [a-z].*:[0-9]' <<<"$out"
        } >>"$work/dirty"
    fi
    echo x >>"$work/ran"
}

# unreached VARIANT RECORD...: prints lines and kernels of the variant that no run has reached
unreached() {
    local folder=reduction_$1
    sed -n "s/^not $1: *//p" platform/cpu/race_options.txt >"$work/not"
    cat "${@:2}" >"$work/records"
    "$NOGPU_BUILD/nogpu_report" race "$work/records" | sed -n "s|^  *\($folder/[^ ]*\).*|\1|p" | while IFS=: read -r file line; do
        sed -n "${line}s|^|$file:$line |p" "$file" | grep -v -F -f "$work/not" || true
    done
    # A streaming kernel is a copy of another one with a different constant.
    cat "$folder"/*.h* | tr '\\\n' '  ' | grep -o '__global__ void [^{;#]*' |
        sed 's/LAUNCH_BOUNDS[A-Z_ ]*([^()]*\(([^()]*)\)*)//; s/__global__ void *//; s/ *(.*//' | grep -v -e _streaming -e CLUSTER |
        grep -v -x -F -f "$work/not" | while read -r kernel; do
            grep -q -a -w "$kernel" "${@:2}" || echo "$folder: kernel $kernel"
        done
}

@test "the variants have no races" {
    export HIP_CPU_GRID_BARRIER=release
    mkdir -p "$work/recorded"
    : >"$work/unreached"
    : >"$work/dirty" >"$work/ran"
    while read -r name type op turn; do
        program=$built/$(program_of "$name" "$type" "$op")
        for settings in {32,64}/{forward,reverse,random:1,random:2,random:3}/{strong,weak:$turn}; do
            sizes=0,1,31,1000,4097
            if [ "$level" != all ]; then
                case ${settings#*/}/$((turn % 2)) in
                forward/strong/* | reverse/weak*/0 | random:1/weak*/1) ;;
                *) continue ;;
                esac
                sizes=1000,4097
            fi
            IFS=/ read -r HIP_CPU_WARP_SIZE HIP_CPU_SCHEDULE HIP_CPU_MEMORY <<<"$settings"
            export HIP_CPU_WARP_SIZE HIP_CPU_SCHEDULE HIP_CPU_MEMORY
            start run_clean "$program" $usual --size=$sizes --type=$type --op=$op $(ranks_of "$program")
        done
    done < <(chosen)
    for name in $(names); do
        [ "$level" != fast ] || continue
        # Odd shapes, and the options of make race.
        program=$built/$(program_of "$name") sizes='--size=3001' warps='32 64'
        more=$(more_of "$name")
        options="--block=100 --grid=3; --block=1;;${more:+$more;}"
        while [ -n "$options" ]; do
            for warp in $warps; do
                export HIP_CPU_WARP_SIZE=$warp HIP_CPU_SCHEDULE=forward HIP_CPU_MEMORY=strong
                start run_clean "$program" $usual $sizes $(ranks_of "$program") ${options%%;*}
            done
            options=${options#*;}
            [ "${options%%;*}" ] || sizes='--size=10007' # as in make race
            [ "$level" = all ] || warps=32
        done
    done
    wait
    check 'variants have run' test -s "$work/ran"
    cat "$work/dirty"
    check "variants that are not clean" test ! -s "$work/dirty"
    [ "$level" != fast ] || return 0
    for name in $(names); do
        unreached "$name" "$work/recorded/$name".* >>"$work/unreached"
    done
    cat "$work/unreached"
    check "race_options.txt leaves these out" test ! -s "$work/unreached"
}

# ---- its cost, in processor time, so that other programs do not matter

# 20 times what the slowest of them takes on a core of an AMD EPYC (29 November 2026).
@test "100,003 doubles take at most 3 s of processor time" {
    [ "$level" != fast ] || skip 'make check has it'
    for name in $(names); do
        [ "$name" != prim ] || continue
        program=$built/$(program_of "$name")
        try bash -c 'ulimit -t 3; HIP_CPU_WARP_SIZE=32 exec "$@"' - "$program" $usual --size=100003 $(ranks_of "$program")
        check "$(basename "$program"): exit code $status" says '^race: none'
    done
}

# 1M threads that hand over values, in 80 MB of memory: the records of a finished block are dropped. If they were kept, 10M
# would take ten times as long.
@test "records of threads that use atomics and fences stay small" {
    [ -z "${REDUCTION_VARIANT:-}" ] || skip 'about no variant'
    compile_kernel -c nogpu/tests/planted/many.hip -o "$work/many.o"
    link_program -o "$work/many" "$work/many.o"
    for kernel in each fenced ticket; do
        try bash -c 'ulimit -t 60; exec /usr/bin/time -f "%M KB" "$@"' - "$work/many" $kernel 1048576
        check "$kernel: exit code $status" says '^race: none'
        check "$kernel takes at most 80 MB" [ "$(sed -n 's/ KB$//p' "$work/said")" -le 80000 ]
    done
    try bash -c 'exec /usr/bin/time -f "%M KB" "$@"' - "$work/many" reduced 8388608
    check 'no race' says '^race: none'
    check 'a reduction of 32 MiB takes at most twice as much' [ "$(sed -n 's/ KB$//p' "$work/said")" -le 65000 ]
}
