#!/bin/sh
# What runs the suites says so when one fails: by its exit code, by name and by number.
cd "$(dirname "$0")/../.." || exit 3
. tests/lib/check.sh

suite() { # suite NAME EXIT-CODE
    printf '#!/bin/sh\necho "said by %s $HIP_CPU_WARP_SIZE"\nexit %s\n' "$1" "$2" >"$work/test_$1"
    chmod +x "$work/test_$1"
}
says() { # says EXIT-CODE PATTERN [PLATFORM SUITE...]
    code=$1 pattern=$2 platform=${3:-amd}
    shift 2
    [ $# -eq 0 ] || shift
    sh tests/run_suites.sh "$platform" "$work" "$@" >"$work/said" 2>&1
    [ $? -eq "$code" ] && grep -q "$pattern" "$work/said"
}

suite good 0
suite away 77
check 'all is well' says 0 '^check on amd: 1 suites passed, 0 failed, 1 skipped$'
suite bad 1
check 'one failed' says 1 '^check on amd: 1 suites passed, 1 failed, 1 skipped$'
check 'its name is said' says 1 '^failed: bad$'
check 'and what it said' says 1 'said by bad'
suite worse 139
check 'two failed' says 1 '^failed: bad; worse$'
check 'on the CPU, with both sizes of a warp' says 1 '^failed: bad, warp 32; bad, warp 64$' cpu good bad
check 'which is in the environment' says 1 'said by bad 32' cpu good bad
printf '#!/bin/sh\nsetsid sleep 1000 >/dev/null 2>&1 &\n' >"$work/test_orphan"
chmod +x "$work/test_orphan"
cp build/cpu/tests/reaper "$work/reaper" 2>/dev/null
check 'a suite that leaves a process behind fails' says 1 'left behind: process [0-9]* (sleep)' amd orphan
check 'and all are counted' says 1 '^check on cpu: 2 suites passed, 2 failed, 0 skipped$' cpu good bad

finish
