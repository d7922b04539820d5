#!/bin/sh
# make explain: the numbers of a kernel whose accesses can be counted by hand, and the messages for
# wrong options.
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS # those of make check
cd "$(dirname "$0")/../.." || exit 3
. tests/lib/check.sh
shown=$work/out
out=${REDUCTION_BIN:-.}

explain() {
    make explain OUT="$out" SIZE=16K "$@" >"$work/out" 2>&1
}
# The value of a name in the totals of the first kernel.
is() {
    found=$(sed -n "s/.*\"kernel\".*\"$1\": \([0-9]*\).*/\1/p" "$work/out" | head -n 1)
    [ "$found" = "$2" ] || { echo "    $1 is $found, not $2"; return 1; }
}

# 64 blocks of 8 warps; 16 words of a step are one bank apart, two, four ... An H200 counts the same (results/h200).
explain V=bank_conflicts TYPE=float FORMAT=json WARP=32
check 'a sector holds 8 floats' is global_load_sectors 2048
check 'each byte of the input has to be loaded once' is global_load_once_bytes 65536
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
explain V=two_kernel_calls TYPE=float WARP=32
check 'all kernels together' grep -q 'global memory  *64.[0-9]* KiB loaded, 1.00 times what has to be' "$work/out"
explain FROM=bank_conflicts TO=no_striding TYPE=float WARP=32
check 'side by side: conflicts go' grep -q ' 0 bank conflicts instead of 6720' "$work/out"

# refused WORDS ARGUMENT...: it says what to write instead.
refused() {
    words=$1
    shift
    ! explain "$@" && grep -q "$words" "$work/out"
}
check 'a machine that is not known' refused 'unknown machine gfx1; use sm_90 or gfx90a or' V=bank_conflicts MACHINE=gfx1
check 'warps that a machine does not have' refused 'gfx942 uses 64-lane warps; set WARP=64' V=bank_conflicts MACHINE=gfx942 WARP=32
check 'a format that is not known' refused 'FORMAT=xml: json is' V=bank_conflicts FORMAT=xml
check 'a page that is a folder' refused "PAGE=$work: name a file" V=bank_conflicts PAGE="$work"
check 'one variant side by side' refused 'name two variants' FROM=bank_conflicts
check 'a variant side by side that is none' refused 'name two variants' FROM=bank_conflicts TO=nothing
check 'side by side as JSON' refused 'and no FORMAT' FROM=bank_conflicts TO=no_striding FORMAT=json

# 32 lanes copy 320 bytes each, as 20 times 16: in shared memory 8 lanes of 16 bytes share two groups of four banks. Less
# aligned, as 80 times 4.
cat >"$work/wide.hip" <<'END'
#include <hip/hip_runtime.h>

struct ALIGNED wide {
    float value[80];
};

__global__ void turn(struct wide *data)
{
    __shared__ struct wide block[32];
    block[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
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
sed 's/ALIGNED/__attribute__((aligned(16)))/' "$work/wide.hip" >"$work/aligned.hip"
explain FILE="$work/aligned.hip" FORMAT=json WARP=32
check 'a large struct is copied in pieces of 16 bytes' is global_load_requests 20
check 'each lane in a sector of its own' is global_load_sectors 640
check 'four lanes for each bank' is shared_store_passes 320
sed 's/ALIGNED//' "$work/wide.hip" >"$work/packed.hip"
explain FILE="$work/packed.hip" FORMAT=json WARP=32
check 'in pieces of 4 bytes, as it is aligned' is global_load_requests 80

# Ended by a signal while the kernel runs, which it would for ever: nothing stays behind.
sed 's/    __syncthreads();/    while (*(volatile float *)data != 1)\n        ;/' "$work/packed.hip" >"$work/forever.hip"
mkdir "$work/temporary"
interrupted() {
    TMPDIR="$work/temporary" timeout -k 10 -s TERM 4 make explain OUT="$out" FILE="$work/forever.hip" >"$work/out" 2>&1 </dev/null
    [ $? -eq 124 ] && sleep 1 && [ -z "$(ls "$work/temporary")" ]
}
check 'interrupted, it leaves nothing behind' interrupted

# A float4 is one access, whether the kernel's parameter says so or a cast.
cat >"$work/vector.hip" <<'END'
#include <hip/hip_runtime.h>

__global__ void twice(const float4 *in, float *out)
{
    float4 v = in[threadIdx.x];
    v.x *= 2;
    v.y *= 2;
    v.z *= 2;
    v.w *= 2;
    reinterpret_cast<float4 *>(out)[threadIdx.x] = v;
}

int main(void)
{
    float4 *data;
    if (hipMalloc((void **)&data, 32 * sizeof *data) != hipSuccess)
        return 3;
    hipLaunchKernelGGL(twice, dim3(1), dim3(32), 0, 0, data, (float *)data);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
END
explain FILE="$work/vector.hip" FORMAT=json WARP=32
check 'a float4 is loaded at once' is global_load_requests 1
check 'with all of its sectors' is global_load_sectors 16
check 'and stored at once' is global_store_requests 1

# One byte for all lanes: each 32 of them take a pass, also in a warp of 64.
explain V=single_pass MACHINE=gfx942 FORMAT=json OPTIONS="--grid 2 --block 256"
check 'a byte that all lanes load is no conflict' \
    grep -q '"source": "if (!last)".*"size": 1,.*"passes": 16, "conflicts": 0' "$work/out"

finish
