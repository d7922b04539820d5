#!/bin/sh
# SPDX-License-Identifier: MIT
# make check: judges an exercise on the CPU platform, which decides, and then on a GPU, if there is one.
#
#   check.sh NUMBER [SOURCE]        in the folder above, with MAKE and BUILT in the environment
. reduction_to_fix/exercise.sh
find_exercise "$1" || exit
file=${2:-$source}
work=${BUILT}build/exercises/$number
[ -d "$work" ] || mkdir -p "$work" || exit 3
said=$work/said
trap 'exit 130' INT TERM

echo "Exercise $(plain "$number"): $title
  $file"
[ ! -t 1 ] || printf '  compiling ...\r'
sh $here/judge.sh "$number" "$file" "$work" --name="exercise $(plain "$number")"
status=$?
case $status in
0)
    [ -n "$2" ] || remember "solved.$number" "$(cksum <"$file")"
    sh $here/check_on_gpu.sh "$number" "$file" || exit
    next=$(next_after "$number")
    [ -n "$2" ] || [ ! -f "${folder}solution.patch" ] || echo "make EX=$(plain "$number") compare shows yours beside the reference"
    [ -z "$next" ] || echo "Next: make EX=$(plain "$next") check; make list shows all"
    ;;
1) printf '  read      %s\n  or        make %shint\n' "$lesson" "EX=$(plain "$number") " ;;
21)
    if grep -q 'error: ' "$said"; then
        echo "exercise $(plain "$number"): it does not compile; the first message above says where"
    else
        echo "exercise $(plain "$number"): it could not be built, for a reason outside its source; see the message above"
    fi
    exit 1
    ;;
esac
exit $status
