/* HIP's vector types: float2 .. float4, double2, int4, ulonglong2 ... and their make_ functions.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_VECTOR_TYPES_H
#define HIP_CPU_VECTOR_TYPES_H

/* Aligned as on GPUs: vectors of 2 and 4 to their size, 16 bytes at most. */
#define HIP_CPU_ALIGN(T, n) __attribute__((aligned(sizeof(T) * (n) < 16 ? sizeof(T) * (n) : 16)))

#define HIP_CPU_VECTORS(T, name)                                                                   \
    typedef struct name##1                                                                         \
    {                                                                                              \
        T x;                                                                                       \
    }                                                                                              \
    name##1;                                                                                       \
    typedef struct HIP_CPU_ALIGN(T, 2) name##2                                                     \
    {                                                                                              \
        T x, y;                                                                                    \
    }                                                                                              \
    name##2;                                                                                       \
    typedef struct name##3                                                                         \
    {                                                                                              \
        T x, y, z;                                                                                 \
    }                                                                                              \
    name##3;                                                                                       \
    typedef struct HIP_CPU_ALIGN(T, 4) name##4                                                     \
    {                                                                                              \
        T x, y, z, w;                                                                              \
    }                                                                                              \
    name##4;                                                                                       \
    static inline name##1 make_##name##1(T x)                                                      \
    {                                                                                              \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##2 make_##name##2(T x, T y)                                                 \
    {                                                                                              \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##3 make_##name##3(T x, T y, T z)                                            \
    {                                                                                              \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    static inline name##4 make_##name##4(T x, T y, T z, T w)                                       \
    {                                                                                              \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }

HIP_CPU_VECTORS(signed char, char)
HIP_CPU_VECTORS(unsigned char, uchar)
HIP_CPU_VECTORS(short, short)
HIP_CPU_VECTORS(unsigned short, ushort)
HIP_CPU_VECTORS(int, int)
HIP_CPU_VECTORS(unsigned, uint)
HIP_CPU_VECTORS(long, long)
HIP_CPU_VECTORS(unsigned long, ulong)
HIP_CPU_VECTORS(long long, longlong)
HIP_CPU_VECTORS(unsigned long long, ulonglong)
HIP_CPU_VECTORS(float, float)
HIP_CPU_VECTORS(double, double)

#endif
