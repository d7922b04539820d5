#!/bin/sh
# SPDX-License-Identifier: MIT
# shorten.sh FILE: a compiler's messages. Each candidate for an overloaded call takes five lines: shows only their number.
awk '{ plain = $0; gsub(/\033\[[0-9;]*[A-Za-z]/, "", plain) }
     plain ~ /note: +candidate|does not match because/ { candidates++; left_out = 1 }
     plain ~ /(error|warning): |: In |^In file included|errors? (generated|detected)/ { left_out = 0 }
     !left_out
     END { if (candidates) print "(" candidates " functions of that name take other types)" }' "$1"
