#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the targets of this machine's GPUs, a line each: those of NVIDIA, else of AMD, else cpu.
#
# KFD_NODES (for tests): the folder in which the amdgpu driver lists its GPUs.

# Compute capability 9.0 is sm_90.
nvidia=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
    sed -n 's/^ *\([0-9][0-9]*\)\.\([0-9]\) *$/sm_\1\2/p')
[ -z "$nvidia" ] || { echo "$nvidia" && exit; }

# The driver reports gfx90a as 90010: two decimal digits each for major, minor and stepping.
[ -n "$KFD_NODES" ] || [ ! -e /dev/kfd ] || KFD_NODES=/sys/class/kfd/kfd/topology/nodes
amd=$([ -z "$KFD_NODES" ] || cat "$KFD_NODES"/*/properties 2>/dev/null | awk '$1 == "gfx_target_version" && $2 > 0 {
    printf "gfx%d%x%x\n", $2 / 10000, $2 / 100 % 100, $2 % 100
}')
echo "${amd:-cpu}"
