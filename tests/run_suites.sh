#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs test suites that are built already: the last step of `make check`, and the way to run tests on a machine
# without compilers.
#
#   REDUCTION_BIN=out tests/run_suites.sh cpu|amd|nvidia FOLDER [SUITE]...
#
# FOLDER has the suites test_*, REDUCTION_BIN the programs. On the CPU a suite runs twice, with warps of 64 and of 32,
# unless it starts no kernel or chooses the warps itself; and the suites */*.bats in this folder, which are about the
# sources, the build and the tools, run only there. On the CPU two suites (REDUCTION_JOBS) run at a time, on a GPU one.
# REDUCTION_CHECK=fast|usual|all says how much to run (tests/README.md); REDUCTION_VARIANT=reduction_shfl selects one
# variant.
# REDUCTION_LAUNCH='srun -n1 --gpus=1' is put before every command that uses a device: suites with their own kernels, and
# the programs that the others start.
# A suite fails if a process that it started outlives it (lib/reaper.py, if there is Python). The output of a failing suite
# is shown. Exit code 1 if any failed.

# ---- one suite: run_suites.sh --one SUITE; its settings are in the environment
launched() { # suites that start kernels themselves
    case $1 in
    contract | far_cpu | library* | pattern | platform_cpu | reproducible | rows | single_pass | timing | wave_reduce_*) return 0 ;;
    *) return 1 ;;
    esac
}

one() {
    stopped=
    trap 'stopped=yes' TERM # the suite gets the signal, too; afterwards we remove its folder
    suite=${1%,*} name=${1%,*}
    case $1 in
    *.bats) name=$(basename "$1" .bats) && set -- bats --tap "$1" ;;
    *)
        if [ "$suite" != "$1" ]; then
            export HIP_CPU_WARP_SIZE="${1#*,}"
            [ "$HIP_CPU_WARP_SIZE" = 64 ] || export HIP_CPU_LATE=1 # and work as late as HIP allows
            name="$suite, warp $HIP_CPU_WARP_SIZE"
        fi
        launch=
        ! launched "$suite" || launch=$REDUCTION_LAUNCH
        # shellcheck disable=SC2086  # launch is words
        set -- $launch "$suites_folder/test_$suite"
        # shellcheck disable=SC2086  # so are these
        [ "$suite" != variants ] || set -- "$@" $REDUCTION_VARIANT
        ;;
    esac
    log="$suites_folder/log.$name" tap="$suites_folder/tap.$name" start=$(date +%s)
    echo "$start" >"$suites_folder/runs.$name"
    # shellcheck disable=SC2016  # expanded by the inner shell
    case $suite in
    *.bats) set -- sh -c '"$@" >"$CK_TAP_LOG_FILE_NAME"' sh "$@" ;;
    esac
    ! command -v python3 >/dev/null || set -- python3 "$(dirname "$0")/lib/reaper.py" "$suites_folder/time.$name" "$@"
    temporary=$(mktemp -d "${TMPDIR:-/tmp}/suite-XXXXXX") || exit # because compilers leave folders there
    chmod 1777 "$temporary" # like /tmp: the suite `course` runs as another user
    (
        ulimit -t 1800 # of processor time, for one process
        CK_TAP_LOG_FILE_NAME=$tap TMPDIR=$temporary exec "$@"
    ) >"$log" 2>&1 </dev/null
    status=$?
    rm -rf "$temporary"
    [ -z "$stopped" ] || exit 1
    passed=$(grep -c '^ok' "$tap" 2>/dev/null)
    skipped=$(grep -c '^ok.* # skip' "$tap" 2>/dev/null)
    word=ok text="${passed:-0} tests"
    [ "${skipped:-0}" -eq 0 ] || text="$((passed - skipped)) tests, $skipped skipped"
    case $suite in
    *.bats) [ "${passed:-0}" -gt 0 ] || status=98 ;; # no test passed
    esac
    if [ $status -eq 77 ]; then
        word=skipped text=$(head -n 1 "$log")
    elif [ $status -ne 0 ]; then
        word=FAILED
    elif [ "${skipped:-0}" -gt 0 ] && [ "$skipped" -eq "$passed" ]; then
        word=skipped text=$(sed -n 's/^ok.* # skip *//p' "$tap" | head -n 1)
    fi
    echo "$word $name" >>"$suites_folder/ended"
    [ -z "$suites_terminal" ] || printf '\r\033[K'
    printf '  CHECK [%2s/%s] %-24s %-7s %4s s  %s\n' "$(grep -c . "$suites_folder/ended")" "$suites_all" "$name" $word \
        "$(cat "$suites_folder/time.$name" 2>/dev/null || echo $(($(date +%s) - start)))" "$text"
    if [ $word = FAILED ]; then
        case $suite in
        *.bats) grep -v '^ok' "$tap" 2>/dev/null | sed 's/^/        /' ;;
        esac
        sed 's/^/        /' "$log"
        [ $status -ne 98 ] || echo "        no test of it has run"
    fi
    rm -f "$log" "$tap" "$suites_folder/runs.$name" "$suites_folder/time.$name"
}
if [ "${1:-}" = --one ]; then
    shift
    for each; do
        (one "$each") || exit
    done
    exit 0
