#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the flags of flags.txt that a compiler takes.
#
#   flags.sh plain|asan|traced FOLDER COMPILER...      FOLDER: what it takes is kept there, since every make asks; or ''
# shellcheck disable=SC2086  # compilers and flags are words
what=$1 folder=$2 && shift 2 && compiler=$* table=${0%.sh}.txt
version=$($compiler --version 2>/dev/null)
case $version in *clang*) family=clang ;; *) family=gcc ;; esac
sanitizer=
[ "$what" != traced ] || sanitizer=-fsanitize=thread
taken() {
    while read -r mode whose flags; do
        case "$mode $whose" in "all any" | "all $family" | "$what any" | "$what $family") ;; *) continue ;; esac
        $compiler -Werror $flags $sanitizer -S -o /dev/null -x c++ /dev/null >/dev/null 2>&1 </dev/null && echo "$flags"
    done <"$table"
    :
}
# The first line is the compiler; without a process, as every make asks.
kept=$folder/flags.$what key="$compiler ${version%%
*}"
is_kept() { [ -f "$kept" ] && [ "$kept" -nt "$table" ] && read -r was <"$kept" && [ "$was" = "$key" ]; }
[ -n "$folder" ] && { is_kept || { mkdir -p "$folder" && { echo "$key" && taken; } >"$kept.$$" && mv "$kept.$$" "$kept"; } 2>/dev/null; } ||
    { taken && exit; }
{ read -r was && while read -r line; do printf '%s\n' "$line"; done; } <"$kept"
