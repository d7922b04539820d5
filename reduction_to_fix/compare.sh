#!/bin/sh
# SPDX-License-Identifier: MIT
# make compare: your solution beside the one that comes with the exercise: the lines, and what the hardware would do. Only
# when yours is right.
#
#   compare.sh NUMBER       in the folder above, with MAKE and BUILT in the environment
. reduction_to_fix/exercise.sh
find_exercise "$1" || exit
ex="EX=$(plain "$number")"
[ "$(recall "solved.$number")" = "$(cksum <"$source")" ] || {
    echo "make $ex compare: solve it first; make $ex check says what is wrong" >&2
    exit 2
}
[ -f "${folder}solution.patch" ] || {
    echo "make $ex compare: this copy of the course has no solutions; your instructor has them" >&2
    exit 2
}
work=${BUILT}build/exercises/$number-compare
rm -rf "$work" && mkdir -p "$work" || exit 3
reference=$work/reference.hip
as_shipped "$work/shipped.hip" && python3 $here/bank.py solution "$number" "$work/shipped.hip" >"$reference" || exit
build() { # NAME SOURCE: its program is called NAME
    $MAKE --no-print-directory GPU=cpu TRACE=1 EX="$number" SOURCE="$2" WORK="$work/$1.built" exercise-program >"$work/said" 2>&1 || {
        cat "$work/said" >&2
        exit 1
    }
    ln -sf "$1.built/program" "$work/$1"
}
build yours "$source"
build reference "$reference"
lines() { grep -c '[^[:space:]]' "$1"; }
echo "Exercise $(plain "$number"): yours has $(lines "$source") lines, the reference $(lines "$reference")"
diff -U 1 "$source" "$reference" | sed '1,2d'
echo
export WARP="${WARP:-32}"
exec sh nogpu/trace/explain/explain.sh "$work/yours" "$work/reference" -- --quiet --iterations=1 --warmup=0 --ceiling=1 \
    --type=float --size=2048 --block=256 --grid=2
