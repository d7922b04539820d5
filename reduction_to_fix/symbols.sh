#!/bin/sh
# SPDX-License-Identifier: MIT
# What a compiled exercise calls, one name in a line; "define NAME" for what it would put in the place of others' functions;
# "include FILE" for each file that it includes and that is no header of the course; and "word NAME" for names of the
# platform, which tell where it runs, and for variables that outlive a plan.
#
#   symbols.sh OBJECT-WITHOUT-.o SOURCE
nm -g -P "$1.o" | awk '$2 ~ /^[Uwv]$/ { print $1; next } $1 !~ /^(_Z|reduction_|DW[.]ref[.])/ { print "define " $1 }'
tr -d '\\' <"$1.d" | tr ' ' '\n' | sed -e "s|^$PWD/||" -e 's|^\./||' | grep '[^:]$' | grep -vxF -e "$2" -e "$1.hip" -e "$1.o" |
    grep -vE '^(common|platform|reduction_to_fix/checker/runner)/[^.]*[.](h|hip)$|/exercises/headers[.]h' | sed 's/^/include /'
grep -oE '(HIP_CPU_|hip_cpu_|__has_(include|builtin|attribute|feature|extension))[A-Za-z0-9_]*|section *[(] *"' "$2" |
    sed 's/ *[(].*//; s/^/word /'
grep -owE 'thread_local|__thread' "$2" | sed 's/^/word /'
# What compilers and headers define, in a condition: it is here, and perhaps not elsewhere.
sed -e ':next' -e '/\\$/{N;s/\\\n//;b next' -e '}' "$2" |
    sed -nE 's!^([^"]*\*/)?[[:space:]]*(#|%:)[[:space:]]*(el)?if!!p' | grep -owE '_[A-Z_][A-Za-z0-9_]*' | grep -vx __cplusplus | sed 's/^/word /'
exit 0
