#!/bin/sh
# The exercises and their checker: as shipped each one is found wrong with the expected diagnosis, with its
# solution it passes everything, and tempting wrong fixes are recognized (tests/exercises/wrong/*.patch).
#
#   tests/exercises/test_exercises.sh [NUMBER...]     default: all, each with its own compiler and run; EXERCISE_JOBS=2
#   tests/exercises/test_exercises.sh make            what make says in reduction_to_fix, and exercise 3
unset MAKEFLAGS MAKELEVEL MFLAGS GPU OUT V SAN WERROR VARIANTS
cd "$(dirname "$0")/../.." || exit 1
command -v patch >/dev/null || { echo 'patch is not there: ./install-deps.sh test'; exit 77; }
[ -d docs/instructor/solutions ] || { echo 'the solutions are not part of this copy'; exit 77; }
make=${MAKE:-make}
jobs=${EXERCISE_JOBS:-$(getconf _NPROCESSORS_ONLN)}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

field() { awk -F'|' -v n="$1" -v f="$2" '!/^#/ && $1 + 0 == n + 0 { print $f }' reduction_to_fix/exercises.txt; }

# build_and_check NUMBER NAME SOURCE: leaves NAME.json and NAME.log; the status is the checker's.
build_and_check() {
    folder=$work/$2
    mkdir -p "$folder/trace"
    set -- "$1" "$2" "$3" "$folder"
    $make -s GPU=cpu EX="$1" SOURCE="$3" WORK="$4" exercise-judge exercise-program >"$4.log" 2>&1 || return 9
    $make -s GPU=cpu TRACE=1 EX="$1" SOURCE="$3" WORK="$4/trace" exercise-runner >>"$4.log" 2>&1 || return 9
    # shellcheck disable=SC2046 # flags are words
    "$4/judge" --json="$4.json" --exercise="$1" --runner="$4/trace/runner" --traced --program="$4/program" \
        --symbols="$4/trace/symbols" --rules=reduction_to_fix/checker/rules.txt $(field "$1" 5) >>"$4.log" 2>&1
}

# one NUMBER NAME KIND SOURCE EXPECTED: "ok ..." or "FAILED ..." in NAME.result
one() {
    build_and_check "$1" "$2" "$4"
    status=$?
    code=$(sed -n 's/.*"code": "\([^"]*\)".*/\1/p' "$work/$2.json" 2>/dev/null)
    said=$(sed -n 's/.*"code": "\([^"]*\)", "diagnosis": "\(.*\)", "case".*/\1 \2/p' "$work/$2.json" 2>/dev/null)
    case $3 in
    solution | right) [ $status -eq 0 ] ;;
    *) [ $status -eq 1 ] && printf '%s\n' "$said" | grep -qE "^($5)" ;;
    esac
    if [ $? -eq 0 ]; then
        echo "ok      $2: ${said:-solved}" | cut -c1-100
    else
        echo "FAILED  $2: exit $status, $said; expected ${5:-solved}"
        sed 's/^/        /' "$work/$2.log" | head -40
    fi >"$work/$2.result"
    rm -rf "${work:?}/$2"
}

# Exercises and solutions, all in one file, compile for the GPUs whose compiler is installed.
compiles() {
    {
        printf '#define VARIANT_SOURCE "reduction.h"\n#include "instances.h"\n#define VALUE_TYPE TYPE_LONG\n'
        while read -r _ name kind source _; do
            case $kind in shipped | solution) ;; *) continue ;; esac
            printf '#undef VARIANT_SOURCE\n#define VARIANT_SOURCE "%s"\n#define OPERATION OP_SUM\n' "$source"
            printf '#define INSTANCE exercise_%s\n#include "instance.h"\n#undef UNROLL\n#undef PER_THREAD\n' "$name"
            printf 'const struct variant_entry *entry_%s(void)\n{\n    return &exercise_%s::entry;\n}\n' "$name" "$name"
        done <"$work/cases"
    } >"$work/all.hip"
    for gpu in gfx90a sm_90; do
        case $gpu in gfx*) compiler=${HIPCC:-hipcc} ;; *) compiler=${NVCC:-nvcc} ;; esac
        if ! PATH=$PATH:/usr/local/cuda/bin command -v "$compiler" >/dev/null; then
            echo "exercises: not compiled for $gpu, $compiler is not there"
        elif $make -s GPU=$gpu SOURCE="$work/all.hip" WORK="$work/$gpu" WERROR=1 exercise-compiles >"$work/log" 2>&1; then
            echo "ok      exercises and solutions compile for $gpu"
        else
            echo "FAILED  exercises and solutions do not compile for $gpu"
            head -n 20 "$work/log"
        fi
    done >"$work/gpus.result"
}

# The common objects, built once.
$make -s -j"$jobs" GPU=cpu EX=1 WORK="$work/first" exercise-judge exercise-program >"$work/log" 2>&1 &&
    $make -s -j"$jobs" GPU=cpu TRACE=1 EX=1 WORK="$work/first_traced" exercise-runner >>"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
