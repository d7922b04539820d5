#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154  # $folder is report.sh's
# Runs a traced program with each warp size and each schedule, looks for races, and prints one report.
#
#   race.sh PROGRAM [ARGUMENT...]     WARP="32 64" SCHEDULE="forward reverse random:1 random:2" MEMORY=weak:1 RACES=volatile
#                                     GRID_BARRIER=release OUTPUT=varies
#
# MORE="--block=64; --order=divergent": further runs, each with these arguments too, so that all lines of a kernel run.
#
# Exit code: that of the last run that did not end with 0. A program's own is 1, too, where its result is wrong.
here=$(dirname "$0")
. "$here/../report.sh"
[ -z "$MEMORY" ] || export HIP_CPU_MEMORY="$MEMORY"
[ -z "$RACES" ] || export HIP_CPU_RACES="$RACES"
[ -z "$GRID_BARRIER" ] || export HIP_CPU_GRID_BARRIER="$GRID_BARRIER"
export HIP_CPU_TRACE=races

report_begin race
. "$here/outputs.sh"
show() {
    printf '\n== warp of %s, SCHEDULE=%s%s\n' "$warp" "$schedule" "${more:+,$more}"
    cat "$folder/said"
}
report_before() {
    [ -z "$running" ] || report_out show
}

# A program that asks macros for the size of a warp is there once for each (nogpu/command/race.sh), or has one alone.
sizes=
for warp in ${WARP:-32 64}; do
    { [ ! -x "$1.$warp" ] && ! traced_can "$warp" "$1"; } || sizes="$sizes $warp"
done
WARP=${sizes:-$WARP}

running='' more=''
traced_sized() {
    program=$1
    [ ! -x "$program.$warp" ] || program=$program.$warp
    shift
    traced_run "$program" "$@"
}
# run SCHEDULES ARGUMENT...
run() {
    schedules=$1
    shift
    for warp in ${WARP:-32 64}; do
        for schedule in $schedules; do
            report_run "$warp" "$schedule" "$more"
            export HIP_CPU_WARP_SIZE="$warp" HIP_CPU_SCHEDULE="$schedule"
            running=yes
            code=0
            traced_sized "$@" >"$folder/said" 2>&1 || code=$?
            [ $code -eq 0 ] || status=$code
            running=
            outputs_keep $code
            outputs_shown || report_out show
        done
    done
    outputs_compare "$schedules" "$@"
}
run "${SCHEDULE:-forward reverse random:1 random:2}" "$@"
while [ -n "$MORE" ]; do
    more=${MORE%%;*}
    case $MORE in *';'*) MORE=${MORE#*;} ;; *) MORE= ;; esac
    # shellcheck disable=SC2086  # arguments are words
    run "${SCHEDULE:-forward random:1}" "$@" $more
done
exit $status
