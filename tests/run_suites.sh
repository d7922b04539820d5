#!/bin/sh
# Runs test suites that are built already: the last step of `make check`, and the way to run tests on a machine
# without compilers.
#
#   REDUCTION_BIN=out tests/run_suites.sh cpu|amd|nvidia FOLDER [SUITE]...
#
# FOLDER has the suites test_*, REDUCTION_BIN the programs. On the CPU a suite runs twice, with warps of 64
# and of 32, unless it starts no kernel or chooses the warps itself; and the shell tests in the folders beside this file,
# which are about the sources and the build, run there only. There, two suites (REDUCTION_JOBS) run at a time; a
# GPU has one at a time.
# REDUCTION_LAUNCH='srun -n1 --gpus=1' precedes every command that uses a device: suites with kernels of their own,
# and the programs that the others start.
# The output of a suite is shown when it fails. Exit code 1 if any failed.

# ---- one suite: run_suites.sh --one SUITE...; what it needs is in the environment
launched() { # starts kernels itself
    case $1 in
    contract | pattern | platform_cpu | reproducible | single_pass | timing | wave_reduce_*) return 0 ;;
    *) return 1 ;;
    esac
}

one() {
    case $1 in
    *.sh) name=$(basename "$1" .sh) name=${name#test_} && set -- sh "$1" ;;
    *)
        suite=${1%,*} name=${1%,*}
        if [ "$suite" != "$1" ]; then
            export HIP_CPU_WARP_SIZE="${1#*,}"
            name="$suite, warp $HIP_CPU_WARP_SIZE"
        fi
        launch=
        ! launched "$suite" || launch=$REDUCTION_LAUNCH
        # shellcheck disable=SC2086  # launch is words
        set -- $launch "$suites_folder/test_$suite"
        ;;
    esac
    log="$suites_folder/log.$name" tap="$suites_folder/tap.$name" start=$(date +%s)
    echo "$start" >"$suites_folder/runs.$name"
    CK_TAP_LOG_FILE_NAME=$tap "$@" >"$log" 2>&1 </dev/null
    status=$?
    # the numbers in Check's own "100%: Checks: 12, Failures: 0, Errors: 0", or in a shell test's last line
    counts=$(sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\),.*/\1 checks/p' -e 's/^\([0-9]* passed\).*/\1/p' "$log" | tail -n 1)
    case $status in
    0) word=ok ;;
    77) word=skipped counts=$(head -n 1 "$log") ;;
    *) word=FAILED ;;
    esac
    echo "$word $name" >>"$suites_folder/ended"
    [ -z "$suites_terminal" ] || printf '\r\033[K'
    printf '  CHECK [%2s/%s] %-24s %-7s %4s s  %s\n' "$(grep -c . "$suites_folder/ended")" "$suites_all" "$name" $word \
        $(($(date +%s) - start)) "$counts"
    [ $word != FAILED ] || sed 's/^/        /' "$log"
    rm -f "$log" "$tap" "$suites_folder/runs.$name"
}
if [ "${1:-}" = --one ]; then
    shift
    for each; do
        (one "$each")
    done
    exit 0
fi

# ---- all of them
platform=$1 folder=$2
shift 2
here=$(dirname "$0")
export REDUCTION_BIN="${REDUCTION_BIN:-.}" suites_folder="$folder" suites_terminal='' suites_all=0
[ ! -t 1 ] || suites_terminal=yes
# Threads that wait for work by spinning take the cores from those that have some.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
rm -f "$folder"/log.* "$folder"/tap.* "$folder"/runs.* "$folder/ended"

runs_once() {
    case $1 in
    bad_input | child | extras | input | join | options | pattern | report | run | scalar | timing | variants | verify | wave_reduce_cpu) return 0 ;;
    *) return 1 ;;
    esac
}

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046  # names without spaces
    set -- $(ls "$folder" | sed -n 's/^test_\([a-z0-9_]*\)$/\1/p')
    if [ "$platform" = cpu ] && [ -f "$here/build/test_build.sh" ]; then
        set -- "$@" "$here"/*/test_*.sh
    fi
fi
# Lines of suites that run one after another: most are alone in theirs; those that build traced programs in the tree
# must not meet. The longest first.
jobs=$(nproc 2>/dev/null || echo 1)
[ "$jobs" -le 2 ] || jobs=2
[ "$platform" = cpu ] || jobs=1
jobs=${REDUCTION_JOBS:-$jobs}
traced='' long='' short=''
for suite; do
    case $suite in
    */test_races.sh | */test_standalone.sh | */test_exercises.sh | */test_lessons.sh | */test_explain*.sh) traced="$traced $suite" ;;
    variants | */test_readme.sh | */test_build.sh) long="$long$suite
" ;;
    *.sh) short="$short$suite
" ;;
    *)
        if [ "$platform" != cpu ] || runs_once "$suite"; then
            short="$short$suite
"
        else
            short="$short$suite,64
$suite,32
"
            suites_all=$((suites_all + 1))
        fi
        ;;
    esac
    suites_all=$((suites_all + 1))
done

# What runs now, on a terminal.
watch() {
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        text=
        for run in "$folder"/runs.*; do
            start=$(cat "$run" 2>/dev/null) || continue
            name=${run#"$folder/runs."}
            tests=$(grep -c '^ok' "$folder/tap.$name" 2>/dev/null)
            text="$text$name $(($(date +%s) - start)) s${tests:+, $tests tests}  "
        done
        printf '\r\033[K  %.76s' "$text"
    done
}
watcher=
if [ -n "$suites_terminal" ]; then
    watch &
    watcher=$!
fi
printf '%s' "${traced:+$traced
}$long$short" | xargs -P "$jobs" -L 1 sh "$0" --one
if [ -n "$watcher" ]; then
    kill "$watcher" 2>/dev/null
    wait "$watcher" 2>/dev/null
    printf '\r\033[K'
fi

count() { grep -c "^$1 " "$folder/ended"; }
failed=$(count FAILED)
lost=$((suites_all - $(grep -c . "$folder/ended")))
[ "$failed" -eq 0 ] || sed -n 's/^FAILED //p' "$folder/ended" | sort | awk '{ list = list (NR > 1 ? "; " : "") $0 } END { print "failed: " list }'
[ $lost -eq 0 ] || echo "$lost suites did not end"
echo "check on $platform: $(count ok) suites passed, $failed failed, $(count skipped) skipped"
rm -f "$folder/ended"
[ "$failed" -eq 0 ] && [ $lost -eq 0 ]
