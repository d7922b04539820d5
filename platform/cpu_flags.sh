#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the flags for kernels on the CPU that only one of GCC and clang has.
#
#   cpu_flags.sh plain|trace COMPILER...
#
# shellcheck disable=SC2086  # compilers and flags are words
what=$1
shift
compiler=$*

# knows FLAGS: prints them if the compiler takes them
knows() {
    $compiler -Werror $1 $2 -c -o /dev/null -x c++ /dev/null >/dev/null 2>&1 && echo "$1"
}

# clang: a loop that it does not vectorize is no mistake. GCC would mention the unknown flag with every error.
! $compiler --version 2>/dev/null | grep -q clang || echo -Wno-pass-failed
# GCC inlines combine_pairwise() into itself, which takes half of the time to compile most variants.
knows '--param max-inline-recursive-depth=0'
[ "$what" = trace ] || exit 0

# The compiler calls trace/ for each access; the runtime of its thread sanitizer is not linked. Accesses stay as they
# are in the source: none merged, none left out, no loop made a copy or unrolled. Calls stay calls, because an atomic at
# the end of a kernel would get the line of the caller. A loop that waits for a variable is no loop without an effect.
echo -fsanitize=thread -gdwarf-4 -fno-optimize-sibling-calls -fno-tree-vectorize -fno-tree-slp-vectorize
knows -fno-finite-loops

# GCC would load the parts of a float4 one by one, load both of two neighbours where the source takes one, and leave
# loads before the branch that uses them where it has merged the ends of branches. It reports no access where it copies
# itself, drops stores to variables that this thread does not read, and inlines a part of a function at a false line.
# With -O1 a program takes as long, and a quarter less to compile; a value that one of two ways has loaded is not loaded
# again where they meet (-ftree-pre), as with clang.
knows '-O1 -ftree-pre --param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0 -Wno-tsan -fno-tree-sra
       -fno-ipa-sra -fno-tree-tail-merge -fno-tree-loop-distribute-patterns -fno-hoist-adjacent-loads -fno-ipa-icf
       -fno-partial-inlining -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-ipa-reference -fno-tree-dse -fno-dse' -fsanitize=thread && exit

# clang does not show what a call copies as its arguments, so it inlines what it can; two loads that it moves before a
# branch as one would have no line. It takes structs apart, and explain/copies.c puts them together, for which loops stay
# loops, no turn of them gets code of its own (-jump-threading-threshold), and the parts of a macro have columns of their
# own (-no-integrated-cpp). And a load that is used more than once moves into no branch, as before clang 15.
knows '-mllvm -tsan-distinguish-volatile=1 -mllvm -tsan-instrument-func-entry-exit=0
       -mllvm -tsan-instrument-read-before-write=1 -mllvm -inline-threshold=5000 -mllvm -hoist-common-insts=false
       -mllvm -simplifycfg-hoist-common=false -mllvm -sink-common-insts=false -fno-unroll-loops -mllvm -unroll-count=1
       -mllvm -jump-threading-threshold=0 -mllvm -disable-loop-idiom-all -no-integrated-cpp' -fsanitize=thread
knows '-mllvm -instcombine-max-sink-users=0'
exit 0
