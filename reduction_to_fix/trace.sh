#!/bin/sh
# SPDX-License-Identifier: MIT
# make explain and make race of an exercise: what the hardware would do, line by line, in the case that the checker
# counts; and unordered accesses, with both warp sizes.
#
#   trace.sh explain|race NUMBER        in the folder above, with MAKE and BUILT in the environment
. reduction_to_fix/exercise.sh
find_exercise "$2" || exit
work=${BUILT}build/exercises/$number
mkdir -p "$work" || exit 3
$MAKE --no-print-directory GPU=cpu TRACE=1 EX="$number" WORK="$work" exercise-program >"$work/said" 2>&1 || {
    cat "$work/said" >&2
    exit 1
}
once='--quiet --iterations=1 --warmup=0 --ceiling=1'
# shellcheck disable=SC2086 # words
case $1 in
race) exec sh nogpu/trace/race/race.sh "$work/program" $once --size=10007 ;;
explain)
    export WARP="${WARP:-32}"
    exec sh nogpu/trace/explain/explain.sh "$work/program" -- $once --type=float --size=2048 --block=256 --grid=2
    ;;
esac
