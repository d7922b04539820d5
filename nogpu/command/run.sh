# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034
# (what other scripts of bin/nogpu set and read)
. "$HIP_CPU_ROOT/command/program.sh"
case $warp$schedule in *' '*) usage "run: one warp size and one schedule; nogpu race runs several" ;; esac
[ -z "$warp" ] || export HIP_CPU_WARP_SIZE="$warp"
[ -z "$schedule" ] || export HIP_CPU_SCHEDULE="$schedule"
[ -n "$gdb" ] || exec "$program" "$@"
command -v gdb >/dev/null || usage 'run --gdb needs gdb: apt install gdb; dnf install gdb; conda install gdb'
export HIP_CPU_WORKERS="${HIP_CPU_WORKERS:-1}"
exec gdb -q -x "$HIP_CPU_ROOT/command/gdb.py" --args "$program" "$@"
