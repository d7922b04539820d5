# SPDX-License-Identifier: MIT
# Shared by all bats suites, with `load ../lib/check` in their first lines. Tests run at the top of the tree; $work is a
# folder that all tests of a file share, and $bin has the programs.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=${BATS_FILE_TMPDIR-}
bin=$(cd "$top" && cd "${REDUCTION_BIN:-.}" && pwd)
run=${REDUCTION_RUN:-$bin/build/cpu/bin/run} # set by make check
launch=${REDUCTION_LAUNCH:-} # from make check LAUNCH=
level=${REDUCTION_CHECK:-usual}
shown=$work/said # the output of the last command, shown when a check fails
unset MAKEFLAGS MAKELEVEL MFLAGS SUITES MAKE_TERMOUT MAKE_TERMERR # from make check
# Numbers, dates and order stay those of the user's language; messages, which tests compare, do not.
[ -z "${LC_ALL:-}" ] || export LANG="$LC_ALL"
unset LC_ALL LANGUAGE
export LC_MESSAGES=C
cd "$top" || exit 1

# try COMMAND...: runs it; its output goes to $work/said, its exit code to $status
try() {
    status=0
    "$@" >"$work/said" 2>&1 </dev/null 3>&- || status=$?
}
# check TEXT CONDITION...: the condition is a command; if it fails, so does the test
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

# ends CODE [PATTERN]...: the last command ended with CODE, and its output matches each PATTERN
ends() {
    check "exit code $status instead of $1" exits "$1" || return 1
    shift
    for pattern; do
        check "no line like: $pattern" says "$pattern" || return 1
    done
}

# For loops that run all cases even if some fail: `verdict STATUS TEXT` counts, and `finish` ends the test.
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
    [ $failed -eq 0 ] && [ $((passed + ${#REDUCTION_VARIANT})) -gt 0 ] # one variant may have nothing to check
}

# Is this variant selected? make check V=shfl
wanted() { case " ${REDUCTION_VARIANT:-reduction_$1} " in *" reduction_$1 "*) return 0 ;; *) return 1 ;; esac; }
# The selected ones of these documents.
documents() {
    local document folder
    for document; do
        folder=${document%%/*}
        [ -f "$document" ] && { [ -z "${REDUCTION_VARIANT:-}" ] || case " $REDUCTION_VARIANT " in *" $folder "*) true ;; *) false ;; esac; } &&
            echo "$document"
    done
    true
}
# needs TOOL GROUP: skips the test where there is no such tool; the group of install-deps.sh has it.
needs() { command -v "$1" >/dev/null || skip "no $1: ./install-deps.sh $2"; }
# A process's processor time in ticks; 1000000 if it has ended.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat" 2>/dev/null || echo 1000000; }
# in_session SESSION [NAME]: its processes, of that name; parent_of PROCESS. /proc/ID/stat: ID (NAME) STATE PARENT GROUP SESSION ...
in_session() { cat /proc/[0-9]*/stat 2>/dev/null | sed -nE "s/^([0-9]+) \\(${2:-.*}\\) . [0-9]+ [0-9]+ $1 .*/\\1/p"; }
parent_of() { sed -E 's/.*\) . ([0-9]+) .*/\1/' "/proc/$1/stat" 2>/dev/null; }
# Tracing uses the compiler's instrumentation, which excludes sanitizers.
needs_trace() { [ -z "${SAN:-}" ] || skip 'traced kernels cannot be checked by a sanitizer, too'; }
# Makes a script that runs bench: "$work/bench"
make_bench() {
    printf '#!/bin/sh\nexec python3 "%s/bench/sweep/bench.py" --run="%s" "$@"\n' "$top" "$run" >"$work/bench"
    chmod +x "$work/bench"
}
