#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies a program to its place in the tree if it differs from the one there: after a change of GPU= there may be nothing
# to build. If BUILT does not exist, the vendor's library did not compile: removes the old program and says so.
#
#   install.sh BUILT PROGRAM "LIBRARY does not compile for TARGETS"
built=$1 program=$2 reason=$3
if [ -s "$built" ]; then
    # The old one may be running: replace it, do not overwrite it.
    cmp -s "$built" "$program" || { mkdir -p "${program%/*}" && cp "$built" "$program-$$" && mv -f "$program-$$" "$program"; }
    exit
fi
rm -f "$program"
echo "  SKIP  ${program##*/}: $reason: $(sed -n '/error: /{s/.*error: //p;q;}' "$built.o.log") ($built.o.log)"
