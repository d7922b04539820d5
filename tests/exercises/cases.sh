#!/bin/sh
# SPDX-License-Identifier: MIT
# The cases that the checker of the exercises is tested with: each exercise as shipped, with its solution, and with
# the tempting wrong fixes beside this file.
#
#   cases.sh FOLDER [NUMBER...]     writes patched sources to FOLDER, and prints a line for each case:
#
#   NUMBER  NAME  shipped|solution|wrong|right  SOURCE  EXPECTED  EXPECTED ON A GPU  WITH WARPS OF 64   with tabs between them
#
# What is expected is a regular expression for the checker's code and diagnosis, or "solved". "On a GPU" is for the
# checker alone, which cannot choose the order of threads and sees no access there. In a patch, the lines "Expect:",
# "On a GPU:" and "With warps of 64:" say it; without the second or third one it is the same as before.
cd "$(dirname "$0")/../.." || exit 3
folder=$1
shift

shipped='1;one_thread of each block only;one_thread|race
2;race depends on the order in which threads run;race
3;tail the last, partial tile;tail
4;double count;double
5;no_reset 2 x as much the second;no_reset
6;warp64 right with warps of 32, wrong with warps of 64;solved;lanes
7;race depends on the order in which threads run;solved
8;barrier a barrier that not all;race|hang|not_a_sum
9;index is missing;index
10;identity of only (negative|positive) numbers is 0;identity
11;input_changed the input is overwritten;input_changed
12;late the host does not wait for the device;late
13;weak_memory as late as HIP allows;solved
14;conflicts passes;solved
15;sectors sectors;solved
16;race .*order in which threads run;race
17;lost|one_thread .;lost|one_thread
18;nothing no element arrives;nothing
19;tail|lost .;tail|lost
20;nothing|lost .;nothing|lost
21;output .*;solved;output
22;output|race .;solved|output
23;conflicts passes;solved'

field() { awk -F'|' -v n="$1" -v f="$2" '!/^#/ && $1 + 0 == n + 0 { print $f }' reduction_to_fix/exercises.txt; }
line() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }

echo "$shipped" | while IFS=';' read -r number expected on_gpu on_64; do
    case " ${*:-all} " in *" $number "* | ' all ') ;; *) continue ;; esac
    place=$(field "$number" 2)
    source=reduction_to_fix/$([ "$place" = . ] || echo "$place/")$(field "$number" 3)
    two=$(printf '%02d' "$number")
    line "$number" "${two}_shipped" shipped "$source" "${expected%% *} .*${expected#* }" "$on_gpu" "${on_64:-$on_gpu}"
    for patch in docs/instructor/solutions/"${two}"_*.patch tests/exercises/wrong/"${two}"_*.patch \
        tests/exercises/right/"${two}"_*.patch; do
        [ -f "$patch" ] || continue
        name=$(basename "$patch" .patch)
        kind=wrong
        case $patch in
        docs/*) kind=solution name=${two}_solution ;;
        */right/*) kind=right ;;
        esac
        patch -s -o "$folder/$name.hip" "$source" "$patch" >&2 || { echo "$patch does not fit" >&2; exit 1; }
        expected=$(sed -n 's/^Expect: //p' "$patch")
        on_gpu=$(sed -n 's/^On a GPU: //p' "$patch")
        on_gpu=${on_gpu:-${expected:-solved}}
        on_64=$(sed -n 's/^With warps of 64: //p' "$patch")
        line "$number" "$name" $kind "$folder/$name.hip" "${expected:-solved}" "$on_gpu" "${on_64:-$on_gpu}"
    done
done
