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
    HIP_CPU_TRACE=races run "$(nogpu --nvcc)" -DBROKEN -o built right.cu
    [ "$status" -eq 0 ]
    run nogpu race built
    [ "$status" -eq 1 ]
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
    for words in 'run' 'run none.cu' 'walk right.cu' 'race --fast right.cu' 'run --warp=48 right.cu' 'run Makefile'; do
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
