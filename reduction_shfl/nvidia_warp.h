/* NVIDIA only, part of shfl.hip: a warp of sm_80 and newer reduces ints in one instruction (REDUX).
 * SPDX-License-Identifier: MIT */
#undef HAS_REDUX
#if VALUE_TYPE == TYPE_INT && __CUDA_ARCH__ >= 800
#define HAS_REDUX
static __device__ __forceinline__ value_t redux(value_t value)
{
    if (OPERATION == OP_SUM)
        return (value_t)__reduce_add_sync(0xffffffffu, (unsigned)value);
    return OPERATION == OP_MIN ? __reduce_min_sync(0xffffffffu, value)
                               : __reduce_max_sync(0xffffffffu, value);
}
#endif
