#!/bin/sh
# SPDX-License-Identifier: MIT
# keep.sh FILE: writes standard input to it if that changes it, as what has not changed may be read-only. Another make
# may do so at the same time.
text=$(cat && echo .) || exit
[ "$text" != "$(cat "$1" 2>/dev/null && echo .)" ] || exit 0
printf %s "${text%.}" >"$1.$$" && mv -f "$1.$$" "$1"
