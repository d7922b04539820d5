#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the folders of all variants in the order of the number after "Step" or "Study" in the comment at the top of
# reduction_NAME/NAME.hip. Those without a number come last.
for folder in reduction_*; do
    source=$folder/${folder#reduction_}.hip
    [ ! -f "$source" ] || set -- "$@" "$source"
done
awk '/^ \* (Step|Study) +[0-9]/ && !(FILENAME in step) { step[FILENAME] = $3; nextfile }
     END { for (i = 1; i < ARGC; i++) print (ARGV[i] in step ? step[ARGV[i]] + 0 : 1e9), ARGV[i] }' "$@" </dev/null |
    sort -k1,1n -k2 | while read -r _ source; do echo "${source%/*}"; done
