/* Part of atomic.hip: the tree of a warp, which is that of shfl, and how one thread updates the result, for each type and
 * operation.
 * SPDX-License-Identifier: MIT */

/* Combines one value of every lane of a warp; lane 0 holds the result. */
static __device__ value_t reduce_warp(value_t value)
{
    unsigned size = (unsigned)warpSize;
    unsigned lane = threadIdx.x % size;
    unsigned below = threadIdx.x - lane;
    unsigned lanes = blockDim.x - below < size ? blockDim.x - below : size;

#if defined(HAS_WAVE_REDUCE)
    if (lanes == size)
        return wave_reduce(value, size);
#endif
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
        value_t other = __shfl_down(value, distance);
        if (lane + distance < lanes)
            value = combine(value, other);
    }
    return value;
}

/* Combines value into *result as one step that no other thread can interrupt. */
static __device__ __forceinline__ void atomic_combine(value_t *result, value_t value, bool unsafe)
{
    (void)unsafe;
#if OPERATION == OP_SUM && IS_FLOATING(VALUE_TYPE)
    if (unsafe)
        unsafeAtomicAdd(result, value);
    else
        atomicAdd(result, value);
#elif OPERATION == OP_SUM
    atomicAdd((bits_t *)result, (bits_t)value);
#elif OPERATION == OP_MIN && VALUE_TYPE == TYPE_INT
    atomicMin(result, value);
#elif OPERATION == OP_MAX && VALUE_TYPE == TYPE_INT
    atomicMax(result, value);
#elif OPERATION == OP_AND
    atomicAnd((bits_t *)result, (bits_t)value);
#elif OPERATION == OP_OR
    atomicOr((bits_t *)result, (bits_t)value);
#elif OPERATION == OP_XOR
    atomicXor((bits_t *)result, (bits_t)value);
#else
    /* No GPU has this one for every type: compare and swap until no other thread interferes. Most
     * values change nothing, and then nothing is written. */
    union {
        value_t value;
        bits_t bits;
    } seen, wanted;
    seen.bits = *(volatile bits_t *)result;
    for (;;) {
        wanted.value = combine(seen.value, value);
        if (wanted.bits == seen.bits)
            return;
        bits_t found = atomicCAS((bits_t *)result, seen.bits, wanted.bits);
        if (found == seen.bits)
            return;
        seen.bits = found;
    }
#endif
}
