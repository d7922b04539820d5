#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds what `tools/measure/on_gpu.py FOLDER RESULTS exercises` runs, and packs it into FOLDER/exercises.tar.gz: the judge,
# a runner for each case of the bank, and a list of them.
#
#   tools/measure/exercises_for_gpu.sh GPU FOLDER [NUMBER...]
#
#   GPU      sm_90, gfx90a; cpu tests the procedure without a GPU
#   NUMBER   only these exercises
#   WRONG=10 in the environment: only ten wrong fixes, spread evenly, and no right ones
#
# Takes some minutes on two cores, 15 seconds on 16. Rebuilds only what is older than its source.
[ $# -ge 2 ] || { sed -n '3,/^$/s/^# \{0,1\}//p' "$0" | sed '/^\[/,$d' >&2; exit 2; }
cd "$(dirname "$0")/../.." || exit 3
[ -e reduction_to_fix/01_to_fix/solution.patch ] || { echo 'the solutions are not part of this copy' >&2; exit 2; }
gpu=$1 out=$(mkdir -p "$2" && cd "$2" && pwd) || exit 3
shift 2
work=$out/build/$gpu/exercises pack=$out/build/$gpu/exercises/pack
tab=$(printf '\t')

rm -rf "$pack" && mkdir -p "$pack" "$work/sources" || exit 3
python3 reduction_to_fix/bank.py write "$work/sources" "$@" >"$work/all" || exit 1
# Leaves out wrong fixes that no GPU reveals, those that must not compile, and those for the other vendor's compiler.
case $gpu in
sm_*) grep -lE '__hip_atomic|__builtin_' "$work/sources"/*.hip ;;
gfx*) grep -l cuda_runtime.h "$work/sources"/*.hip ;;
esac >"$work/foreign"
awk -F"$tab" 'FILENAME == ARGV[1] { foreign[$0]; next }
    !($4 in foreign) && $6 !~ /^compile/ && ($3 != "wrong" || $6 != "solved" || $7 != "solved")' \
    "$work/foreign" "$work/all" | sort -t "$tab" -k 3,3 -k 2,2 >"$work/seen"
awk -F"$tab" -v wanted="${WRONG:-0}" 'NR == FNR { all += $3 == "wrong"; next }
    !wanted || $3 == "shipped" || $3 == "solution" { print; next }
    $3 == "wrong" && int(++n * wanted / all) > int((n - 1) * wanted / all)' "$work/seen" "$work/seen" >"$pack/cases"
echo "$gpu" >"$pack/target" # says how many lanes a warp has
[ -s "$pack/cases" ] || { echo "no such exercise: $*" >&2; exit 2; }

build() { # NUMBER SOURCE WORK GOAL...: GPU compilers print a lot, shown only on failure
    number=$1 source=$2 place=$3
    shift 3
    ${MAKE:-make} -s GPU="$gpu" OUT="$out" EX="$number" SOURCE="$source" WORK="$place" "$@" >"$place.log" 2>&1 </dev/null && return
    { cat "$place.log" && echo "$source does not compile for $gpu"; } >&2
    return 1
}
# The shared parts once, then as many cases at a time as there are cores.
IFS=$tab read -r number name _ source _ <"$pack/cases"
build "$number" "$source" "$work/$name" exercise-judge exercise-runner || exit 1
cp -L "$work/$name/judge" "$pack/judge" || exit 3
started=0
while IFS=$tab read -r number name _ source _; do
    build "$number" "$source" "$work/$name" -j1 exercise-runner &
    [ $((started = (started + 1) % $(nproc))) -ne 0 ] || wait
done <"$pack/cases"
wait
while IFS=$tab read -r number name _; do
    cp reduction_to_fix/"${name%%_*}"_*/exercise.txt "$pack/$name.txt"
    cp "$work/$name/runner" "$pack/$name" && strip "$pack/$name" || exit 1
done <"$pack/cases"
tar -C "$pack" -czf "$out/exercises.tar.gz" . || exit 3
printf '%s: %s cases, %s KiB\n' "$out/exercises.tar.gz" "$(wc -l <"$pack/cases")" "$(du -k "$out/exercises.tar.gz" | cut -f1)"
