# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034
# (what other scripts of bin/nogpu set and read)
. "$HIP_CPU_ROOT/command/program.sh"
. "$HIP_CPU_ROOT/trace/program.sh"
# Where macros ask for the size of a warp, there is a program for each.
for lanes in 32 64; do
    is_source "$first" || break
    rm -f "$program.$lanes"
    case " ${warp:-32 64} " in *" $lanes "*) ;; *) continue ;; esac
    traced_can $lanes "$program" && continue
    eval "HIP_CPU_WARP_SIZE=$lanes sh \"\$HIP_CPU_ROOT/trace/standalone.sh\" traced \"\$program.$lanes\" $sources" 2>/dev/null
    traced_can $lanes "$program.$lanes" || rm -f "$program.$lanes"
done
export WARP="$warp" SCHEDULE="$schedule" MEMORY="$memory" RACES="$races" REPORT="$report"
exec sh "$HIP_CPU_ROOT/trace/race/race.sh" "$program" "$@"
