#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of constructs/, one for each part of CUDA that people use, and of rules/, one for each rule of device code where
# compilers of the host have another. They run on the CPU and on a GPU.
#
#   programs.sh build FOLDER OUT nvcc -arch=sm_90 -fmad=false    into OUT, which may be carried to another machine
#   programs.sh run FOLDER OUT                                   runs all that is there, and shows what differs: exit code 1
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] && [ -d "$here/$2" ] || { sed -n '3,/^here/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
what=$1 folder=$here/$2 out=$3
shift 3
passed=0 failed=''

case $what in
build)
    mkdir -p "$out" || exit 3
    for source in "$folder"/*.cu; do
        name=$(basename "$source" .cu)
        "$@" -std=c++17 -o "$out/$name" "$source" || failed="$failed $name"
    done
    [ -z "$failed" ] || echo "not compiled:$failed"
    [ -z "$failed" ]
    ;;
run)
    for program in "$out"/*; do
        name=$(basename "$program")
        [ -x "$program" ] && [ -f "$folder/$name.cu" ] || continue
        if "$program" >"$program.out" 2>&1; then
            passed=$((passed + 1))
        else
            failed="$failed $name"
            echo "$name:"
            cat "$program.out"
        fi
    done
    echo "$passed right${failed:+; wrong:$failed}"
    [ -z "$failed" ] && [ $passed -gt 0 ]
    ;;
*) exit 2 ;;
esac
