/* What a program was compiled for: every source begins with this where --offload-arch, -arch or their like say it.
 * HIP_CPU_TARGET is 900 for sm_90 and gfx90a, 940 for gfx942; HIP_CPU_TARGET_WARP its warp size.
 * SPDX-License-Identifier: MIT */
#undef HIP_CPU_CUDA_ARCH
#define HIP_CPU_CUDA_ARCH HIP_CPU_TARGET

#ifdef __cplusplus
extern "C" {
#endif
extern const int hip_cpu_target __attribute__((weak)), hip_cpu_target_warp_size __attribute__((weak));
const int hip_cpu_target = HIP_CPU_TARGET, hip_cpu_target_warp_size = HIP_CPU_TARGET_WARP;
#ifdef __cplusplus
}
#endif
