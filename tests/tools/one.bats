#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# make one: each file is right on the CPU, with both warp sizes, and nvcc and hipcc compile it, if they are here.
load ../lib/check

steps() { python3 -c 'import sys; sys.path += ["tools", "tools/course"]; import one; print(*one.TREES, *one.SOLVES)'; }

@test "each step in one file is right, and compilers for GPUs take it" {
    turn=0
    for step in $(steps); do
        wanted "$step" || continue
        # each type and operation turns up
        set -- float double int long sum max min
        turn=$((turn + 1))
        type=$(eval echo "\${$((turn % 4 + 1))}") op=$(eval echo "\${$((turn % 3 + 5))}")
        file=$work/$step.cu
        try sh -c "${MAKE:-make} -s one V=$step TYPE=$type OP=$op >$file"
        ends 0
        for pair in nvcc:32 hipcc:64; do
            try nogpu/bin/"${pair%:*}" -x "$([ "$pair" = nvcc:32 ] && echo cu || echo hip)" -O1 "$file" -o "$work/$step"
            verdict "$status" "$step: nogpu's ${pair%:*} compiles it for $type $op"
            HIP_CPU_WARP_SIZE=${pair#*:} try "$work/$step"
            verdict "$(exits 0 && says '^right$' && says '^1000003 elements' && echo 0 || echo 1)" "$step with warps of ${pair#*:}"
        done
        if command -v nvcc >/dev/null; then
            try nvcc -arch=sm_90 -c "$file" -o "$work/object.o"
            verdict "$status" "$step: nvcc compiles it for $type $op"
        fi
        if command -v hipcc >/dev/null; then
            try hipcc --offload-arch=gfx90a -x hip -c "$file" -o "$work/object.o"
            verdict "$status" "$step: hipcc compiles it for $type $op"
        fi
    done
    finish
}

@test "a wrong line in the kernel is seen" {
    try sh -c "${MAKE:-make} -s one V=no_striding | sed 's/(count + 1) \/ 2/count \/ 2/; s/block = 256/block = 100/' >$work/broken.cu"
    try nogpu/bin/nvcc -O1 "$work/broken.cu" -o "$work/broken"
    ends 0
    try "$work/broken"
    ends 1 '^WRONG$'
}

@test "what does not fit into one file, or is no type, is refused in one line" {
    try ${MAKE:-make} -s one V=single_pass
    ends 2 'single_pass is more than a kernel and its launches; these fit into one file: interleaved'
    try python3 tools/course/one.py shfl half
    ends 2 'TYPE=half OP=sum: take one of float double int long'
}

@test "rows and columns with one read: right with both warps and odd shapes, and compilers for GPUs take it" {
    wanted rows || skip 'not chosen'
    try nogpu/bin/hipcc -O1 reduction_rows/both.hip -o "$work/both"
    ends 0
    for warp in 32 64; do
        for shape in '1 1' '33 129' '500 7'; do
            HIP_CPU_WARP_SIZE=$warp try "$work/both" $shape
            verdict "$status" "warps of $warp: $shape"
        done
    done
    ! command -v nvcc >/dev/null || try nvcc -arch=sm_90 -x cu -Iplatform/nvidia -c reduction_rows/both.hip -o "$work/object.o"
    ends 0
    ! command -v hipcc >/dev/null || try hipcc --offload-arch=gfx90a -c reduction_rows/both.hip -o "$work/object.o"
    ends 0
    finish
}
