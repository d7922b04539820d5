#!/bin/sh
# make explain: the numbers of a kernel whose accesses can be counted by hand, and the messages for wrong options.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # those of make check
cd "$(dirname "$0")/.." || exit 3
. tests/check.sh
shown=$work/out

explain() {
    make explain OUT="$work" SIZE=16K "$@" >"$work/out" 2>&1
}
# The value of a name in the totals of the first kernel.
is() {
    found=$(sed -n "s/.*\"kernel\".*\"$1\": \([0-9]*\).*/\1/p" "$work/out" | head -n 1)
    [ "$found" = "$2" ] || { echo "    $1 is $found, not $2"; return 1; }
}

# 64 blocks of 8 warps; 16 words of a step are one bank apart, two, four ... An H200 counts the same (results/h200).
explain V=bank_conflicts TYPE=float FORMAT=json WARP=32
check 'a sector holds 8 floats' is global_load_sectors 2048
check 'one request for each warp' is global_load_requests 512
check 'one partial for each block' is global_store_requests 64
check 'passes of loads, floats' is shared_load_passes 6080
check 'conflicts of loads, floats' is shared_load_conflicts 4480
check 'passes of stores, floats' is shared_store_passes 3520
check 'conflicts of stores, floats' is shared_store_conflicts 2240
check 'nine barriers for each warp' is barriers 4608
explain V=bank_conflicts TYPE=double FORMAT=json WARP=32
check 'passes of loads, doubles' is shared_load_passes 10176
check 'conflicts of loads, doubles' is shared_load_conflicts 7680
check 'passes of stores, doubles' is shared_store_passes 6080
check 'conflicts of stores, doubles' is shared_store_conflicts 3840

explain V=bank_conflicts TYPE=float
check 'the table has the line of the tree' grep -q 'bank_conflicts.hip:[0-9]*  shared\[i\] = combine' "$work/out"
check 'and its steps' grep -q 'lanes (passes)  32 (2) 32 (4) 32 (8) 16 (8) 8 (8) 4 (4) 2 (2) 1 (1)$' "$work/out"
check 'warps of 64 too' grep -q 'warps of 64.*gfx90a' "$work/out"
explain FROM=bank_conflicts TO=no_striding TYPE=float WARP=32
check 'side by side: conflicts go' grep -q ' 0 bank conflicts instead of 6720' "$work/out"
check 'a machine that is not known' sh -c "! make explain OUT=$work SIZE=16K V=bank_conflicts MACHINE=gfx1 >$work/out 2>&1"
check 'is said' grep -q 'no machine gfx1' "$work/out"

finish
