#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints which types and operations runs of a variant need, such as double_sum+float_max.
#
#   instances.sh USUAL MORE      options; MORE has those of further runs in addition to the usual ones: "; --op=max; --type=float"
#
# Where few variants have a type or an operation, the program needs more to say so.
echo "$2" | tr ';' '\n' | awk -v usual="$1" '
    BEGIN {
        split("float double int long half bfloat16", list, " "); for (i in list) is_type[list[i]] = 1
        split("sum min max and or xor", list, " "); for (i in list) is_op[list[i]] = 1
    }
    {
        type = "double"; op = "sum"
        count = split(usual " " $0, word, /[ =]+/)
        for (i = 1; i <= count; i++) {
            sub(/^-[cqLhV]*[to]/, "", word[i]) # -tfloat, -qomax
            if (word[i] in is_type) type = word[i]
            if (word[i] in is_op) op = word[i]
        }
        print type "_" op
        if (type ~ /half|bfloat16/) print "double_sum\nhalf_sum"
        if (op ~ /and|or/) print "double_sum\nint_and"
    }' | sort -u | paste -s -d + -
