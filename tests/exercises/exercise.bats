#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The exercise is an exercise: as shipped reduction_to_fix builds, runs and is wrong (exit code 1) wherever a
# block has more than one thread, and docs/instructor/solutions/01_to_fix.patch makes it right. Works on a copy, GPU=cpu.
load ../lib/check
. tests/lib/copy.sh
solution=$top/docs/instructor/solutions/01_to_fix.patch

setup() {
    command -v patch >/dev/null || skip 'patch is not there: ./install-deps.sh test'
    [ -e "$solution" ] || skip 'the solutions are not part of this copy'
    unset GPU OUT V SAN WERROR VARIANTS
    export CFLAGS=-O0 CXXFLAGS=-O1 # quicker
    if [ ! -d "$work/tree" ]; then
        copy_tree "$work/tree"
        mkdir "$work/tree/reduction_to_fix"
        cp reduction_to_fix/*.hip reduction_to_fix/Makefile "$work/tree/reduction_to_fix"
    fi
    cd "$work/tree"
}

builds() {
    try make -j2 GPU=cpu reduction_to_fix
    ends 0
    check 'without warnings' [ "$(grep -c warning: "$work/said")" -eq 0 ]
}
# sums WANTED: what the README asks for, exit code WANTED where threads have to work together
sums() {
    for warp in 32 64; do
        for schedule in forward reverse; do
            export HIP_CPU_WARP_SIZE=$warp HIP_CPU_SCHEDULE=$schedule
            while read -r wanted options; do
                try reduction_to_fix/reduction_to_fix --ceiling 1 -w 1 -i 1 $options
                check "warp $warp, $schedule, $options: exit code $status" exits "$wanted" || return 1
            done <<END
$1 --pattern ones -n 2 --grid 1 --block 2
$1 --pattern ones -n 256 --grid 1 --block 256
$1 --pattern ones -n 1K
$1 --pattern ones -n 10007 --type int --block 100
$1 --pattern ones -n 10007 --type int --block 1024
$1 --pattern onehot:7777 -n 10007 --type int
$1 --pattern random -n 10K --op min
0 --pattern ones -n 10007 --type int --block 1
0 --pattern constant -n 1K --op max
0 -n 0
END
        done
    done
}

@test "as shipped it builds and is wrong where threads work together" {
    builds
    sums 1
}

@test "the solution fits, and makes it right" {
    patch -s -p1 <"$solution"
    builds
    sums 0
}
