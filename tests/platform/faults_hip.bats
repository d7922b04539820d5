#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# Every HIP call of every variant fails once, and the device is lost once at each call: the program ends with one line that
# says what to do, exit code 3, and the rows measured before; or with its usual result, if it does not depend on that call.
# Only for the CPU: HIP_CPU_FAIL is part of nogpu.
load ../lib/check
shown=$work/error

# program FAULT PROGRAM ARGUMENT...: its output goes to $work/out and $work/error
program() {
    local fault=$1
    shift
    status=0
    env ${fault:+HIP_CPU_FAIL="$fault"} $launch "$@" >"$work/out" 2>"$work/error" </dev/null 3>&- || status=$?
}

@test "every call fails once: one line, exit code 3, and the rows so far" {
    programs=()
    for folder in "$bin"/reduction_*/; do
        variant=$(basename "$folder")
        [ -x "$folder$variant" ] && [ "$variant" != reduction_hello ] && wanted "${variant#reduction_}" || continue # hello has no options
        programs+=("$folder$variant")
    done
    step=1
    [ "$level$REDUCTION_VARIANT" != usual ] || step=3
    LAUNCH=$launch try python3 tests/platform/faults_hip.py $step "${programs[@]}"
    shown=$work/said
    ends 0 '^[1-9][0-9]* programs, 0 mistakes'
}

@test "a message's advice depends on the error" {
    advises() { # advises FAULT WORDS VARIANT
        program "$1" "$bin/reduction_$3/reduction_$3" -n 1000 -i 1 --ceiling 1
        check "$1: exit code $status" exits 3 || return 1
        check "$1: no $2" grep -q "$2" "$work/error"
    }
    advises hipMalloc:1 'out of memory.*smaller --size' atomic
    advises hipHostMalloc:1 'out of memory.*smaller --size' atomic
    advises launch:2 'kernel launch: unspecified launch failure' atomic
    advises any:9+ 'list-devices' atomic
    advises occupancy:1 'no block of 256 threads fits: give a smaller --block' cooperative
}

@test "an invalid HIP_CPU_FAIL is refused" {
    for mistake in hipMalloc hipMalloc: hipMalloc:0 hipMalloc:x any:1++ :; do
        program $mistake "$bin/reduction_atomic/reduction_atomic" -n 5
        check "HIP_CPU_FAIL=$mistake: exit code $status" exits 2
        check "HIP_CPU_FAIL=$mistake" grep -q '^hip: HIP_CPU_FAIL=.*use CALL:N' "$work/error"
    done
}
