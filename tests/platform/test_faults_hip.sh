#!/bin/sh
# Every HIP call of every variant fails once, and the device is lost once at each call: the program ends with one
# line that says what to do, exit code 3, and the rows measured before; or, where it does not depend on that call,
# with its usual result.
#
#   REDUCTION_BIN=. tests/platform/test_faults_hip.sh [VARIANT]...       REDUCTION_BIN is set by make check
#
# For programs built for the CPU: HIP_CPU_FAIL is part of platform/cpu.
cd "$(dirname "$0")/../.." || exit 3
bin=${REDUCTION_BIN:-.} launch=${REDUCTION_LAUNCH:-} # of make check LAUNCH=
# shellcheck disable=SC2046,SC2012  # names without spaces
[ $# -gt 0 ] || set -- $(ls -d reduction_*/ | tr -d / | grep -vx reduction_hello) # which has no options
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

fails() {
    failed=$((failed + 1))
    echo "FAILED: HIP_CPU_FAIL=$1 $2: exit code $status, and on standard error:"
    head -n 5 "$work/error" | sed 's/^/    /'
}

# The part of the output that does not depend on time.
facts() {
    sed 's/"[^"]*"/-/g' "$1" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["program"], $at["warp_size"], $at["compute_units"], $at["n"], $at["grid"], $at["block"], $at["value"], $at["check"] }'
}

# attempt FAULT PROGRAM: sets status, and ended: whether this was past the last call
attempt() {
    # shellcheck disable=SC2086  # launch is words
    HIP_CPU_FAIL=$1 timeout 20 $launch "$2" -n "$sizes" -i 1 -w 0 --ceiling 1 -f csv >"$work/out" 2>"$work/error" </dev/null
    status=$?
    case $status in
    0) [ ! -s "$work/error" ] && facts "$work/out" | cmp -s - "$work/facts" ;;
    3) [ "$(wc -l <"$work/error")" -eq 1 ] && grep -q ': [^:]*[a-z]$' "$work/error" &&
        { [ ! -s "$work/out" ] || [ -z "$(tail -c 1 "$work/out" | tr -d '\n')" ]; } &&
        facts "$work/out" | awk 'FNR == NR { want[FNR] = $0; next } $0 != want[FNR] { bad = 1 } END { exit bad }' \
            "$work/facts" - ;;
    *) false ;;
    esac
}

sizes=1000,5 # the first variant shows that rows are kept; one size makes fewer calls
for variant; do
    program=$bin/$variant/$variant
    [ -x "$program" ] || continue
    $launch "$program" -n "$sizes" -i 1 -w 0 --ceiling 1 -f csv >"$work/out" 2>"$work/error"
    status=$?
    [ $status -le 1 ] || { fails none "$variant"; continue; }
    [ $status -eq 0 ] || continue # an exercise
    facts "$work/out" >"$work/facts"
    for after in '' +; do
        at=1 quiet=0 faults=0 step=1
        [ -z "$after" ] || step=4
        # The last call is passed when no fault has an effect any more. Several calls in a row may fail without harm:
        # they query further properties of the device.
        while [ $((quiet * step)) -lt 12 ]; do
            if attempt "any:$at$after" "$program"; then
                passed=$((passed + 1))
            else
                fails "any:$at$after" "$variant"
            fi
            if [ $status -eq 0 ]; then quiet=$((quiet + 1)); else quiet=0 faults=$((faults + 1)); fi
            at=$((at + step))
        done
        [ $((faults * step)) -ge 20 ] || { failed=$((failed + 1)); echo "FAILED: $variant: only $faults calls that fail, so HIP_CPU_FAIL does nothing"; }
    done
    sizes=1000
done

# What a message advises depends on the error.
says() { # says FAULT WORDS [VARIANT]
    HIP_CPU_FAIL=$1 $launch "$bin/reduction_${3:-atomic}/reduction_${3:-atomic}" -n 1000 -i 1 --ceiling 1 >"$work/out" 2>"$work/error"
    status=$?
    if [ $status -eq 3 ] && grep -q "$2" "$work/error"; then passed=$((passed + 1)); else fails "$1" "reduction_${3:-atomic}"; fi
}
says hipMalloc:1 'out of memory.*smaller --size'
says hipHostMalloc:1 'out of memory.*smaller --size'
says launch:2 'kernel launch: unspecified launch failure'
says any:9+ 'list-devices'
says occupancy:1 "no block of 256 threads fits: give a smaller --block" cooperative
for mistake in hipMalloc hipMalloc: hipMalloc:0 hipMalloc:x any:1++ :; do
    HIP_CPU_FAIL=$mistake $launch "$bin/reduction_atomic/reduction_atomic" -n 5 >"$work/out" 2>"$work/error"
    status=$?
    if [ $status -eq 2 ] && grep -q '^hip: HIP_CPU_FAIL=.*use CALL:N' "$work/error"; then
        passed=$((passed + 1))
    else
        fails "$mistake" reduction_atomic
    fi
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
