# SPDX-License-Identifier: MIT
# Shared by the bats suites, with `load ../lib/check` in their first lines. Tests run in nogpu's folder; $work is a folder that
# all tests of a file share.
nogpu=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=${BATS_FILE_TMPDIR-}
level=${REDUCTION_CHECK:-usual}
shown=$work/said # the output of the last command, shown when a check fails
unset MAKEFLAGS MAKELEVEL MFLAGS SUITES words_are MAKE_TERMOUT MAKE_TERMERR # from make check
# Numbers, dates and order stay those of the user's language; messages, which tests compare, do not.
[ -z "${LC_ALL:-}" ] || export LANG="$LC_ALL"
unset LC_ALL LANGUAGE
export LC_MESSAGES=C
cd "$nogpu" || exit 1

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

# with_main NAME STATEMENT: $work/NAME gets the kernels on standard input and a main(int count, char **word) with this statement,
# for which int *data has 4096 bytes on the device; it waits for what was launched
with_main() {
    local api=hip
    case $1 in *.cu) api=cuda ;; esac
    { cat && echo "int main(int count, char **word) { int *data; (void)count, (void)word; if (${api}Malloc(&data, 4096)) return 3;
$2
return ${api}DeviceSynchronize() ? 3 : 0; }"; } >"$work/$1"
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

# needs TOOL GROUP: skips the test where there is no such tool; the group of the toolkit's install-deps.sh has it.
needs() { command -v "$1" >/dev/null || skip "no $1: ./install-deps.sh $2"; }
# Tracing uses the compiler's instrumentation, which excludes sanitizers.
needs_trace() { [ -z "${SAN:-}" ] || skip 'traced kernels cannot be checked by a sanitizer, too'; }
# A process's processor time in ticks; 1000000 if it has ended.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat" 2>/dev/null || echo 1000000; }
# in_session SESSION [NAME]: its processes, of that name; parent_of PROCESS. /proc/ID/stat: ID (NAME) STATE PARENT GROUP SESSION ...
in_session() { cat /proc/[0-9]*/stat 2>/dev/null | sed -nE "s/^([0-9]+) \\(${2:-.*}\\) . [0-9]+ [0-9]+ $1 .*/\\1/p"; }
parent_of() { sed -E 's/.*\) . ([0-9]+) .*/\1/' "/proc/$1/stat" 2>/dev/null; }
