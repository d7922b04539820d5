#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles all programs and libreduction for AMD, without warnings, and compares the machine code of every kernel with
# the expectations in tools/code/codegen.txt. Needs hipcc, no GPU. `make check-amd` runs it.
#
#   tests/build/check_amd.sh [TARGET]...      default: all of platform/amd/targets.txt that the installed hipcc knows
#
# LIBRARY=no: without libreduction. OUT and ROCM_PATH as for make. Exit code 1 if anything is wrong, 77 without hipcc.
unset GPU VARIANTS MAKEFLAGS
cd "$(dirname "$0")/../.." || exit 3
export OUT="${OUT:-.}" HIP_PLATFORM=amd
# The same as in platform/amd.mk.
HIPCC=${HIPCC:-$(PATH=${ROCM_PATH:-/nowhere}/bin:$PATH:/opt/rocm/bin command -v hipcc)}
[ -x "$HIPCC" ] || { echo 'hipcc not found, AMD is not checked: ./install-deps.sh amd'; exit 77; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
failed=0

if [ $# -eq 0 ]; then
    printf '#include <hip/hip_runtime.h>\n__global__ void k(double *x) { x[threadIdx.x] += 1; }\n' >"$work/k.hip"
    for target in $(sed -n 's/^\(gfx[^ ]*\) .*/\1/p' platform/amd/targets.txt); do
        if "$HIPCC" --offload-arch=$target -c "$work/k.hip" -o "$work/k.o" >"$work/log" 2>&1; then
            set -- "$@" $target
        else
            echo "  SKIP  $target: $HIPCC does not know it ($(sed -n "s/.*error: \([^;]*\).*/\1/p" "$work/log" | head -n 1))"
        fi
    done
fi

expectations() { # expectations TARGET... <OBJECTS
    sed "s|.*/\(.*\)\.o\$|\1 & $*|" | xargs -P "$(nproc)" -L 1 python3 tools/code/codegen.py --expect amd "$HIPCC" >>"$work/looked" 2>&1 || failed=1
}

# All targets in one fat binary: the host half of each variant is compiled once.
library=library
[ "$LIBRARY" != no ] || library=
make -j"$(nproc)" --no-print-directory GPU="$*" OUT="$OUT" WERROR=1 all ${library:+"$library"} >"$work/said" 2>&1 || failed=1
grep -v '^  \(HIP\|CC\|LINK\|AR\) \|^built .*/libreduction' "$work/said"
[ $failed -eq 0 ] || { echo "check for AMD: the build for $* failed"; exit 1; }
# Programs that were skipped because of one target are built for each target separately.
for variant in $(sed -n 's/^  SKIP  \(reduction_[a-z0-9_]*\):.*/\1/p' "$work/said"); do
    for target; do
        make --no-print-directory GPU="$target" OUT="$OUT" WERROR=1 "$variant" >"$work/alone" 2>&1 || failed=1
        if ! grep -q 'SKIP' "$work/alone"; then
            echo "        $variant for $target alone: built"
            echo "$OUT/build/$target/$variant/$variant.o" >"$work/objects"
            expectations "$target" <"$work/objects"
        fi
        grep -v '^  \(HIP\|CC\|LINK\|AR\) ' "$work/alone"
    done
done

build=$OUT/build/$(sh platform/target.sh "$*" | cut -d' ' -f2)
printf '%s\n' "$build"/reduction_*/reduction_*.o "$build"/reduction_hello/hello.o "$build"/common/harness/device/device_kernels.o |
    grep -v '\.main\.o$' >"$work/objects"
[ -z "$library" ] || ls "$build"/library/functions_*.o "$build"/library/matrix.o "$build"/library/segments.o "$build"/library/keys.o \
    "$build"/library/ranks.o "$build"/library/softmax_rows.o "$build"/library/single_pass.o "$build"/library/reproducible.o >>"$work/objects"
expectations "$@" <"$work/objects"
grep -v ' expectations met$' "$work/looked"
grep -q ' expectations met$' "$work/looked" || failed=1
echo "check for AMD ($("$HIPCC" --version 2>/dev/null | sed -n 's/^HIP version: /HIP /p')): $# targets ($*), $(
    awk '/ met$/ { kernels += $(NF - 4); met += $(NF - 2) } END { printf "%d kernels, %d expectations", kernels, met }' "$work/looked"
), $([ $failed -eq 0 ] && echo 'all met' || echo FAILED)"
exit $failed
