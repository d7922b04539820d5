/* The bits of a number as an integer that sorts as the number does.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_TRAITS_H
#define HIP_CPU_PRIMITIVES_TRAITS_H

#include <limits>
#include <stdint.h>
#include <type_traits>

#include "hip_cpu/language.h"

namespace cub
{
template <size_t bytes> struct hip_cpu_bits;
template <> struct hip_cpu_bits<1> {
    typedef uint8_t type;
};
template <> struct hip_cpu_bits<2> {
    typedef uint16_t type;
};
template <> struct hip_cpu_bits<4> {
    typedef uint32_t type;
};
template <> struct hip_cpu_bits<8> {
    typedef unsigned long long type;
};

template <typename T> struct Traits {
    typedef typename hip_cpu_bits<sizeof(T)>::type UnsignedBits;
    static constexpr UnsignedBits HIGH_BIT = (UnsignedBits)1 << (sizeof(T) * 8 - 1);
    static constexpr bool is_real = !std::is_integral<T>::value; /* half too */

    static HIP_CPU_FORCED UnsignedBits TwiddleIn(UnsignedBits key)
    {
        if (std::is_unsigned<T>::value)
            return key;
        return is_real && key & HIGH_BIT ? (UnsignedBits)~key : key ^ HIGH_BIT;
    }
    static HIP_CPU_FORCED UnsignedBits TwiddleOut(UnsignedBits key)
    {
        if (std::is_unsigned<T>::value)
            return key;
        return is_real && !(key & HIGH_BIT) ? (UnsignedBits)~key : key ^ HIGH_BIT;
    }
    static T Max() { return std::numeric_limits<T>::max(); }
    static T Lowest() { return std::numeric_limits<T>::lowest(); }
};
template <typename T> struct NumericTraits : Traits<T> {
};
} // namespace cub

#endif
