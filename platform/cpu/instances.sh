#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2086,SC2154  # words; words.sh sets types, operations ...
# Prints which types and operations runs of a variant need, such as double_sum+float_max.
#
#   instances.sh USUAL MORE      options; MORE has those of further runs in addition to the usual ones: "; --op=max; --type=float"
#
# Where few variants have a type or an operation, the program needs more to say so.
set -f
. tools/build/words.sh
# is WORD LIST
is() { case " $2 " in *" $1 "*) ;; *) return 1 ;; esac }
needed='' usual=$1 more=$2\;
while [ "$more" ]; do
    type=double op=sum
    for option in $usual ${more%%;*}; do
        for word in ${option%%=*} ${option#*=}; do
            case $word in
            -[!-]*) word=${word#-} # -tfloat, -qomax
                while :; do case $word in [cqLhV]*) word=${word#?} ;; *) break ;; esac done
                word=${word#[to]} ;;
            esac
            ! is "$word" "$types" || type=$word
            ! is "$word" "$operations" || op=$word
        done
    done
    more=${more#*;}
    needed="$needed ${type}_$op"
    is $type "$common_types" || needed="$needed double_sum half_sum"
    is $op "$common_operations" || needed="$needed double_sum int_and"
done
all=''
for op in $operations; do
    for type in $types; do
        ! is "${type}_$op" "$needed" || all=$all${all:++}${type}_$op
    done
done
echo "$all"
