#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# The checks of machine code (tools/code/codegen.txt) can fail: for each kind of expectation codegen_broken.hip has a kernel
# that does not meet it. Needs hipcc; expectations that are only for NVIDIA's code also need nvcc and cuobjdump.
load ../lib/check

setup() {
    export HIP_PLATFORM=amd
    HIPCC=${HIPCC:-$(command -v hipcc || echo /opt/rocm/bin/hipcc)}
    NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    [ -x "$HIPCC" ] || skip 'hipcc is not there: ./install-deps.sh amd'
    broken=$work/broken.o
    [ ! -e "$broken" ] || return 0
    mkdir "$work/temporary"
    TMPDIR=$work/temporary sh platform/amd/hipcc.sh "$HIPCC" --offload-arch=gfx90a --offload-arch=gfx1030 -O3 \
        -c tests/tools/codegen_broken.hip -o "$broken"
    check 'no temporary file is left' [ -z "$(ls "$work/temporary")" ]
}
codegen() { try python3 tools/code/codegen.py "$@"; }

# complaints PLATFORM COMPILER OBJECT TARGET...: prints complaints about the broken kernels
complaints() {
    local platform=$1 compiler=$2 object=$3
    shift 3
    : >"$work/complaints"
    for variant in single_pass atomic shfl two_kernels_unroll compensated reproducible rows; do
        codegen --expect "$platform" "$compiler" $variant "$object" "$@"
        check "codegen of broken kernels, $variant: exit code $status" exits 1 || return 1
        cat "$work/said" >>"$work/complaints"
    done
}
# can_fail TARGETS: each kind of condition, such as "loads >=", on lines that match these targets
can_fail() {
    awk -F' *; *' -v targets="$1" '!/^#/ && NF == 5 && $2 ~ targets { sub(/ if .*/, "", $5); print $5 }' tools/code/codegen.txt | tr ' ' '\n' |
        sed -n 's/^\([a-z]*\)\([<>=]*\).*/\1 \2/p' | sort -u >"$work/kinds"
    check "no expectations for $1" test -s "$work/kinds" || return 1
    while read -r key relation; do
        check "no broken kernel shows that '$key$relation' can fail; add one to codegen_broken.hip" \
            grep -q " $key is [^ ]*, expected ${relation}[0-9]" "$work/complaints" || return 1
    done <"$work/kinds"
}

@test "every expectation for AMD's code can fail" {
    codegen --expect amd "$HIPCC" rows "$broken" gfx90a gfx1030
    cp "$work/said" "$work/here"
    # one that says that it is newer than all: then expectations of newer compilers count, too
    printf '#!/bin/sh\n[ "$1" = --version ] && echo clang version 999 || exec "%s" "$@"\n' "$HIPCC" >"$work/newest"
    chmod +x "$work/newest"
    complaints amd "$work/newest" "$broken" gfx90a gfx1030
    [ "$("$HIPCC" --version | sed -n 's/.*clang version \([0-9]*\).*/\1/p')" -ge 21 ] || ! grep -q bounded "$work/here"
    can_fail '^(\.\*|.*gfx.*)$'
    check 'an expectation that fits no kernel' grep -q 'no kernel fits the expectation' "$work/complaints"
}

@test "every expectation for NVIDIA's code can fail" {
    [ -x "$NVCC" ] && PATH=$PATH:$(dirname "$NVCC") command -v cuobjdump >/dev/null || skip 'there is no cuobjdump'
    "$NVCC" -x cu -arch=sm_90 -O3 -std=c++17 -D__HIP_PLATFORM_NVIDIA__ -Iplatform/nvidia -c tests/tools/codegen_broken.hip \
        -o "$work/nvidia.o"
    complaints nvidia "$NVCC" "$work/nvidia.o" sm_90
    can_fail 'sm_'
}

@test "each kernel has a row with the counts of its code" {
    codegen --format json amd "$HIPCC" single_pass "$broken" gfx90a gfx1030
    python3 - "$work/said" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
assert [row["target"] for row in rows].count("gfx90a") == 14
small = {row["target"]: row for row in rows if (row["type"], row["op"], row["kernel"]) == ("int", "sum", "reduce_small")}
for target, steps in ("gfx90a", 6), ("gfx1030", 5):  # shuffles of 4 bytes over 64 lanes, and over 32
    row = small[target]
    assert row["bpermute"] == steps and row["loads"] >= 1 and row["width"] == 4 and row["size"] > 0, row
END
    codegen --type int --op sum --format json amd "$HIPCC" single_pass "$broken" gfx90a
    check 'three objects' [ "$(grep -c '"target": "gfx90a", "type": "int", "op": "sum"' "$work/said")" -eq 3 ]
}

@test "impossible requests: one line and an exit code" {
    refused() { # refused CODE FORMAT PLATFORM OBJECT TARGET
        codegen --format "$2" "$3" "$HIPCC" single_pass "$4" "$5"
        ends "$1" '^codegen: ' || return 1
        check 'one line' [ "$(grep -c '^codegen: ' "$work/said")" -eq 1 ]
    }
    refused 2 xml amd "$broken" gfx90a
    refused 3 json amd "$work/missing.o" gfx90a
    refused 3 json amd "$broken" gfx942
    refused 2 json cpu "$broken" gfx90a
}
