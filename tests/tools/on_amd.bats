#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# tools/measure/on_amd.py on simulated machines: scripts instead of make, rocm-smi, amd-smi, and of the programs, which say
# what a runtime says of the GPUs that HIP_VISIBLE_DEVICES and CUDA_VISIBLE_DEVICES leave. ROCR_VISIBLE_DEVICES acts below it.
# shellcheck disable=SC2154
load ../lib/check
python=$(python3 -c 'import sys; print(sys.executable)') # not a script that needs PATH

shell_script() { # shell_script FILE: makes it from standard input
    mkdir -p "$(dirname "$1")"
    { echo '#!/bin/sh' && cat; } >"$1"
    chmod +x "$1"
}
machine() { # machine NAME: its GPUs from standard input, name|arch|units|memory|free|address|uuid
    mkdir -p "$work/$1" && cat >"$work/$1/gpus"
}

setup_file() {
    work=$BATS_FILE_TMPDIR
    machine none </dev/null
    machine desktop <<'END'
Radeon RX 7900 XTX|gfx1100|48|25753026560|24000000000|0000:03:00.0|GPU-1111111111111111
AMD Instinct, MI210|gfx90a|104|68702699520|68000000000|0000:c1:00.0|GPU-2222222222222222
END
    { # the parts of a card in CPX mode, all with one address, as HIP has it; then a whole card
        for part in 0 1 2 3; do
            echo "AMD Instinct MI300X|gfx942|38|25753026560|25000000000|0000:05:00.0|GPU-333333333333333$part"
        done
        echo 'AMD Instinct MI300X|gfx942|304|206141652992|206000000000|0000:26:00.0|GPU-4444444444444444'
    } | machine partitions
    machine laptop <<'END'
|gfx1151|20|1000000000|900000000||
END
    shell_script "$work/bin/make" <<'END'
echo "make $*" >>"$LOG"
case "$*" in
*" all "*) exit ${BUILD:-0} ;;
*codegen*) echo 'codegen: llvm-objdump not found' && echo 'make: *** [tools.mk:29: codegen] Error 77' && exit 2 ;;
*bench*) echo 'wrong result' && echo 'make: *** [bench.mk:47: bench] Error 1' && exit 1 ;;
esac
END
    shell_script "$work/old/rocm-smi" <<'END'
case "$1" in
--showbus) a='"PCI Bus": "0000:03:00.0"' b='"PCI Bus": "0000:C1:00.0"' ;;
--showuse) a='"GPU use (%)": "97"' b="\"GPU use (%)\": \"${USE:-0}\"" ;;
--showcomputepartition) a='"Compute Partition": "N/A"' b='"Compute Partition": "SPX"' ;;
--showmemorypartition) echo 'unknown option' && exit 2 ;;
--showmaxpower) a='"Max Graphics Package Power (W)": "327.0"' b='"Max Graphics Package Power (W)": "300.0"' ;;
--showclocks) a='"sclk clock speed:": "(1Mhz)"' b='"sclk clock speed:": "(1700Mhz)"' ;;
esac
echo 'WARNING: {low} power'
echo "{\"card0\": {$a}, \"card1\": {$b}}"
echo '{WARNING} again'
END
    # ROCm 6: a list; one GPU for a card. ROCm 7: in gpu_data, one for each part, with its number as function of the address.
    shell_script "$work/six/amd-smi" <<'END'
echo '[0] {} the driver is older than this tool'
case "$*" in
list*) echo '[{"gpu": 0, "bdf": "0000:05:00.0"}, {"gpu": 4, "bdf": "0000:26:00.0"}]' ;;
metric*'-g 4'*) echo '[{"gpu": 4, "usage": {"gfx_activity": {"value": 99, "unit": "%"}}}]' ;;
metric*) echo '[{"gpu": 0, "usage": {"gfx_activity": {"value": 1, "unit": "%"}}, "clock": {"gfx_0": {"clk": {"value": 132, "unit": "MHz"}}}}]' ;;
static*) echo '[{"gpu": 0, "partition": {"compute_partition": "CPX", "memory_partition": "NPS1"}, "limit": {"max_power": {"value": 750, "unit": "W"}}}]' ;;
esac
END
    shell_script "$work/seven/amd-smi" <<'END'
case "$*" in
list*) echo '{"gpu_data": [{"gpu": 0, "bdf": "0000:05:00.0", "partition_id": 0}, {"gpu": 1, "bdf": "0000:05:00.1", "partition_id": 1},' \
    '{"gpu": 8, "bdf": "0000:26:00.0"}]}' ;;
