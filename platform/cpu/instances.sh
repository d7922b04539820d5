#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints which types and operations runs of a variant need, such as double_sum+float_max.
#
#   instances.sh USUAL MORE      options; MORE has those of further runs in addition to the usual ones: "; --op=max; --type=float"
#
# Where few variants have a type or an operation, the program needs more to say so.
words() {
    sh tools/build/words.sh "$@" | paste -s -d ' ' -
}
echo "$2" | tr ';' '\n' | awk -v usual="$1" -v types="$(words TYPES)" -v common_types="$(words TYPES common)" \
    -v ops="$(words OPERATIONS)" -v common_ops="$(words OPERATIONS common)" '
    BEGIN {
        split(types, list, " "); for (i in list) is_type[list[i]] = is_narrow[list[i]] = 1
        split(common_types, list, " "); for (i in list) delete is_narrow[list[i]]
        split(ops, list, " "); for (i in list) is_op[list[i]] = is_bitwise[list[i]] = 1
        split(common_ops, list, " "); for (i in list) delete is_bitwise[list[i]]
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
        if (type in is_narrow) print "double_sum\nhalf_sum"
        if (op in is_bitwise) print "double_sum\nint_and"
    }' | sort -u | paste -s -d + -
