/* HIP's operators for float4 and its like, member by member, also with a number on either side. CUDA has none.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_VECTOR_OPERATORS_H
#define HIP_CPU_VECTOR_OPERATORS_H

#include <type_traits>

#include "hip_cpu/api/vector.h"

template <typename V> struct hip_cpu_vector {
    static constexpr bool is = false;
};
template <typename T, unsigned n> struct hip_cpu_vector_type {
};
template <typename T, unsigned n> using HIP_vector_type = typename hip_cpu_vector_type<T, n>::type;
#define HIP_CPU_VECTOR_OF(T, V, n)                                                                                     \
    template <> struct hip_cpu_vector_type<T, n> {                                                                     \
        typedef V type;                                                                                                \
    };                                                                                                                 \
    template <> struct hip_cpu_vector<V> {                                                                             \
        static constexpr bool is = true;                                                                               \
        static constexpr int members = n;                                                                              \
        typedef T member;                                                                                              \
    };
#define HIP_CPU_VECTORS_OF(T, name)                                                                                    \
    HIP_CPU_VECTOR_OF(T, name##1, 1)                                                                                   \
    HIP_CPU_VECTOR_OF(T, name##2, 2)                                                                                   \
    HIP_CPU_VECTOR_OF(T, name##3, 3)                                                                                   \
    HIP_CPU_VECTOR_OF(T, name##4, 4)
HIP_CPU_VECTOR_TYPES(HIP_CPU_VECTORS_OF)

template <typename V, typename R = V> using hip_cpu_if_vector = typename std::enable_if<hip_cpu_vector<V>::is, R>::type;
template <typename V, typename S, typename R = V>
using hip_cpu_if_scaled = typename std::enable_if<hip_cpu_vector<V>::is && std::is_arithmetic<S>::value, R>::type;

/* f(a.x, b.x), f(a.y, b.y) ... */
template <typename V, typename F> static inline V hip_cpu_each(V a, const V &b, F f)
{
    a.x = f(a.x, b.x);
    if constexpr (hip_cpu_vector<V>::members > 1)
        a.y = f(a.y, b.y);
    if constexpr (hip_cpu_vector<V>::members > 2)
        a.z = f(a.z, b.z);
    if constexpr (hip_cpu_vector<V>::members > 3)
        a.w = f(a.w, b.w);
    return a;
}
template <typename V, typename S> static inline V hip_cpu_all(S value)
{
    return V((typename hip_cpu_vector<V>::member)value);
}

#define HIP_CPU_VECTOR_OPERATOR(op)                                                                                    \
    template <typename V> static inline hip_cpu_if_vector<V> operator op(const V &a, const V &b)                       \
    {                                                                                                                  \
        typedef typename hip_cpu_vector<V>::member T;                                                                  \
        return hip_cpu_each(a, b, [](T p, T q) { return (T)(p op q); });                                               \
    }                                                                                                                  \
    template <typename V, typename S> static inline hip_cpu_if_scaled<V, S> operator op(const V &a, S b)               \
    {                                                                                                                  \
        return a op hip_cpu_all<V>(b);                                                                                 \
    }                                                                                                                  \
    template <typename V, typename S> static inline hip_cpu_if_scaled<V, S> operator op(S a, const V &b)               \
    {                                                                                                                  \
        return hip_cpu_all<V>(a) op b;                                                                                 \
    }                                                                                                                  \
    template <typename V> static inline hip_cpu_if_vector<V, V &> operator op##=(V &a, const V &b)                     \
    {                                                                                                                  \
        return a = a op b;                                                                                             \
    }                                                                                                                  \
    template <typename V, typename S> static inline hip_cpu_if_scaled<V, S, V &> operator op##=(V &a, S b)             \
    {                                                                                                                  \
        return a = a op b;                                                                                             \
    }
HIP_CPU_VECTOR_OPERATOR(+)
HIP_CPU_VECTOR_OPERATOR(-)
HIP_CPU_VECTOR_OPERATOR(*)
HIP_CPU_VECTOR_OPERATOR(/)
HIP_CPU_VECTOR_OPERATOR(%)
HIP_CPU_VECTOR_OPERATOR(&)
HIP_CPU_VECTOR_OPERATOR(|)
HIP_CPU_VECTOR_OPERATOR(^)
HIP_CPU_VECTOR_OPERATOR(<<)
HIP_CPU_VECTOR_OPERATOR(>>)

template <typename V> static inline hip_cpu_if_vector<V> operator-(const V &a) { return hip_cpu_all<V>(0) - a; }
template <typename V> static inline hip_cpu_if_vector<V> operator~(const V &a) { return a ^ hip_cpu_all<V>(-1); }
template <typename V> static inline hip_cpu_if_vector<V, V &> operator++(V &a) { return a += 1; }
template <typename V> static inline hip_cpu_if_vector<V, V &> operator--(V &a) { return a -= 1; }
template <typename V> static inline hip_cpu_if_vector<V> operator++(V &a, int)
{
    V before = a;
    a += 1;
    return before;
}
template <typename V> static inline hip_cpu_if_vector<V> operator--(V &a, int)
{
    V before = a;
    a -= 1;
    return before;
}
template <typename V> static inline hip_cpu_if_vector<V, bool> operator==(const V &a, const V &b)
{
    bool same = a.x == b.x;
    if constexpr (hip_cpu_vector<V>::members > 1)
        same = same && a.y == b.y;
    if constexpr (hip_cpu_vector<V>::members > 2)
        same = same && a.z == b.z;
    if constexpr (hip_cpu_vector<V>::members > 3)
        same = same && a.w == b.w;
    return same;
}
template <typename V> static inline hip_cpu_if_vector<V, bool> operator!=(const V &a, const V &b) { return !(a == b); }

#endif
