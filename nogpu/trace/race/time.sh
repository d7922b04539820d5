# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# $TIME seconds of processor time for all runs. What was not run then is named, and a run that was ended says so itself.
# Sourced by race.sh.
left='' missed='' before=''

# Sets $left, seconds for the next run; false: none. $left is empty without a limit. Compilers had their time before.
time_left() {
    [ -n "$TIME" ] || return 0
    times >"$folder/.times"
    used=$(sed -n '2{s/m\([0-9]*\)[.,]\([0-9]\)[0-9]*s/*600+\1*10+\2/g;s/ /+/p;}' "$folder/.times")
    before=${before:-$used}
    left=$(((TIME * 10 + ($before) - ($used) + 9) / 10)) # in whole seconds, as limits are
    [ $left -gt 0 ] || missed="$missed, warp of $warp SCHEDULE=$schedule${more:+ $more}"
    [ $left -gt 0 ]
}
# A run has ended: by SIGXCPU it did not fail.
time_ended() {
    [ -z "$left" ] || [ $code -ne 152 ] || code=0 missed="$missed, the rest of warp of $warp SCHEDULE=$schedule${more:+ $more}"
}
