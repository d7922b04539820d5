#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# The command nogpu: a copy of its folder alone is built, installed, moved, and used read-only from another folder.

bats_require_minimum_version 1.5.0
here=$BATS_TEST_DIRNAME/..
unset NOGPU_BUILD MAKEFLAGS MAKELEVEL MFLAGS GPU OUT N V CC CXX HIP_CPU_TRACE HIP_CPU_WARP_SIZE
export XDG_CACHE_HOME=$BATS_FILE_TMPDIR/cache

setup_file() {
    mkdir "$BATS_FILE_TMPDIR/alone" && cd "$here" && tar --exclude=./build -cf - . | tar -C "$BATS_FILE_TMPDIR/alone" -xf -
    cd "$BATS_FILE_TMPDIR" && make -s -C alone install PREFIX="$PWD/there" >install.log 2>&1 || { cat install.log; return 1; }
    mv there moved && chmod -R a-w moved && mkdir work
    cat >work/right.cu <<'END'
#include <cstdio>
#include <cstdlib>
#ifndef SCALE
#define SCALE 1
#endif
__global__ void twice(int *x)
{
    __shared__ int s[64];
    s[threadIdx.x] = SCALE * threadIdx.x;
#ifndef BROKEN
    __syncthreads();
#endif
    x[threadIdx.x] = s[63 - threadIdx.x];
}
int main(int argc, char **argv)
{
    int *x, y[64];
    cudaMalloc(&x, sizeof y);
    twice<<<1, 64>>>(x);
    cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
    cudaFree(x);
    printf("%d of %d arguments: %s\n", y[0], argc - 1, argc > 1 ? argv[1] : "none");
    return argc > 2 ? atoi(argv[2]) : 0;
}
END
}
teardown_file() { chmod -R u+w "$BATS_FILE_TMPDIR"; }
setup() { cd "$BATS_FILE_TMPDIR/work" && PATH=$BATS_FILE_TMPDIR/moved/bin:$PATH; }

# says PATTERN...: the output has such lines
says() {
    for pattern; do
        grep -q -e "$pattern" <<<"$output" || { printf 'no line like: %s\n%s\n' "$pattern" "$output"; return 1; }
    done
}

@test "the installed folder is small, names no folder of the build, and says where it is" {
    [ "$(du -sm ../moved | cut -f 1)" -le 15 ]
    run grep -rlI "$BATS_FILE_TMPDIR/alone" ../moved
    [ "$status" -eq 1 ]
    run nogpu --version
    says "^nogpu $(cat "$here/VERSION"), .*/moved/lib/nogpu$"
    run man -l ../moved/share/man/man1/nogpu.1
    [ "$status" -ne 0 ] || says 'nogpu race'
}

@test "run: arguments, exit codes, options of compilers; a second run compiles no headers" {
    run nogpu run right.cu -- 'two words' 7
    [ "$status" -eq 7 ]
    says '^63 of 2 arguments: two words$' 'compiling its headers, once'
    run nogpu run -DSCALE=2 right.cu
    [ "$status" -eq 0 ]
    says '^126 of 0 arguments: none$'
    [[ $output != *compiling* ]]
    run nogpu run -D SCALE=3 --warp=64 right.cu
    says '^189 of 0'
}

@test "race: clean, found, and a program that the installed compiler has built" {
    run nogpu race right.cu
    [ "$status" -eq 0 ]
    says 'race: none found in kernel twice' '4 runs: warps of 32'
    run nogpu race --warp 32,64 --schedule=forward -DBROKEN right.cu
    [ "$status" -eq 1 ]
    says '^race 1: s\[' 'right.cu:13' 'race: 1 found'
    sed 's/twice<<<.*/cudaStream_t a, b; cudaStreamCreate(\&a); cudaStreamCreate(\&b); twice<<<1, 64, 0, a>>>(x); twice<<<1, 64, 0, b>>>(x);/' \
        right.cu >streams.cu
    run nogpu race --schedule=forward streams.cu
    [ "$status" -eq 1 ]
    says 'nothing orders them' '(cudaEventRecord)'
    HIP_CPU_TRACE=races run "$(nogpu --nvcc)" -DBROKEN -o built right.cu
    [ "$status" -eq 0 ]
    run nogpu race built
    [ "$status" -eq 1 ]
}

