#!/bin/sh
# SPDX-License-Identifier: MIT
# make hint: one hint more each time.
#
#   hint.sh NUMBER      in the folder above, with BUILT in the environment
. reduction_to_fix/exercise.sh
find_exercise "$1" || exit
given=$(recall "hint.$number")
next=$((${given:-0} + 1))
last=$(($(grep -c '^%' "${folder}hints.txt") + 1))
if [ $next -gt $last ]; then
    next=$last
    echo "(that was the last hint)"
fi
remember "hint.$number" $next
echo "Exercise $(plain "$number"), hint $next of $last:"
awk -v wanted=$next 'BEGIN { n = 1 } /^%/ { n++; next } n == wanted { print }' "${folder}hints.txt"
