#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow programs
# A built tree that is copied or moved sees what is edited there: a variant, the library, race, explain, an exercise, the
# compiler drivers. The tree that it was made from stays where it is.
load ../lib/check
. tests/lib/copy.sh

setup_file() {
    unset MAKELEVEL MAKEFLAGS
    copy_tree "$work/made" reduction_* library docs
    copy_built "$work/made" reduction_shfl
    cd "$work/made" || exit
    cat >mine.hip <<'END'
#include <hip/hip_runtime.h>
#include "mine.h"
__global__ void fill(int *values) { values[threadIdx.x] = MINE; }
int main(void)
{
    int *values;
    return hipMalloc((void **)&values, 64 * sizeof *values) || (fill<<<1, 64>>>(values), hipDeviceSynchronize());
}
END
    echo '#define MINE 1' >mine.h
    for words in programs library 'race FILE=mine.hip' 'race WARP=32' 'explain WARP=32' ; do
        # shellcheck disable=SC2086  # words of a command
        make -j2 GPU=cpu V=shfl $words >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    done
    make -j2 GPU=cpu -C reduction_to_fix check >"$work/log" 2>&1 || grep -q 'exercise 1' "$work/log"
}
setup() {
    unset MAKELEVEL MAKEFLAGS
    cd "$work/${place:-made}" || exit
}

# edited FILE WORDS...: with a mistake in FILE, make WORDS stops there.
edited() {
    file=$1
    shift
    cp -p "$file" "$work/kept"
    echo '#error edited here' >>"$file"
    try make -j2 GPU=cpu "$@"
    check "make $*: $file was edited" test $status -ne 0
    check "make $*: and it is that which is compiled" says 'edited here'
    cp -p "$work/kept" "$file"
}
all_edited() {
    edited reduction_shfl/shfl.hip V=shfl
    edited common/element.h V=shfl
    edited common/verdict/verify.h V=shfl
    edited reduction_single_pass/single_pass.hip library
    edited reduction_shfl/shfl.hip V=shfl WARP=32 race
    edited common/reduction.h V=shfl WARP=32 explain
    edited mine.h FILE=mine.hip race
    edited nogpu/include/hip_cpu/api/api.h FILE=mine.hip race
    edited reduction_to_fix/to_fix.hip -C reduction_to_fix check
}

@test "cp -a: the same times" {
    cp -a "$work/made" "$work/copy" && cd "$work/copy"
    all_edited
}

@test "cp -r: new times" {
    cp -r "$work/made" "$work/new times" && cd "$work/new times"
    edited common/element.h V=shfl
    edited reduction_shfl/shfl.hip V=shfl WARP=32 race
}

@test "from a clock that is ahead" {
    cp -a "$work/made" "$work/ahead" && cd "$work/ahead"
    find build -type f -exec touch -d tomorrow {} +
    edited reduction_shfl/shfl.hip V=shfl
    edited reduction_shfl/shfl.hip V=shfl WARP=32 race
    try make -j2 GPU=cpu V=shfl
    check "right again" test $status -eq 0
}

@test "moved: nothing is built anew without an edit, and the old place may have gone" {
    mv "$work/made" "$work/moved" && cd "$work/moved"
    try make -j2 GPU=cpu V=shfl
    check "nothing is compiled" silent
    edited common/element.h V=shfl
    mv "$work/moved" "$work/made"
}
silent() { [ $status -eq 0 ] && ! grep -E '^  (CXX|CC) ' "$work/said"; }
