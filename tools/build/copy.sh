#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies this tree, to edit and build there, for users who cannot write here. `make copy TO=DIR` runs it.
#
#   copy.sh DIR               the whole tree, without what was built
#   copy.sh DIR VARIANT...    what these variants need; if DIR is such a copy, adds these variants
#
# Does not copy the exercises' solutions and the wrong fixes for testing. Never overwrites files.
cd "$(dirname "$0")/../.." || exit 3
to=$1
shift

fail() {
    echo "make copy: $1" >&2
    exit 2
}
[ -n "$to" ] || fail 'name a folder, make copy TO=~/reduction'
case $to in \~/*) to=$HOME/${to#??} ;; esac

# copy NAME...: copies files to $to, writable
copy() {
    for name; do
        mkdir -p "$to/$(dirname "$name")" && cp -R "$name" "$to/$name" && chmod -R u+w "$to/$name" || {
            echo "make copy: cannot write $to/$name: check the free space and the permissions" >&2
            exit 3
        }
        case $name in reduction_*) rm -f "$to/$name/$name" "$to/$name/"*.so ;; esac # the program, perhaps for another GPU
    done
}

if [ $# -eq 0 ]; then
    [ ! -e "$to/Makefile" ] || fail "$to already has a Makefile: name another folder"
    for name in .clang-format .gitignore .gitattributes *; do
        [ "$name" = build ] || [ "$name" = bin ] || [ ! -e "$name" ] || copy "$name"
    done
    rm -f "$to"/reduction_to_fix/*/solution.patch "$to"/reduction_to_fix/*/cases.txt
    # For make reset.
    mkdir "$to/reduction_to_fix/.shipped" && cp "$to"/reduction_to_fix/*.hip "$to"/reduction_to_fix/*/*.hip "$to/reduction_to_fix/.shipped"
else
    for variant; do
        [ ! -e "$to/$variant" ] || fail "$to/$variant already exists: name another folder, or move it away"
    done
    [ -e "$to/Makefile" ] || copy Makefile config.mk common bench nogpu platform tools
    copy "$@"
    case " $* " in *" reduction_multi_gpu "*) # runs their kernels
        for variant in reduction_single_pass reduction_reproducible reduction_prim; do
            [ -e "$to/$variant" ] || copy "$variant"
        done
        ;;
    esac
fi
case $to in *[!A-Za-z0-9._/-]*) to="'$to'" ;; esac # for the shell
if [ $# -eq 0 ]; then
    echo "cd $to && make run"
else
    echo "cd $to/$1 && make && ./$1"
fi
