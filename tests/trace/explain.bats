#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow tree programs traced
# make explain: the numbers for kernels whose accesses can be counted by hand, and the messages for wrong options.
load ../lib/check

setup() {
    needs_trace
}
explain() {
    try make explain OUT="$bin" SIZE=16K "$@"
}
# totals NAME VALUE...: the first kernel, or $kernel, has these totals
totals() {
    check "make explain: exit code $status" exits 0 || return 1
    while [ $# -gt 0 ]; do
        found=$(sed -n "s/.*\"kernel\": \"${kernel-}.*\"$1\": \([0-9]*\).*/\1/p" "$work/said" | head -n 1)
        check "$1 is $found, not $2" [ "$found" = "$2" ] || return 1
        shift 2
    done
}

# 64 blocks of 8 warps; the words of a step are one bank apart, two, four ... An H200 counts the same (results/h200).
@test "floats: sectors, requests, passes, conflicts, barriers" {
    explain V=bank_conflicts TYPE=float FORMAT=json WARP=32
    totals global_load_sectors 2048 global_load_once_bytes 65536 global_load_requests 512 global_store_requests 64 \
        shared_load_passes 6080 shared_load_conflicts 4480 shared_store_passes 3520 shared_store_conflicts 2240 barriers 4608
}

@test "doubles: passes and conflicts" {
    explain V=bank_conflicts TYPE=double FORMAT=json WARP=32
    totals shared_load_passes 10176 shared_load_conflicts 7680 shared_store_passes 6080 shared_store_conflicts 3840
}

@test "the table has lines and steps, also for warps of 64" {
    explain V=bank_conflicts TYPE=float
    ends 0 'bank_conflicts.hip:[0-9]*  shared\[i\] = combine' \
        'lanes (passes)  32 (2) 32 (4) 32 (8) 16 (8) 8 (8) 4 (4) 2 (2) 1 (1)$' 'warps of 64.*gfx90a'
}

@test "all kernels together, and two variants side by side" {
    explain V=two_kernel_calls TYPE=float WARP=32
    ends 0 'global memory  *64.[0-9]* KiB loaded, 1.00 times what has to be'
    explain FROM=bank_conflicts TO=no_striding TYPE=float WARP=32
    ends 0 '^== bank_conflicts and no_striding: ' 'of them conflicts  *4480  *0 ' 'of them conflicts  *2240  *0 '
}

@test "the program has the type and operation that is asked for, and others only if it needs them" {
    as_program() { # as_program PROGRAM ARGUMENT...
        program=$1
        shift
        explain -n "$@"
        ends 0 "nogpu_report run explain [^ ]*build/cpu-trace[^ ]*/$program "
    }
    as_program instances/double_sum/reduction_atomic V=atomic
    as_program instances/float_max/reduction_atomic V=atomic TYPE=float OP=max
    as_program instances/float_max/reduction_atomic V=atomic OPTIONS='--type=float -omax'
    as_program instances/int_sum/reduction_atomic V=atomic TYPE=float OPTIONS='-qtint'
    explain V=atomic WARP=32 OPTIONS='-t float --op max --block 64'
    ends 0 'load    global  4 '
    explain V=atomic WARP=32 OPTIONS='--op xor -tint'
    ends 0 'load    global  4 '
}

@test "make run counts what a GPU would do, with the given warp size" {
    try make run OUT="$bin" GPU=cpu SIZE=1K V=shfl WARP=64
    ends 0 '^shfl  *2  *5  *1.0 .* OK$' '^# sum of 1024 elements' '^# What a GPU with warps of 64 would do'
}

@test "wrong options are refused, with the right ones" {
    refused() { # refused WORDS ARGUMENT...
        words=$1
        shift
        explain "$@"
        ends 2 "$words"
    }
    refused 'MACHINE=gfx1: it takes sm_90, gfx90a,' V=bank_conflicts MACHINE=gfx1
    refused 'gfx942 uses 64-lane warps; set WARP=64' V=bank_conflicts MACHINE=gfx942 WARP=32
    refused 'FORMAT=xml: json is' V=bank_conflicts FORMAT=xml
    refused "PAGE=$work: name a file" V=bank_conflicts PAGE="$work"
    refused 'name two variants' FROM=bank_conflicts
    refused 'name two variants' FROM=bank_conflicts TO=nothing
    refused 'and no FORMAT' FROM=bank_conflicts TO=no_striding FORMAT=json
}

# wide NAME ALIGNED [BARRIER]: 32 lanes copy 320 bytes each, a struct with the attribute ALIGNED; BARRIER: code in between
wide() {
    sed "s/ALIGNED/$2/; s/BARRIER/${3:-__syncthreads();}/" >"$work/$1.hip" <<'END'
#include <hip/hip_runtime.h>

struct ALIGNED wide {
    float value[80];
};

__global__ void turn(struct wide *data)
{
    __shared__ struct wide block[32];
    block[threadIdx.x] = data[threadIdx.x];
    BARRIER
    data[threadIdx.x] = block[31 - threadIdx.x];
}

int main(void)
{
    struct wide *data;
    if (hipMalloc((void **)&data, 32 * sizeof *data) != hipSuccess)
        return 3;
    hipLaunchKernelGGL(turn, dim3(1), dim3(32), 0, 0, data);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
END
}

# As 20 times 16 bytes, each lane in its own sectors: in shared memory 8 lanes of 16 bytes share two groups of four banks.
# With less alignment, as 80 times 4.
@test "a large struct is copied in pieces, by its alignment" {
    wide aligned '__attribute__((aligned(16)))'
    explain FILE="$work/aligned.hip" FORMAT=json WARP=32
    totals global_load_requests 20 global_load_sectors 640 shared_store_passes 320
    wide packed ''
    explain FILE="$work/packed.hip" FORMAT=json WARP=32
    totals global_load_requests 80
}

@test "when a signal ends it during an endless kernel, it leaves nothing behind" {
    wide forever '' 'for (;;)\n        ++*(volatile int *)data;' # the platform would end it if the word stayed the same
    mkdir "$work/temporary"
    TMPDIR=$work/temporary setsid make explain OUT="$bin" FILE="$work/forever.hip" >"$work/said" 2>&1 </dev/null 3>&- &
    id=$!
    while kill -0 $id 2>/dev/null && ! { [ -n "$(ls "$work/temporary")" ] && [ -n "$(in_session $id forever)" ]; }; do
        sleep 0.1
    done
    kill -TERM $id
    status=0
    wait $id || status=$?
    check "exit code $status" [ $status -ge 2 ]
    while [ -n "$(in_session $id)" ]; do sleep 0.1; done
    check 'no temporary file is left' [ -z "$(ls "$work/temporary")" ]
}

@test "the program ends with its script, even if the script is killed" {
    wide endless '' 'for (;;)\n        ++*(volatile int *)data;'
    setsid make explain OUT="$bin" FILE="$work/endless.hip" >"$work/said" 2>&1 </dev/null 3>&- &
    id=$!
    while kill -0 $id; do
        program=$(in_session $id endless | sort -n | head -n 1)
        [ -z "$program" ] || { used=$(ticks "$program") && [ "$used" -gt 1 ] && [ "$used" -lt 1000000 ] && break; }
        sleep 0.1
    done
    kill -KILL "$(parent_of "$program")"
    wait $id || true
    used=$(ticks "$program")
    while kill -0 "$program" 2>/dev/null && [ "$(ticks "$program")" -lt $((used + 200)) ]; do sleep 0.1; done
    ! kill -KILL "$program" 2>/dev/null || check 'the program has ended' false
}

@test "FORMAT=json: standard output has nothing but the numbers, even when something is built" {
    explain V=shfl FORMAT=json
    rm "$bin"/build/cpu-trace*/instances/double_sum/reduction_shfl
    status=0
    make explain OUT="$bin" SIZE=16K VARIANT=shfl FORMAT=json WARP="32 64" V=1 >"$work/json" 2>"$work/said" </dev/null 3>&- ||
        status=$?
    ends 0 'CXX   reduction_shfl, traced'
    python3 -m json.tool "$work/json" >"$work/said" || check 'JSON' false
    check 'both sizes of a warp' [ "$(grep -c '"warp_size": [36]' "$work/said")" = 4 ]
}

# As on an H200: lanes add 1 to words of shared memory at once, a comparison may fail, and lanes that take different
# branches to their shuffles store together.
@test "an atomic operation for each lane at one address; what lanes do at the same time, and a float4, is one instruction" {
    with_main kernels.hip 'count_all<<<1, 32>>>(data); together<<<1, 32>>>(data); twice<<<1, 32>>>((float4 *)data, (float *)data);' <<'END'
#include <hip/hip_runtime.h>
__global__ void count_all(int *bins)
{
    __shared__ int mine[4];
    if (threadIdx.x < 4)
        mine[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x % 8], atomicAdd(&mine[threadIdx.x % 4], 2));
}
__global__ void together(int *out)
{
    __shared__ int bins[4], word[32];
    int t = (int)threadIdx.x, v = t;
    word[t] = bins[t % 4] = 0;
    __syncthreads();
    atomicAdd(&bins[t % 4], 1);
    atomicCAS(&word[t], t % 2, 5);
    if (t < 16)
        v = __shfl_down_sync(0xffffull, v, 8);
    else
        v = __shfl_xor_sync(0xffff0000ull, v, 1);
    out[t] = v;
}
__global__ void twice(const float4 *in, float *out)
{
    float4 v = in[threadIdx.x];
    v.x *= 2;
    v.y *= 2;
    v.z *= 2;
    v.w *= 2;
    reinterpret_cast<float4 *>(out)[threadIdx.x] = v;
}
END
    explain FILE="$work/kernels.hip" FORMAT=json WARP=32
    kernel=count_all totals shared_atomic_passes 8 shared_atomic_conflicts 7 global_atomic_sectors 4 global_atomic_bytes 128 atomics 2
    kernel=together totals shared_atomic_passes 2 shared_atomic_conflicts 0 atomics 2 global_store_requests 1 global_store_sectors 4 \
        shared_load_passes 0
    kernel=twice totals global_load_requests 1 global_load_sectors 16 global_store_requests 1
}

# A pass serves 32 lanes, also in a warp of 64.
@test "a byte that all lanes load is not a conflict" {
    explain V=single_pass MACHINE=gfx942 FORMAT=json OPTIONS="--grid 2 --block 256"
    ends 0 '"source": "if (!last)".*"size": 1,.*"passes": 16,.*"conflicts": 0'
}

@test "separate rows for two arrays or two loads, a remark on merging, and separate counts for blocks that take turns" {
    rows=nogpu/tests/planted/rows.hip
    explain FILE=$rows WARP=32
    ends 0 '^ *of a$' '^ *of b$' '^ *of a\[0\] to a\[31\]$' '^ *of a\[0\] to a\[992\]$' 'load    global  4        32 x 32.0 lanes  4.00 sectors' \
        'load    global  4        32 x 32.0 lanes  32.00 sectors' 'adjacent: a compiler may merge them into 8 of up to 16 bytes' \
        "adjacent to another line's: a compiler may merge the two into one of 16 bytes"
    check 'no other line has neighbours' [ "$(grep -c 'a compiler may merge' "$work/said")" -eq 3 ]
    line=$(grep -n '16 instructions' $rows | cut -d : -f 1)
    sed "1,/rows.hip:$line /d; /rows.hip/,\$d" "$work/said" >"$work/in_turns"
    check 'each block has its instructions' [ "$(grep -c ' 16 x 32.0 lanes' "$work/in_turns")" -eq 3 ]
}
