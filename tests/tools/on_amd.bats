#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# tools/measure/on_amd.py on a simulated machine: GPUs in a copy of the driver's folder, and scripts instead of make,
# rocm-smi, amd-smi and the programs.
# shellcheck disable=SC2154
load ../lib/check
python=$(python3 -c 'import sys; print(sys.executable)') # not a script that needs PATH

script() { # script FILE: makes a script from standard input
    mkdir -p "$(dirname "$1")"
    { echo '#!/bin/sh' && cat; } >"$1"
    chmod +x "$1"
}

setup_file() {
    work=$BATS_FILE_TMPDIR
    mkdir -p "$work/nodes/0" "$work/nodes/1" "$work/nodes/2" "$work/none"
    echo 'gfx_target_version 0' >"$work/nodes/0/properties"
    printf 'gfx_target_version 110000\nlocation_id 768\ndomain 0\n' >"$work/nodes/1/properties" # 0000:03:00.0
    printf 'gfx_target_version 90010\nlocation_id 49408\ndomain 0\n' >"$work/nodes/2/properties" # 0000:c1:00.0
    script "$work/bin/make" <<'END'
echo "make $*" >>"$LOG"
case "$*" in
*" all") exit ${BUILD:-0} ;;
*profile*single_pass*) echo 'profiler: rocprofv3 not found' && exit 2 ;;
*" run "*TYPE=float*) echo 'wrong result' && echo 'make: *** [bench.mk:47: run] Error 1' && exit 1 ;;
*" run "*) printf '# on AMD Instinct MI210\nsingle_pass  1.0  OK\n' ;;
esac
END
    script "$work/bin/rocm-smi" <<'END'
case "$1" in
--showbus) a='"PCI Bus": "0000:03:00.0"' b='"PCI Bus": "0000:C1:00.0"' ;;
--showuse) a='"GPU use (%)": "97"' b="\"GPU use (%)\": \"${USE:-0}\"" ;;
--showcomputepartition) a='"Compute Partition": "N/A"' b='"Compute Partition": "SPX"' ;;
--showmemorypartition) echo 'unknown option' && exit 2 ;;
--showmaxpower) a='"Max Graphics Package Power (W)": "327.0"' b='"Max Graphics Package Power (W)": "300.0"' ;;
--showclocks) a='"sclk clock speed:": "(1Mhz)"' b='"sclk clock speed:": "(1700Mhz)"' ;;
esac
echo 'WARNING: low power'
echo "{\"card0\": {$a}, \"card1\": {$b}}"
END
    script "$work/bin/hipcc" <<'END'
echo 'HIP version: 6.4.1'
END
    script "$work/bin/nvidia-smi" <<'END'
exit 9
END
    for program in reduction_single_pass reduction_shfl reduction_multi_gpu build/cached/reduction_single_pass; do
        script "$work/out/$program/$(basename $program)" <<'END'
echo "$0 $HIP_VISIBLE_DEVICES $*" >>"$LOG"
case "$*" in
--list-devices) printf 'device  name arch\n     0  AMD Instinct MI210  gfx90a  64\n' ;;
*4398046511104*) echo "4398046511104 elements need 1 bytes (1) on the device, and ${FREE:-68000000000} bytes (x) are free: x" >&2; exit 3 ;;
*'-n 1K'*) [ -z "$BROKEN" ] || { echo 'device 1: not there' >&2; exit 2; }
    printf 'program,device,compute_units\nx,"AMD Instinct, MI210",104\n' ;;
*csv*) echo 'ranks,n,op,type,method,combine,device,one_device_us,total_us,speed_up,speed_up_limit,share_alone_us,share_alone_slowest_us,weak_efficiency,peer_us,combination_us,check'
    echo '1,4096,sum,double,plain,direct,"AMD Instinct, MI210",,9,,,9,9,1,,0.1,OK' ;;
*) echo OK ;;
esac
END
    done
}

