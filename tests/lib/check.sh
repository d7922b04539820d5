# SPDX-License-Identifier: MIT
# What shell tests share: a folder for their files, and the count. Sourced at the top of the tree.
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
shown=$work/said # the output of the last command, shown when a check fails
passed=0 failed=0

# verdict STATUS TEXT
verdict() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
        [ ! -f "$shown" ] || tail -n 40 "$shown" | sed 's/^/    /'
    fi
}

# check TEXT CONDITION...: the condition is a command
check() {
    text=$1
    shift
    "$@"
    verdict $? "$text"
}

# The last command of a test.
finish() {
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
}
