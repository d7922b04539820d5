#!/bin/sh
# SPDX-License-Identifier: MIT
# One row for each compiler of this system: nogpu and a variant, built with warnings as errors; CUDA's names in each C++
# standard, with every name that a C library may have declared before; races, found and none.
#
#   compilers.sh FOLDER [COMPILER]...     writes below FOLDER; default: all gcc-N and clang-N, and clang with libc++
#
# Exit code 1 if something failed. Needs libdw.
[ $# -ge 1 ] || { sed -n '3,/^\[/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.." || exit 3
unset CC CXX CXXFLAGS NOGPU_BUILD GPU
mkdir -p "$1" && folder=$(cd "$1" && pwd) || exit 3
shift
# shellcheck disable=SC2046  # one word for each
[ $# -gt 0 ] || set -- $(find /usr/bin | sed -nE 's,.*/((gcc|clang)-[0-9]+)$,\1,p' | sort -V)
worst=0

# step COMMAND...: into the row, by its exit code
step() {
    if "$@" >>"$log" 2>&1; then row="$row	ok"; else row="$row	FAILED" worst=1; fi
}
# shellcheck disable=SC2317  # called by step
# races FOUND OPTION...: nogpu race must end with this exit code
races() {
    code=$1
    shift
    nogpu/bin/nogpu race --warp=32 "$@"
    [ $? -eq "$code" ]
}
# row NAME CC CXX [FLAG]...
row() {
    row=$1 log=$folder/$1.log
    export CC="$2" CXX="$3" NOGPU_BUILD="$folder/$1"
    shift 3
    : >"$log"
    step make -C nogpu N="$NOGPU_BUILD" CC="$CC" CXX="$CXX" CXXFLAGS="$*" WERROR=1
    step make V=shfl GPU=cpu OUT="$NOGPU_BUILD/toolkit" CC="$CC" CXX="$CXX" CXXFLAGS="-O2 $*" WERROR=1
    step "$NOGPU_BUILD/toolkit/reduction_shfl/reduction_shfl" -n 10007
    for standard in '' -std=c++17 -std=c++20 -std=c++2b; do
        # shellcheck disable=SC2086  # no option, or one
        step nogpu/bin/nvcc $standard "$@" -Wall -Wextra -Werror -include nogpu/tests/platform/c_names.h \
            -o "$NOGPU_BUILD/names" nogpu/tests/constructs/names.cu
        step "$NOGPU_BUILD/names"
    done
    step races 1 "$@" tests/systems/mine.cu
    step races 0 "$@" -DBARRIER tests/systems/mine.cu
    echo "$row"
}

echo 'compiler	nogpu	shfl	runs	names	run	17	run	20	run	23	run	race	none'
for compiler; do
    row "$compiler" "$compiler" "$(echo "$compiler" | sed 's/^gcc/g++/; s/^clang/clang++/')"
    case $compiler in
    clang-*) ! echo '#include <vector>' | "clang++${compiler#clang}" -stdlib=libc++ -Werror -x c++ -fsyntax-only - 2>/dev/null ||
        row "$compiler-libc++" "$compiler" "clang++${compiler#clang} -stdlib=libc++" ;;
    esac
done
exit $worst
