#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow
# The command nogpu: a copy of its folder alone is built, installed, moved, and used read-only from another folder.

load lib/check
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

@test "the installed folder is small, names no folder of the build, and says where it is" {
    [ "$(du -sm ../moved | cut -f 1)" -le 15 ]
    try grep -rlI "$BATS_FILE_TMPDIR/alone" ../moved
    ends 1
    try nogpu --version
    ends 0 "^nogpu $(cat "$here/VERSION"), .*/moved/lib/nogpu$"
    try man -l ../moved/share/man/man1/nogpu.1
    # Small containers have a man that says only that there is none.
    [ "$status" -ne 0 ] || says "nogpu race\|minimized"
}

@test "run: arguments, exit codes, options of compilers; a second run compiles no headers" {
    try nogpu run right.cu -- 'two words' 7
    ends 7 '^63 of 2 arguments: two words$' 'compiling its headers, once'
    try nogpu run -DSCALE=2 right.cu
    ends 0 '^126 of 0 arguments: none$'
    check 'compiled again' [ -z "$(grep compiling "$work/said")" ]
    try nogpu run -D SCALE=3 --warp=64 right.cu
    ends 0 '^189 of 0'
}

@test "race: clean, found, and a program that the installed compiler has built" {
    try nogpu race right.cu
    ends 0 'race: none found in kernel twice' '4 runs: warps of 32'
    try nogpu race --warp 32,64 --schedule=forward -DBROKEN right.cu
    ends 1 '^race 1: s\[' 'right.cu:13' 'race: 1 found'
    sed 's/twice<<<.*/cudaStream_t a, b; cudaStreamCreate(\&a); cudaStreamCreate(\&b); twice<<<1, 64, 0, a>>>(x); twice<<<1, 64, 0, b>>>(x);/' \
        right.cu >streams.cu
    try nogpu race --schedule=forward streams.cu
    ends 1 'nothing orders them' '(cudaEventRecord)'
    HIP_CPU_TRACE=races try "$(nogpu --nvcc)" -DBROKEN -o built right.cu
    ends 0
    try nogpu race built
    ends 1
}

@test "race where /proc is not mounted" {
    unshare -rm mount -t tmpfs none /proc 2>/dev/null || skip 'unshare may not mount here'
    try unshare -rm sh -c 'mount -t tmpfs none /proc && nogpu race right.cu'
    ends 0 'none found in kernel twice'
    try unshare -rm sh -c 'mount -t tmpfs none /proc && nogpu race -DBROKEN right.cu'
    ends 1 'right.cu:13'
}

@test "race --time: what was not run is named, and what was ended says so" {
    sed 's/twice<<<1, 64>>>(x);/for (int i = 0; i < 10000000; i++) twice<<<1, 64>>>(x);/' right.cu >long.cu
    try nogpu race --time 1 long.cu
    ends 0 '^race: the run stopped early; none found until then in twice' \
        'race: 1 s of processor time were not enough for: the rest of warp of 32 SCHEDULE=forward, .*warp of 32 SCHEDULE=random:2'
    try nogpu race --time 1 -DBROKEN long.cu
    ends 1
}

@test "race --jobs: runs at once; one after another where a run could disturb another one" {
    setting() { { printf '#include <%s>\n' fcntl.h signal.h stdio.h stdlib.h sys/file.h unistd.h
        echo '__global__ void set(int *x) { *x = 1; }'; } | with_main "$1" "set<<<1, 1>>>(data); $2"; }
    # Each end of an empty pipe waits for the other one.
    setting meet.cu 'open("meet", *getenv("HIP_CPU_SCHEDULE") == 0x66 ? O_RDONLY : O_WRONLY);'
    mkfifo meet
    try timeout 300 nogpu race --jobs 2 --schedule forward,reverse "$work/meet.cu"
    ends 0 'none found in kernel set' '2 runs: warps of 32; SCHEDULE=forward, reverse'
    try script -qec 'nogpu race --jobs 2 right.cu' /dev/null
    ends 0 'race: 1 of 4 runs' 'race: 3 of 4 runs' 'none found in kernel twice'
    setting log.cu 'FILE *f = fopen("log", "a"); fputs("begins\n", f); fflush(f); fputs("ends\n", f); fclose(f);'
    try nogpu race --jobs 4 "$work/log.cu"
    ends 0 'none found in kernel set' '4 runs'
    check 'the runs of a program that writes a file were not repeated' [ "$(grep -c begins log)" -gt 4 ]
    check 'not one after another' [ "$(tail -8 log | paste -s -d ' ' -)" = 'begins ends begins ends begins ends begins ends' ]
    check 'what was run again counts twice' [ -z "$(grep 'stopped early' "$work/said")" ]
    # What one program alone can have.
    setting lock.cu 'if (flock(open("one", O_CREAT, 0600), LOCK_EX | LOCK_NB)) return open("failed", O_CREAT, 0600), 1;
while (access("failed", F_OK)) usleep(1000);'
    try timeout 300 nogpu race --jobs 2 "$work/lock.cu"
    ends 0 'none found in kernel set' '4 runs'
    # As the system does where memory is short.
    setting once.cu 'puts("set"); if (*getenv("HIP_CPU_SCHEDULE") == 0x66 && open("once", O_CREAT | O_EXCL, 0600) >= 0) raise(SIGKILL);'
    try nogpu race --jobs 2 --schedule reverse,random:1,forward "$work/once.cu"
    ends 0 'none found in kernel set' '3 runs'
    check 'what a run said is there twice' [ "$(grep -c '^== warp' "$work/said")" -eq 1 ]
    setting read.cu 'int c = 0; if (scanf("%d", &c) == 1) printf("read %d\n", c);'
    echo 7 >seven
    try sh -c "nogpu race --jobs 2 $work/read.cu <seven"
    ends 0 '^read 7$' '4 runs'
    check 'one run did not read the file' [ "$(grep -c '^== warp' "$work/said")" -eq 1 ]
}

