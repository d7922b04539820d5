#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes standard input to FILE if that changes it. Another make may do so at the same time.
#
#   keep.sh FILE
new=$1.$$
cat >"$new" || exit
if cmp -s "$new" "$1"; then rm "$new"; else mv -f "$new" "$1"; fi
