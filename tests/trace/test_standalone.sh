#!/bin/sh
# make race FILE= and make explain FILE=: a program with a main() of its own, what the reports call things, and what they
# say when something is missing. Also hello and multi_gpu, which have one.
unset MAKEFLAGS MAKELEVEL MFLAGS # those of make check
cd "$(dirname "$0")/../.." || exit 3
[ -z "$SAN" ] || { echo "traced kernels cannot be checked by a sanitizer, too"; exit 77; }
. tests/lib/check.sh
ok() { verdict 0; }
bad() { verdict 1 "$*"; }

# says WHAT TEXT...: each TEXT is in $work/out.
says() {
    what=$1
    shift
    for text; do
        grep -qF -e "$text" "$work/out" || { bad "$what: no \"$text\" in:"; head -n 30 "$work/out"; return; }
    done
    ok
}

# looked WHAT STATUS WORD...: make WORD... ends with STATUS.
looked() {
    what=$1 wanted=$2
    shift 2
    (unset HIP_CPU_TRACE; timeout 120 ${MAKE:-make} -s "$@" WARP=32) >"$work/out" 2>&1
    status=$?
    [ $status -eq "$wanted" ] || bad "$what: exit code $status and not $wanted: $(tail -n 5 "$work/out")"
}
race_file() { # WHAT STATUS FILE
    looked "$1" "$2" race FILE="$3"
}

race_file 'a program with a race' 2 tests/trace/planted/mine.hip
says 'a program with a race' \
    'of kernel reverse (bytes ' 'of dynamic shared' 'race 1: turned[' \
    "tests/trace/planted/mine.hip:$(grep -n 'turned\[blockDim' tests/trace/planted/mine.hip | cut -d : -f 1)" \
    "tests/trace/planted/mine.hip:$(grep -n '= turned\[' tests/trace/planted/mine.hip | cut -d : -f 1)" \
    'turned[blockDim.x - 1 - threadIdx.x] = in[threadIdx.x];' 'out[threadIdx.x] = turned[threadIdx.x];' \
    'block 0, thread 31 (warp 0, lane 31) reads it' 'block 0, thread 32 (warp 1, lane 0) writes it' \
    'look at: no __syncthreads() between the two' 'race: 2 found'
[ "$(awk 'length > 80' "$work/out")" = '' ] || bad "lines of more than 80 columns: $(awk 'length > 80' "$work/out")"

sed 's|/\* here .*|__syncthreads();|' tests/trace/planted/mine.hip >"$work/right.hip"
race_file 'the same without it' 0 "$work/right.hip"
says 'the same without it' '63 0' 'race: none found in kernel reverse:' \
    '1 launches, 1 blocks, 2 warps of 32, 64 threads' \
    'shared memory 64 loads, 64 stores; global 64 and 64; 0 atomics' '1 barriers, 0 warp operations' \
    'one block in each launch'
[ "$(awk 'length > 80 && !/\.hip:/' "$work/out")" = '' ] || bad 'a summary of more than 80 columns'

sed 's|/\* here .*|if (threadIdx.x >= 40) return; __syncthreads();|' tests/trace/planted/mine.hip >"$work/stuck.hip"
race_file 'a barrier that some do not reach' 2 "$work/stuck.hip"
says 'a barrier that some do not reach' 'race: the run stopped early; none found until then in reverse:'

race_file 'variables of all kinds' 2 tests/trace/planted/names.hip
says 'variables of all kinds' ': count[0] of kernel count_all' ': total of kernel count_all' ': table[1] of kernel count_all' \
    ': tile[3][15] of kernel rows<float>' ': pairs[32].count of kernel rows<float>' ': flags[0] of kernel bytes' \
    ': queue->waiting[3].count of kernel wait_in_line' 'in rows<float>()' \
    'both sides; if all of them update one element in'
! grep -q 'orders the two' "$work/out" || bad 'an atomic on shared memory is said to order blocks'

sed 's|hipLaunchKernelGGL(reverse, dim3(1), dim3(64), sizeof host, 0, in, out)|hipLaunchCooperativeKernel((void *)reverse, 1, 64, arguments, 0, 0)|' tests/trace/planted/mine.hip >"$work/address.hip"
race_file 'a kernel by its address' 2 "$work/address.hip"
says 'a kernel by its address' 'address.hip:23: the CPU platform launches by the kernel, not by its address' \
    'hipLaunchCooperativeKernel(kernel,'

sed 's|hipLaunchKernelGGL(reverse, dim3(1), dim3(64), sizeof host, 0, in, out)|reverse<<<1, 64>>>(in, out)|
     s|HIP_DYNAMIC_SHARED(int, turned)|extern __shared__ int turned[]|' tests/trace/planted/mine.hip >"$work/cuda.hip"
race_file 'spelt for CUDA' 2 "$work/cuda.hip"
says 'spelt for CUDA' 'cuda.hip:7: extern __shared__' 'HIP_DYNAMIC_SHARED(type, name)' \
    'cuda.hip:23: kernel<<<' 'hipLaunchKernelGGL(kernel,'

