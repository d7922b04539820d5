#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow tree traced
# make race FILE= and make explain FILE=: programs with their own main(), names in the reports, and messages when something
# is missing. Also hello and multi_gpu, which have their own main().
load ../lib/check
mine=nogpu/tests/planted/mine.hip # reverses an array, but lacks a barrier

setup() {
    needs_trace
    unset HIP_CPU_TRACE
}

# looked STATUS WORD...: make WORD... must end with STATUS
looked() {
    local wanted=$1
    shift
    try ${MAKE:-make} -s "$@" WARP=32
    check "make $*: exit code $status instead of $wanted" exits "$wanted"
}
# has TEXT...: the output contains each, on one line or wrapped
has() {
    for text; do
        check "no \"$text\"" grep -qF -e "$text" <(tr -s ' \n' ' ' <"$work/said") "$work/said" || return 1
    done
}
# changed NAME SED-SCRIPT: writes mine.hip with a change to $work/NAME.hip
changed() { sed "$2" $mine >"$work/$1.hip"; }
narrow() { check 'lines of more than 80 columns' [ -z "$(grep -v '\.hip:.*' "$work/said" | awk 'length > 80')" ]; }

@test "a program with a race" {
    looked 2 race FILE=$mine
    has 'of kernel reverse (bytes ' 'of dynamic shared' 'race 1: turned[' \
        "$mine:$(grep -n 'turned\[blockDim' $mine | cut -d : -f 1)" \
        "$mine:$(grep -n '= turned\[' $mine | cut -d : -f 1)" \
        'turned[blockDim.x - 1 - threadIdx.x] = in[threadIdx.x];' 'out[threadIdx.x] = turned[threadIdx.x];' \
        'block 0, thread 31 (warp 0, lane 31) reads it' 'block 0, thread 32 (warp 1, lane 0) writes it' \
        'look at: no __syncthreads() between the two' 'reads what no thread has written' 'race: 1 found'
    check 'no line of more than 80 columns' [ -z "$(awk 'length > 80' "$work/said")" ]
}

# launched SPELLING: writes mine.hip with this launch and extern __shared__ to $work/spelled.hip
launched() {
    changed spelled "s/hipLaunchKernelGGL(reverse, dim3(1), dim3(64), sizeof host, 0, in, out)/$1/
        s/HIP_DYNAMIC_SHARED(int, turned)/extern __shared__ int turned[];/"
}

@test "kernel<<<>>> and extern __shared__: the same report, with the source's lines and columns" {
    looked 2 race FILE=$mine
    # Where lines are wrapped depends on the file's name: compare word by word.
    sed -n "s|$mine|FILE|; /^== warp/,\$p" "$work/said" | tr -s ' \n' '\n' >"$work/expected"
    launched 'reverse<<<1, 64, sizeof host>>>(in, out)'
    looked 2 race FILE="$work/spelled.hip"
    sed -n "s|$work/spelled.hip|FILE|; /^== warp/,\$p" "$work/said" | tr -s ' \n' '\n' >"$work/spelled"
    check 'another report' diff -B -w "$work/expected" "$work/spelled"
    launched 'reverse<<<1, 64, sizeof host>>>(in, unknown)'
    looked 2 race FILE="$work/spelled.hip"
    has 'spelled.hip:23:'
    has "spelled.hip:23:$(awk 'NR == 23 { print index($0, "unknown") }' "$work/spelled.hip"): error"
}

@test "a UTF-8 byte order mark, Windows line ends, folders with spaces, C++20, no file" {
    launched 'reverse<<<1, 64, sizeof host>>>(in, out)'
    mkdir "$work/a folder" "$work/of my own"
    { printf '\357\273\277' && sed 's/$/\r/' "$work/spelled.hip"; } >"$work/a folder/theirs.h"
    echo '#include "theirs.h"' >"$work/of my own/includes.hip"
    looked 2 race FILE="$work/of my own/includes.hip" INCLUDE="$work/a folder" WARP=32 SCHEDULE=forward
    has 'race: 1 found' 'folder/theirs.h:'
    printf '#include <span>\nstd::span<int> none;\nint main() { return 0; }\n' >"$work/newer.hip"
    looked 2 race FILE="$work/newer.hip" WARP=32 SCHEDULE=forward
    has 'newer.hip: compiled as C++17; if it is newer: CPPFLAGS=-std=c++20'
    looked 2 race FILE="$work/newer.hip" WARP=32 SCHEDULE=forward CPPFLAGS=-std=c++20
    has 'race: no launch recorded'
    looked 2 race FILE="$work/of my own"
    has 'own: no such file'
    looked 2 race FILE="$work/nowhere.hip"
    has 'no such file'
}