@test "race where /proc is not mounted" {
    unshare -rm mount -t tmpfs none /proc 2>/dev/null || skip 'unshare may not mount here'
    run unshare -rm sh -c 'mount -t tmpfs none /proc && nogpu race right.cu'
    [ "$status" -eq 0 ]
    says 'none found in kernel twice'
    run unshare -rm sh -c 'mount -t tmpfs none /proc && nogpu race -DBROKEN right.cu'
    [ "$status" -eq 1 ]
    says 'right.cu:13'
}

@test "race --time: what was not run is named, and what was ended says so" {
    sed 's/twice<<<1, 64>>>(x);/for (int i = 0; i < 10000000; i++) twice<<<1, 64>>>(x);/' right.cu >long.cu
    run nogpu race --time 1 long.cu
    [ "$status" -eq 0 ]
    says '^race: the run stopped early; none found until then in twice' \
        'race: 1 s of processor time were not enough for: the rest of warp of 32 SCHEDULE=forward, .*warp of 32 SCHEDULE=random:2'
    run nogpu race --time 1 -DBROKEN long.cu
    [ "$status" -eq 1 ]
}

@test "memory: clean, found, and a program that was built before" {
    run nogpu memory right.cu
    [ "$status" -eq 0 ]
    says 'memory: none found in kernel twice' '^63 of 0'
    sed 's/cudaFree(x);/x[3] = 1;/' right.cu >wrong.cu
    run nogpu memory --keep built wrong.cu
    [ "$status" -eq 1 ]
    says '^device pointer 1: the host writes 4 bytes' 'wrong.cu:21' '^note: leak: an allocation of 256 bytes' 'memory: 1 found'
    sed 's/^__global__/__device__ int table[10];\n&/; s/= s\[63 .*/= s[0] + static_cast<int *>(table)[threadIdx.x % 11];/' right.cu >behind.cu
    run nogpu memory behind.cu
    [ "$status" -eq 1 ]
    says '^out of bounds 1: table: kernel twice reads 4 bytes after the end of the variable'
    run nogpu memory ./built --more 7
    [ "$status" -eq 1 ]
    says '^63 of 2 arguments: --more'
}

@test "the report: formats, a file, what is left out, exit codes" {
    sed 's/cudaFree(x);/x[3] = 1;/' right.cu >wrong.cu
    for command in race memory; do
        [ $command = race ] || leaks=--leaks
        for format in json sarif; do
            run nogpu $command ${leaks-} --format $format --log "$command-%p.$format" -DBROKEN wrong.cu
            [ "$status" -eq 1 ]
            [[ $output != *fingerprint* ]]
            mv $command-[0-9]*.$format $command.$format
        done
        python3 "$here/tests/sarif.py" $command.sarif wrong.cu
        for format in json sarif; do
            run nogpu $command --quiet --baseline $command.$format -DBROKEN wrong.cu
            [ "$status" -eq 0 ] && [ -z "$output" ]
        done
    done
    run nogpu memory --baseline memory.json --error-exitcode 9 -DBROKEN -DSCALE=2 wrong.cu
    [ "$status" -eq 0 ]
    run nogpu memory --leaks --error-exitcode 9 --limit 1 wrong.cu
    [ "$status" -eq 9 ]
    says 'memory: 2 found; the first ones are shown'
    # What is printed for a finding leaves it out, and no other.
    run nogpu memory --print-suppressions wrong.cu
    sed -n 's/^    \(kind\|kernel\|file\|source\): /\1: /p' <<<"$output" | head -n 3 >rules
    run nogpu memory --leaks --suppressions rules wrong.cu
    [ "$status" -eq 1 ]
    says '^leak 1' 'look at: cudaFree() before' '1 left out by suppressions'
    printf 'kind: *\n' >rules
    run nogpu race --suppressions rules -DBROKEN wrong.cu
    [ "$status" -eq 0 ]
    printf 'type: leak\n' >rules
    run nogpu memory --suppressions rules wrong.cu
    [ "$status" -eq 2 ]
    says 'rules:1: a line is kind:'
}

