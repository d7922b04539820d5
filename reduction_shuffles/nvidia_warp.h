/* NVIDIA only, part of shuffles.hip: a warp of sm_80 and newer reduces ints in one instruction (REDUX).
 * SPDX-License-Identifier: MIT */
#undef HAS_REDUX
#if VALUE_TYPE == TYPE_INT && __CUDA_ARCH__ >= 800
#define HAS_REDUX
static __device__ __forceinline__ value_t redux(value_t value)
{
#if OPERATION == OP_SUM
    return (value_t)__reduce_add_sync(0xffffffffu, (unsigned)value);
#elif OPERATION == OP_MIN
    return __reduce_min_sync(0xffffffffu, value);
#elif OPERATION == OP_MAX
    return __reduce_max_sync(0xffffffffu, value);
#elif OPERATION == OP_AND
    return (value_t)__reduce_and_sync(0xffffffffu, (unsigned)value);
#elif OPERATION == OP_OR
    return (value_t)__reduce_or_sync(0xffffffffu, (unsigned)value);
#elif OPERATION == OP_XOR
    return (value_t)__reduce_xor_sync(0xffffffffu, (unsigned)value);
#else
#error "nvidia_warp.h: which instruction combines the ints of a warp?"
#endif
}
#endif
