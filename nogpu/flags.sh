#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the flags for kernels on the CPU that only GCC or only clang has.
#
#   flags.sh plain|traced FOLDER COMPILER...      FOLDER: what this compiler knows is kept there, since every make asks
# shellcheck disable=SC2086  # compilers and flags are words
what=$1 folder=$2 && shift 2 && compiler=$*
version=$($compiler --version 2>/dev/null)
if [ -n "$folder" ]; then
    kept=$folder/flags.$what key="$compiler ${version%%
*}" was=
    [ ! -f "$kept" ] || read -r was <"$kept"
    { [ "$was" = "$key" ] && [ "$kept" -nt "$0" ]; } || { mkdir -p "$folder" && { echo "$key" && sh "$0" "$what" '' "$@"; } >"$kept.$$" && mv "$kept.$$" "$kept"; } 2>/dev/null &&
        { read -r was && while IFS= read -r line; do printf '%s\n' "$line"; done; } <"$kept" && exit
fi

# knows FLAGS [OTHERS]: prints FLAGS if the compiler takes all.
knows() {
    $compiler -Werror $1 $2 -S -o /dev/null -x c++ /dev/null >/dev/null 2>&1 && echo "$1"
}

# clang: do not warn about loops that it does not vectorize. GCC would mention the unknown flag with every error. GCC: 0 - x
# of an integer that was converted is no -x, which would be -0 for 0.
case $version in *clang*) echo -Wno-pass-failed ;; *) echo -frounding-math ;; esac
# The rules of device code, whatever the level of optimization: memory has no type, integers wrap, and each operation rounds
# (compilers for GPUs contract a*b+c unless told otherwise; -fmad=true and -ffp-contract=fast are passed on). Where GPUs and
# this processor differ, the compiler calls nogpu/runtime/undefined.c, and so before each misaligned access.
echo -fno-strict-aliasing -fwrapv -ffp-contract=off
knows -fsanitize=shift-exponent,float-cast-overflow,alignment
# GCC inlines combine_pairwise() into itself, which takes half of the compile time of most variants.
gcc='--param max-inline-recursive-depth=0'
[ "$what" = traced ] || { knows "$gcc"; exit 0; }

# The compiler calls nogpu/trace/ for each access; the runtime of its thread sanitizer is not linked. Accesses must stay as
# they are in the source: none merged, none dropped, no loop turned into memcpy() or unrolled. No tail calls: an atomic
# at the end of a kernel would get the caller's line. A loop that waits for a variable must not be removed.
# Indices of arrays whose size the compiler knows are checked (clang's "bounds" would trap as well).
echo -fsanitize=thread -gdwarf-4 -fno-optimize-sibling-calls -fno-tree-vectorize -fno-tree-slp-vectorize
knows -fsanitize=array-bounds || knows -fsanitize=bounds
# Otherwise GCC loads the parts of a float4 one by one, loads two neighbours where the source loads one, and, when it
# merges the ends of branches, leaves loads before the branch that uses them. It reports no access for its own copies,
# drops stores to variables that this thread does not read, and gives parts of inlined functions wrong lines.
# With -O1 programs run as fast and compile in three quarters of the time; -ftree-pre avoids reloading, after a join, a
# value that one branch has loaded, as clang does.
knows "$gcc -fno-finite-loops -O1 -ftree-pre --param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0 -Wno-tsan -fno-tree-sra
       -fno-ipa-sra -fno-tree-tail-merge -fno-tree-loop-distribute-patterns -fno-hoist-adjacent-loads -fno-ipa-icf
       -fno-partial-inlining -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-ipa-reference -fno-tree-dse -fno-dse" -fsanitize=thread && exit
knows "$gcc"
knows -fno-finite-loops

# clang does not report the copies of arguments that a call makes, so let it inline all it can; two loads that it hoists
# above a branch as one would have no line. It splits structs, and explain/copies.c joins them again; for that, loops must
# stay loops, no iteration may get its own code (-jump-threading-threshold), and the parts of a macro need their own
# columns (-no-integrated-cpp). Nor may a load that is used more than once sink into a branch, as before clang 15.
knows '-mllvm -tsan-distinguish-volatile=1 -mllvm -tsan-instrument-func-entry-exit=0
       -mllvm -tsan-instrument-read-before-write=1 -mllvm -inline-threshold=5000 -mllvm -hoist-common-insts=false
       -mllvm -simplifycfg-hoist-common=false -mllvm -sink-common-insts=false -fno-unroll-loops -mllvm -unroll-count=1
       -mllvm -jump-threading-threshold=0 -mllvm -disable-loop-idiom-all -no-integrated-cpp' -fsanitize=thread
knows '-mllvm -instcombine-max-sink-users=0'
exit 0
