#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds what `tools/measure/on_gpu.py FOLDER RESULTS exercises` runs: the judge, a runner for each case of
# tests/exercises, and one list of them, packed into FOLDER/exercises.tar.gz.
#
#   tools/measure/exercises_for_gpu.sh GPU FOLDER [NUMBER...]
#
#   GPU      sm_90, gfx90a; cpu tests the way without a GPU
#   NUMBER   these exercises alone
#
# Some minutes on two cores. What is newer than its source stays.
[ $# -ge 2 ] || { sed -n '3,/^$/s/^# \{0,1\}//p' "$0" | sed '/^\[/,$d' >&2; exit 2; }
cd "$(dirname "$0")/../.." || exit 3
[ -d docs/instructor/solutions ] || { echo 'the solutions are not part of this copy' >&2; exit 2; }
gpu=$1 out=$2
shift 2
case $out in /*) ;; *) out=$PWD/$out ;; esac
make=${MAKE:-make}
work=$out/build/$gpu/exercises
pack=$work/pack
tab=$(printf '\t')

rm -rf "$pack"
mkdir -p "$pack" "$work/sources" || exit 3
sh tests/exercises/cases.sh "$work/sources" "$@" >"$work/all" || exit 1
# Wrong fixes that no GPU shows are left out.
awk -F"$tab" '$3 != "wrong" || $6 != "solved" || $7 != "solved"' "$work/all" | sort -t "$tab" -k 3,3 -k 2,2 >"$pack/cases"
echo "$gpu" >"$pack/target" # says how many lanes a warp has
[ -s "$pack/cases" ] || { echo "there is no such exercise: $*" >&2; exit 2; }
while IFS=$tab read -r number name _ source _; do
    $make -s GPU="$gpu" OUT="$out" EX="$number" SOURCE="$source" WORK="$work/$name" exercise-judge exercise-runner \
        </dev/null >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        echo "$name does not compile for $gpu" >&2
        exit 1
    }
    flags=$(awk -F'|' -v n="$number" '!/^#/ && $1 + 0 == n + 0 { print $5 }' reduction_to_fix/exercises.txt)
    cp -L "$work/$name/judge" "$pack/judge" && cp "$work/$name/runner" "$pack/$name" && strip "$pack/$name" && printf '%s\n' "$flags" >"$pack/$name.flags" || exit 3
    printf '\r%-40s' "$name"
done <"$pack/cases"
tar -C "$pack" -czf "$out/exercises.tar.gz" . || exit 3
printf '\r%s: %s cases, %s KiB\n' "$out/exercises.tar.gz" "$(wc -l <"$pack/cases")" "$(du -k "$out/exercises.tar.gz" | cut -f1)"