@test "the same without it" {
    changed right 's|/\* __syncthreads() is .*|__syncthreads();|'
    looked 0 race FILE="$work/right.hip"
    has '63 0' 'race: none found in kernel reverse:' '1 launches, 1 blocks, 2 warps of 32, 64 threads' \
        'shared memory 64 loads, 64 stores; global 64 and 64; 0 atomics' '1 barriers, 0 warp operations' \
        'one block in each launch'
    narrow
}

@test "lines that no thread reached, and a loop around a barrier that ran once" {
    loop='for (int k = 0; k < 1; k++) {\n__syncthreads();\n}\nif (in[0] == 77)\nout[1] = 5;'
    changed once "s|/\\* __syncthreads() is .*|$loop|"
    looked 0 race FILE="$work/once.hip"
    has 'no thread reached' "once.hip:$(grep -n 'out\[1\] = 5' "$work/once.hip" | cut -d : -f 1)" \
        "the loop at $work/once.hip:$(grep -n 'for (int k' "$work/once.hip" | cut -d : -f 1) around the barrier at"
    changed twice "s|/\\* __syncthreads() is .*|$loop|; s/k < 1/k < 2/; s/== 77/< 77/; s/out\[1\] = 5/out[threadIdx.x] = 5/"
    looked 0 race FILE="$work/twice.hip"
    check 'all lines ran' [ "$(grep -c 'no thread reached\|ran once' "$work/said")" -eq 0 ]
}

@test "reports name variables of all kinds" {
    looked 2 race FILE=nogpu/tests/planted/names.hip
    has ': count[0] of kernel count_all' ': total of kernel count_all' ': table[1] of kernel count_all' \
        ': tile[2][0] of kernel rows<float>' 'perhaps for the same reason: pairs[32].count, ' ': flags[0] of kernel bytes' \
        ': queue->waiting[3].count of kernel wait_in_line' 'in rows<float>()' \
        'look at: if all of them update one element here, use an atomic operation'
    check 'an atomic on shared memory orders no blocks' [ "$(grep -c 'orders the two' "$work/said")" -eq 0 ]
    # Which of two loads on a line. clang's columns are those after preprocessing.
    case $(${CXX:-c++} --version) in *clang*) return ;; esac
    has '                                              ^'
}

@test "a lambda, and the kernel that calls it" {
    with_main lambda.hip 'auto f = [=](int i) { data[i / 2 + 1] = i; }; apply<<<1, 32>>>(f, data);' <<'END'
#include <hip/hip_runtime.h>
template <typename F> __global__ void apply(F f, int *out)
{
    f(threadIdx.x);
    out[0]++;
}
END
    looked 2 race FILE="$work/lambda.hip"
    has 'race 1: out[1] of kernel apply<' 'lambda.hip:8 in operator()' ': out[0] of kernel apply<' 'lambda.hip:5 in apply<'
}

@test "a kernel may take a function as its argument" {
    with_main function.hip 'hipLaunchKernelGGL(map, dim3(1), dim3(64), 0, 0, [](int x) { return x + 1; }, data, data + 64);' <<'END'
#include <hip/hip_runtime.h>
__global__ void map(int (*f)(int), const int *in, int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = f(in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x] + __shfl(tile[threadIdx.x], 0);
}
END
    looked 0 race FILE="$work/function.hip"
    looked 0 explain FILE="$work/function.hip"
}

