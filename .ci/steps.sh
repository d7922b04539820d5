# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: MIT
# The steps of .ci/run, which has step and leave_out.

# cuobjdump is not part of every CUDA.
code_for_sm_90() {
    printf '%s\n' single_pass shfl two_kernels_unroll striding segmented | xargs -P "$jobs" -I V sh -c \
        'python3 tools/code/codegen.py --expect nvidia "$0" V "$1/build/sm_90/reduction_V/reduction_V.o" sm_90 || [ $? -eq 77 ]' "$nvcc" "$OUT"
}
a_benchmark() {
    make -j"$jobs" GPU=cpu bench SIZES=1K,16K VARIANTS=striding,shfl,prim TIME=5 CSV="$work/bench.csv" &&
        make plot CSV="$work/bench.csv" PLOTS="$work/plots" && ls "$work"/plots/*.svg
}

step 'install-deps.sh' ./install-deps.sh develop
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    step 'make format-check' make format-check
else
    leave_out "the format of the sources, which is that of clang-format 14; here: $(clang-format --version 2>&1 | head -n 1)"
fi
step 'shellcheck on every script' sh tools/build/lint.sh scripts
step 'clang-tidy on C' sh tools/build/lint.sh c
step 'version, licenses' sh tools/build/lint.sh texts
make clean >/dev/null
step 'make GPU=cpu, from clean' make -j"$jobs" GPU=cpu
step 'make check' make -j"$jobs" check GPU=cpu
step 'make bench, make plot' a_benchmark
if command -v clang++ >/dev/null; then # what it warns of does not depend on optimization
    step 'make with clang' make -j"$jobs" GPU=cpu CC=clang CXX=clang++ CFLAGS=-O0 CXXFLAGS=-O0 all
else
    leave_out 'clang: not found; ./install-deps.sh develop'
fi
if command -v "${HIPCC:-hipcc}" >/dev/null || [ -x "${ROCM_PATH:-/opt/rocm}/bin/hipcc" ]; then
    step 'make check-amd, gfx90a' make -j"$jobs" check-amd TARGETS=gfx90a
    # gfx9 has no v_permlanex16, which hipcc 5 may move to where its lanes are off (codegen.txt, masked).
    for variant in head_flags reproducible; do
        step "machine code of $variant for gfx1030" make GPU=gfx1030 V=$variant EXPECT=1 codegen
    done
    leave_out "AMD's other targets: make check-amd has all that hipcc knows"
else
    leave_out 'AMD: hipcc not found; ./install-deps.sh amd'
fi
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -n "$nvcc" ]; then # -O1 is for the host alone, and takes 4/5 of the time
    step 'make GPU=sm_90' make -j"$jobs" GPU=sm_90 NVCCFLAGS=-O1 all
    step 'machine code for sm_90' code_for_sm_90
else
    leave_out 'NVIDIA: nvcc not found'
fi
step 'the container image for the CPU' sh tests/build/image.sh
step 'the Debian package of nogpu, installed' sh nogpu/packages/debian.sh
step 'a newcomer on trixie' sh tests/systems/bare.sh trixie 'check SUITES=run,options,verify'
step 'a newcomer on sid, first half' sh tests/systems/bare.sh sid ''
leave_out "newcomers elsewhere, other compilers: tests/systems; clang's analysis across functions: sh tools/build/lint.sh deep"
leave_out 'wrong versions of the variants: make mutants; what make check leaves out (tests/README.md): make check-all, hours'
leave_out 'all ROCm of Debian, all targets: make rocm-matrix; tests for NVIDIA: make GPU=sm_90 check-build; GPUs: nothing was run on one'
