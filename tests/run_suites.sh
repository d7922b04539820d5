#!/bin/sh
# Runs test suites that are built already: the last step of `make check`, and the way to run tests on a machine
# without compilers.
#
#   REDUCTION_BIN=out tests/run_suites.sh cpu|amd|nvidia FOLDER [SUITE]...
#
# FOLDER has the suites test_*, REDUCTION_BIN the programs. On the CPU a suite runs twice, with warps of 64
# and of 32, unless it starts no kernel or chooses the warps itself; and the shell tests beside this file,
# which are about the sources and the build, run there only. Suites run one after another: they use all cores
# themselves, and some measure time.
# REDUCTION_LAUNCH='srun -n1 --gpus=1' precedes every command that uses a device: suites with kernels of their own,
# and the programs that the others start.
# The output of a suite is shown when it fails. Exit code 1 if any failed.
platform=$1 folder=$2
shift 2
here=$(dirname "$0")
log=$folder/log
passed=0 failed=0 skipped=0 which='' count=0
export REDUCTION_BIN="${REDUCTION_BIN:-.}"

# The suite's line, printed when it starts. On a terminal it shows the time, and how many tests have passed.
line() { printf '  CHECK [%2s/%s] %-24s ' "$count" "$all" "$1"; }
watch() {
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        tests=$(grep -c '^ok' "$log.tap" 2>/dev/null)
        printf '\r%s        %4s s  %s' "$(line "$1")" $(($(date +%s) - start)) "${tests:+$tests so far}"
    done
}

# run NAME COMMAND...
run() {
    name=$1 watcher=
    shift
    count=$((count + 1))
    start=$(date +%s)
    line "$name"
    if [ -t 1 ]; then
        watch "$name" &
        watcher=$!
    fi
    CK_TAP_LOG_FILE_NAME=$log.tap "$@" >"$log" 2>&1 </dev/null
    status=$?
    if [ -n "$watcher" ]; then
        kill "$watcher" 2>/dev/null
        wait "$watcher" 2>/dev/null
        printf '\r\033[K'
        line "$name"
    fi
    seconds=$(($(date +%s) - start))
    # the numbers in Check's own "100%: Checks: 12, Failures: 0, Errors: 0", or in a shell test's last line
    counts=$(sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\),.*/\1 checks/p' -e 's/^\([0-9]* passed\).*/\1/p' "$log" | tail -n 1)
    case $status in
    0) word=ok passed=$((passed + 1)) ;;
    77) word=skipped skipped=$((skipped + 1)) counts=$(head -n 1 "$log") ;;
    *) word=FAILED failed=$((failed + 1)) which="$which; $name" ;;
    esac
    printf '%-7s %4s s  %s\n' $word $seconds "$counts"
    [ $word != FAILED ] || sed 's/^/        /' "$log"
}

runs_once() {
    case $1 in
    bad_input | compare | extras | input | options | pattern | report | scalar | timing | variants | verify | wave_reduce_cpu) return 0 ;;
    *) return 1 ;;
    esac
}

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046  # names without spaces
    set -- $(ls "$folder" | sed -n 's/^test_\([a-z0-9_]*\)$/\1/p')
    if [ "$platform" = cpu ] && [ -f "$here/test_build.sh" ]; then
        set -- "$@" "$here"/test_*.sh
    fi
fi
# How often a suite runs, for the count.
all=0
for suite; do
    all=$((all + 1))
    case $suite in
    *.sh) ;;
    *) [ "$platform" != cpu ] || runs_once "$suite" || all=$((all + 1)) ;;
    esac
done

# Suites that start kernels themselves.
launched() {
    case $1 in
    pattern | platform_cpu | single_pass | timing) return 0 ;;
    *) return 1 ;;
    esac
}

for suite; do
    case $suite in
    *.sh) run "$(basename "$suite" .sh | sed 's/^test_//')" sh "$suite" ;;
    *)
        launch=
        ! launched "$suite" || launch=$REDUCTION_LAUNCH
        # shellcheck disable=SC2086  # launch is words
        if [ "$platform" != cpu ] || runs_once "$suite"; then
            run "$suite" $launch "$folder/test_$suite"
        else
            for warp in 64 32; do
                HIP_CPU_WARP_SIZE=$warp
                export HIP_CPU_WARP_SIZE
                run "$suite, warp $warp" $launch "$folder/test_$suite"
            done
            unset HIP_CPU_WARP_SIZE
        fi
        ;;
    esac
done
rm -f "$log" "$log.tap"
[ -z "$which" ] || echo "failed: ${which#; }"
echo "check on $platform: $passed suites passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