@test "sanitizers and valgrind: nothing in a right program; and the thread that does what they find" {
    cat >checked.cu <<'END'
#include <climits>
#include <cstdio>
__global__ void sums(const int *in, int *out, int *work, int big)
{
    __shared__ int part[8];
    int i = blockIdx.x * 256 + threadIdx.x, v = in[i], local[4] = {v, v, v, v}, never[2];
    bool here = i == 256 + 37;
    if (here && OVERFLOW)
        v = big + v;
    if (here && BEYOND)
        v += local[(big & 7) - 3];
    never[big & 1] = v;
    if (here && UNWRITTEN && never[0] > 7)
        work[0] = v;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    for (int d = 0; threadIdx.x == 0 && d < 8; d++)
        out[blockIdx.x] = (d ? out[blockIdx.x] : 0) + part[d];
    if (here && OUTSIDE)
        work[1] = v; /* the padding */
}
int main()
{
    int *in, *out, *work, h[512], r[2];
    for (int i = 0; i < 512; i++)
        h[i] = i % 7;
    cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof r), cudaMalloc(&work, sizeof *work);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<2, 256>>>(in, out, work, INT_MAX);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    printf("%d\n", r[0]);
    cudaFree(in), cudaFree(out), cudaFree(work);
}
END
    built() { # MISTAKE OPTION...
        nogpu cc -g -O0 -DOVERFLOW=0 -DBEYOND=0 -DUNWRITTEN=0 -DOUTSIDE=0 "-U$1" "-D$1=1" "${@:2}" -o checked checked.cu
    }
    who='kernel sums, block (1,0,0), thread (37,0,0)'
    built NONE -fsanitize=address,undefined
    run ./checked
    [ "$status" -eq 0 ]
    [ "$output" = 762 ]
    built OVERFLOW -fsanitize=address,undefined
    run ./checked
    says "$who" 'runtime error: signed integer overflow'
    built BEYOND -fsanitize=address
    run ./checked
    [ "$status" -ne 0 ]
    says "$who" 'AddressSanitizer: stack-buffer-overflow'
    built OUTSIDE -fsanitize=address
    run ./checked
    [ "$status" -ne 0 ]
    says "$who" 'AddressSanitizer: use-after-poison' 'WRITE of size 4'
    run built NONE -fsanitize=thread
    [ "$status" -eq 2 ]
    says 'nogpu race'
    command -v valgrind >/dev/null || return 0
    built NONE
    run valgrind -q --error-exitcode=9 ./checked
    [ "$status" -eq 0 ]
    [ "$output" = 762 ]
    for mistake in UNWRITTEN OUTSIDE; do
        built $mistake
        run valgrind -q --error-exitcode=9 ./checked
        [ "$status" -eq 9 ]
        says "$who: what is said above" 'uninitialised\|Invalid write of size 4'
    done
}

@test "a report fits the schema of SARIF 2.1.0, if SARIF_SCHEMA names its file" {
    [ -n "${SARIF_SCHEMA:-}" ] || skip 'SARIF_SCHEMA does not name sarif-schema-2.1.0.json (of OASIS)'
    python3 -c 'import jsonschema' 2>/dev/null || skip 'python3-jsonschema is not here'
    for command in race memory; do
        run nogpu $command --format sarif --log $command.schema -DBROKEN right.cu
        python3 -W ignore -m jsonschema -i $command.schema "$SARIF_SCHEMA"
    done
}

