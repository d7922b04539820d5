#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a traced program once for each warp size and looks for races.
#
#   race.sh PROGRAM [ARGUMENT...]     WARP="32 64" SCHEDULE=random:3 MEMORY=weak:1
#
# Exit code: that of the last run that did not end with 0. A program's own is 1, too, where its result is wrong.
. "$(dirname "$0")/../program.sh"
[ -z "$SCHEDULE" ] || export HIP_CPU_SCHEDULE="$SCHEDULE"
[ -z "$MEMORY" ] || export HIP_CPU_MEMORY="$MEMORY"
export HIP_CPU_TRACE=races

status=0
for warp in ${WARP:-32 64}; do
    printf '\n== warp of %s\n' "$warp"
    export HIP_CPU_WARP_SIZE="$warp"
    traced_run "$@" || status=$?
done
exit $status
