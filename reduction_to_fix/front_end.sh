#!/bin/sh
# SPDX-License-Identifier: MIT
# What a compiler for GPUs says of an exercise: clang's HIP front end, which needs no ROCm, with our headers.
#
#   front_end.sh LOG SOURCE FLAGS...        LOG: empty if it takes the source; none if there is no such compiler
#
# CLANG in the environment names the compiler.
log=$1 source=$2
shift 2
rm -f "$log"
for clang in ${CLANG:-clang++ amdclang++ "${ROCM_PATH:-/opt/rocm}/llvm/bin/clang++"}; do
    command -v "$clang" >/dev/null || continue
    "$clang" -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib -fsyntax-only -std=gnu++17 \
        -Wno-everything -Werror=vla -D_GNU_SOURCE -I. -Icommon -Inogpu/include -Iplatform/cpu "$@" \
        -include reduction_to_fix/checker/gpu/front_end.h -DVARIANT_SOURCE="\"$source\"" \
        reduction_to_fix/checker/runner/instances.hip >"$log.new" 2>&1 || [ -s "$log.new" ] || continue
    mv "$log.new" "$log"
    exit
done
