#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints a line for each goal of these makefiles that has a comment "## GROUP | ..." or "## ...".
#
#   help.sh [--all] MAKEFILE...       --all: in groups, with the exercises and the variables
all=
[ "$1" != --all ] || { all=yes && shift; }
# lines COMMAND MAKEFILE...: GROUP | COMMAND GOAL | MEANING
lines() {
    command=$1
    shift
    sed -n "s/^\\([a-z-]*\\):.*## \\([^|]*|\\)\\{0,1\\} *\\(.*\\)/\\2|$command \\1|\\3/p" "$@" | sed 's/^ *\([a-z ]*[a-z]\) *||/\1|/'
}
if [ -z "$all" ]; then
    lines make "$@" | awk -F'|' '{ printf "  %-17s %s\n", $2, $3 }'
    exit
fi
{
    lines make "$@"
    lines 'make -C reduction_to_fix' reduction_to_fix/Makefile 2>/dev/null | sed '/ clean|/d; / help|/d; s/^|/exercises|/'
} | awk -F'|' '
    BEGIN { count = split("learn|exercises|your own code|measure|library|teach|develop", order, "|") }
    { text[$1] = text[$1] sprintf(length($2) > 17 ? "  %-32s %s\n" : "  %-17s %s\n", $2, $3) }
    END {
        for (i = 1; i <= count; i++) {
            if (order[i] in text) printf("%s\n%s\n", order[i], text[order[i]])
            delete text[order[i]]
        }
        for (group in text) printf("%s\n%s\n", group, text[group]) # one that is not in the list
    }'
cat tools/build/help.txt
