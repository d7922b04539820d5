#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh FOLDER <headers.txt: writes the headers to FOLDER, in one step.
set -e
trap 'rm -rf "$1.$$" "$1.old.$$"' EXIT
while read -r line; do
    case $line in
    '#'*) continue ;;
    *:*) behind=${line%%:*} line=${line#*:} ;;
    esac
    for name in $line; do
        case $behind in
        'no '*) text="#error \"the CPU platform has $behind: build for a GPU\"" ;;
        cuda/std) text="#include <$name>
#include \"hip_cpu/cuda/std.h\"" name=cuda/std/$name ;;
        *) text="#include \"$behind\"" ;;
        esac
        case $name in */*) mkdir -p "$1.$$/${name%/*}" ;; *) mkdir -p "$1.$$" ;; esac
        echo "$text" >"$1.$$/$name"
    done
done
[ ! -d "$1" ] || mv -T "$1" "$1.old.$$"
mv -T "$1.$$" "$1"
