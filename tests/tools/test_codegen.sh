#!/bin/sh
# The checks of machine code (tools/code/codegen.txt) can fail: for each kind of expectation there is a kernel in
# codegen_broken.hip that does not meet it. Needs hipcc; expectations for NVIDIA's code alone need nvcc and
# cuobjdump, too.
cd "$(dirname "$0")/../.." || exit 3
export HIP_PLATFORM=amd
HIPCC=${HIPCC:-$(command -v hipcc || echo /opt/rocm/bin/hipcc)}
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if ! [ -x "$HIPCC" ]; then
    echo 'hipcc is not there: ./install-deps.sh amd'
    exit 77
fi
. tests/lib/check.sh

# "loads >=" for each kind of condition on lines whose target fits $1
kinds() {
    awk -F' *; *' -v targets="$1" '!/^#/ && NF == 5 && $2 ~ targets { print $5 }' tools/code/codegen.txt | tr ' ' '\n' |
        sed -n 's/^\([a-z]*\)\([<>=]*\).*/\1 \2/p' | sort -u
}
complaints() { # complaints PLATFORM COMPILER OBJECT TARGET...
    platform=$1 compiler=$2 object=$3
    shift 3
    for variant in single_pass atomic shfl two_kernels_unroll; do
        python3 tools/code/codegen.py --expect "$platform" "$compiler" $variant "$object" "$@" 2>/dev/null
        [ $? -eq 1 ]
        verdict $? "codegen -e $variant: exit code 1 is expected of broken kernels"
    done >"$work/said"
    grep -v '^FAILED' "$work/said" >"$work/complaints"
    failed=$((failed + $(grep -c '^FAILED' "$work/said")))
}
check_kinds() { # check_kinds TARGETS
    kinds "$1" >"$work/kinds"
    [ -s "$work/kinds" ]
    verdict $? "tools/code/codegen.txt has no expectations for $1"
    while read -r key relation; do
        grep -q " $key is [^ ]*, expected ${relation}[0-9]" "$work/complaints"
        verdict $? "no broken kernel shows that '$key$relation' can fail; add one to codegen_broken.hip"
    done <"$work/kinds"
}

"$HIPCC" --offload-arch=gfx90a --offload-arch=gfx1030 -O3 -c tests/tools/codegen_broken.hip -o "$work/broken.o" 2>"$work/log"
verdict $? "codegen_broken.hip does not compile: $(tail -n 3 "$work/log")"
complaints amd "$HIPCC" "$work/broken.o" gfx90a gfx1030
check_kinds '^(\.\*|.*gfx.*)$'
grep -q 'no kernel fits the expectation' "$work/complaints"
verdict $? 'an expectation that fits no kernel is not reported'

rows() { python3 tools/code/codegen.py --format rows amd "$HIPCC" single_pass "$work/broken.o" "$@" 2>"$work/log"; }
[ "$(rows gfx90a | wc -l)" -eq 9 ]
verdict $? 'codegen shows not all 9 kernels'
rows gfx90a | awk -F'\t' '$3 == "int" && $4 == "sum" && $5 == "reduce_small" { exit !($18 == 6 && $14 >= 1 && $13 == 4 && $24 > 0) } '
verdict $? 'a wavefront of 64 lanes has 6 shuffles of 4 bytes'
rows gfx1030 | awk -F'\t' '$3 == "int" && $4 == "sum" && $5 == "reduce_small" { exit !($18 == 5) } '
verdict $? 'a wavefront of 32 lanes has 5 shuffles'
json=$(python3 tools/code/codegen.py --type int --op sum --format json amd "$HIPCC" single_pass "$work/broken.o" gfx90a)
[ "$(echo "$json" | grep -c '"target": "gfx90a", "type": "int", "op": "sum"')" -eq 2 ]
verdict $? "JSON: two objects are expected, there is $json"
for case in '2 --format xml amd' '3 --format rows amd missing' '3 --format rows amd gfx942' '2 --format rows cpu'; do
    # shellcheck disable=SC2086  # words
    set -- $case
    object=$work/broken.o target=gfx90a
    case $5 in missing) object=$work/missing.o ;; gfx*) target=$5 ;; esac
    python3 tools/code/codegen.py "$2" "$3" "$4" "$HIPCC" single_pass "$object" $target >/dev/null 2>"$work/log"
    [ $? -eq "$1" ] && [ "$(grep -c '^codegen: ' "$work/log")" -eq 1 ]
    verdict $? "codegen $case: exit code $1 and one line are expected: $(cat "$work/log")"
done

if [ -x "$NVCC" ] && PATH=$PATH:$(dirname "$NVCC") command -v cuobjdump >/dev/null; then
    "$NVCC" -x cu -arch=sm_90 -O3 -std=c++17 -D__HIP_PLATFORM_NVIDIA__ -Iplatform/nvidia -c tests/tools/codegen_broken.hip -o "$work/broken.o"
    verdict $? 'codegen_broken.hip does not compile for sm_90'
    complaints nvidia "$NVCC" "$work/broken.o" sm_90
    check_kinds 'sm_'
else
    echo 'no cuobjdump here: expectations of code for NVIDIA are not seen failing'
fi

finish