metric*'-g 1'*) echo '{"gpu_data": [{"gpu": 1, "usage": {"gfx_activity": {"value": 40, "unit": "%"}}}]}' ;;
metric*) echo '{"gpu_data": [{"gpu": 0, "usage": {"gfx_activity": "N/A"}}]}' ;;
static*'-g 1'*) echo 'not supported' >&2 && exit 1 ;;
static*) echo '{"gpu_data": [{"gpu": 0, "partition": {"accelerator_partition": "CPX", "memory_partition": "NPS4"}}]}' ;;
esac
END
    shell_script "$work/broken/rocm-smi" <<'END'
echo 'Permission denied' >&2 && exit 1
END
    shell_script "$work/cut/amd-smi" <<'END'
echo '[{"gpu": '
END
    shell_script "$work/bin/hipcc" <<'END'
echo 'HIP version: 6.4.1'
END
    shell_script "$work/probe" <<'PROGRAM'
device=${1#--device=}
[ -z "$REFUSED" ] || { echo "no AMD GPU found (no device): the driver is there, but this user may not open /dev/kfd: join its group" >&2; exit 77; }
awk -F'|' -v list="${HIP_VISIBLE_DEVICES:-${CUDA_VISIBLE_DEVICES:-}}" -v lower="${ROCR_VISIBLE_DEVICES:-}" -v wanted="$device" '
    { line[NR - 1] = $0; uuid[$7] = NR - 1; count = NR }
    function visible(list,   i, n, words, seen, kept, f) {
        n = split(list, words, ",")
        for (i = 1; i <= n; i++) {
            seen = words[i] in uuid ? uuid[words[i]] : words[i]
            if (seen !~ /^[0-9]+$/ || seen + 0 >= count) break
            kept[i - 1] = line[seen]
        }
        count = i - 1
        delete uuid
        for (i = 0; i < count; i++) { line[i] = kept[i]; split(line[i], f, "|"); uuid[f[7]] = i }
    }
    END {
        if (lower != "") visible(lower)
        if (list != "") visible(list)
        if (!count) { print "no AMD GPU found (none): run it on a machine that has one"; exit 77 }
        if (wanted + 0 >= count) { print "--device " wanted ": there is 1 here"; exit 2 }
        split(line[wanted], f, "|")
        printf "a warning, of the runtime\n\"%s\",%s,%s,%s,%s,%s,%s,HIP 6.4,%d\n", f[1], f[2], f[4], f[5], f[3], f[6], f[7], count
    }' "$GPUS" >"$LOG.probed"
status=$?
[ $status -eq 0 ] || exec >&2
cat "$LOG.probed"
exit $status
PROGRAM
    shell_script "$work/run" <<END
echo "run \$HIP_VISIBLE_DEVICES \$*" >>"\$LOG"
printf '# sum of 16777216 elements of type double\n# read ceiling 1400.0 GB/s\n'
printf 'single_pass   95.0  100.0  1342.2  95.9  1.0  1.0  0.3  OK\nprim   99.0  110.0  1220.2  87.1  1.0  1.0  0.3  OK\n'
END
    for target in gfx90a gfx942 gfx1100 gfx1151; do
        mkdir -p "$work/out/build/$target/bin" && cp "$work/run" "$work/out/build/$target/bin/run" && cp "$work/probe" "$work/out/build/$target/bin/device"
    done
    shell_script "$work/out/reduction_single_pass/reduction_single_pass" <<'END'
echo "$0 $HIP_VISIBLE_DEVICES $*" >>"$LOG"
case "$*" in
*'-n 1K'*) [ -z "$BROKEN" ] || { echo 'no code for this device' >&2; exit 3; }
    [ ! -e "$LOG.dead" ] || exec sleep 60 ;;
*"--block 512 --grid $HANG") trap '' TERM INT; [ -z "$KILLS" ] || touch "$LOG.dead"; echo $$ >"$LOG.hangs"; sleep 60; sleep 60 ;;
*) echo OK ;;
esac
END
}

