#!/bin/sh
# Everything that needs a GPU, in one command, on a machine without a compiler or make.
#
#   tools/on_gpu.sh FOLDER RESULTS STEP...
#
#   FOLDER   the programs, built with   make check-build GPU=sm_90 OUT=FOLDER
#   RESULTS  where logs and measurements go
#   STEP     suites    all test suites but the one of the variants
#            variants  the variants' suite, the programs side by side, since most of its time is
#                      starting them; CK_RUN_CASE="known answers" takes a part of it
#            large     sums of 2^31 and more elements
#            sanitize  compute-sanitizer: memcheck, racecheck, synccheck of every variant
#            ladder    the table of make run: 256M doubles, and the maximum of 256M floats
#            sweep     bench: all variants to 256M, then the fast ones to 8G; SECONDS_SWEEP=120
#            latency   single_pass and prim at every size to 1G, all types, interleaved
#            edges     the same for minimum and maximum, and for misaligned input
#            segmented segmented against the library, segments of 2^4 to 2^24 elements
#            profile   the profiler's counters of every variant
#            explain   what make explain counts beside the counters of ncu; FOLDER/counted.txt is the output of
#                      tools/explain_truth.sh count
#            exercises the checkers of the exercises, as shipped, solved and with wrong fixes; FOLDER is built
#                      with   tools/exercises_for_gpu.sh sm_90 FOLDER
#            multi     reduction_multi_gpu on all GPUs of the machine: right results, and the scaling of
#                      tools/on_gpus.sh; FOLDER may have that program alone
#
# Exit code 1 if anything failed.
set -u
folder=$(cd "$1" && pwd) results=$2
shift 2
here=$(dirname "$0")
build=$(ls -d "$folder"/build/*/ 2>/dev/null | head -n 1)
case $build in */sm_*) platform=nvidia ;; */gfx*) platform=amd ;; *) platform=cpu ;; esac
mkdir -p "$results"
results=$(cd "$results" && pwd)
failed=0

ladder='global_memory interleaved bank_conflicts no_striding first_add unroll_last_warp recursive striding
        two_kernel_calls two_kernels_unroll shfl atomic cooperative statistics segmented head_flags custom single_pass reproducible prim'
programs=
for name in $ladder; do
    program=$folder/reduction_$name/reduction_$name
    [ ! -x "$program" ] || programs="$programs $program"
done

say() {
    echo "$(date +%T) $*"
}

suites() {
    others=$(cd "$build/tests" && ls test_* | grep -v '\.' | sed 's/^test_//' | grep -v '^variants$')
    REDUCTION_BIN=$folder sh "$here/../tests/run_suites.sh" $platform "$build/tests" $others || failed=1
}

variants() {
    logs=$(mktemp -d)
    for program in $programs "$folder/reduction_to_fix/reduction_to_fix"; do
        name=$(basename "$program")
        (
            REDUCTION_BIN=$folder "$build/tests/test_variants" "$name" >"$logs/$name" 2>&1
            status=$?
            say "  variants, $name: $(grep '^[0-9]*%: Checks' "$logs/$name"), exit code $status"
            [ $status = 0 ] || { touch "$logs/failed"; grep -v '^[0-9]*%: Checks' "$logs/$name" | tail -n 12; }
        ) &
    done
    wait
    [ ! -e "$logs/failed" ] || failed=1
    rm -rf "$logs"
}

large() {
    for call in 'striding float 8G' 'no_striding int 4G' 'single_pass float 8G' 'single_pass long 4G' \
        'prim float 8G' 'shfl double 4G' 'two_kernels_unroll float 5000000001'; do
        set -- $call
        "$folder/reduction_$1/reduction_$1" --type "$2" --size "$3" --iterations 3 --warmup 1 --ceiling 1 \
            >"$results/large.log" 2>&1 || failed=1
        echo "  $1 $2 $3: $(grep '^# value' "$results/large.log") $(tail -n 1 "$results/large.log")"
    done
}

sanitize() {
    for tool in memcheck racecheck synccheck; do
        for program in $programs; do
            case $program in */reduction_prim) continue ;; esac
            compute-sanitizer --tool $tool --error-exitcode 99 "$program" -n 0,1,1000,300001 -i 1 -w 1 -q --ceiling 1 \
                >"$results/sanitizer.log" 2>&1
            status=$?
            if [ $status -ne 0 ]; then
                failed=1
                echo "  $tool $(basename "$program"): exit code $status"
                grep -v '^=* *$' "$results/sanitizer.log" | head -n 8
            fi
        done
        echo "  $tool: done"
    done
}

