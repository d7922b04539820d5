#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the last line of a build: how many programs there are, and how to run them.
#
#   built.sh "OVERRIDES" "FOLDER" PROGRAM...     OVERRIDES: variables that make run needs again
#                                                FOLDER: the user's folder; empty: the top
words=$1 folder=$2
shift 2
count=0 example=
for program; do
    [ -x "$program" ] || continue # skipped
    count=$((count + 1))
    case $program in */reduction_shfl) example=$program ;; esac
    example=${example:-$program}
done
case $example in /*) ;; *) example=./${example#"$folder/"} ;; esac
if [ $# -eq 1 ]; then
    [ $count -eq 0 ] || echo "run it: $example"
else
    echo "$count programs; run one: $example   all: make run${words:+ $words}"
fi
