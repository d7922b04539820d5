# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034
# (what other scripts of bin/nogpu set and read)
. "$HIP_CPU_ROOT/command/program.sh"
export WARP="$warp" SCHEDULE="$schedule" MEMORY="$memory" RACES="$races" REPORT="$report"
exec sh "$HIP_CPU_ROOT/trace/race/race.sh" "$program" "$@"
