/* HIP's vector types: float2 .. float4, double2, int4, ulonglong2 ... and their make_ functions.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_VECTOR_H
#define HIP_CPU_VECTOR_H

/* Aligned as on GPUs: vectors of 2 and 4 to their size, 16 bytes at most. */
#define HIP_CPU_ALIGN(T, n) __attribute__((aligned(sizeof(T) * (n) < 16 ? sizeof(T) * (n) : 16)))

/* HIP's have constructors, CUDA's and C's do not. All have the same layout. */
#if defined(__cplusplus) && !defined(__CUDACC__) && !defined(HIP_CPU_CUDA_H)
#define HIP_CPU_MAKE1(T, name)                                                                                         \
    name() = default;                                                                                                  \
    constexpr name(T a) : x(a) {}
#define HIP_CPU_MAKE2(T, name)                                                                                         \
    name() = default;                                                                                                  \
    constexpr explicit name(T a) : x(a), y(a) {}                                                                       \
    template <typename A, typename B> constexpr name(A a, B b) : x((T)a), y((T)b) {}
#define HIP_CPU_MAKE3(T, name)                                                                                         \
    name() = default;                                                                                                  \
    constexpr explicit name(T a) : x(a), y(a), z(a) {}                                                                 \
    template <typename A, typename B, typename C> constexpr name(A a, B b, C c) : x((T)a), y((T)b), z((T)c) {}
#define HIP_CPU_MAKE4(T, name)                                                                                         \
    name() = default;                                                                                                  \
    constexpr explicit name(T a) : x(a), y(a), z(a), w(a) {}                                                           \
    template <typename A, typename B, typename C, typename D>                                                          \
    constexpr name(A a, B b, C c, D d) : x((T)a), y((T)b), z((T)c), w((T)d)                                            \
    {                                                                                                                  \
    }
#else
#define HIP_CPU_MAKE1(T, name)
#define HIP_CPU_MAKE2(T, name)
#define HIP_CPU_MAKE3(T, name)
#define HIP_CPU_MAKE4(T, name)
#endif

#define HIP_CPU_VECTORS(T, name)                                                                                       \
    typedef struct name##1                                                                                             \
    {                                                                                                                  \
        T x;                                                                                                           \
        HIP_CPU_MAKE1(T, name##1)                                                                                      \
    }                                                                                                                  \
    name##1;                                                                                                           \
    typedef struct HIP_CPU_ALIGN(T, 2) name##2                                                                         \
    {                                                                                                                  \
        T x, y;                                                                                                        \
        HIP_CPU_MAKE2(T, name##2)                                                                                      \
    }                                                                                                                  \
    name##2;                                                                                                           \
    typedef struct name##3                                                                                             \
    {                                                                                                                  \
        T x, y, z;                                                                                                     \
        HIP_CPU_MAKE3(T, name##3)                                                                                      \
    }                                                                                                                  \
    name##3;                                                                                                           \
    typedef struct HIP_CPU_ALIGN(T, 4) name##4                                                                         \
    {                                                                                                                  \
        T x, y, z, w;                                                                                                  \
        HIP_CPU_MAKE4(T, name##4)                                                                                      \
    }                                                                                                                  \
    name##4;                                                                                                           \
    static inline name##1 make_##name##1(T x)                                                                          \
    {                                                                                                                  \
        name##1 v = {x};                                                                                               \
        return v;                                                                                                      \
    }                                                                                                                  \
    static inline name##2 make_##name##2(T x, T y)                                                                     \
    {                                                                                                                  \
        name##2 v = {x, y};                                                                                            \
        return v;                                                                                                      \
    }                                                                                                                  \
    static inline name##3 make_##name##3(T x, T y, T z)                                                                \
    {                                                                                                                  \
        name##3 v = {x, y, z};                                                                                         \
        return v;                                                                                                      \
    }                                                                                                                  \
    static inline name##4 make_##name##4(T x, T y, T z, T w)                                                           \
    {                                                                                                                  \
        name##4 v = {x, y, z, w};                                                                                      \
        return v;                                                                                                      \
    }

/* X(type, name) for every kind of vector. */
#define HIP_CPU_VECTOR_TYPES(X)                                                                                        \
    X(signed char, char)                                                                                               \
    X(unsigned char, uchar)                                                                                            \
    X(short, short)                                                                                                    \
    X(unsigned short, ushort)                                                                                          \
    X(int, int)                                                                                                        \
    X(unsigned, uint)                                                                                                  \
    X(long, long)                                                                                                      \
    X(unsigned long, ulong)                                                                                            \
    X(long long, longlong)                                                                                             \
    X(unsigned long long, ulonglong)                                                                                   \
    X(float, float)                                                                                                    \
    X(double, double)
HIP_CPU_VECTOR_TYPES(HIP_CPU_VECTORS)

#endif
