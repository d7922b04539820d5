#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds an exercise and judges it, on the CPU platform: for make check, make grade and the bank.
#
#   judge.sh NUMBER SOURCE WORK JUDGE-FLAGS...      in the folder above; MAKE in the environment; WORK: a folder to write to
#
# Exit code 21: it could not be built; standard error and WORK/said say why; else the judge's.
number=$1 source=$2 work=$3
shift 3
make="${MAKE:-make} -s --no-print-directory GPU=cpu EX=$number SOURCE='$source'"
[ -d "$work" ] || mkdir -p "$work" || exit 3
eval "$make TRACE=1 WORK='$work' exercise-judge exercise-gpu exercise-runner" >"$work/said" 2>&1
status=$?
[ ! -s "$work/said" ] || cat "$work/said" >&2 # warnings come before the verdict
[ $status -eq 0 ] || exit 21
for file in reduction_to_fix/"$number"_*/exercise.txt; do :; done
exec "$work/judge" --exercise="$file" --gpu="$work/gpu" --warnings="$work/exercise.o.said" --runner="$work/runner" --traced "$@"
