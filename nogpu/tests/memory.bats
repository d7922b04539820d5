#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: traced slow
# nogpu memory: each class of mistake is found once, on its line, and the same program without it is clean.
load lib/check
pairs=tests/memory/pairs.hip

setup_file() { CPPFLAGS='' HIP_CPU_TRACE=memory bin/hipcc -w -o "$BATS_FILE_TMPDIR/pairs" $pairs; }
# runs WORD...: $work/flat has what it says in one line
runs() {
    try env HIP_CPU_TRACE=memory "$work/pairs" "$@"
    tr -s ' \n' ' ' <"$work/said" >"$work/flat"
}

# CASE | kind | what else the report says, as patterns between ;
classes='
after        | out of bounds   | x\[109\]: kernel at writes 4 bytes, 32 bytes after the end of; allocation of 404 bytes; in take()
before       | out of bounds   | x\[-1\]: kernel at writes 4 bytes, 4 bytes before
padding      | out of bounds   | x\[101\]: kernel at writes 4 bytes, directly after the end; block 0, thread 0 (warp 0, lane 0) writes it
read         | out of bounds   | x\[101\]: kernel get reads 4 bytes
atomic       | out of bounds   | x\[101\]: kernel add writes 4 bytes
straddle     | out of bounds   | kernel wide8 writes 8 bytes, in part after the end of an allocation of 404 bytes
freed        | use after free  | x\[3\]: kernel at writes 4 bytes at byte 12; the host has freed it
misaligned8  | misaligned      | x, byte 4: kernel wide8; no multiple of 8
misaligned16 | misaligned      | no multiple of 16
device       | out of bounds   | index 16 of .*an array of the type .int *\[16\]
local        | out of bounds   | index 4 of [a-z]*, an array of the type .int *\[4\]
shared       | out of bounds   | index 32 of [a-z]*, an array of the type .int *\[32\]
dynamic      | out of bounds   | d: kernel of_dynamic writes 4 bytes, 4 bytes after the end of dynamic; memory of 128 bytes
heap_after   | out of bounds   | kernel heap writes 4 bytes, directly after; allocation of 40 bytes; kernel heap has allocated it
heap_leak    | leak            | an allocation of 40 bytes is never freed
heap_freed   | use after free  | kernel heap has freed it
heap_twice   | double free     | free() gets an allocation of 40 bytes that has been freed
heap_new     | out of bounds   | kernel with_new writes 4 bytes, directly after
null         | null pointer    | x\[3\]: kernel at writes 4 bytes at address 0xc
host         | host pointer    | x\[0\]: kernel get reads 4 bytes of host memory
unset        | uninitialised   | x\[3\]: kernel get reads 4 bytes; HERE unset allocation
word         | uninitialised   | x\[2\]: kernel get reads 2 bytes
byte         | uninitialised   | kernel byte reads 1 byte
copy_out     | uninitialised   | a copy reads 4 bytes that nothing has written, at byte 60
copied       | uninitialised   | x\[1\]: kernel get reads 4 bytes
twice        | double free     | hipFree() gets an allocation of 16 bytes; the host frees it again
async_twice  | double free     | an allocation of 16 bytes; the host frees it again
inside       | invalid free    | hipFree() gets byte 4 of an allocation of 16 bytes
of_host      | invalid free    | hipFree() gets an address that no allocation begins at
leak         | leak            | an allocation of 20 bytes is never freed; in take()
pinned_leak  | leak            | an allocation of 64 bytes is never freed
dereference  | device pointer  | the host reads 4 bytes of device memory (byte 8 of an allocation
host_copy    | device pointer  | the host reads 404 bytes
pinned_freed | use after free  | the host writes 4 bytes at byte 4
launch       | unchecked error | the launch of kernel; fails and nothing looks at the error; hipErrorInvalidConfiguration
copy         | unchecked error | a call fails; hipErrorInvalidValue
rows         | unchecked error | a call fails; hipErrorInvalidPitchValue
checked      | |
asked        | |
structs      | |
managed      | |
registered   | |
dispatched   | |
'

@test "every class is found once, on its line, and the right program is clean" {
    while IFS='|' read -r name kind patterns; do
        name=${name// /} kind=$(sed 's/^ *//; s/ *$//' <<<"$kind")
        [ -n "$name" ] || continue
        runs "$name"
        ends 0 'memory: none found in kernel'
        [ -n "$kind" ] || continue
        # clang copies a float4 as four floats, and checks none.
        [ "$name" != misaligned16 ] || ! grep -q clang "${NOGPU_BUILD:-build}/traced/words" || continue
        all='' # a single allocation that lives until the end is a note
        [ "$name" != pinned_leak ] || all=all
        HIP_CPU_LEAKS=$all runs "$name" wrong
        check "$name, wrong: exit code 0" [ "$status" -ne 0 ]
        line=$(grep -n "HERE .*\b$name\b" $pairs | cut -d : -f 1)
        while read -r pattern; do
            check "$name: not: $pattern" grep -q -e "$pattern" "$work/flat"
        done <<<"$(printf '%s\n' " $kind 1: " 'memory: 1 found' ${line:+"pairs.hip:$line "}; tr ';' '\n' <<<"${patterns# }")"
    done <<<"$classes"
}

@test "every failed call is found" {
    runs failures wrong
    ends 1 'memory: 2 found'
}

@test "what lives until the program ends is a note" {
    runs pinned_leak wrong
    ends 0
    check 'a note' grep -q 'note: leak: an allocation of 64 bytes, at .*in main(), is not freed' "$work/flat"
}