on_amd() { # on_amd MACHINE RESULTS [NAME=VALUE]... [-- OPTION]...
    local gpus=$work/$1/gpus to=$work/results/$2 settings=(A=)
    log=$work/$2.log
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do settings+=("$1") && shift; done
    [ $# -eq 0 ] || shift
    : >"$log"
    try env -u HIP_VISIBLE_DEVICES -u ROCR_VISIBLE_DEVICES -u CUDA_VISIBLE_DEVICES -u ROCM_PATH -u MAKE LOG="$log" GPUS="$gpus" \
        KFD_NODES="$work/none" OUT="$work/out" PATH="$work/bin:${smi:+$work/$smi:}/usr/bin:/bin" \
        "${settings[@]}" "$python" tools/measure/on_amd.py -q -o "$to" "$@"
}
# summary NAME PATTERN...: the summary matches each
summary() {
    local name=$1
    for pattern in "${@:2}"; do
        check "in the summary of $name: $pattern" grep -q -e "$pattern" "$work/results/$name/summary.md" || return 1
    done
}
packed() { check "no summary in the archive of $1" tar -tzf "$work/results/$1.tar.gz" "$1/summary.md"; }
one_line() { check 'one line' [ "$(wc -l <"$shown")" -eq 1 ]; }

@test 'MI210 beside a Radeon: named by the program, its own state, the failed steps and no others' {
    smi=old on_amd desktop mi210 -- -d 1
    ends 1 '^1 steps failed, 0 were not begun'
    check 'one failed step in the summary' [ "$(grep -c '[*][*]failed' "$work/results/mi210/summary.md")" -eq 1 ]
    summary mi210 '[*][*]failed[*][*] (1): wrong result' \
        'codegen V=single_pass .*not here: codegen: llvm-objdump not found' '^# AMD Instinct, MI210, ' \
        '^- gfx90a, 104 units, 64.0 GiB, of which 63.3 GiB are free; PCI 0000:c1:00.0, GPU-2222222222222222' \
        '^- idle before the first measurement by rocm-smi (0 % in use)'
    check 'partition, power cap, clocks' [ "$(grep -c -e '^- partition: Compute Partition SPX$' -e '^- power cap: .*300.0' \
        -e '^- clocks: .*1700Mhz' "$work/results/mi210/summary.md")" -eq 3 ]
    check 'built for it alone' grep -q '^make .*GPU=gfx90a .* all ' "$log"
    check 'measured on it alone' grep -q '^run 1 --format=wide --size=16M --cold' "$log"
    check 'blocks by the number of units' grep -q -e '--block 512 --grid 208' "$log"
    check 'no test suites' [ "$(grep -c ' check' "$log")" -eq 0 ]
    packed mi210
    smi=old on_amd desktop busy USE=40 -- -d 1
    summary busy '^- [*][*]not idle.*40 %'
}
@test 'the GPU of lists with UUIDs and numbers, in HIP_, ROCR_ and CUDA_VISIBLE_DEVICES' {
    smi=old on_amd desktop uuid HIP_VISIBLE_DEVICES=GPU-2222222222222222,0
    summary uuid 'PCI 0000:c1:00.0'
    check 'measured on it' grep -q '^run GPU-2222222222222222 --format=wide --size' "$log"
    smi=old on_amd desktop second HIP_VISIBLE_DEVICES=GPU-2222222222222222,0 -- -d 1
    summary second 'PCI 0000:03:00.0' '^- [*][*]not idle.*97 %'
    smi=old on_amd desktop cuda CUDA_VISIBLE_DEVICES=1
    summary cuda 'PCI 0000:c1:00.0'
    smi=old on_amd desktop rocr ROCR_VISIBLE_DEVICES=GPU-2222222222222222
    summary rocr 'PCI 0000:c1:00.0' '^- idle before the first measurement by rocm-smi (0 % in use)'
    on_amd desktop beyond HIP_VISIBLE_DEVICES=1 -- -d 1
    ends 2 'there is 1 here'
    check 'no folder' [ ! -e "$work/results/beyond" ]
}
@test 'a part of an MI300X: the state of its card, of no other, with amd-smi of ROCm 6 and 7' {
    smi=six on_amd partitions six -- -d 2 codegen
    summary six '^- gfx942, 38 units, 24.0 GiB' '^- idle before the first measurement by amd-smi (1 % in use)' \
        '^- partition: .*CPX.*NPS1' '^- power cap: .*750 W'
    smi=seven on_amd partitions seven -- -d 3 codegen
    summary seven '^- [*][*]not idle[*][*]: 40 % in use, the busiest of 2 parts of the card' \
        '^- partition: .*CPX.*NPS4'
    smi=six on_amd partitions whole -- -d 4 codegen
    summary whole '^- gfx942, 304 units' '^- [*][*]not idle[*][*]: 99 %'
}
@test 'in a container, without /sys and tools, with an unknown address and little memory' {
    on_amd laptop laptop
    summary laptop '^# gfx1151, ' '^- gfx1151, 20 units, 0.9 GiB, .*PCI address unknown' \
        '^- whether it was idle.* unknown.*this device'
    check 'a target that only the runtime knows' grep -q '^make .*GPU=gfx1151 .* all ' "$log"
    check 'a size that fits' grep -q '^run 0 --format=wide --size=16M' "$log"
    summary laptop '^| largest array: 32M elements'
    check 'no larger ones' [ "$(grep -c -e '[=, ]\([0-9]*G\|[1-9][0-9][0-9]M\|64M\)\([, ]\|$\)' "$log")" -eq 0 ]
    smi=broken on_amd desktop broken -- codegen
    summary broken '^- whether it was idle.* unknown.*0000:03:00.0'
    sed 's/.* XTX/Radeon\xae/' "$work/desktop/gpus" | machine latin
    smi="cut" on_amd latin cut PYTHONIOENCODING=ascii -- codegen
    ends 0 '^# Radeon?, '
    summary cut '^- whether it was idle.* unknown.*0000:03:00.0'
}
@test 'a step that hangs ends at its limit, and the others run' {
    on_amd desktop hangs HANG=208 -- -d 1 --limit 2 tried
    ends 1 '^1 steps failed, 0 were not begun'
    summary hangs '--grid 208` | [*][*]failed[*][*]: ended after 2 s, its limit' '--grid 416` | ok'
    check 'what hung has ended' [ ! -e "/proc/$(cat "$log.hangs")" ]
    packed hangs
    on_amd desktop kills HANG=208 KILLS=1 -- -d 1 --limit 2 tried
    ends 1 '^1 steps failed'
    summary kills '^[*][*]after that step the GPU does not answer' \
        '^Not measured, or not all of it: `tools/measure/on_amd.py tried` does'
    check 'nothing more' [ "$(grep -c -e '--grid 416' "$log")" -eq 0 ]
    packed kills
}
# interrupts SIGNAL FILE TIMES: ends $tool when something hangs, whose number is in the file; it has to end, too.
interrupts() {
    for _ in $(seq 300); do [ ! -s "$2" ] || break; sleep 0.1; done
    for _ in $(seq "$3"); do kill -s "$1" "$tool" && sleep 0.2; done
    status=0
    wait "$tool" || status=$?
    ends 130
    check 'what hung has ended' [ ! -e "/proc/$(cat "$2")" ]
}
@test 'Ctrl-C and the end of a job, and nobody reads: what was measured is packed' {
    for signal in INT TERM; do
        name=ends$signal
        env -u HIP_VISIBLE_DEVICES -u ROCR_VISIBLE_DEVICES -u CUDA_VISIBLE_DEVICES -u ROCM_PATH -u MAKE LOG="$work/$name.log" \
            GPUS="$work/desktop/gpus" KFD_NODES="$work/none" OUT="$work/out" PATH="$work/bin:/usr/bin:/bin" HANG=416 \
            "$python" tools/measure/on_amd.py -q -o "$work/results/$name" -d 1 ladder tried > >(head -n 1 >"$shown") 2>&1 </dev/null 3>&- &
        tool=$!
        interrupts "$signal" "$work/$name.log.hangs" 3 # impatient
        summary "$name" "^[*][*]Interrupted[*][*] by SIG$signal"
        summary "$name" '--grid 416` | interrupted' '--grid 208` | ok' \
            '^Not measured, or not all of it: `tools/measure/on_amd.py tried` does that'
        packed "$name"
    done
}
@test 'the end of results_on_gpu: its programs end, too' {
    mkdir -p "$work/own/build/gfx90a/bin" && touch "$work/own/build/gfx90a/bin/facts"
    shell_script "$work/own/build/gfx90a/bin/run" <<END
echo \$\$ >"$work/own/pid"
sleep 100
END
    "$python" tools/measure/results_on_gpu.py "$work/own" "$work/own/results" ladder >"$shown" 2>&1 </dev/null 3>&- &
    tool=$!
    interrupts TERM "$work/own/pid" 1
}
@test 'when the time is up, no step begins, and the summary says so' {
    on_amd desktop late -- -d 1 --minutes 0
    ends 1 'were not begun'
    summary late '^Not measured, or not all of it: `tools/measure/on_amd.py ladder turns tried codegen` does' \
        'not begun[*][*]: the time is up'
    packed late
}
@test 'a failing build, and programs that do not run: a failed step with its words' {
    on_amd desktop unbuilt BUILD=2 -- -d 1 ladder
    ends 1 '^1 steps failed'
    summary unbuilt ' all .*[*][*]failed[*][*] (2)'
    on_amd desktop mute BROKEN=1 -- -d 1
    ends 1 '^1 steps failed'
    summary mute 'failed[*][*]: no code for this device; nothing is measured'
}
@test 'without a GPU, or without permission: one line' {
    on_amd desktop bare MAKE="$work/nothing"
    ends 3 'nothing: No such file or directory; all of it: make GPU='
    one_line
    on_amd none without
    ends 77 'no AMD GPU found (none)'
    one_line
    on_amd desktop refused REFUSED=1
    ends 77 'this user may not open /dev/kfd: join its group'
    one_line
    check 'no folder' [ ! -e "$work/results/without" ]
    check 'no folder' [ ! -e "$work/results/refused" ]
    on_amd desktop nowhere -- -o "$work/probe/x"
    ends 2 'probe/x: Not a directory; -o names another folder'
}
@test 'the file of the driver that may not be opened' {
    printf '%s\n' '#include <stdio.h>' '#include "driver_file.h"' 'int main(int count, char **words)' '{' \
        'const char *said = driver_file_obstacle(words[count - 1]);' 'puts(said != NULL ? said : "nothing");' 'return 0;' '}' \
        >"$work/file.c"
    place=$(mktemp -d) # which others may enter
    chmod 755 "$place"
    ${CC:-cc} -std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Werror -Iplatform/amd "$work/file.c" -o "$place/file"
    as=
    if [ "$(id -u)" -eq 0 ]; then
        command -v setpriv >/dev/null || skip 'needs setpriv, to be another user'
        as='setpriv --reuid=65534 --clear-groups'
    fi
    touch "$place/kfd" && chmod 000 "$place/kfd"
    # shellcheck disable=SC2086
    {
        try $as "$place/file" "$place/kfd"
        cp "$shown" "$work/refused"
        chmod 666 "$place/kfd"
        try $as "$place/file" "$place/kfd"
    }
    rm -rf "$place"
    check 'refused' grep -q 'may not open /dev/kfd: join its group.*apptainer exec --rocm' "$work/refused"
    ends 0 '^nothing$'
}
@test '--tables writes those of results/amd and of the README' {
    tree=$work/tree
    mkdir -p "$tree/results/amd" "$tree/tools"
    cp -R tools/lib tools/measure tools/profile "$tree/tools/"
    cp README.md "$tree/" && cp results/amd/README.md "$tree/results/amd/"
    on_amd desktop table -- -d 1 ladder
    cp -R "$work/results/table" "$tree/results/mi210"
    row='(gfx90a, 104 units) | 16777216 doubles | 1400.0 | 1342.2, 95.9 % | 1220.2 | 1.100 | HIP version: 6.4.1 |'
    check 'its own table' grep -qF "| [AMD Instinct, MI210](summary.md) $row" "$work/results/table/README.md"
    try "$python" "$tree/tools/measure/on_amd.py" --tables "$tree/results/mi210"
    ends 0 'written: .*/results/amd/README.md' 'written: .*/README.md'
    check 'a row for each GPU' grep -qF "| [AMD Instinct, MI210](../mi210/README.md) $row" "$tree/results/amd/README.md"
    check 'nothing says that there is none' [ "$(grep -c 'No AMD GPU has been measured' "$tree/results/amd/README.md")" -eq 0 ]
    check 'the sentence of the README' grep -q 'AMD: <!-- AMD -->measured on \[AMD Instinct, MI210\]' "$tree/README.md"
    check 'its table' grep -q '^<!-- from results/mi210/ladder/ladder-double-sum-cold.txt -->$' "$tree/README.md"
    cp "$tree/README.md" "$work/once"
    try "$python" "$tree/tools/measure/on_amd.py" --tables "$tree/results/mi210"
    ends 0
    check 'the same the second time' cmp "$work/once" "$tree/README.md"
    try "$python" tools/measure/on_amd.py --tables "$work/results/table"
    ends 2 'is not in results/ of this tree'
}