@test "a note says where global memory is read that nothing has written" {
    with_main unset.hip 'if (count > 1 && hipMemset(data, 0, 4)) return 3; add<<<2, 64>>>(data);' <<'END'
#include <hip/hip_runtime.h>
__global__ void add(int *total)
{
    atomicAdd(total, 1);
}
END
    looked 0 race FILE="$work/unset.hip"
    has 'race: none found in kernel add' 'unset.hip:4 in kernel add reads global'
    check 'once' [ "$(grep -c '^note:' "$work/said")" -eq 1 ]
    looked 0 race FILE="$work/unset.hip" OPTIONS=set
    check 'not if the host sets it' [ "$(grep -c '^note:' "$work/said")" -eq 0 ]
}

@test "a value from a lane that does not exist is used: each type and operation" {
    absent=nogpu/tests/planted/absent.hip
    looked 2 race FILE=$absent SCHEDULE=forward
    has 'race: 10 found, 38 times' 'lane 11, which does not exist, and the kernel uses the undefined value'
    looked 0 race FILE=$absent SCHEDULE=forward OPTIONS=right
    has 'race: none found'
}

# differs STATUS ARGUMENT TEXT...: make race of outputs.hip with all warps and schedules
differs() {
    try ${MAKE:-make} -s race FILE=nogpu/tests/planted/outputs.hip OPTIONS="$2"
    check "$2: exit code $status instead of $1" exits "$1"
    shift 2
    has "$@"
}
@test "output that depends on the warp size or on the schedule is a finding, times are none" {
    differs 2 half 'output 1: what the program prints depends on the warp size warps of 32, SCHEDULE=forward, line 1: sum 256' \
        'warps of 64, SCHEDULE=forward, line 1: sum 128' \
        'of what kernels write, sum[0] differs first, after launch 1, of kernel add_all: 256 and 128' 'outputs.hip:14 writes it' \
        'race: no race found in kernel add_all' 'race: 1 found' 'Error 1'
    differs 2 tickets 'output 1: what the program prints depends on the schedule' 'first 5 owners: 0 1 2 3 4' 'SCHEDULE=reverse, line 1:' \
        'of what kernels write, owner[0] differs first' 'outputs.hip:20 writes it'
    OUTPUT=varies differs 0 tickets 'note: what the program prints depends on the schedule' 'race: none found'
    differs 0 floats 'note: the last digits depend on the schedule'
    differs 0 width 'note: the program prints the warp size'
    for quiet in right say time; do
        differs 0 $quiet 'race: none found'
        check "$quiet is right" [ "$(grep -c 'depend on\|depends on' "$work/said")" -eq 0 ]
    done
    # Where there is a race, it is the finding, and the output a consequence.
    try ${MAKE:-make} -s race FILE=$mine WARP=32
    has 'race: 1 found' 'perhaps for the same reason: what the program prints depends on the schedule'
}

@test "without libdw one line says what to install" {
    mkdir "$work/bin"
    printf '#!/bin/sh\nexit 1\n' >"$work/bin/pkg-config"
    chmod +x "$work/bin/pkg-config"
    PATH=$work/bin:$PATH looked 2 race V=hello CC="${CC:-cc} -nostdinc"
    has 'need libdw: apt install libdw-dev, dnf install elfutils-devel, or conda install elfutils'
    check 'one line' [ "$(grep -c . "$work/said")" -eq 1 ]
}

@test "a file without main() is named" {
    changed library 's/^int main/int other/'
    looked 2 race FILE="$work/library.hip"
    has 'library.hip: no main() found'
}

