#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every HIP call of every variant fails once, and the device is lost once at each call: the program ends with one
# line that says what to do, exit code 3, and the rows measured before; or, where it does not depend on that call,
# with its usual result. For programs built for the CPU: HIP_CPU_FAIL is part of platform/cpu.
load ../lib/check
shown=$work/error

# The part of the output that does not depend on time.
facts() {
    sed 's/"[^"]*"/-/g' "$1" | awk -F, '
        function column(name) { return name in at ? $at[name] : "-" }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print column("program"), column("warp_size"), column("compute_units"), column("n"), column("grid"),
              column("block"), column("value"), column("check") }'
}

# program FAULT PROGRAM ARGUMENT...: its outputs in $work/out and $work/error
program() {
    local fault=$1
    shift
    status=0
    env ${fault:+HIP_CPU_FAIL="$fault"} $launch "$@" >"$work/out" 2>"$work/error" </dev/null 3>&- || status=$?
}

# Is the last run's end one of those that are right?
is_right() {
    case $status in
    0) [ ! -s "$work/error" ] && facts "$work/out" | cmp -s - "$work/facts" ;;
    3) [ "$(wc -l <"$work/error")" -eq 1 ] && grep -q ': [^:]*[a-z]$' "$work/error" &&
        { [ ! -s "$work/out" ] || [ -z "$(tail -c 1 "$work/out" | tr -d '\n')" ]; } &&
        facts "$work/out" | awk 'FNR == NR { want[FNR] = $0; next } $0 != want[FNR] { bad = 1 } END { exit bad }' \
            "$work/facts" - ;;
    *) false ;;
    esac
}

@test "every call fails once: one line, exit code 3, and the rows before" {
    turn=0 sizes=1000,5 # the first variant shows that rows are kept; one size makes fewer calls
    for folder in reduction_*/; do
        variant=${folder%/}
        path=$bin/$variant/$variant
        [ -x "$path" ] && [ $variant != reduction_hello ] && wanted "${variant#reduction_}" || continue # hello has no options
        turn=$((turn + 1))
        program '' "$path" -n $sizes -i 1 -w 0 --ceiling 1 -f csv
        check "$variant: exit code $status" [ $status -le 1 ]
        [ $status -eq 0 ] || continue # an exercise
        facts "$work/out" >"$work/facts"
        for after in '' +; do
            at=1 quiet=0 faults=0 step=1
            # make check: every third call, of the next variant others
            [ "$level$REDUCTION_VARIANT" != usual ] || step=3 at=$((1 + turn % 3))
            [ -z "$after" ] || step=$((step + 3))
            # The last call is passed when no fault has an effect any more. Several calls in a row may fail without
            # harm: they query further properties of the device.
            while [ $((quiet * step)) -lt 12 ]; do
                program "any:$at$after" "$path" -n $sizes -i 1 -w 0 --ceiling 1 -f csv
                right=0
                is_right || right=1
                verdict $right "HIP_CPU_FAIL=any:$at$after $variant: exit code $status"
                if [ $status -eq 0 ]; then quiet=$((quiet + 1)); else quiet=0 faults=$((faults + 1)); fi
                at=$((at + step))
            done
            check "$variant: only $faults calls that fail, so HIP_CPU_FAIL does nothing" [ $((faults * step)) -ge 20 ]
        done
        sizes=1000
    done
    finish
}

@test "what a message advises depends on the error" {
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

@test "a HIP_CPU_FAIL that is none is refused" {
    for mistake in hipMalloc hipMalloc: hipMalloc:0 hipMalloc:x any:1++ :; do
        program $mistake "$bin/reduction_atomic/reduction_atomic" -n 5
        check "HIP_CPU_FAIL=$mistake: exit code $status" exits 2
        check "HIP_CPU_FAIL=$mistake" grep -q '^hip: HIP_CPU_FAIL=.*use CALL:N' "$work/error"
    done
}