fi

# ---- all suites
[ $# -ge 2 ] || { sed -n '3,/^$/s/^# \{0,1\}//p' "$0" | sed '/^\[/,$d' >&2; exit 2; }
platform=$1 folder=$2
shift 2
here=$(dirname "$0")
export REDUCTION_BIN="${REDUCTION_BIN:-.}" REDUCTION_CHECK="${REDUCTION_CHECK:-usual}" REDUCTION_VARIANT="${REDUCTION_VARIANT:-}"
export suites_folder="$folder" suites_terminal='' suites_all=0
[ ! -t 1 ] || suites_terminal=yes
# Threads that spin while they wait would take the cores from those that work.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
rm -f "$folder"/log.* "$folder"/tap.* "$folder"/runs.* "$folder"/time.*
: >"$folder/ended"

runs_once() {
    case $1 in
    bad_input | child | extras | far_cpu | input | join | options | pattern | platform_cpu | report | scalar | timing | translate_cpu | variants | verify | wave_reduce_cpu) return 0 ;;
    *) return 1 ;;
    esac
}
# What check-fast leaves out: builds, tools and the longer tests of single variants.
is_slow() {
    case $1 in
    single_pass | reproducible | extras | library_rows | pattern) return 0 ;;
    */races.bats | */run.bats | */hello.bats | */ladder.bats | */suites.bats) return 1 ;;
    *.bats) return 0 ;;
    *) return 1 ;;
    esac
}

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046,SC2012  # names without spaces
    set -- $(ls "$folder" | sed -n 's/^test_\([a-z0-9_]*\)$/\1/p')
    if [ "$platform" = cpu ] && [ -d "$here/lib" ]; then
        set -- "$@" "$here"/*/*.bats "$here"/../*/tests/*.bats "$here"/../*/tests/*/*.bats
    fi
    for suite; do
        shift
        case $suite in *'*'*) continue ;; esac # a room without such tests
        if [ "$REDUCTION_CHECK" != fast ] || ! is_slow "$suite"; then set -- "$@" "$suite"; fi
    done
else
    for suite; do
        shift
        for file in "$here"/*/"$suite.bats" "$here"/../*/tests/"$suite.bats" "$here"/../*/tests/*/"$suite.bats"; do
            [ ! -f "$file" ] || suite=$file
        done
        [ -x "$folder/test_$suite" ] || [ -f "$suite" ] || { echo "there is no suite $suite"; exit 2; }
        set -- "$@" "$suite"
    done
fi
case "$*" in
*.bats*) command -v bats >/dev/null || { echo 'bats not found: ./install-deps.sh test (package bats)'; exit 1; } ;;
esac

# Each line has suites that run one after another. Most are alone on their line; those that build traced programs in the
# tree must not run at the same time. The longest come first.
jobs=$(nproc 2>/dev/null || echo 1)
[ "$jobs" -le 2 ] || jobs=2
[ "$platform" = cpu ] || jobs=1
jobs=${REDUCTION_JOBS:-$jobs}
traced='' long='' short=''
for suite; do
    case $suite in
    */trace/*) traced="$traced $suite" ;;
    variants | */exercises.bats | */readme.bats | */build.bats) long="$long$suite
" ;;
    *.bats) short="$short$suite
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

# Shows on a terminal what is running.
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
}$long$short" | setsid xargs -P "$jobs" -L 1 sh "$0" --one &
suites=$! stopped=
trap 'stopped=yes; kill -TERM "-$suites"' INT TERM HUP # the process group of all suites
while wait "$suites"; [ -n "$stopped" ] && kill -0 "-$suites" 2>/dev/null; do sleep 0.1; done
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
[ "$failed" -eq 0 ] && [ $lost -eq 0 ] && [ -z "$stopped" ]
