#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of rules/, one for each rule of device code where compilers of the host have another: they print bits, which are
# those of NAME.txt on the CPU and on a GPU.
#
#   rules.sh build OUT nvcc -arch=sm_90 -fmad=false   into the folder OUT, which may be carried to another machine
#   rules.sh run OUT                                  runs all that is there, and shows what differs: exit code 1
here=$(cd "$(dirname "$0")" && pwd)/rules
what=$1 out=$2
shift 2 2>/dev/null || what=

case $what in
build)
    mkdir -p "$out" || exit 3
    bad=0
    for source in "$here"/*.cu; do
        name=$(basename "$source" .cu)
        "$@" -std=c++17 -o "$out/$name" "$source" || { bad=1 && echo "does not compile: $name"; }
    done
    exit $bad
    ;;
run)
    same=0 failed=''
    for program in "$out"/*; do
        [ -x "$program" ] || continue
        name=$(basename "$program")
        if "$program" 2>"$out/$name.notes" | diff "$here/$name.txt" - >"$out/$name.diff"; then
            same=$((same + 1))
        else
            failed="$failed $name" && echo "$name:" && cat "$out/$name.diff" "$out/$name.notes"
        fi
    done
    echo "$same with the same bits${failed:+; others:$failed}"
    [ -z "$failed" ] && [ $same -gt 0 ]
    ;;
*)
    echo 'rules.sh build OUT COMPILER..., or rules.sh run OUT' >&2
    exit 2
    ;;
esac
