# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034
# (what other scripts of bin/nogpu set and read)
. "$HIP_CPU_ROOT/command/program.sh"
export WARP="$warp" MACHINE="$machine" FORMAT="$format" PAGE="$page"
exec sh "$HIP_CPU_ROOT/trace/explain/explain.sh" "$program" -- "$@"
