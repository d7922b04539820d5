# SPDX-License-Identifier: MIT
# What the tests of reduction_multi_gpu share: the programs, and how their output is read. Sourced after check.sh.
bin=$(cd "${REDUCTION_BIN:-.}" && pwd)
built=$bin/reduction_multi_gpu/reduction_multi_gpu
# started PROGRAM: what starts it as make check LAUNCH= says
started() {
    [ -n "${REDUCTION_LAUNCH:-}" ] || { echo "$1" && return; }
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$REDUCTION_LAUNCH" "$1" >"$work/${1##*/}"
    chmod +x "$work/${1##*/}" && echo "$work/${1##*/}"
}
multi=$(started "$built")
alone=$(started "$bin/reduction_reproducible/reduction_reproducible")
short='-i 1 -w 0 --ceiling 1'
mpirun=${MPIRUN:-$(command -v mpirun)}

# Of JSON on standard input: the values, one for each size.
values() { sed -n 's/.*"value": \([^,]*\),.*/\1/p'; }
# number FILE NAME: from JSON with one size
number() { sed -n 's/.*"'"$2"'": \([^,]*\),.*/\1/p' "$1"; }
# fails STATUS WORDS COMMAND...: one line of the program says WORDS. mpirun has lines of its
# own.
fails() {
    wanted=$1 words=$2
    shift 2
    "$@" >"$work/said" 2>&1
    status=$?
    [ $status -eq "$wanted" ] && [ "$(grep -c -e "$words" "$work/said")" -eq 1 ]
    verdict $? "exit code $status instead of $wanted, with one line '$words': $*"
}
