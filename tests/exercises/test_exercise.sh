#!/bin/sh
# The exercise is an exercise: as shipped reduction_to_fix builds, runs and is wrong (exit code 1) wherever a
# block has more than one thread, and docs/instructor/solutions/01_to_fix.patch makes it right. Works on a copy, GPU=cpu.
unset MAKEFLAGS MAKELEVEL MFLAGS GPU OUT V SAN WERROR VARIANTS
export CFLAGS=-O0 CXXFLAGS=-O1 # quicker
cd "$(dirname "$0")/../.." || exit 3
command -v patch >/dev/null || { echo 'the program patch is not there'; exit 77; }
solution=$PWD/docs/instructor/solutions/01_to_fix.patch
[ -e "$solution" ] || { echo "the solutions are not part of this copy"; exit 77; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

. tests/lib/copy.sh
copy_tree "$work" && mkdir "$work/reduction_to_fix" &&
    cp reduction_to_fix/*.hip reduction_to_fix/Makefile "$work/reduction_to_fix" && cd "$work" || exit 3

check() { # check TEXT STATUS WANTED
    if [ "$2" -eq "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1: exit code $2 instead of $3"
        cat "$work/said"
    fi
}
build() {
    make -j2 GPU=cpu reduction_to_fix >said 2>&1
    check "$1" $? 0
    check "$1, without warnings" "$(grep -c warning: said)" 0
}
# sums WANTED: what the README asks for, exit code WANTED where threads have to work together
sums() {
    for warp in 32 64; do
        for schedule in forward reverse; do
            while read -r wanted options; do
                [ "$wanted" != wrong ] || wanted=$1
                # shellcheck disable=SC2086  # options are words
                HIP_CPU_WARP_SIZE=$warp HIP_CPU_SCHEDULE=$schedule \
                    reduction_to_fix/reduction_to_fix --ceiling 1 -w 1 -i 1 $options >said 2>&1
                check "warp $warp, $schedule, $options" $? "$wanted"
            done <<END
wrong --pattern ones -n 2 --grid 1 --block 2
wrong --pattern ones -n 256 --grid 1 --block 256
wrong --pattern ones -n 1K
wrong --pattern ones -n 10007 --type int --block 100
wrong --pattern ones -n 10007 --type int --block 1024
wrong --pattern onehot:7777 -n 10007 --type int
wrong --pattern random -n 10K --op min
0 --pattern ones -n 10007 --type int --block 1
0 --pattern constant -n 1K --op max
0 -n 0
END
        done
    done
}

build 'as shipped it builds'
sums 1
patch -s -p1 <"$solution" >said 2>&1
check 'the solution fits the exercise' $? 0
build 'solved it builds'
sums 0

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
