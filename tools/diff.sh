#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows the difference between two variants.
#
#   diff.sh FROM TO        names as in diff.sh striding shfl
cd "$(dirname "$0")/.." || exit 3

fail() {
    echo "diff: $1" >&2
    exit 2
}
source_of() {
    set -- "${1#reduction_}" "$2"
    [ -n "$1" ] || fail "$2= is missing; make diff FROM=striding TO=shfl"
    [ -f "reduction_$1/$1.hip" ] ||
        fail "$2=$1: no such variant; there are $(for d in reduction_*/; do printf '%s ' "$(basename "${d#reduction_}")"; done)"
    echo "reduction_$1/$1.hip"
}
from=$(source_of "$1" FROM) || exit
to=$(source_of "$2" TO) || exit

if command -v git >/dev/null; then
    git --no-pager diff --no-index "--color=$([ -t 1 ] && echo always || echo never)" "$from" "$to"
else
    diff -u "$from" "$to"
fi
[ $? -le 1 ]
