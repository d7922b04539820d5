#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2086,SC2154  # $folder is report.sh's; arguments are words
# Runs a traced program with each warp size and each schedule, looks for races, and prints one report.
#
#   race.sh PROGRAM [ARGUMENT...]     WARP="32 64" SCHEDULE="forward reverse random:1 random:2" MEMORY=weak:1 RACES=volatile
#                                     GRID_BARRIER=release OUTPUT=varies
# TIME=60: seconds of processor time for all runs (time.sh).
# MORE="--block=64; --order=divergent": further runs, each with these arguments too, so that all lines of a kernel run.
# Exit code: that of the last run that did not end with 0. A program's own is 1, too, where its result is wrong.
here=${0%/*}
. "$here/../report.sh"
[ -z "$MEMORY" ] || export HIP_CPU_MEMORY="$MEMORY"
[ -z "$RACES" ] || export HIP_CPU_RACES="$RACES"
[ -z "$GRID_BARRIER" ] || export HIP_CPU_GRID_BARRIER="$GRID_BARRIER"
export HIP_CPU_TRACE=races

report_begin race
. "$here/outputs.sh"
. "$here/time.sh"
show() {
    printf '\n== warp of %s, SCHEDULE=%s%s\n' "$warp" "$schedule" "${more:+,$more}"
    cat "$said"
}
report_before() { [ -z "$running" ] || report_out show; }

# A program that asks macros for the size of a warp is there once for each (nogpu/command/race.sh), or has one alone.
sizes=
for warp in ${WARP:-32 64}; do
    { [ ! -x "$1.$warp" ] && ! traced_can "$warp" "$1"; } || sizes="$sizes $warp"
done
WARP=${sizes:-$WARP}

running='' more=''
# run SCHEDULES ARGUMENT...
run() {
    schedules=$1 && shift
    for warp in ${WARP:-32 64}; do
        for schedule in $schedules; do
            time_left || continue
            report_run "$warp" "$schedule" "$more"
            running=yes
            run_one 1 "$@"
            running=
            time_ended
            [ $code -eq 0 ] || status=$code
            "$NOGPU_BUILD/nogpu_report" said "$said" "$folder/.shown" || report_out show
            [ $code -ne 3 ] && [ $code -lt 128 ] || rm "$said" # a fault ended it
        done
    done
    [ -n "$missed" ] || outputs_compare "$schedules" "$@"
}
run "${SCHEDULE:-forward reverse random:1 random:2}" "$@"
while [ -n "$MORE" ]; do
    more=${MORE%%;*}
    case $MORE in *';'*) MORE=${MORE#*;} ;; *) MORE= ;; esac
    run "${SCHEDULE:-forward random:1}" "$@" $more # words
done
[ -z "$missed" ] || report_out echo "race: $TIME s of processor time were not enough for:${missed#,}"
exit $status