targets=
[ $# -gt 0 ] || targets=all
[ "${1-}" != make ] || { targets=all; set -- 3; }
sh tests/exercises/cases.sh "$work" "$@" >"$work/cases" || exit 1
[ -s "$work/cases" ] || { echo "no such exercise: $*" >&2; exit 2; }
# make check takes a sample: every exercise as it is or solved, and every ninth fix. make check-all takes all.
if [ "$targets" = all ] && [ $# -eq 0 ] && [ "${REDUCTION_CHECK:-all}" != all ]; then
    awk -F'\t' '$3 == "shipped" && $1 % 2 || $3 == "solution" && ($1 % 2 == 0 || $1 == 3) || ++n % 9 == 0' "$work/cases" >"$work/some"
    mv "$work/some" "$work/cases"
fi

running=0 tab=$(printf '\t')
while IFS=$tab read -r number name kind source expected _; do
    one "$number" "$name" "$kind" "$source" "$expected" &
    running=$((running + 1))
    [ $running -lt "$jobs" ] || { wait; running=0; }
done <"$work/cases"
wait

# make watch: checks, checks again when the file is saved, and ends with its process.
watches() {
    shows() { # TEXT WORDS: the watch prints WORDS within two minutes
        for _ in $(seq 120); do
            grep -qE "$2" "$work/watch" && echo "ok      $1" && return
            sleep 1
        done
        echo "FAILED  $1"
        cat "$work/watch"
    }
    cp reduction_to_fix/03_dropped_tail/dropped_tail.hip "$work/watched.hip"
    $make -s -C reduction_to_fix OUT="$work/out" GPU=cpu EX=3 SOURCE="$work/watched.hip" watch >"$work/watch" 2>&1 &
    watcher=$!
    shows 'make watch checks' 'WRONG .tail.'
    shows 'and names the file' "Checks $work/watched.hip"
    cp "$work/03_solution.hip" "$work/watched.hip"
    shows 'and checks again when it is saved' SOLVED
    kill $watcher
    wait $watcher 2>/dev/null
    sleep 2 # the messages of make
    before=$(cksum <"$work/watch")
    echo '/* once more */' >>"$work/watched.hip"
    sleep 3
    says 'and no more when it has been ended' '' test "$before" = "$(cksum <"$work/watch")"
}

# What make says in reduction_to_fix.
engine() {
    in_folder() { $make -s -C reduction_to_fix OUT="$work/out" GPU=cpu "$@" >"$work/said" 2>&1; }
    says() { # says TEXT WORDS COMMAND...
        text=$1 words=$2
        shift 2
        if "$@" && grep -qE "$words" "$work/said"; then
            echo "ok      $text"
        else
            echo "FAILED  $text"
            head -n 20 "$work/said"
        fi
    }
    fails() { ! "$@"; }
    says 'make hint, the first' 'hint 1 of 3' in_folder hint
    says 'the second' 'hint 2 of 3' in_folder hint
    says 'the third' 'hint 3 of 3' in_folder hint
    says 'no more' 'all hints there are' in_folder hint
    says 'hints of another one' 'Exercise 7, hint 1 of 3' in_folder EX=7 hint
    says 'make builds exercise 1' '' in_folder
    says 'which runs' '' test -x "$work/out/reduction_to_fix/reduction_to_fix"
    says 'make EX=3 builds exercise 3' '' in_folder EX=3
    says 'which runs' '' test -x "$work/out/reduction_to_fix/03_dropped_tail/reduction_dropped_tail"
    says 'make list before' '^  3 +n that' in_folder list
    says 'make check of what is wrong fails' 'WRONG .tail.' fails in_folder EX=3 check
    says 'and names the lesson' 'two_kernels_unroll/README.md' test -s "$work/said"
    says 'make check of what is right' 'SOLVED' in_folder EX=3 SOURCE="$work/03_solution.hip" check
    says 'make list after' '^  3 +yes' in_folder list
    echo "/* saved */" >>"$work/03_solution.hip"
    says 'a number that is none' 'no such exercise' fails in_folder EX=99 check
    says 'and not a number' 'no such exercise' fails in_folder EX=x hint
    says 'make explain' 'shared loads +[0-9]+ passes, [1-9]' in_folder EX=14 explain
    watches
    says 'make copy' '' $make -s copy TO="$work/copy"
    says 'without solutions and wrong fixes' '' test -z "$(find "$work/copy" -name '*.patch')"
    for suite in exercise exercises grade; do
        "$work/copy/tests/exercises/test_$suite.sh" >"$work/said"
        says "and the suite $suite skips itself there" 'solutions are not part of this copy' test $? -eq 77
    done
    for folder in reduction_to_fix reduction_to_fix/[01]*/; do
        [ "$(grep -c '^%$' "$folder/hints.txt")" -eq 2 ] && [ "$(awk 'length > 80' "$folder/hints.txt" | wc -l)" -eq 0 ] &&
            echo "ok      three hints in $folder" || echo "FAILED  three hints of 80 columns in $folder"
    done
}

compiles
[ -z "$targets" ] || engine >"$work/engine.result"
cat "$work"/*.result
right=$(cat "$work"/*.result | grep -c '^ok')
wrong=$(cat "$work"/*.result | grep -c '^FAILED')
echo "$right passed, $wrong failed"
[ "$wrong" -eq 0 ] && [ "$right" -ge "$(wc -l <"$work/cases")" ]
