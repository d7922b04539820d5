#!/bin/sh
# Runs test suites that are built already: what `make check` does at its end, and what a machine without
# compilers does with tests that were carried there.
#
#   REDUCTION_BIN=out tests/run_suites.sh cpu|amd|nvidia FOLDER [SUITE]...
#
# FOLDER has the suites test_*, REDUCTION_BIN the programs. On the CPU a suite runs twice, with warps of 64
# and of 32, unless it starts no kernel or chooses the warps itself; and the shell tests beside this file,
# which are about the sources and the build, run there only. One after another: suites use all cores
# themselves, and some measure time.
# What a suite says is shown when it fails. Exit code 1 if any failed.
platform=$1 folder=$2
shift 2
here=$(dirname "$0")
log=$folder/log
passed=0 failed=0 skipped=0
export REDUCTION_BIN="${REDUCTION_BIN:-.}"

# run NAME COMMAND...
run() {
    name=$1
    shift
    start=$(date +%s)
    "$@" >"$log" 2>&1 </dev/null
    status=$?
    seconds=$(($(date +%s) - start))
    # the numbers in Check's own "100%: Checks: 12, Failures: 0, Errors: 0", or in a shell test's last line
    counts=$(sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\),.*/\1 checks/p' -e 's/^\([0-9]* passed\).*/\1/p' "$log" | tail -n 1)
    case $status in
    0) word=ok passed=$((passed + 1)) ;;
    77) word=skipped skipped=$((skipped + 1)) counts=$(head -n 1 "$log") ;;
    *) word=FAILED failed=$((failed + 1)) ;;
    esac
    printf '  CHECK %-26s %-7s %4s s  %s\n' "$name" $word $seconds "$counts"
    [ $word != FAILED ] || sed 's/^/        /' "$log"
}

runs_once() {
    case $1 in
    bad_input | compare | extras | input | options | pattern | report | scalar | timing | variants | verify) return 0 ;;
    *) return 1 ;;
    esac
}

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046  # names without spaces
    set -- $(ls "$folder" | sed -n 's/^test_\([a-z0-9_]*\)$/\1/p')
    [ "$platform" != cpu ] || set -- "$@" "$here"/test_*.sh
fi
for suite; do
    case $suite in
    *.sh)
        [ -f "$suite" ] || continue
        run "$(basename "$suite" .sh | sed 's/^test_//')" sh "$suite"
        ;;
    *)
        if [ "$platform" != cpu ] || runs_once "$suite"; then
            run "$suite" "$folder/test_$suite"
        else
            for warp in 64 32; do
                HIP_CPU_WARP_SIZE=$warp
                export HIP_CPU_WARP_SIZE
                run "$suite, warp $warp" "$folder/test_$suite"
            done
            unset HIP_CPU_WARP_SIZE
        fi
        ;;
    esac
done
rm -f "$log"
echo "check on $platform: $passed suites passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