@test "memory: clean, found, and a program that was built before" {
    try nogpu memory right.cu
    ends 0 'memory: none found in kernel twice' '^63 of 0'
    sed 's/cudaFree(x);/x[3] = 1;/' right.cu >wrong.cu
    try nogpu memory --keep built wrong.cu
    ends 1 '^device pointer 1: the host writes 4 bytes' 'wrong.cu:21' '^note: leak: an allocation of 256 bytes' \
        'memory: 1 found'
    sed 's/^__global__/__device__ int table[10];\n&/; s/= s\[63 .*/= s[0] + static_cast<int *>(table)[threadIdx.x % 11];/' right.cu >behind.cu
    try nogpu memory behind.cu
    ends 1 '^out of bounds 1: table: kernel twice reads 4 bytes after the end of the variable'
    try nogpu memory ./built --more 7
    ends 1 '^63 of 2 arguments: --more'
}

@test "the report: formats, a file, what is left out, exit codes" {
    sed 's/cudaFree(x);/x[3] = 1;/' right.cu >wrong.cu
    for command in race memory; do
        [ $command = race ] || leaks=--leaks
        for format in json sarif; do
            try nogpu $command ${leaks-} --format $format --log "$command-%p.$format" -DBROKEN wrong.cu
            ends 1
            check 'not on the terminal' [ -z "$(grep fingerprint "$work/said")" ]
            mv $command-[0-9]*.$format $command.$format
        done
        python3 "$here/tests/sarif.py" $command.sarif wrong.cu
        for format in json sarif; do
            try nogpu $command --quiet --baseline $command.$format -DBROKEN wrong.cu
            ends 0
            check 'silence' [ ! -s "$work/said" ]
        done
    done
    try nogpu memory --baseline memory.json --error-exitcode 9 -DBROKEN -DSCALE=2 wrong.cu
    ends 0
    try nogpu memory --leaks --error-exitcode 9 --limit 1 wrong.cu
    ends 9 'memory: 2 found; the first ones are shown'
    # What is printed for a finding leaves it out, and no other.
    try nogpu memory --print-suppressions wrong.cu
    sed -n 's/^    \(kind\|kernel\|file\|source\): /\1: /p' "$work/said" | head -n 3 >rules
    try nogpu memory --leaks --suppressions rules wrong.cu
    ends 1 '^leak 1' 'look at: cudaFree() before' '1 left out by suppressions'
    printf 'kind: *\n' >rules
    try nogpu race --suppressions rules -DBROKEN wrong.cu
    ends 0
    printf 'type: leak\n' >rules
    try nogpu memory --suppressions rules wrong.cu
    ends 2 'rules:1: a line is kind:'
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
    try ./checked
    ends 0
    check 'nothing else' [ "$(cat "$work/said")" = 762 ]
    built OVERFLOW -fsanitize=address,undefined
    try ./checked
    ends $status "$who" 'runtime error: signed integer overflow'
    built BEYOND -fsanitize=address
    try ./checked
    check 'it fails' [ "$status" -ne 0 ]
    ends $status "$who" 'AddressSanitizer: stack-buffer-overflow'
    built OUTSIDE -fsanitize=address
    try ./checked
    check 'it fails' [ "$status" -ne 0 ]
    ends $status "$who" 'AddressSanitizer: use-after-poison' 'WRITE of size 4'
    try built NONE -fsanitize=thread
    ends 2 'nogpu race'
    command -v valgrind >/dev/null || return 0
    built NONE
    try valgrind -q --error-exitcode=9 ./checked
    ends 0
    check 'nothing else' [ "$(cat "$work/said")" = 762 ]
    for mistake in UNWRITTEN OUTSIDE; do
        built $mistake
        try valgrind -q --error-exitcode=9 ./checked
        ends 9 "$who: what is said above" 'uninitialised\|Invalid write of size 4'
    done
}

