#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the words of --type or --op, one a line: the rows of common/types.h.
#
#   words.sh TYPES|OPERATIONS [common]      common: those of every variant
#
# Run from the root of the repository.
case $1 in TYPES) row=TYPE ;; *) row=OP ;; esac
count=99
[ -z "$2" ] || count=$(grep "^#define COMMON_$1(" common/types.h | grep -o '[0-9](row' | wc -l)
sed -n "s/.*row(x, ${row}_[A-Z0-9]*, *\([a-z0-9]*\),.*/\1/p" common/types.h | head -n "$count"
