#!/bin/sh
# SPDX-License-Identifier: MIT
# Goals of an exercise that are short.
#
#   desk.sh list                       all exercises, and which are solved
#   desk.sh hint NUMBER                one hint more each time
#   desk.sh reset NUMBER               as it was shipped; what was written is kept beside it
#   desk.sh explain|race NUMBER        what the hardware would do, line by line, in the case that the checker counts; and
#                                      unordered accesses, with both warp sizes
# in the folder above, with MAKE, BUILT, ONCE and COUNTED in the environment.
. reduction_to_fix/exercise.sh
goal=$1
case $goal in
list)
    printf '%3s  %-8s %-42s %s\n' EX solved 'what it is about' 'explained in'
    for each in $(in_order); do
        find_exercise "$each"
        known=$(recall "solved.$number") state=''
        [ -z "$known" ] || state=changed
        [ -z "$known" ] || [ "$known" != "$(cksum <"$source")" ] || state=yes
        printf '%3s  %-8s %-42s %s\n' "${number#0}" "$state" "$title" "$lesson"
    done
    echo 'make EX=3 builds exercise 3, make EX=3 check checks it; changed: solved, and changed since'
    exit
    ;;
esac
find_exercise "$2" || exit
case $goal in
hint)
    given=$(recall "hint.$number") last=$(($(grep -c '^%' "${folder}hints.txt") + 1))
    next=$((${given:-0} + 1))
    [ $next -le $last ] || { next=$last && echo '(that was the last hint)'; }
    remember "hint.$number" $next
    echo "Exercise ${number#0}, hint $next of $last:"
    awk -v wanted=$next 'BEGIN { n = 1 } /^%/ { n++; next } n == wanted { print }' "${folder}hints.txt"
    ;;
reset)
    new=$source.shipped kept=$source.mine turn=1
    trap 'rm -f "$new"' EXIT
    as_shipped "$new" || exit
    cmp -s "$new" "$source" && echo "$source is as it was shipped" && exit
    while [ -e "$kept" ]; do turn=$((turn + 1)) kept=$source.mine$turn; done
    mv "$source" "$kept" && mv "$new" "$source" || exit 3
    echo "$source is as it was shipped; what you wrote is in $kept"
    ;;
explain | race)
    work=${BUILT}build/exercises/$number
    mkdir -p "$work" || exit 3
    $MAKE --no-print-directory GPU=cpu TRACE=1 EX="$number" WORK="$work" exercise-program >"$work/said" 2>&1 || { cat "$work/said" >&2 && exit 1; }
    # shellcheck disable=SC2086 # words
    [ "$goal" = explain ] || exec "$work/nogpu_report" run race "$work/program" $ONCE --size=10007
    export WARP="${WARP:-32}"
    # shellcheck disable=SC2086
    exec "$work/nogpu_report" run explain "$work/program" -- $ONCE $COUNTED
    ;;
esac