on_amd() {
    : >"$work/log"
    try env -u HIP_VISIBLE_DEVICES -u ROCR_VISIBLE_DEVICES -u ROCM_PATH -u MAKE LOG="$work/log" KFD_NODES="${nodes:-$work/nodes}" \
        OUT="$work/out" PATH="$work/bin:/usr/bin:/bin" "$@"
}
tool() { on_amd "${@:2}" "$python" tools/measure/on_amd.py -q -d 1 -o "$work/results/$1"; }
summary() { grep -q -e "$2" "$work/results/$1/summary.md"; }

@test 'the report names the failed steps, and no others' {
    tool mi210
    ends 1 '^2 steps failed'
    check 'two failed steps in the summary' [ "$(grep -c '[*][*]failed[*][*]' "$work/results/mi210/summary.md")" -eq 2 ]
    check 'with what the step said last, not make' summary mi210 '[*][*]failed[*][*] (1): wrong result'
    check 'the name with its comma' summary mi210 '^# AMD Instinct, MI210, '
    check 'both targets are built' summary mi210 'GPU=gfx1100 gfx90a'
    check 'the table of make run' summary mi210 '^single_pass  1.0  OK'
    for step in ' check' 'run FORMAT=wide SIZE=16M' 'bench SIZE=4K,1M,64M' 'codegen V=single_pass' 'profile V=striding'; do
        check "make $step was not run" grep -q "make.* GPU=gfx1100 gfx90a .*$step" "$work/log"
    done
    check 'shfl --shuffle dpp on the GPU of -d' grep -q 'reduction_shfl 1 .*--shuffle dpp' "$work/log"
    check 'blocks by the number of units' grep -q -e '--block 512 --grid 208' "$work/log"
    check 'loads that stay in the caches' grep -q "build/cached/reduction_single_pass/reduction_single_pass .*-n 512K,4M" "$work/log"
    check 'multi_gpu on all GPUs' grep -q 'reduction_multi_gpu  .*-n 4K,1M,64M' "$work/log"
    try tar -tzf "$work/results/mi210.tar.gz"
    ends 0 'mi210/summary.md' 'mi210/suites.txt' 'mi210/multi_gpu/multi.log'
}
@test 'whether the GPU is idle is read from its own line of rocm-smi' {
    tool idle
    check 'idle' summary idle '^- idle before the first measurement by rocm-smi (0 % in use)'
    check 'partition, power cap, clocks' [ "$(grep -c -e '^- partition: Compute Partition SPX$' -e '^- power cap: .*300.0' \
        -e '^- clocks: .*1700Mhz' "$work/results/idle/summary.md")" -eq 3 ]
    tool busy USE=40
    check 'in use' summary busy '^- [*][*]not idle.*40 %'
    mv "$work/bin/rocm-smi" "$work/away"
    tool unknown
    mv "$work/away" "$work/bin/rocm-smi"
    check 'without a tool nothing is said' summary unknown '^- whether it was idle.* unknown.*0000:c1:00.0'
}
@test 'sizes fit into the free memory' {
    on_amd FREE=24000000000 "$python" tools/measure/on_amd.py -d 0 -o "$work/results/rx7900"
    check 'a sweep to 2G' grep -q 'make.* bench SIZE=1..2G ' "$work/log"
    on_amd FREE=68000000000 "$python" tools/measure/on_amd.py -d 0 -o "$work/results/mi210"
    check 'a sweep to 4G' grep -q 'make.* bench SIZE=1..4G ' "$work/log"
    on_amd FREE=1000000000 "$python" tools/measure/on_amd.py -d 0 -o "$work/results/small"
    check 'no ladder that does not fit' grep -q 'make.* run FORMAT=wide SIZE=32M' "$work/log"
}
@test 'a failing build is a failed step' {
    tool broken BUILD=2
    ends 1 '^3 steps failed'
    check 'named' summary broken '^| `make .* all` | [*][*]failed[*][*] (2)'
}
@test 'a program that does not run is a failed step, with its message' {
    tool dead BROKEN=1
    ends 1 '^1 steps failed'
    check 'its words' summary dead 'failed[*][*]: device 1: not there; nothing is measured'
}
@test 'without an AMD GPU: one line' {
    nodes=$work/none
    tool none
    ends 77 'srun --gpus=1 -c 16 '
    check 'one line' [ "$(wc -l <"$shown")" -eq 1 ]
    check 'no folder' [ ! -e "$work/results/none" ]
}
