# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Runs a traced program that does not outlive the script. Sourced by race.sh and explain.sh.
#
#   traced_run COMMAND...   its exit code
#   traced_can WARP PROGRAM   whether it can run with warps of this size: one that asks macros for it has one
#
# make passes a signal on to the script alone, so the script ends the program, which says what it has found; the second
# signal ends it at once. The program ends itself where the script cannot (HIP_CPU_PARENT).
traced_child=
traced_end() {
    trap 'kill -KILL "$traced_child"' INT TERM HUP
    [ -z "$traced_child" ] || { kill -TERM "$traced_child" && wait "$traced_child"; } 2>/dev/null
    exit 130
}
trap traced_end INT TERM HUP

export HIP_CPU_PARENT=$$
traced_run() {
    "$@" <&0 &
    traced_child=$!
    wait $traced_child
    set -- $?
    traced_child=
    return "$1"
}
# The name of a program, of a variant without its prefix.
traced_name() { echo "${1##*/}" | sed 's/^reduction_//'; }
traced_can() {
    HIP_CPU_WARP_SIZE="$1" HIP_CPU_HELP=1 "$2" >/dev/null 2>&1
}
