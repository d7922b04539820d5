#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow traced
# Elements that no thread reads, or on which no result depends (planted/lost.hip): a note in each wrong kernel, none in right
# ones.
load ../lib/check

setup_file() {
    cd "$BATS_TEST_DIRNAME/../.." && HIP_CPU_TRACE=races bin/hipcc -O1 -o "$BATS_FILE_TMPDIR/lost" tests/planted/lost.hip
}
# noted WARP WORDS ARGUMENT...: the report has a note with these words; without words: neither note nor race
noted() {
    try env HIP_CPU_TRACE=races HIP_CPU_WARP_SIZE="$1" "$work/lost" "${@:3}"
    ends 0 '^race: none found'
    tr -s ' \n' ' ' <"$work/said" >"$work/line"
    if [ -n "$2" ]; then
        check "${*:3}, warps of $1: no note with \"$2\"" grep -qF "$2" "$work/line"
    else
        check "a note in a right kernel, warps of $1" [ "$(grep -c '^note' "$work/said")" = 0 ]
    fi
}

@test "right kernels have no note" {
    noted 32 '' right
    noted 64 '' right
}

@test "each wrong one has its note" {
    "$work/lost" list >"$work/list"
    [ "$(wc -l <"$work/list")" -ge 15 ]
    while IFS='|' read -r name words; do
        noted 32 "$words" wrong "$name"
        noted 64 "$words" wrong "$name"
    done <"$work/list"
}

@test "trials of all launches make 8 million accesses at most" {
    try env HIP_CPU_TRACE=races "$work/lost" cost
    ends 0 ' more accesses for trials$'
    more=$(sed -n 's/ more accesses.*//p' "$work/said")
    check "$more accesses" [ "$more" -gt 100000 -a "$more" -le $((8 << 20)) ]
}
