#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds one submission and judges it, inside make grade's sandbox.
#
#   build_and_judge.sh NUMBER BUILT BOX JUDGE-FLAGS...
#
#   BUILT   what is built already: NUMBER/commands, judge
#   BOX     has attendee.hip, and is the only folder to write to
number=$1 built=$2 box=$3
shift 3
# In units of 512 bytes, KiB, seconds: no core, 128 MiB for one file, memory to write to (nearly all of it stacks of blocks
# that wait for each other, which nobody touches), processor time.
ulimit -c 0
ulimit -f 262144
ulimit -d "${GRADE_MEMORY:-8388608}" 2>/dev/null
# What takes all memory is ended first.
echo 1000 2>/dev/null >/proc/self/oom_score_adj
ulimit -t "${GRADE_SECONDS:-120}"

. "$built/$number/commands"
kernel "$box/attendee" "$box/attendee.hip" && runner "$box/attendee.o" "$box/runner" || exit 21
sh reduction_to_fix/symbols.sh "$box/attendee" "$box/attendee.hip" "${macros:?}" >"$box/symbols"
export number built box
exec "$built/judge" --exercise="$number" --runner="$box/runner" --traced \
    --program="$box/program" --build='. "$built/$number/plain/commands" &&
        kernel "$box/plain" "$box/attendee.hip" && program "$box/plain.o" "$box/program"' \
    --symbols="$box/symbols" --rules=reduction_to_fix/checker/rules/rules.txt "$@"
