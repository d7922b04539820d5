#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles all programs for AMD, without warnings, and compares the machine code of every kernel with the
# expectations in tools/code/codegen.txt. Needs hipcc, no GPU. `make check-amd` runs it.
#
#   tests/build/check_amd.sh [TARGET]...      default: all of the list below that the installed hipcc knows
#
# OUT and ROCM_PATH as for make. Exit code 1 if anything is wrong, 77 without hipcc.
unset GPU VARIANTS MAKEFLAGS
cd "$(dirname "$0")/../.." || exit 3
OUT=${OUT:-.}
export HIP_PLATFORM=amd
# The same as in platform/amd.mk.
if [ -z "$HIPCC" ]; then
    HIPCC=${ROCM_PATH:-/nowhere}/bin/hipcc
    [ -x "$HIPCC" ] || HIPCC=$(command -v hipcc || echo /opt/rocm/bin/hipcc)
fi
if ! [ -x "$HIPCC" ]; then
    echo "hipcc not found, AMD is not checked: ./install-deps.sh amd"
    exit 77
fi
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
failed=0

if [ $# -eq 0 ]; then
    printf '#include <hip/hip_runtime.h>\n__global__ void k(double *x) { x[threadIdx.x] += 1; }\n' >"$work/k.hip"
    for target in gfx906 gfx908 gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1201; do
        if "$HIPCC" --offload-arch=$target -c "$work/k.hip" -o "$work/k.o" >"$work/log" 2>&1; then
            set -- "$@" $target
        else
            echo "  SKIP  $target: $HIPCC does not know it ($(sed -n "s/.*error: \([^;]*\).*/\1/p" "$work/log" | head -n 1))"
        fi
    done
fi

# expectations TARGET... <OBJECTS: one line for each kernel that does not meet them
expectations() {
    # shellcheck disable=SC2016  # for the shell that it starts
    xargs -P "$(nproc)" -I OBJECT sh -c 'compiler=$1 to=$2 name=$(basename "$3" .o)
        shift 2
        python3 tools/code/codegen.py --expect amd "$compiler" "$name" "$@" >"$to/looked.$name" 2>&1 || { touch "$to/failed"; cat "$to/looked.$name"; }' \
        sh "$HIPCC" "$work" OBJECT "$@"
    sed -n 's/^codegen .*: \([0-9]*\) kernels, \([0-9]*\) expectations met$/\1 \2/p' "$work"/looked.* >>"$work/kernels"
    rm -f "$work"/looked.*
}

# All targets in one fat binary: the host half of each variant is compiled once.
make -j"$(nproc)" --no-print-directory GPU="$*" OUT="$OUT" WERROR=1 >"$work/said" 2>&1
status=$?
grep -v '^  \(HIP\|CC\|LINK\|AR\) ' "$work/said"
if [ $status -ne 0 ]; then
    echo "check for AMD: the build for $* failed"
    exit 1
fi
# Programs that were skipped because of one target are built for each target separately.
for variant in $(sed -n 's/^  SKIP  \(reduction_[a-z0-9_]*\):.*/\1/p' "$work/said"); do
    for target; do
        make --no-print-directory GPU="$target" OUT="$OUT" WERROR=1 "$variant" >"$work/alone" 2>&1 || failed=1
        if ! grep -q 'SKIP' "$work/alone"; then
            echo "        $variant for $target alone: built"
            echo "$OUT/build/$target/$variant/$variant.o" | expectations "$target"
        fi
        grep -v '^  \(HIP\|CC\|LINK\|AR\) ' "$work/alone"
    done
done

build=$OUT/build/$(sh platform/target.sh "$*" | cut -d' ' -f2)
printf '%s\n' "$build"/reduction_*/reduction_*.o "$build"/reduction_hello/hello.o "$build"/common/harness/device/device_kernels.o |
    grep -v '\.main\.o$' | expectations "$@"
kernels=$(awk '{ n += $1 } END { print n + 0 }' "$work/kernels")
met=$(awk '{ n += $2 } END { print n + 0 }' "$work/kernels")
[ "$kernels" -gt 0 ] && [ ! -e "$work/failed" ] || failed=1
echo "check for AMD ($("$HIPCC" --version 2>/dev/null | sed -n 's/^HIP version: /HIP /p')): $# targets ($*), $kernels kernels, $met expectations, $([ $failed -eq 0 ] && echo 'all met' || echo FAILED)"
exit $failed
