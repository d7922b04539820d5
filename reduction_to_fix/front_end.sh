#!/bin/sh
# SPDX-License-Identifier: MIT
# What a compiler for GPUs says of an exercise: clang's HIP front end, which needs no ROCm, with our headers; where there is
# none, hipcc or nvcc, which take longer.
#
#   front_end.sh LOG SOURCE FLAGS...        LOG: empty if it takes the source; none if there is no such compiler
#
# CLANG, HIPCC and NVCC in the environment name the compilers; PCH, if set, a file for clang's compiled headers; NAMES the
# folder of the headers that nogpu makes.
log=$1 source=$2
shift 2
set -- "$@" -DVARIANT_SOURCE="\"$source\""
instances=reduction_to_fix/checker/runner/instances.hip
as_kernels='-std=c++17 -D_GNU_SOURCE -I. -Icommon -include hip/hip_runtime.h -include hip/hip_cooperative_groups.h -include common/verdict/extras.h'
# says COMPILER WORDS...: goes on if there is no such compiler, or it fails for a reason outside the source
says() {
    command -v "$1" >/dev/null || return
    "$@" "$instances" >"$log.new" 2>&1 || grep -qF "$source" "$log.new" || return
    : >"$log"
    [ ! -s "$log.new" ] || sed 's/\.hip(\([0-9]*\)): /.hip:\1: /' "$log.new" >"$log" # nvcc's way to name a line
    exit
}
# A constexpr function of the host, such as std::max(), is none for kernels: nvcc refuses it.
header=reduction_to_fix/checker/gpu/front_end.h
for clang in ${CLANG:-clang++ amdclang++ "${ROCM_PATH:-/opt/rocm}/llvm/bin/clang++"}; do
    device="$clang -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib -fsyntax-only -Wno-everything -Werror=vla \
        -Xclang -fno-cuda-host-device-constexpr \
        -std=gnu++17 -D_GNU_SOURCE -I. -Icommon -Inogpu/include -Iplatform/cpu -idirafter ${NAMES:-build/cpu/nogpu/include}"
    # shellcheck disable=SC2086 # words
    if [ -n "$PCH" ] && command -v "$clang" >/dev/null; then # clang itself says that a header has changed
        says $device "$@" -Xclang -include-pch -Xclang "$PCH"
        $device -Xclang -emit-pch -Xclang -o -Xclang "$PCH.$$" $header 2>/dev/null && mv "$PCH.$$" "$PCH" || rm -f "$PCH.$$"
        [ ! -e "$PCH" ] || says $device "$@" -Xclang -include-pch -Xclang "$PCH"
    fi
    # shellcheck disable=SC2086
    says $device "$@" -include $header
done
# shellcheck disable=SC2086 # words
says "${HIPCC:-hipcc}" -x hip --offload-arch=gfx90a --cuda-device-only -fsyntax-only -w -Werror=vla -Iplatform/amd $as_kernels "$@"
# shellcheck disable=SC2086
says "${NVCC:-nvcc}" -x cu -arch=sm_90 -ptx -o /dev/null -w -D__HIP_PLATFORM_NVIDIA__ -Iplatform/nvidia $as_kernels "$@"
rm -f "$log"