@test "a report fits the schema of SARIF 2.1.0, if SARIF_SCHEMA names its file" {
    [ -n "${SARIF_SCHEMA:-}" ] || skip 'SARIF_SCHEMA does not name sarif-schema-2.1.0.json (of OASIS)'
    python3 -c 'import jsonschema' 2>/dev/null || skip 'python3-jsonschema is not here'
    for command in race memory; do
        try nogpu $command --format sarif --log $command.schema -DBROKEN right.cu
        python3 -W ignore -m jsonschema -i $command.schema "$SARIF_SCHEMA"
    done
}

@test "run --gdb: threads of a kernel by block and thread" {
    command -v gdb >/dev/null || skip 'gdb is not here'
    [ "$(uname -m)" = x86_64 ] || skip 'threads that wait are shown on x86-64 alone'
    with_main sums.cu 'sums<<<4, 64>>>(data); return cudaFree(data) + 7;' <<'END'
__global__ void sums(int *x)
{
    __shared__ int s[64];
    int mine = 100 * blockIdx.x + threadIdx.x;
    s[threadIdx.x] = mine;
    __syncthreads();
    mine += s[63 - threadIdx.x];
    x[blockIdx.x * 64 + threadIdx.x] = mine;
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
    try sh -c 'nogpu run --gdb ../sums.cu <commands'
    ends 0 'No kernel runs here: set a breakpoint' '(9,0,0): has returned' 'thread (10,0,0): runs' \
        '(11,0,0) to (63,0,0): waits' 'kernel sums, block (2,0,0), thread (5,0,0) has returned' \
        '^(gdb) \[kernel sums, block (2,0,0), thread (63,0,0) waits' '^(gdb) $2 = 263$' \
        '^#[0-9]* .*sums (x=.*sums.cu:6$' '^(gdb) $3 = 463' 'There is no thread (64,0,0): there are (64,1,1)' \
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
    try timeout 60 zsh -f complete.zsh "$BATS_FILE_TMPDIR/moved/share/zsh/site-functions"
    ends 0 '^completed$'
}

@test "which kernels and launches count" {
    with_main two.hip 'for (int i = 0; i < 3; i++) first<<<1, 1>>>(data);
second<<<1, 1>>>(data);
return hipFree(data) != hipSuccess;' <<'END'
#include <hip/hip_runtime.h>
__global__ void first(int *x) { x[1024] = 1; }
__global__ void second(int *x) { x[1025] = 1; }
END
    try nogpu memory --keep two ../two.hip
    ends 1 'memory: 2 found' 'seen 3 times'
    try nogpu memory --kernel 'sec.*' two
    ends 1 '^out of bounds 1: x\[1025\]' 'memory: 1 found'
    try nogpu memory --kernel first --launch-skip 1 --launch-count 1 two
    ends 1 'memory: 1 found'
    check 'once' [ -z "$(grep seen "$work/said")" ]
    try nogpu memory --kernel fir two
    ends 4
    try nogpu race --kernel 't.*ce' right.cu
    ends 0
    try nogpu race --kernel other right.cu
    ends 4
}

@test "explain: a table, and numbers" {
    try nogpu explain right.cu
    ends 0 'twice'
    try nogpu explain --format=json right.cu
    python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$(sed -n '/^\[/,$p' "$work/said")"
}

@test "other projects: make with env, and hipcc" {
    printf 'right: right.cu\n\t$(NVCC) -o $@ $<\n' >Makefile
    try sh -c 'eval "$(nogpu env)"; make right && ./right'
    ends 0 '^63 of 0'
    try nogpu cc -o other right.cu
    ends 0
}

@test "bad input: one line, exit code 2" {
    for words in 'run' 'run none.cu' 'walk right.cu' 'race --fast right.cu' 'run --warp=48 right.cu' 'run Makefile' \
        'race --format xml right.cu' 'race --time 0 right.cu' 'race --jobs 0 right.cu' 'race --jobs 65 right.cu' 'run --gdb' 'memory --gdb right.cu' \
        'memory --limit x right.cu' 'memory --limit 0 right.cu' 'race --schedule foo right.cu' 'run --schedule random:x right.cu' \
        'race --kernel ( right.cu' 'race --launch-skip a right.cu' 'race --launch-count 0 right.cu' 'race --log none/x right.cu' \
        'race --error-exitcode 300 right.cu' 'race --memory wake right.cu' 'explain --page none/x right.cu' \
        'race --baseline none right.cu' 'run --quiet right.cu'; do
        # shellcheck disable=SC2086
        try nogpu $words
        ends 2 '^nogpu: '
        check 'one line' [ "$(wc -l <"$work/said")" -eq 1 ]
    done
    try nogpu
    ends 2
    try nogpu doctor
    ends 0 'run works here'
}
