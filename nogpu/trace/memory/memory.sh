#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a traced program and reports what it does wrong with memory.
#
#   memory.sh PROGRAM [ARGUMENT...]     WARP="32 64" SCHEDULE="forward reverse": a run for each; default: one, as it is
. "$(dirname "$0")/../report.sh"
export HIP_CPU_TRACE=memory
report_begin memory
for warp in ${WARP:-''}; do
    [ -z "$warp" ] || export HIP_CPU_WARP_SIZE="$warp"
    for schedule in ${SCHEDULE:-forward}; do
        report_run "$warp" "$schedule" ''
        export HIP_CPU_SCHEDULE="$schedule"
        code=0
        report_out traced_run "$@" || code=$?
        [ $code -eq 0 ] || status=$code
    done
done
exit $status