ladder() {
    "$build/bin/run" --size=256M $programs "$folder/reduction_to_fix/reduction_to_fix" \
        >"$results/ladder-double-sum.txt" || failed=1
    "$build/bin/run" --size=256M --type=float --op=max $programs >"$results/ladder-float-max.txt" || failed=1
    cat "$results/ladder-double-sum.txt" "$results/ladder-float-max.txt"
}

sweep() {
    "$build/bin/bench" --sizes=1K..256M --types=double --iterations=10 --time="${SECONDS_SWEEP:-120}" --output="$results/sweep.csv" \
        $programs >"$results/sweep.txt" 2>&1 || failed=1
    tail -n 30 "$results/sweep.txt"
}

latency() {
    "$build/bin/bench" --sizes=16..1G --types=float,double,int,long --iterations=20 --clock=kernel \
        --time="${SECONDS_LATENCY:-120}" --output="$results/single_pass.csv" "$folder/reduction_single_pass/reduction_single_pass" \
        "$folder/reduction_single_pass/reduction_single_pass --result=device" \
        "$folder/reduction_prim/reduction_prim" >"$results/single_pass.txt" 2>&1 || failed=1
    "$build/bin/bench" --sizes=512M..8G --types=float --iterations=10 --clock=kernel --time=40 \
        --output="$results/single_pass_large.csv" "$folder/reduction_single_pass/reduction_single_pass" \
        "$folder/reduction_prim/reduction_prim" >>"$results/single_pass.txt" 2>&1 || failed=1
    tail -n 60 "$results/single_pass.txt"
}

edges() {
    single_pass="$folder/reduction_single_pass/reduction_single_pass --result=device"
    prim=$folder/reduction_prim/reduction_prim
    set -- --sizes=4K..256M --types=float,double,int,long --iterations=20 --clock=kernel --time="${SECONDS_EDGES:-75}"
    "$build/bin/bench" "$@" --ops=min,max --output="$results/single_pass_minmax.csv" \
        "$single_pass" "$prim" >"$results/edges.txt" 2>&1 || failed=1
    "$build/bin/bench" "$@" --output="$results/single_pass_misaligned.csv" \
        "$single_pass" "$single_pass --offset=1" "$prim" "$prim --offset=1" >>"$results/edges.txt" 2>&1 || failed=1
    grep -v '^round' "$results/edges.txt" | tail -n 90
}

segmented() {
    for options in '--type=float' '--type=double' '--type=float --op=min' '--type=float --ragged'; do
        echo "  $options"
        # shellcheck disable=SC2086  # options are words
        "$here/bench_segmented.sh" "$folder/reduction_segmented/reduction_segmented" 128M 'auto flags' '' $options || failed=1
    done >"$results/segmented.txt" 2>&1
    cat "$results/segmented.txt"
}

profile() {
    for program in $programs; do
        python3 "$here/profile/profiler.py" $platform "$(basename "$program")" "$program" --size=16M || failed=1
    done >"$results/profile.txt" 2>&1
    cat "$results/profile.txt"
}

explain() {
    sh "$here/explain_truth.sh" measure "$folder" "$results/explain" <"$folder/counted.txt" || failed=1
    sh "$here/explain_truth.sh" join "$folder/counted.txt" "$results/explain" >"$results/explain.txt" || failed=1
    cat "$results/explain.txt"
}

exercises() {
    sh "$here/exercises_on_gpu.sh" "$folder/exercises.tar.gz" "$results" || failed=1
}

multi() {
    sh "$here/on_gpus.sh" "$folder/reduction_multi_gpu/reduction_multi_gpu" "$results" || failed=1
}

for step; do
    case $step in
    suites | variants | large | sanitize | ladder | sweep | latency | edges | segmented | profile | explain | exercises | \
        multi)
        say "$step"
        $step
        ;;
    *)
        echo "$step: no such step; see the top of $0" >&2
        exit 2
        ;;
    esac
done
say "done, exit code $failed"
exit $failed