@test "wrong accesses, and the host's assert(), stop the run" {
    changed host 's|0, 0, in, out)|0, 0, host, out)|; s|host, 0, in, out)|host, 0, host, out)|'
    looked 2 race FILE="$work/host.hip"
    has 'host.hip:9: reads memory of the host through in,' 'Error 3'
    changed beyond 's|HIP_DYNAMIC_SHARED(int, turned)|static __shared__ int turned[64]|; s|turned\[blockDim.x - 1|turned[blockDim.x|'
    looked 2 race FILE="$work/beyond.hip"
    has 'thread (0,0,0)' 'index 64 of turned, an array of the type'
    # Behind all variables of the runtime and the trace, too.
    changed far 's|HIP_DYNAMIC_SHARED(int, turned)|static __shared__ int turned[64]|; s|turned\[blockDim.x - 1|turned[4000 + blockDim.x|'
    looked 2 race FILE="$work/far.hip"
    has 'index 4064 of turned, an array of the type'
    # The host's assert(): its result is wrong because of the race.
    changed check 's|printf.*|assert(host[0] < 0);|; 2i #include <assert.h>'
    looked 2 race FILE="$work/check.hip" SCHEDULE=forward
    has 'race 1: turned[' 'race: 1 found' 'the run stopped early' 'Error 134'
}

@test "an index that leaves one static __shared__ array and lands in another stops the run" {
    with_main two.hip 'both<<<1, 32>>>(data, atoi(word[1]), atoi(word[2]), atoi(word[3])); both<<<1, 32>>>((double *)data, 0, 0, 0);' <<'END'
#include <hip/hip_runtime.h>
template <typename T> __global__ void both(T *out, int i, int j, int k)
{
    __shared__ T a[8], b[8], row[4][8];
    __shared__ int bins[8], behind[8];
    T *pointer = b;
    if (threadIdx.x == 0) {
        for (int l = 0; l < 8; l++)
            a[l] = b[l] = row[1][l] = T(bins[l] = behind[l] = l);
        a[i] = T(10);
        b[j] += T(20);
        atomicAdd(&bins[k], 1);
        pointer[0] = (i ? a : b)[0] + row[0][8 + (i & 7)];
    }
    __syncthreads();
    if (threadIdx.x < 8)
        out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x] + T(bins[threadIdx.x] + behind[threadIdx.x]);
}
END
    for case in '8 0 0 10: index 8 of a,' '-8 0 0 10: index -8 of a,' '0 8 0 11: index 8 of b,' '0 -1 0 11: index -1 of b,' \
        '0 0 9 12: index 9 of bins,' '0 0 8 12: an atomic operation directly behind the static __shared__ variable bins'; do
        read -r i j k text <<<"$case"
        looked 2 race FILE="$work/two.hip" SCHEDULE=forward OPTIONS="$i $j $k"
        has "two.hip:$text"
    done
    looked 0 race FILE="$work/two.hip" SCHEDULE=forward OPTIONS='7 7 7'
    has 'race: none found'
    { # arrays of one name, side by side
        echo '#include <hip/hip_runtime.h>'
        for space in a b; do
            echo "namespace $space { __global__ void k(int *out) { __shared__ int s[4];" \
                's[threadIdx.x] = 0; __syncthreads(); atomicAdd(&s[0], 1); __syncthreads(); out[threadIdx.x] = s[threadIdx.x]; } }'
        done
    } | with_main twice.hip 'a::k<<<1, 4>>>(data); b::k<<<1, 4>>>(data);'
    looked 0 race FILE="$work/twice.hip" SCHEDULE=forward
    has 'race: none found'
}

