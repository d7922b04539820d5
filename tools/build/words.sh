#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the words of --type or --op, one a line: the rows of common/types.h.
#
#   words.sh TYPES|OPERATIONS [common]      common: those of every variant
#
# Run from the root of the repository.
case $1 in TYPES) row=TYPE ;; *) row=OP ;; esac
awk -v start="row[(]x, ${row}_[A-Z0-9]*, *" -v number="^#define COMMON_$1[(]" -v common="$2" '
    $0 ~ start { sub(".*" start, ""); sub(/,.*/, ""); word[++count] = $0 }
    $0 ~ number && common != "" { count = gsub(/[0-9][(]row/, "") }
    END { for (i = 1; i <= count; i++) print word[i] }' common/types.h
