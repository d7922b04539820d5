#!/bin/sh
# SPDX-License-Identifier: MIT
# The check once more on this machine's GPU, with its own order of threads; how far it goes there; and the vendor's
# sanitizer, where there is one. Exit code 0 also where there is no GPU.
#
#   check_on_gpu.sh NUMBER SOURCE       in the folder above, with MAKE and BUILT in the environment
. reduction_to_fix/exercise.sh
platform=$(sh platform/target.sh "${GPU:-auto}")
platform=${platform%% *}
case $platform in nvidia | amd) ;; *) exit 0 ;; esac
find_exercise "$1" || exit
work=${BUILT}build/exercises/$number-$platform
said=$work/said
mkdir -p "$work" || exit 3
file=$2
echo 'The same on the GPU:'
$MAKE --no-print-directory EX="$number" SOURCE="$file" WORK="$work" exercise-judge exercise-runner exercise-program >"$said" 2>&1 || {
    cat "$said" >&2
    exit 1
}
"$work/judge" --name="exercise $(plain "$number") on the GPU" --runner="$work/runner" --exercise="${folder}exercise.txt"
status=$?
[ $status -ne 77 ] || exit 0
[ $status -eq 0 ] || exit $status
sh $here/bar.sh "$folder" "$work/program"
[ "$platform" = nvidia ] && command -v compute-sanitizer >/dev/null || exit 0
for tool in memcheck racecheck synccheck; do
    compute-sanitizer --tool $tool --error-exitcode 99 "$work/runner" once >"$said" 2>&1
    case $? in
    0) echo "  compute-sanitizer, $tool: nothing" ;;
    99)
        echo "  compute-sanitizer, $tool:"
        grep -v '^=* *$' "$said" | head -n 12
        exit 1
        ;;
    *) echo "  compute-sanitizer, $tool, does not work here: $(grep -v '^=* *$' "$said" | head -n 1)" ;;
    esac
done
