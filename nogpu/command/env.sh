# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2034
# (what other scripts of bin/nogpu set and read)
need plain nogpu
root=$(printf %s "$HIP_CPU_ROOT" | sed "s/'/'\\\\''/g")
cat <<END
export PATH='$root/bin':"\$PATH" HIP_PLATFORM=amd
export ROCM_PATH='$root' HIP_PATH='$root' CUDA_HOME='$root' CUDA_PATH='$root'
export HIPCC='$root/bin/hipcc' NVCC='$root/bin/nvcc' CUDACXX='$root/bin/nvcc' CMAKE_PREFIX_PATH='$root'
END
