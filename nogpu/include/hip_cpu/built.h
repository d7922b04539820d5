/* A program that asks macros for the size of a warp must not run with another one.
 * SPDX-License-Identifier: MIT */
extern const int hip_cpu_built_warp_size __attribute__((weak));
const int hip_cpu_built_warp_size = HIP_CPU_BUILT;
