#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of constructs/, one for each part of HIP and CUDA that people use: the same sources for the CPU and, those
# of CUDA, for a GPU.
#
#   constructs.sh build OUT nvcc -arch=sm_90       into the folder OUT, which may be carried to another machine
#   constructs.sh run OUT                          runs all that is there: a line for each, exit code 1 if one failed
here=$(cd "$(dirname "$0")" && pwd)/constructs
what=$1 out=$2
shift 2

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
    passed=0 failed=''
    for program in "$out"/*; do
        [ -x "$program" ] || continue
        name=$(basename "$program")
        if said=$("$program" 2>&1); then
            passed=$((passed + 1)) && echo "pass $name"
        else
            failed="$failed $name" && printf 'FAIL %s: %s\n' "$name" "$said"
        fi
    done
    echo "$passed passed${failed:+; failed:$failed}"
    [ -z "$failed" ] && [ $passed -gt 0 ]
    ;;
*)
    echo 'constructs.sh build OUT COMPILER..., or constructs.sh run OUT' >&2
    exit 2
    ;;
esac
