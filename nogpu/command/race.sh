# SPDX-License-Identifier: MIT
# shellcheck shell=sh
. "$HIP_CPU_ROOT/command/program.sh"
export WARP="$warp" SCHEDULE="$schedule" MEMORY="$memory" RACES="$races"
exec sh "$HIP_CPU_ROOT/trace/race/race.sh" "$program" "$@"
