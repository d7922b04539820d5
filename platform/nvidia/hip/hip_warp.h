/* HIP over CUDA: shuffles and votes; part of hip_runtime.h.
 *
 * No include guard: hip_cooperative_groups.h undefines these macros for a while.
 * SPDX-License-Identifier: MIT */

/* Shuffles and votes without a mask, as HIP has them. CUDA takes a mask of the lanes that take part. The
 * full mask means all lanes that have not returned, also in a warp that is not full. So all lanes of a
 * warp must arrive here together: a branch that whole warps take is fine, one that splits a warp is not
 * (on AMD, too, a lane in another branch cannot be read). __activemask() does not help: it returns the
 * lanes that happen to run together at this moment, which after a loop or a branch need not be all that
 * the program means. */
#define HIP_NVIDIA_ALL_LANES 0xffffffffu

#define __shfl(value, ...)      __shfl_sync(HIP_NVIDIA_ALL_LANES, value, __VA_ARGS__)
#define __shfl_up(value, ...)   __shfl_up_sync(HIP_NVIDIA_ALL_LANES, value, __VA_ARGS__)
#define __shfl_down(value, ...) __shfl_down_sync(HIP_NVIDIA_ALL_LANES, value, __VA_ARGS__)
#define __shfl_xor(value, ...)  __shfl_xor_sync(HIP_NVIDIA_ALL_LANES, value, __VA_ARGS__)
#define __any(predicate)        __any_sync(HIP_NVIDIA_ALL_LANES, predicate)
#define __all(predicate)        __all_sync(HIP_NVIDIA_ALL_LANES, predicate)
#define __ballot(predicate)     ((unsigned long long)__ballot_sync(HIP_NVIDIA_ALL_LANES, predicate))
