#!/bin/sh
# All measurements on a machine with AMD GPUs, with one command and without root: builds, runs the test suites,
# the table of all programs, the sweep over sizes, the machine code and the profiler's counters, and packs the
# results into one archive with a summary that can be pasted into an issue.
#
#   tools/on_amd.sh [-q] [-d DEVICE] [-o FOLDER]
#
#   -q   quick: small sizes, a few minutes; else about an hour
#   -d   which GPU, 0 by default; sets HIP_VISIBLE_DEVICES
#   -o   where to, results/NAME-OF-THE-GPU by default
#
# The GPU should be idle: it says so if it is not, and goes on. A step that fails is reported and does not stop
# the others. Exit code 1 if any failed, 2 bad usage, 77 without an AMD GPU.
quick= device= out=
while getopts qd:o: option; do
    case $option in
    q) quick=yes ;;
    d) device=$OPTARG ;;
    o) out=$OPTARG ;;
    *) exit 2 ;;
    esac
done
cd "$(dirname "$0")/.." || exit 3
[ -z "$device" ] || export HIP_VISIBLE_DEVICES="$device"
PATH=$PATH:${ROCM_PATH:-/opt/rocm}/bin
export HIP_PLATFORM=amd

meant=$(sh platform/target.sh auto)
case $meant in
amd*) gpu=$(echo "$meant" | cut -d' ' -f3-) ;;
*)
    echo 'on_amd.sh: no AMD GPU here; on a cluster, run it where the GPU is: srun --gpus=1 tools/on_amd.sh'
    exit 77
    ;;
esac
make -j"$(nproc)" GPU="$gpu" OUT="${OUT:-.}" >/dev/null 2>&1
program=${OUT:-.}/reduction_single_pass/reduction_single_pass
name=$("$program" --list-devices 2>/dev/null | awk '$1 == "0" { $1 = ""; print }' | sed -e 's/^ *//' -e 's/ gfx.*//' -e 's/  .*//')
folder=$(echo "${name:-amd}" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9._-')
out=${out:-results/${folder:-amd}}
mkdir -p "$out" || exit 3
summary=$out/summary.md
failed=0

# step FILE COMMAND...: its output in FILE, its first failure in the summary
step() {
    file=$1
    shift
    start=$(date +%s)
    "$@" >"$out/$file" 2>&1
    status=$?
    [ $status -eq 0 ] || [ $status -eq 77 ] || failed=$((failed + 1))
    case $status in 0) word=ok ;; 77) word='not here' ;; *) word="**failed** ($status): $(grep -v '^ *$' "$out/$file" | tail -n 1 | cut -c1-100)" ;; esac
    printf '| %s | %s | %s s |\n' "\`$*\`" "$word" $(($(date +%s) - start)) | tee -a "$summary"
}
busy() {
    rocm-smi --showuse 2>/dev/null | awk '/GPU use/ { gsub(/[^0-9]/, "", $NF); if ($NF + 0 > most) most = $NF + 0 } END { print most + 0 }'
}

use=$(busy)
{
    echo "# ${name:-AMD GPU}, $(date -u '+%d %B %Y')"
    echo
    echo "- revision $(git describe --always --dirty 2>/dev/null || echo unknown), $(hipcc --version 2>/dev/null | grep -m 1 'HIP version')"
    echo "- driver $(cat /sys/module/amdgpu/version 2>/dev/null || uname -r), kernel $(uname -r), GPU=$gpu"
    if [ "$use" -gt 5 ]; then
        echo "- **not idle**: $use % in use before the first measurement; times below are worth less"
    else
        echo '- idle before the first measurement'
    fi
    echo
    echo '| command | | time |'
    echo '|---|---|---|'
} >"$summary"
cat "$summary"

size=${quick:+16M} sizes=1..8G time=1800
[ -z "$quick" ] || sizes=4K,1M,64M time=60
"$program" --list-devices >"$out/devices.txt" 2>&1
step suites.txt make -j"$(nproc)" check GPU="$gpu"
step ladder-double-sum.txt make run GPU="$gpu" SIZE="${size:-256M}"
step ladder-float-max.txt make run GPU="$gpu" SIZE="${size:-256M}" TYPE=float OP=max
step sweep.txt make bench GPU="$gpu" SIZES="$sizes" TIME="$time" VARIANTS=single_pass,prim,shfl,striding TYPES=float,double CSV="$out/sweep.csv"
for shuffle in down xor up dpp; do
    step "shfl-$shuffle.txt" "${OUT:-.}/reduction_shfl/reduction_shfl" -n "${size:-256M}" --shuffle $shuffle
done
for block in 256 512 1024; do # 2 or 4 blocks per unit, and the result by marks or by copy
    for per_unit in 2 4; do
        units=$("$program" -n 1K -f csv 2>/dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "compute_units") c = i } NR == 2 { print $c }')
        step "single_pass-$block-$per_unit.txt" "$program" -n "${size:-1G}" --block $block --grid $((${units:-104} * per_unit))
    done
done
for result in host device; do
    step "single_pass-$result.txt" "$program" -n 4K,1M,64M --result $result
done
# Loads with nt, and without it, of arrays that fit the caches and of one that does not.
cached=${OUT:-.}/build/cached
make -j"$(nproc)" GPU="$gpu" OUT="$cached" HIPFLAGS=-DLOAD_16_CACHED reduction_single_pass >/dev/null 2>&1
step single_pass-nt.txt "$program" -n 512K,4M,16M,128M
step single_pass-cached.txt "$cached/reduction_single_pass/reduction_single_pass" -n 512K,4M,16M,128M
for variant in single_pass shfl two_kernels_unroll atomic; do
    step "codegen-$variant.txt" make codegen V=$variant GPU="$gpu" EXPECT=1
done
for variant in bank_conflicts striding single_pass; do
    step "profile-$variant.txt" make profile V=$variant N="${size:-256M}" GPU="$gpu"
done

{
    echo
    echo '```text'
    grep -v '^  \(HIP\|CC\|AR\|LINK\) ' "$out/ladder-double-sum.txt"
    echo '```'
} >>"$summary"
archive=$(dirname "$out")/$(basename "$out").tar.gz
tar -czf "$archive" -C "$(dirname "$out")" "$(basename "$out")" || failed=$((failed + 1))
echo
echo "$failed steps failed. Paste $summary into an issue and attach $archive."
[ $failed -eq 0 ]
