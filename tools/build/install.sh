#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies a program to where people look for it, if the one that is there differs: after a change of GPU= nothing may
# need to be built. Without a program, its vendor's library did not compile: removes the old one and says so.
#
#   install.sh BUILT PROGRAM "LIBRARY does not compile for TARGETS"
built=$1 program=$2 reason=$3
if [ -s "$built" ]; then
    # The old one may be running: no program is written over.
    cmp -s "$built" "$program" || { mkdir -p "${program%/*}" && cp "$built" "$program-$$" && mv -f "$program-$$" "$program"; }
    exit
fi
rm -f "$program"
echo "  SKIP  ${program##*/}: $reason: $(sed -n '/error: /{s/.*error: //p;q;}' "$built.o.log") ($built.o.log)"
