#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies a program to its place in the tree if it differs from the one there: after a change of GPU= there may be nothing
# to build. A link in bin/ leads to it. If BUILT does not exist, the vendor's library did not compile: removes the old program
# and says so.
#
#   install.sh BUILT PROGRAM "LIBRARY does not compile for TARGETS"
built=$1 program=$2 reason=$3
name=${program##*/}
bin=${program%"$name/$name"}bin
if [ -s "$built" ]; then
    # The old one may be running: replace it, do not overwrite it.
    cmp -s "$built" "$program" || { mkdir -p "${program%/*}" && cp "$built" "$program-$$" && mv -f "$program-$$" "$program"; }
    [ -L "$bin/$name" ] || { mkdir -p "$bin" && ln -sf "../$name/$name" "$bin/$name"; }
    exit
fi
rm -f "$program" "$bin/$name"
echo "  SKIP  $name: $reason: $(sed -n '/error: /{s/.*error: //p;q;}' "$built.o.log") ($built.o.log)"
