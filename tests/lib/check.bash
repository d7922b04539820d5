# SPDX-License-Identifier: MIT
# What the suites in bats share: `load ../lib/check` in their first lines. Tests run at the top of the tree; $work is a
# folder of the file, for all of its tests, and $bin has the programs.
top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
work=${BATS_FILE_TMPDIR-}
bin=$(cd "$top" && cd "${REDUCTION_BIN:-.}" && pwd)
run=${REDUCTION_RUN:-$bin/build/cpu/bin/run} # set by make check
launch=${REDUCTION_LAUNCH:-} # of make check LAUNCH=
level=${REDUCTION_CHECK:-usual}
shown=$work/said # the output of the last command, shown when a check fails
unset MAKEFLAGS MAKELEVEL MFLAGS SUITES # those of make check
cd "$top" || exit 1

# try COMMAND...: its output is in $work/said, its exit code in $status
try() {
    status=0
    "$@" >"$work/said" 2>&1 </dev/null 3>&- || status=$?
}
# check TEXT CONDITION...: the condition is a command; without it the test ends here
check() {
    local text=$1
    shift
    "$@" && return 0
    echo "FAILED: $text"
    [ ! -f "$shown" ] || tail -n 40 "$shown"
    return 1
}

exits() { [ "$status" -eq "$1" ]; }
says() { grep -q -e "$1" "$work/said"; }

# ends CODE [PATTERN]...: the last command's exit code, and what its output has
ends() {
    check "exit code $status instead of $1" exits "$1" || return 1
    shift
    for pattern; do
        check "no line like: $pattern" says "$pattern" || return 1
    done
}

# For loops over many cases, all of which are looked at: `verdict STATUS TEXT` counts, and `finish` ends the test.
passed=0 failed=0
verdict() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
        [ ! -f "$shown" ] || tail -n 20 "$shown" | sed 's/^/    /'
    fi
}
finish() {
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
}

# Is this variant (shfl) of interest? make check V=shfl
wanted() { case " ${REDUCTION_VARIANT:-reduction_$1} " in *" reduction_$1 "*) return 0 ;; *) return 1 ;; esac; }
# The documents of interest among those given.
documents() {
    local document folder
    for document; do
        folder=${document%%/*}
        [ -f "$document" ] && { [ -z "${REDUCTION_VARIANT:-}" ] || case " $REDUCTION_VARIANT " in *" $folder "*) true ;; *) false ;; esac; } &&
            echo "$document"
    done
    true
}
# Processor time of a process in ticks; 1000000 if it is gone.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat" 2>/dev/null || echo 1000000; }
# Programs are traced by the compiler's instrumentation, which excludes sanitizers.
needs_trace() { [ -z "${SAN:-}" ] || skip 'traced kernels cannot be checked by a sanitizer, too'; }
# bench as one word: "$work/bench"
make_bench() {
    printf '#!/bin/sh\nexec python3 "%s/bench/sweep/bench.py" --run="%s" "$@"\n' "$top" "$run" >"$work/bench"
    chmod +x "$work/bench"
}
