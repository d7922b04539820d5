#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2086  # rows are words
# The words of --type and --op, from the rows of common/types.h. As a script it prints them, one a line; sourced, it sets types,
# operations, and common_types, common_operations: those of every variant.
#
#   words.sh TYPES|OPERATIONS [common]      in the root of the repository
types='' operations=''
while read -r line; do
    name=${line#*row(x, [TO]*_*,} # TYPE_FLOAT, float, ...
    case $line in
    *'row(x, TYPE_'*) types="$types ${name%%,*}" ;;
    *'row(x, OP_'*) operations="$operations ${name%%,*}" ;;
    '#define COMMON_TYPES('*) last_type=${line##*TYPE_} ;;
    '#define COMMON_OPERATIONS('*) last_operation=${line##*OPERATION_} ;;
    esac
done <common/types.h
# first "3(row, x)" WORD...: rows 0 to 3
first() {
    last=${1%%(*} number=0
    shift
    for word; do
        [ "$number" -gt "$last" ] || printf ' %s' "$word"
        number=$((number + 1))
    done
}
common_types=$(first "$last_type" $types) common_operations=$(first "$last_operation" $operations)
case ${0##*/}:$1:$2 in
words.sh:TYPES:common) printf '%s\n' $common_types ;;
words.sh:TYPES:) printf '%s\n' $types ;;
words.sh:OPERATIONS:common) printf '%s\n' $common_operations ;;
words.sh:OPERATIONS:) printf '%s\n' $operations ;;
esac
