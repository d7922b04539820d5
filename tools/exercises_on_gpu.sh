#!/bin/sh
# Runs the checkers that tools/exercises_for_gpu.sh has packed, where there is a GPU and no compiler.
#
#   tools/exercises_on_gpu.sh PACK RESULTS
#
# Each case has to give the diagnosis that is expected of it on a GPU, and compute-sanitizer, where it works, has
# to find nothing in solutions, and what it is made for in some of the wrong ones. Reports are in RESULTS/exercises.
# Exit code 1 if anything differs.
pack=$1 results=$2/exercises
self=$0
tab=$(printf '\t')

# one FOLDER NAME KIND EXPECTED: the checker of one case
one() {
    cd "$1" || exit 3
    # shellcheck disable=SC2046 # flags are words
    timeout -k 5 120 "./$2" --json="$2.json" $(cat "$2.flags") >"$2.log" 2>&1
    status=$?
    said=$(sed -n 's/.*"code": "\([^"]*\)", "diagnosis": "\(.*\)", "case".*/\1 \2/p' "$2.json" 2>/dev/null)
    case $status in
    0) said=solved ;;
    1) ;;
    *) said="exit code $status, $(tail -n 1 "$2.log")" ;;
    esac
    word=FAILED
    printf '%s\n' "$said" | grep -qE "^($4)" && word=ok
    printf '%-7s %-26s %s%s\n' $word "$2" "$said" "$([ $word = ok ] || printf '; expected: %s' "$4")" | cut -c 1-200
    [ $word = ok ] || cp "$2.log" "$results/$2.log"
}

# sanitize FOLDER NAME WANTED TOOL...: WANTED is "something" or "nothing"
sanitize() {
    folder=$1 name=$2 wanted=$3 said=
    shift 3
    cd "$folder" || exit 3
    for tool; do
        timeout -k 5 90 compute-sanitizer --tool "$tool" --error-exitcode 99 "./$name" --once >"$name.$tool" 2>&1
        case $? in
        0) ;;
        99) said="$said $tool: $(grep -m 1 -E '(Race|Error|Invalid|Barrier|hazard)' "$name.$tool" | sed 's/^=* *//; s/([^)]*)+0x[0-9a-f]*//; s|[^ ]*/||' | cut -c 1-100);" ;;
        *) said="$said $tool does not run: $(grep -v '^=* *$' "$name.$tool" | tail -n 1 | cut -c 1-80);" ;;
        esac
        [ -s "$name.$tool" ] && cp "$name.$tool" "$results/$name.$tool"
    done
    word=FAILED
    case $wanted in
    nothing) [ -n "$said" ] || word=ok ;;
    *) case $said in *'not run'*) ;; ?*) word=ok ;; esac ;;
    esac
    printf '%-7s %-26s sanitizer:%s\n' $word "$name" "${said:- nothing}"
}

case $1 in
--one | --sanitize)
    do=${1#--}
    results=$2
    shift 2
    $do "$@"
    exit
    ;;
esac

[ -f "$pack" ] || { echo "$pack is not there: tools/exercises_for_gpu.sh builds it" >&2; exit 2; }
mkdir -p "$results" && results=$(cd "$results" && pwd) || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
tar -C "$work" -xzf "$pack" || exit 3

# A few at a time: most of their time is starting and ending.
while IFS=$tab read -r _ name kind _ _ expected; do
    printf '%s\0%s\0%s\0' "$name" "$kind" "$expected"
done <"$work/cases" | xargs -0 -n 3 -P "${EXERCISE_JOBS:-4}" sh "$self" --one "$results" "$work" | tee "$results/list"

if ! command -v compute-sanitizer >/dev/null; then
    echo 'skipped compute-sanitizer: it is not here'
elif ! compute-sanitizer "$work/$(sed -n 's/^[0-9]*\t\([^\t]*\)\tsolution.*/\1/p' "$work/cases" | head -n 1)" --once >"$results/sanitizer.log" 2>&1; then
    echo "skipped compute-sanitizer: it does not work here: $(grep -v '^=* *$' "$results/sanitizer.log" | head -n 1)"
else
    while IFS=$tab read -r _ name _; do
        case $name in
        *_solution) printf '%s\0' "$name nothing memcheck racecheck synccheck" ;;
        02_shipped | 02_volatile | 02_warp_sync | 07_shipped) printf '%s\0' "$name something racecheck" ;;
        03_round_up) printf '%s\0' "$name something memcheck" ;;
        esac
    done <"$work/cases" | xargs -0 -n 1 -P "${EXERCISE_JOBS:-4}" sh -c 'exec sh "$0" --sanitize "$1" "$2" $3' "$self" "$results" "$work" | tee -a "$results/list"
fi
echo "$(grep -c '^ok' "$results/list") as expected, $(grep -c '^FAILED' "$results/list") not"
! grep -q '^FAILED' "$results/list"