@test "an index that leaves one array of dynamic shared memory and lands in its neighbour is found" {
    with_main parts.hip 'windows<<<1, 32, 192>>>(data); views<<<1, 32, 128>>>(data);
        parts<<<1, 32, 128>>>(data, atoi(word[1]), atoi(word[2]), atoi(word[3]));' <<'END'
#include <hip/hip_runtime.h>
__global__ void parts(int *out, int i, int j, int k)
{
    extern __shared__ int a[];
    int *b = a + 8;
    float *c = (float *)(b + 8);
    if (threadIdx.x < 8)
        a[threadIdx.x] = b[threadIdx.x] = 1, c[threadIdx.x] = 2;
    __syncthreads();
    if (threadIdx.x == 0)
        a[i] += 10;
    __syncthreads();
    if (threadIdx.x == 0)
        b[j] += b[k];
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x % 8] + b[threadIdx.x % 8] + (int)c[threadIdx.x % 8];
}
/* Names for a part of another one, and a margin before the first element. */
__global__ void views(int *out)
{
    HIP_DYNAMIC_SHARED(int, s)
    int *upper = s + 16, *middle = s + 8;
    s[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 16)
        s[threadIdx.x] += upper[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = middle[(int)threadIdx.x - 2];
}
/* Two windows that share as much as either has alone. */
__global__ void windows(int *out)
{
    HIP_DYNAMIC_SHARED(int, s)
    int *low = s, *high = s + 16;
    low[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    high[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = low[threadIdx.x];
}
END
    for case in '8 0 0 a b 32 11' '0 10 0 b c 72 14' '0 -1 0 b a 28 14' '0 0 8 b c 64 14'; do
        read -r i j k from to byte line <<<"$case"
        looked 2 race FILE="$work/parts.hip" SCHEDULE=forward WARP=32 OPTIONS="$i $j $k"
        has "race 1: an index of $from of kernel parts leaves it and lands in $to, byte $byte of dynamic shared memory" \
            "parts.hip:$line in parts()" 'race: 1 found'
    done
    looked 0 race FILE="$work/parts.hip" SCHEDULE=forward OPTIONS='7 7 7'
    has 'race: none found'
}

# Volatile flags, as in old code. The race is seen even if stores arrive late.
@test "a volatile flag orders nothing, an atomic one does" {
    with_main flag.hip 'if (hipMemset(data, 0, 12)) return 3; pass<<<2, 1>>>(data, data + 2);' <<'END'
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
        *flag = 2;
    }
}
END
    looked 2 race FILE="$work/flag.hip" MEMORY=weak:1
    has 'volatile 1: flag[0] of kernel pass' 'race 2: data[0] of kernel pass' 'look at: the volatile load at' \
        'orders nothing' 'perhaps for the same reason' '1 by volatile accesses alone' 'RACES=volatile takes them as atomic'
    looked 0 race FILE="$work/flag.hip" RACES=volatile
    has 'race: none found in kernel pass:' 'RACES=volatile: volatile accesses to global memory count as atomic'
    sed '0,/__threadfence/s/__threadfence();/;/' "$work/flag.hip" >"$work/unfenced.hip"
    looked 2 race FILE="$work/unfenced.hip" RACES=volatile
    has 'race 1: data[0] of kernel pass'
    sed 's|\*flag = \(.\)|atomicExch(\&flag[0], \1)|; s|volatile int|int|; s|\*flag == 0|atomicAdd(flag, 0) == 0|' \
        "$work/flag.hip" >"$work/atomic.hip"
    looked 0 race FILE="$work/atomic.hip"
    has 'race: none found in kernel pass:' 'SCHEDULE=forward, reverse, random:1'
    tac "$work/atomic.hip" | sed '0,/__threadfence();/s//;/' | tac >"$work/hasty.hip" # the reader's is the last
    looked 2 race FILE="$work/hasty.hip"
    has 'race 1: data[0] of kernel pass' 'has read what hands it over, but no __threadfence() stands behind it, before line'
}

@test "two files with the same name at the same time: each gets its own report" {
    changed right 's|/\* __syncthreads() is .*|__syncthreads();|'
    mkdir "$work/two"
    cp $mine "$work/two/right.hip"
    ${MAKE:-make} -s race FILE="$work/two/right.hip" WARP=32 >"$work/two/out" 2>&1 3>&- &
    looked 0 race FILE="$work/right.hip"
    wait $! || true
    cp "$work/two/out" "$work/said"
    has 'race: 1 found'
}

@test "variants without a kernel, without the harness, with ranks" {
    looked 2 race V=prim
    has 'Error 4' 'race: no launch recorded; check that it is reached' 'look at single_pass'
    looked 2 explain V=prim
    has 'Error 4' 'explain: no launch recorded'
    looked 0 race V=hello
    has 'race: none found in kernel add_elements:'
    looked 0 race V=multi_gpu
    has 'race: none found in kernels' 'reduce_units'
    looked 0 explain V=multi_gpu
    has 'reduce_units: ' 'reduction_multi_gpu/multi_gpu.hip:' 'reduction_reproducible/tree.h:'
}
