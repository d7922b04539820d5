# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2154  # $folder, $more and the variables of a run are race.sh's
# What the runs print, in files named WARP.SCHEDULE.SAMPLE: whether it depends on the warp size or on the schedule. Sourced by
# race.sh.
#
#   run_one SAMPLE COMMAND...    runs it with $warp and $schedule: $said is the file, $code the exit code
#   outputs_compare SCHEDULES COMMAND...    after the runs of one command; nogpu_report writes records

run_one() {
    said=$folder/$warp.$schedule.$1 program=$2 code=0
    shift 2
    [ ! -x "$program.$warp" ] || program=$program.$warp
    [ -z "$left" ] || set -- sh -c "ulimit -S -t $left; exec \"\$@\"" sh "$program" "$@"
    [ -n "$left" ] || set -- "$program" "$@"
    HIP_CPU_WARP_SIZE="$warp" HIP_CPU_SCHEDULE="$schedule" traced_run "$@" >"$said" 2>&1 || code=$?
}
# While two settings differ, one more run of each: what changes there, too, says nothing. What these find counts nowhere.
# The second one compares the memory that its kernels write with that of the first one, for the record.
outputs_compare() {
    schedules=$1 code=10
    shift
    while [ $code -eq 10 ]; do
        code=0
        different=$("$NOGPU_BUILD/nogpu_report" outputs "$folder" "$HIP_CPU_FINDINGS" "$OUTPUT" "$more" "${WARP:-32 64}" "$schedules") || code=$?
        differs=$code
        written=$folder/.written.${different%% *}.${different#* }
        [ ! -e "$written" ] || rm "$written"
        for setting in $different; do
            warp=${setting%%.*} schedule=${setting#*.} sample=2
            while [ -e "$folder/$setting.$sample" ]; do sample=$((sample + 1)); done
            HIP_CPU_FINDINGS="$folder/.again" HIP_CPU_WRITTEN="$written" run_one $sample "$@"
        done
        code=$differs
    done
    [ $code -ne 1 ] || [ $status -ne 0 ] || status=1
}
