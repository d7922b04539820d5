/* Elements of an array as values. Part of a variant, inside its namespace, and therefore without an include guard. Where an
 * element has two bytes its value is a float, and a vector, 16 bytes of values, has 8 bytes of elements; <hip/hip_fp16.h>
 * comes first. Otherwise they are the same.
 * SPDX-License-Identifier: MIT */

/* Of a vector, in the array. */
#define VECTOR_BYTES ((unsigned)(16 / sizeof(value_t) * sizeof(element_t)))

/* The value of an element. */
static __device__ __forceinline__ value_t widen(element_t x)
{
#if ELEMENT_TYPE == VALUE_TYPE
    return x;
#elif ELEMENT_TYPE == TYPE_HALF
    return __half2float(__ushort_as_half(x));
#elif ELEMENT_TYPE == TYPE_BFLOAT16
    return __uint_as_float((unsigned)x << 16); /* it is the upper half of a float */
#else
#error "widen.h: what is the value of an element of this type?"
#endif
}

/* The element that has this value, an identity of combine(): 0 or an infinity, or where elements are values any. */
static __device__ __forceinline__ element_t narrow(value_t value)
{
#if ELEMENT_TYPE == VALUE_TYPE
    return value;
#elif ELEMENT_TYPE == TYPE_HALF
    return __half_as_ushort(__float2half(value));
#elif ELEMENT_TYPE == TYPE_BFLOAT16
    return (element_t)(__float_as_uint(value) >> 16);
#else
#error "widen.h: which element has this value?"
#endif
}

/* The values of a vector at `from`, a multiple of VECTOR_BYTES. streaming: as load_16_streaming(). */
static __device__ __forceinline__ bytes16_t load_values(const element_t *from, bool streaming)
{
#if ELEMENT_TYPE != VALUE_TYPE
    union {
        unsigned long long all;
        element_t element[4];
    } narrow;
    union {
        bytes16_t all;
        value_t value[4];
    } wide;
    const unsigned long long *bytes = (const unsigned long long *)from;
#if defined(HAS_STREAMING)
    narrow.all = streaming ? load_bits_streaming(bytes) : *bytes;
#else
    (void)streaming;
    narrow.all = *bytes;
#endif
#pragma unroll
    for (unsigned k = 0; k < 4; k++)
        wide.value[k] = widen(narrow.element[k]);
    return wide.all;
#else
    return load_16_streaming(from, streaming);
#endif
}
