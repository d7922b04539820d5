#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh FOLDER <headers.txt: writes the headers to FOLDER, in one step, and one in front of each header of include/
# that programs name: warnings are about the program alone, and its macros of one letter mean nothing in ours.
set -e
trap 'rm -rf "$1.$$" "$1.old.$$"' EXIT
here=$(dirname "$0")
letters='A B C D E F G H I J K L M N O P Q R S T U V W X Y Z real'

# write NAME TEXT
write() {
    mkdir -p "$(dirname "$to/$1")"
    echo "$2" >"$to/$1"
}
# ours NAME TEXT
ours() {
    write "$1" "#pragma GCC system_header
#include \"hip_cpu/letters_begin.h\"
$2
#include \"hip_cpu/letters_end.h\""
}

to=$1.$$
for header in hip_cpu/language.h $(cd "$here/include" && echo *.h hip/*.h); do
    ours "$header" "#include_next <$header>"
done
write hip_cpu/letters_begin.h "$(printf '#pragma push_macro("%s")\n' $letters && printf '#undef %s\n' $letters)"
write hip_cpu/letters_end.h "$(printf '#pragma pop_macro("%s")\n' $letters)"
while read -r line; do
    case $line in
    '#'*) continue ;;
    *:*) behind=${line%%:*} line=${line#*:} ;;
    esac
    for name in $line; do
        case $behind in
        'no '*) write "$name" "#error \"the CPU platform has $behind: build for a GPU\"" ;;
        cuda/std) ours "cuda/std/$name" "#include <$name>
#include \"hip_cpu/cuda/std.h\"" ;;
        *) ours "$name" "#include \"$behind\"" ;;
        esac
    done
done
[ ! -d "$1" ] || mv -T "$1" "$1.old.$$"
mv -T "$1.$$" "$1"
