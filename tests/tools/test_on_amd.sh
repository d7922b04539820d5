#!/bin/sh
# tools/on_amd.sh on a simulated machine: a GPU in the driver's folder, and scripts instead of make, rocm-smi and
# the programs.
cd "$(dirname "$0")/../.." || exit 3
. tests/lib/check.sh
unset HIP_VISIBLE_DEVICES ROCM_PATH MAKEFLAGS
script() { # script FILE: its content comes from standard input
    mkdir -p "$(dirname "$1")"
    { echo '#!/bin/sh' && cat; } >"$1"
    chmod +x "$1"
}

mkdir -p "$work/nodes/0" "$work/nodes/1" "$work/none"
echo 'gfx_target_version 0' >"$work/nodes/0/properties"
echo 'gfx_target_version 90010' >"$work/nodes/1/properties"
script "$work/bin/make" <<'END'
echo "make $*" >>"$LOG"
case "$*" in
*profile*single_pass*) echo 'profile: rocprofv3 is not there' && exit 2 ;;
*run*TYPE=float*) echo 'wrong result' && exit 1 ;;
*run*) printf '# on AMD Instinct MI210\nsingle_pass  1.0  OK\n' ;;
esac
END
script "$work/bin/rocm-smi" <<'END'
echo "GPU[0] : GPU use (%): ${USE:-0}"
END
script "$work/bin/hipcc" <<'END'
echo 'HIP version: 6.4.1'
END
script "$work/bin/nvidia-smi" <<'END'
exit 9
END
for program in reduction_single_pass reduction_shfl build/cached/reduction_single_pass; do
    script "$work/out/$program/$(basename $program)" <<'END'
echo "$0 $HIP_VISIBLE_DEVICES $*" >>"$LOG"
case "$*" in
--list-devices) printf 'device  name arch\n     0  AMD Instinct MI210  gfx90a  64\n' ;;
*csv*) printf 'name,compute_units\nx,104\n' ;;
*) echo OK ;;
esac
END
done
on_amd() {
    LOG=$work/log USE=$use KFD_NODES=$nodes OUT=$work/out PATH=$work/bin:/usr/bin:/bin sh tools/on_amd.sh "$@" >"$work/said" 2>&1
    status=$?
}

: >"$work/log"
nodes=$work/nodes use=0
on_amd -q -d 1 -o "$work/results/mi210"
summary=$work/results/mi210/summary.md
[ $status -eq 1 ]
verdict $? "two steps fail: exit code 1 is expected, not $status"
grep -q '^2 steps failed' "$work/said" && [ "$(grep -c '[*][*]failed[*][*]' "$summary")" -eq 2 ]
verdict $? 'the two failed steps are to be named, and no others'
grep -q '^# AMD Instinct MI210, ' "$summary" && grep -q 'idle before' "$summary" && grep -q 'GPU=gfx90a' "$summary"
verdict $? 'the summary has the name, the target, and that the GPU was idle'
grep -q '^single_pass  1.0  OK' "$summary"
verdict $? 'the summary has the table of make run'
for step in 'check GPU=gfx90a' 'run GPU=gfx90a SIZE=16M' 'bench GPU=gfx90a SIZES=4K,1M,64M' 'codegen V=single_pass' 'profile V=striding'; do
    grep -q "make.* $step" "$work/log"
    verdict $? "make $step was not run"
done
grep -q 'reduction_shfl 1 .*--shuffle dpp' "$work/log"
verdict $? 'shfl runs with --shuffle dpp on the GPU of -d'
grep -q -e '--block 512 --grid 208' "$work/log" && grep -q -e '--block 1024 --grid 416' "$work/log"
verdict $? 'single_pass runs with 2 and 4 blocks for each of 104 units'
grep -q "make.* OUT=$work/out/build/cached HIPFLAGS=-DLOAD_16_CACHED reduction_single_pass" "$work/log" &&
    grep -q "build/cached/reduction_single_pass/reduction_single_pass .*-n 512K,4M" "$work/log"
verdict $? "single_pass is built and run with loads that stay in the caches"
tar -tzf "$work/results/mi210.tar.gz" >"$work/said" 2>&1 && grep -q 'mi210/summary.md' "$work/said" && grep -q 'mi210/suites.txt' "$work/said"
verdict $? 'the archive has the summary and the logs'

use=40
on_amd -q -o "$work/results/busy"
grep -q 'not idle.*40 %' "$work/results/busy/summary.md"
verdict $? 'a GPU in use is to be reported'
nodes=$work/none
on_amd -q -o "$work/results/none"
[ $status -eq 77 ] && [ "$(wc -l <"$work/said")" -eq 1 ] && [ ! -e "$work/results/none" ]
verdict $? "without a GPU: one line and exit code 77, not $status"

finish
