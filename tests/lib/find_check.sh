#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the flags for the libraries of Check to FILE: static ones if available, so that tests can be copied to another
# machine.
#
#   find_check.sh FILE CC...
file=$1
shift
mkdir -p "${file%/*}"
printf '#include <check.h>\nint main(void) { return check_major_version < 0; }\n' >"$file.c"
for libs in '-l:libcheck.a -l:libsubunit.a' -l:libcheck.a -lcheck ''; do
    libs="$libs -lm -lrt -pthread"
    # shellcheck disable=SC2086  # libraries are words
    "$@" -o "$file.tmp" "$file.c" $libs 2>/dev/null && break
    libs=
done
rm -f "$file.c" "$file.tmp"
[ -n "$libs" ] || { echo 'Check not found: ./install-deps.sh test (package check)' >&2; exit 1; }
echo "$libs" >"$file"
