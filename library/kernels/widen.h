/* What is in memory, and the value_t that it stands for. Every half and every bfloat16 is a float.
 * SPDX-License-Identifier: MIT */
static __device__ __forceinline__ value_t widen(element_t x)
{
#ifndef NARROW
    return x;
#elif NARROW == NARROW_HALF
    return __half2float(__ushort_as_half(x));
#else
    return __uint_as_float((unsigned)x << 16);
#endif
}