sed 's|hipMalloc(&in|hipMallocManaged(\&in|' tests/trace/planted/mine.hip >"$work/lacks.hip"
race_file 'a call that the platform lacks' 2 "$work/lacks.hip"
says 'a call that the platform lacks' 'the CPU platform has no hipMallocManaged: write hipMalloc() and hipMemcpy()'

sed 's/^int main/int other/' tests/trace/planted/mine.hip >"$work/library.hip"
race_file 'no main' 2 "$work/library.hip"
says 'no main' 'library.hip: there is no main() in it'

mkdir "$work/of my own" && echo '#define BEHIND 1' >"$work/of my own/own.h"
sed 's|/\* here .*|__syncthreads();|; 2i #include "own.h"' tests/trace/planted/mine.hip >"$work/of my own/mine.hip"
race_file 'a folder with spaces, and a header in it' 0 "$work/of my own/mine.hip"
says 'a folder with spaces, and a header in it' 'race: none found in kernel reverse:'
race_file 'a folder' 2 "$work/of my own"
says 'a folder' 'own: there is no such file'

sed 's|0, 0, in, out)|0, 0, host, out)|; s|host, 0, in, out)|host, 0, host, out)|' tests/trace/planted/mine.hip >"$work/host.hip"
race_file 'memory of the host' 2 "$work/host.hip"
says 'memory of the host' 'host.hip:9: reads memory of the host through in,' 'Error 3'

sed 's|HIP_DYNAMIC_SHARED(int, turned)|static __shared__ int turned[64]|; s|turned\[blockDim.x - 1|turned[blockDim.x|' tests/trace/planted/mine.hip >"$work/beyond.hip"
race_file 'beyond static shared memory' 2 "$work/beyond.hip"
says 'beyond static shared memory' 'thread (0,0,0)' 'writes 0 bytes past the end of the static __shared__ variable turned of 256 bytes'

sed 's|/\* here .*|assert(threadIdx.x < 60);|; 2i #include <assert.h>' tests/trace/planted/mine.hip >"$work/assert.hip"
race_file 'assert' 2 "$work/assert.hip"
says 'assert' 'thread (60,0,0): an assert() is not true' 'Error 3'

# A flag as it was written before there were better ones. It is seen, also where stores come late.
cat >"$work/flag.hip" <<'END'
#include <hip/hip_runtime.h>
__global__ void pass(int *data, volatile int *flag)
{
    if (blockIdx.x == 0) {
        data[0] = 7;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        __threadfence();
        data[1] = data[0];
    }
}
int main(void)
{
    int *data;
    if (hipMalloc(&data, 12) != hipSuccess || hipMemset(data, 0, 12) != hipSuccess)
        return 3;
    hipLaunchKernelGGL(pass, dim3(2), dim3(1), 0, 0, data, data + 2);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
END
looked 'a volatile flag' 2 race FILE="$work/flag.hip" MEMORY=weak:1
says 'a volatile flag' 'race 1: data[0] of kernel pass' 'look at: the volatile load at' 'orders nothing'

sed 's|    \*flag = 1|    atomicExch(\&flag[0], 1)|; s|volatile int|int|; s|\*flag == 0|atomicAdd(flag, 0) == 0|' "$work/flag.hip" >"$work/atomic.hip"
looked 'an atomic flag' 0 race FILE="$work/atomic.hip"
says 'an atomic flag' 'race: none found in kernel pass:' 'blocks ran one after the other; SCHEDULE=random:1'

# Two files of one name at once: each gets its own answer.
mkdir "$work/two" && cp tests/trace/planted/mine.hip "$work/two/right.hip"
(unset HIP_CPU_TRACE; ${MAKE:-make} -s race FILE="$work/two/right.hip" WARP=32) >"$work/two/out" 2>&1 &
race_file 'two at once, right' 0 "$work/right.hip"
wait $!
cp "$work/two/out" "$work/out"
says 'two at once, with its race' 'race: 2 found'

race_file 'no such file' 2 "$work/nowhere.hip"
says 'no such file' 'there is no such file'

looked 'no kernel' 2 race V=prim
says 'no kernel' 'Error 4' 'race: no kernel was launched, so nothing was seen' 'look at single_pass'
looked 'no kernel to explain' 2 explain V=prim
says 'no kernel to explain' 'Error 4' 'explain: no kernel was launched'
looked 'step 0' 0 race V=hello
says 'step 0' 'race: none found in kernel add_elements:'
looked 'ranks' 0 race V=multi_gpu
says 'ranks' 'race: none found in kernels' 'reduce_units'
looked 'ranks explained' 0 explain V=multi_gpu
says 'ranks explained' 'reduce_units: ' 'reduction_multi_gpu/multi_gpu.hip:' 'reduction_reproducible/tree.h:'

finish
