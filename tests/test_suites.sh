#!/bin/sh
# What runs the suites says so when one fails: by its exit code, by name and by number.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

suite() { # suite NAME EXIT-CODE
    printf '#!/bin/sh\necho "said by %s"\nexit %s\n' "$1" "$2" >"$work/test_$1"
    chmod +x "$work/test_$1"
}
check() { # check TEXT EXIT-CODE PATTERN
    sh "$here/run_suites.sh" amd "$work" >"$work/out" 2>&1
    status=$?
    if [ $status -eq "$2" ] && grep -q "$3" "$work/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL  $1: exit code $status"
        sed 's/^/    /' "$work/out"
    fi
}

suite good 0
suite away 77
check 'all is well' 0 '^check on amd: 1 suites passed, 0 failed, 1 skipped$'
suite bad 1
check 'one failed' 1 '^check on amd: 1 suites passed, 1 failed, 1 skipped$'
check 'its name is said' 1 '^failed: bad$'
check 'and what it said' 1 'said by bad'
suite worse 139
check 'two failed' 1 '^failed: bad; worse$'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
