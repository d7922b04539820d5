/* Elements of an array that is read once, one by one. Part of a variant, inside its namespace, and therefore without an
 * include guard.
 * SPDX-License-Identifier: MIT */

/* *from. streaming, a constant: as load_16_streaming(). */
static __device__ __forceinline__ value_t load_element(const value_t *from, bool streaming)
{
#if defined(HAS_STREAMING)
    union {
        bits_t bits;
        value_t value;
    } u;
    if (streaming) {
        u.bits = load_bits_streaming((const bits_t *)from);
        return u.value;
    }
#endif
    (void)streaming;
    return *from;
}