@test "run --gdb: threads of a kernel by block and thread" {
    command -v gdb >/dev/null || skip 'gdb is not here'
    [ "$(uname -m)" = x86_64 ] || skip 'threads that wait are shown on x86-64 alone'
    cat >sums.cu <<'END'
__global__ void sums(int *x)
{
    __shared__ int s[64];
    int mine = 100 * blockIdx.x + threadIdx.x;
    s[threadIdx.x] = mine;
    __syncthreads();
    mine += s[63 - threadIdx.x];
    x[blockIdx.x * 64 + threadIdx.x] = mine;
}
int main()
{
    int *x;
    cudaMalloc(&x, 4 * 64 * sizeof *x);
    sums<<<4, 64>>>(x);
    return cudaFree(x) + 7;
}
END
    cat >commands <<'END'
cuda
break sums.cu:8 if blockIdx.x == 2 && threadIdx.x == 10
run
info cuda threads
cuda block 2 thread 5
print mine
cuda block (2,0,0) thread (63,0,0)
print mine
backtrace
cuda thread 10
print mine
cuda thread 64
cuda block 3 thread 1
delete
cuda until block 3 thread 33
print mine
cuda thread 32
continue
END
    run nogpu run --gdb sums.cu <commands
    says 'No kernel runs here: set a breakpoint' '(9,0,0): has returned' 'thread (10,0,0): runs' '(11,0,0) to (63,0,0): waits' \
        'kernel sums, block (2,0,0), thread (5,0,0) has returned' '^(gdb) \[kernel sums, block (2,0,0), thread (63,0,0) waits' \
        '^(gdb) $2 = 263$' '^#[0-9]* .*sums (x=.*sums.cu:6$' '^(gdb) $3 = 463' 'There is no thread (64,0,0): there are (64,1,1)' \
        'Block (3,0,0) does not run now: (2,0,0) does' '^(gdb) $4 = 663' 'exited with code 07'
}

@test "zsh completes options" {
    command -v zsh >/dev/null || skip 'zsh is not here'
    cat >complete.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word; echo rea'dy'"
zpty -r -m shell line '*ready*'
zpty -n -w shell $'nogpu race --error-e\t'
zpty -r -m shell line '*--error-exitcode*' && print completed
zpty -d shell
END
    run timeout 60 zsh -f complete.zsh "$BATS_FILE_TMPDIR/moved/share/zsh/site-functions"
    says '^completed$'
}

@test "which kernels and launches count" {
    cat >two.hip <<'END'
#include <hip/hip_runtime.h>
__global__ void first(int *x) { x[64] = 1; }
__global__ void second(int *x) { x[65] = 1; }
int main()
{
    int *x;
    if (hipMalloc((void **)&x, 64 * sizeof *x) != hipSuccess)
        return 3;
    for (int i = 0; i < 3; i++)
        hipLaunchKernelGGL(first, dim3(1), dim3(1), 0, 0, x);
    hipLaunchKernelGGL(second, dim3(1), dim3(1), 0, 0, x);
    return hipFree(x) != hipSuccess;
}
END
    run nogpu memory --keep two two.hip
    says 'memory: 2 found' 'seen 3 times'
    run nogpu memory --kernel 'sec.*' two
    [ "$status" -eq 1 ]
    says '^out of bounds 1: x\[65\]' 'memory: 1 found'
    run nogpu memory --kernel first --launch-skip 1 --launch-count 1 two
    says 'memory: 1 found'
    [[ $output != *seen* ]]
    run nogpu memory --kernel fir two
    [ "$status" -eq 4 ]
    run nogpu race --kernel 't.*ce' right.cu
    [ "$status" -eq 0 ]
    run nogpu race --kernel other right.cu
    [ "$status" -eq 4 ]
}

@test "explain: a table, and numbers" {
    run nogpu explain right.cu
    [ "$status" -eq 0 ]
    says 'twice'
    run nogpu explain --format=json right.cu
    python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$(sed -n '/^\[/,$p' <<<"$output")"
}

@test "other projects: make with env, and hipcc" {
    printf 'right: right.cu\n\t$(NVCC) -o $@ $<\n' >Makefile
    run sh -c 'eval "$(nogpu env)"; make right && ./right'
    [ "$status" -eq 0 ]
    says '^63 of 0'
    run nogpu cc -o other right.cu
    [ "$status" -eq 0 ]
}

@test "bad input: one line, exit code 2" {
    for words in 'run' 'run none.cu' 'walk right.cu' 'race --fast right.cu' 'run --warp=48 right.cu' 'run Makefile' 'race --format xml right.cu' 'race --time 0 right.cu' 'run --gdb' 'memory --gdb right.cu' 'memory --limit x right.cu' \
        'race --baseline none right.cu' 'run --quiet right.cu'; do
        # shellcheck disable=SC2086
        run nogpu $words
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        says '^nogpu: '
    done
    run nogpu
    [ "$status" -eq 2 ]
    run nogpu doctor
    [ "$status" -eq 0 ]
    says 'run works here'
}
