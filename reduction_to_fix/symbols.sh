#!/bin/sh
# SPDX-License-Identifier: MIT
# What a compiled exercise calls, one name in a line, and "include FILE" for each file that it includes and that is
# no header of the course.
#
#   symbols.sh OBJECT-WITHOUT-.o SOURCE
nm -u -P "$1.o" | cut -d' ' -f1
tr -d '\\' <"$1.d" | tr ' ' '\n' | sed 's|^\./||' | grep '[^:]$' | grep -vxF -e "$2" -e "$1.hip" -e "$1.o" |
    grep -vE '^(common|platform|reduction_to_fix/checker/runner)/[^.]*[.](h|hip)$' | sed 's/^/include /'
exit 0
