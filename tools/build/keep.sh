#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes standard input to FILE if that changes it: what has not changed may be read-only. Another make may do so at the
# same time.
#
#   keep.sh FILE
text=$(cat && echo .) || exit
[ "$text" != "$(cat "$1" 2>/dev/null && echo .)" ] || exit 0
printf %s "${text%.}" >"$1.$$" && mv -f "$1.$$" "$1"
