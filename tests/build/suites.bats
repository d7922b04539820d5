#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# run_suites.py reports a failing suite: by its exit code, by name and in the count.
load ../lib/check

setup_file() {
    suite() { # suite NAME EXIT-CODE
        printf '#!/bin/sh\necho "said by %s $HIP_CPU_WARP_SIZE"\nexit %s\n' "$1" "$2" >"$work/test_$1"
        chmod +x "$work/test_$1"
    }
    suite good 0
    suite away 77
    suite bad 1
    suite worse 139
    printf '#!/bin/sh\nsetsid sleep 1000 >/dev/null 2>&1 &\n' >"$work/test_orphan"
    printf '#!/bin/sh\n(sleep 0.3; true) >/dev/null 2>&1 &\n' >"$work/test_late"
    chmod +x "$work/test_orphan" "$work/test_late"
    printf '%s\n' 'good test_good.c warps' 'bad test_bad.c warps kernels' 'mine mine.bats slow' >"$work/suites"
}
suites() { # suites PLATFORM SUITE...
    unset REDUCTION_VARIANT REDUCTION_CHECK
    platform=$1
    shift
    try python3 tests/run_suites.py "$platform" "$work" "$@"
}

@test "suites that pass and one without a device" {
    suites amd good away
    ends 0 '^check on amd: 1 suites passed, 0 failed, 1 skipped$'
}

@test "a failing suite is named, with its output" {
    suites amd good away bad
    ends 1 '^check on amd: 1 suites passed, 1 failed, 1 skipped$' '^failed: bad$' 'said by bad'
    suites amd bad worse
    ends 1 '^failed: bad; worse$'
}

@test "on the CPU suites run with both warp sizes" {
    suites cpu good bad
    ends 1 '^failed: bad, warp 32; bad, warp 64$' 'said by bad 32' '^check on cpu: 2 suites passed, 2 failed, 0 skipped$'
}

@test "a suite that leaves a process behind fails, and the process is ended" {
    suites amd orphan
    ends 1 'left behind: process [0-9]* (sleep)'
    id=$(sed -n 's/.*left behind: process \([0-9]*\) .*/\1/p' "$work/said")
    check 'it has ended' [ ! -d "/proc/$id" ]
}

@test "a process may end a moment after its suite" {
    suites amd late
    ends 0
}

@test "a signal ends the suites and everything that they started" {
    export TMPDIR=$work/temporary
    mkdir "$TMPDIR"
    printf '#!/bin/sh\nsetsid sleep 1000 &\necho $! >"%s/pid"\nwait\n' "$work" >"$work/test_endless"
    chmod +x "$work/test_endless"
    python3 tests/run_suites.py amd "$work" endless good >"$work/said" 2>&1 3>&- &
    runner=$!
    until [ -s "$work/pid" ]; do sleep 0.1; done
    kill -TERM $runner
    status=0
    wait $runner || status=$?
    check 'it fails' [ $status -eq 1 ]
    check 'what has not run is counted' grep -q 'suites did not end' "$work/said"
    check 'no process is left' [ ! -d "/proc/$(cat "$work/pid")" ]
    check 'no folder is left' [ -z "$(ls "$TMPDIR")" ]
}

@test "a missing suite" {
    suites amd nothing
    ends 2 'there is no suite nothing'
}
