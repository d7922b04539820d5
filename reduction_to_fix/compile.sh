#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles an exercise if its source, a header or the flags have changed. The source's date does not count: it may be
# another file than the last time. The one compiled last is kept beside the object.
#
#   compile.sh OBJECT SOURCE FLAGS WORD COMMAND...       WORD, if not empty: prints what is compiled
object=$1 source=$2 flags=$3 word=$4
shift 4
last=${object%.o}.hip
[ -s "$object" ] && [ "$object" -nt "$flags" ] && cmp -s "$source" "$last" &&
    [ -z "$(find common platform reduction_to_fix/checker/runner -name '*.h' -newer "$object" -print -quit)" ] && {
    [ ! -s "$object.said" ] || cat "$object.said" >&2 # the warnings are still true
    exit
}
mkdir -p "${object%/*}" && cp "$source" "$last" || exit
[ -z "$word" ] || printf '  %-5s %s\n' "$word" "$source"
sh tools/build/compile_variant.sh "$object" '' "$@" 2>"$object.said" ||
    sh tools/build/compile_variant.sh "$object" '' "$@" -DANY_KERNEL 2>"$object.said" # headers.h
status=$?
cat "$object.said" >&2
exit $status
