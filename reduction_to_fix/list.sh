#!/bin/sh
# SPDX-License-Identifier: MIT
# make list: all exercises, and which are solved.
#
#   list.sh     in the folder above, with BUILT in the environment
. reduction_to_fix/exercise.sh
printf '%3s  %-8s %-42s %s\n' EX solved 'what it is about' 'explained in'
for each in $(in_order); do
    find_exercise "$each"
    known=$(recall "solved.$number")
    state=
    [ -z "$known" ] || state=changed
    [ "$known" != "$(cksum <"$source")" ] || state=yes
    printf '%3s  %-8s %-42s %s\n' "$(plain "$number")" "$state" "$title" "$lesson"
done
echo 'make EX=3 builds exercise 3, make EX=3 check checks it; changed: solved, and changed since'
