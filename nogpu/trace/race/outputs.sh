# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154  # $folder, $here and the variables of a run are race.sh's
# Whether what the program prints depends on the warp size or on the schedule. Sourced by race.sh.
#
#   outputs_shown           whether a run has said the same before, apart from numbers
#   outputs_keep STATUS     keeps what the run has said, unless a fault ended it
#   outputs_compare SCHEDULES COMMAND...    after the runs of one command; writes records "output" and "note" for nogpu_report
mkdir "$folder/out" || exit 2

outputs_shown() {
    sed 's/0[xX][0-9a-fA-F]*//g; s/[0-9][0-9.]*//g' "$folder/said" >"$folder/words"
    cmp -s "$folder/words" "$folder/shown" || { mv "$folder/words" "$folder/shown" && return 1; }
}
outputs_of() { printf '%s/out/%s.%s' "$folder" "$1" "$2"; } # outputs_of WARP SCHEDULE: its samples are .1, .2 ...
outputs_keep() {
    [ "$1" -eq 3 ] || [ "$1" -ge 128 ] || cp "$folder/said" "$(outputs_of "$warp" "$schedule").1"
}

# One more sample of a setting. What it finds counts nowhere.
outputs_again() {
    number=1
    while [ -e "$(outputs_of "$1" "$2").$number" ]; do number=$((number + 1)); done
    sample="$(outputs_of "$1" "$2").$number" warp=$1 schedule=$2
    shift 2
    HIP_CPU_WARP_SIZE="$warp" HIP_CPU_SCHEDULE="$schedule" HIP_CPU_FINDINGS="$folder/again" traced_sized "$@" >"$sample" 2>&1 || :
}

# outputs_pair WHAT WARP SCHEDULE WARP SCHEDULE COMMAND...: two settings. Numbers that another run of one of them changes say
# nothing; what still differs after two more runs of each, does.
outputs_pair() {
    what=$1 warp1=$2 schedule1=$3 warp2=$4 schedule2=$5
    shift 5
    [ -e "$(outputs_of "$warp1" "$schedule1").1" ] && [ -e "$(outputs_of "$warp2" "$schedule2").1" ] || return 0
    for round in 1 2 3; do
        awk -v what="$what" -v first="$warp1.$schedule1" -v second="$warp2.$schedule2" -v more="$more" -v allowed="$OUTPUT" \
            -f "$here/outputs.awk" "$folder"/out/* >"$folder/difference"
        [ -s "$folder/difference" ] || return 0
        [ "$round" -lt 3 ] || break
        outputs_again "$warp1" "$schedule1" "$@"
        outputs_again "$warp2" "$schedule2" "$@"
    done
    cat "$folder/difference" >>"$folder/findings"
    ! grep -q '^.output' "$folder/difference" || [ "$status" -ne 0 ] || status=1
    return 1
}

outputs_compare() {
    schedules=$1 warp0='' differs=''
    shift
    for warp in ${WARP:-32 64}; do
        this=$warp
        [ -n "$warp0" ] || warp0=$this
        [ "$this" = "$warp0" ] || outputs_pair 'warp size' "$warp0" "${schedules%% *}" "$this" "${schedules%% *}" "$@" || :
        for other in $schedules; do
            [ -z "$differs" ] || continue
            [ "$other" = "${schedules%% *}" ] || outputs_pair schedule "$this" "${schedules%% *}" "$this" "$other" "$@" || differs=yes
        done
    done
    rm -f "$folder"/out/*
}
