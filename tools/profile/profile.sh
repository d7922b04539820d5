#!/bin/sh
# Runs the vendor's profiler on one variant, with the counters for its lesson (counters.txt), and explains
# them in words. NVIDIA: ncu. AMD: rocprofv3, or else rocprof.
#
#   profile.sh nvidia|amd|cpu VARIANT PROGRAM [OPTION]...     options for the program: -n 16M --type=float
#
# One run for each counter, so that a counter unknown to this profiler or GPU does not affect the others.
platform=$1 variant=${2#reduction_} program=$3
shift 3
scripts=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "profile: $1" >&2
    exit 2
}
case $platform in
nvidia)
    profiler=$(PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin command -v ncu) ||
        fail 'ncu is not there: install Nsight Compute from the CUDA toolkit (package nsight-compute), or module load cuda'
    ;;
amd)
    profiler=$(PATH=$PATH:${ROCM_PATH:-/opt/rocm}/bin command -v rocprofv3 ||
        PATH=$PATH:${ROCM_PATH:-/opt/rocm}/bin command -v rocprof) ||
        fail 'rocprofv3 is not there: install it from ROCm (package rocprofiler-sdk, before ROCm 6.2 rocprofiler), or module load rocm'
    ;;
*) fail 'there is no profiler for the CPU platform: name a GPU, make profile V=shfl GPU=gfx90a or GPU=sm_90' ;;
esac
[ -x "$program" ] || fail "$program is not there: make reduction_$variant"

work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

# measure COUNTER COMMAND...: a CSV of the profiler in $work/csv
measure() {
    counter=$1
    shift
    rm -rf "$work/csv" "$work/out"
    case $profiler in
    */ncu) "$profiler" --clock-control none --csv --print-units base --metrics "$counter" "$@" >"$work/csv" 2>"$work/errors" ;;
    */rocprofv3)
        "$profiler" --pmc "$counter" --output-format csv -d "$work/out" -o out -- "$@" >"$work/errors" 2>&1 &&
            find "$work/out" -name '*counter_collection.csv' -exec cat {} + >"$work/csv"
        ;;
    *)
        echo "pmc: $counter" >"$work/input.txt"
        rm -f "$work/out.csv" # rocprof refuses a file with another ending
        "$profiler" -i "$work/input.txt" -o "$work/out.csv" "$@" >"$work/errors" 2>&1 && mv "$work/out.csv" "$work/csv"
        ;;
    esac
}

# Two launches of everything: one on each clock. --ceiling, so that it is not measured.
set -- "$program" --iterations=1 --warmup=0 --ceiling=1 --format=csv "$@"
echo "# $* with $(basename "$profiler")"
"$@" >"$work/row" 2>"$work/errors" || {
    status=$?
    cat "$work/errors" >&2
    exit $status
}
lines=0
sed 's/ *| */|/g' "$scripts/counters.txt" >"$work/counters"
while IFS='|' read -r vendor counter scale unit variants words; do
    [ "$vendor" = "$platform" ] || continue
    case " $variants " in *" * "* | *" $variant "*) ;; *) continue ;; esac
    measure "$counter" "$@" </dev/null
    if grep -q ERR_NVGPUCTRPERM "$work/csv" "$work/errors" 2>/dev/null; then
        fail 'the driver lets only administrators read counters: ask for the module option NVreg_RestrictProfilingToAdminUsers=0'
    fi
    if [ -s "$work/csv" ] && awk -f "$scripts/../csv.awk" -f "$scripts/profile.awk" -v counter="$counter" -v scale="$scale" \
        -v unit="$unit" -v words="$words" "$work/csv" >>"$work/lines"; then
        lines=$((lines + 1))
    else
        echo "# $counter: not known to this profiler on this GPU ($(grep -v '^ *$' "$work/errors" | tail -n 1))"
    fi
done <"$work/counters"
[ $lines -gt 0 ] || fail 'no counter could be read; the lines above say why'
# Kernel by kernel, in the order of their launches.
awk -F'\t' '!($1 in seen) { seen[$1] = 1; order[++count] = $1 }
    { text[$1] = text[$1] "\n" $2 }
    END { for (i = 1; i <= count; i++) print order[i] text[order[i]] }' "$work/lines"
