/* What reductions, scans and sorts of CUB, hipCUB and rocPRIM are called with: operators, pairs, and iterators.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_OPERATORS_H
#define HIP_CPU_PRIMITIVES_OPERATORS_H

#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include "hip_cpu/kernel/kernels.h"

namespace cub
{
/* ---- operators ---- */

#define HIP_CPU_OPERATOR(name, value)                                                                                  \
    struct name {                                                                                                      \
        template <typename A, typename B> constexpr auto operator()(const A &a, const B &b) const { return value; }    \
    };
HIP_CPU_OPERATOR(Sum, a + b)
HIP_CPU_OPERATOR(Difference, a - b)
HIP_CPU_OPERATOR(Division, a / b)
HIP_CPU_OPERATOR(Max, (b > a ? (typename std::common_type<A, B>::type)b : a))
HIP_CPU_OPERATOR(Min, (b < a ? (typename std::common_type<A, B>::type)b : a))
HIP_CPU_OPERATOR(Equality, a == b)
HIP_CPU_OPERATOR(Inequality, a != b)
#undef HIP_CPU_OPERATOR

template <typename E> struct InequalityWrapper {
    E equal;
    template <typename T> bool operator()(const T &a, const T &b) const { return !equal(a, b); }
};
template <typename B = void> struct CastOp {
    template <typename A> B operator()(const A &a) const { return (B)a; }
};
struct Identity {
    template <typename T> T operator()(const T &a) const { return a; }
};

template <typename K, typename V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;

    KeyValuePair() = default;
    KeyValuePair(const K &key, const V &value) : key(key), value(value) {}
    bool operator!=(const KeyValuePair &other) const { return key != other.key || value != other.value; }
};
/* Of equal ones the first. */
struct ArgMin {
    template <typename K, typename V>
    KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const
    {
        return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
    }
};
struct ArgMax {
    template <typename K, typename V>
    KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const
    {
        return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
    }
};

/* ---- iterators: at(i) is what they give ---- */

template <typename Derived, typename T> struct hip_cpu_iterator {
    typedef T value_type;
    typedef T reference;
    typedef T *pointer;
    typedef std::ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;

    std::ptrdiff_t place = 0;

    T operator*() const { return self().at(place); }
    T operator[](std::ptrdiff_t i) const { return self().at(place + i); }
    Derived &operator++()
    {
        place++;
        return static_cast<Derived &>(*this);
    }
    Derived operator++(int)
    {
        Derived before = self();
        place++;
        return before;
    }
    Derived &operator+=(std::ptrdiff_t n)
    {
        place += n;
        return static_cast<Derived &>(*this);
    }
    Derived operator+(std::ptrdiff_t n) const
    {
        Derived moved = self();
        moved.place += n;
        return moved;
    }
    Derived operator-(std::ptrdiff_t n) const { return *this + -n; }
    std::ptrdiff_t operator-(const Derived &other) const { return place - other.place; }
    bool operator==(const Derived &other) const { return place == other.place; }
    bool operator!=(const Derived &other) const { return place != other.place; }
    bool operator<(const Derived &other) const { return place < other.place; }

  private:
    const Derived &self() const { return static_cast<const Derived &>(*this); }
};

template <typename T, typename Offset = std::ptrdiff_t>
struct CountingInputIterator : hip_cpu_iterator<CountingInputIterator<T, Offset>, T> {
    T first;
    CountingInputIterator(T value) : first(value) {}
    T at(std::ptrdiff_t i) const { return (T)(first + (T)i); }
};
template <typename T, typename Offset = std::ptrdiff_t>
struct ConstantInputIterator : hip_cpu_iterator<ConstantInputIterator<T, Offset>, T> {
    T value;
    ConstantInputIterator(T constant, Offset = 0) : value(constant) {}
    T at(std::ptrdiff_t) const { return value; }
};
template <typename T, typename F, typename It, typename Offset = std::ptrdiff_t>
struct TransformInputIterator : hip_cpu_iterator<TransformInputIterator<T, F, It, Offset>, T> {
    It from;
    F f;
    TransformInputIterator(It input, F function) : from(input), f(function) {}
    T at(std::ptrdiff_t i) const { return (T)f(from[i]); }
};
template <typename It, typename Offset = std::ptrdiff_t, typename V = typename std::iterator_traits<It>::value_type>
struct ArgIndexInputIterator : hip_cpu_iterator<ArgIndexInputIterator<It, Offset, V>, KeyValuePair<Offset, V>> {
    It from;
    ArgIndexInputIterator(It input) : from(input) {}
    KeyValuePair<Offset, V> at(std::ptrdiff_t i) const { return {(Offset)i, from[i]}; }
};
/* Takes what is stored, and keeps nothing. */
template <typename Offset = std::ptrdiff_t> struct DiscardOutputIterator {
    typedef void value_type;
    typedef void reference;
    typedef void pointer;
    typedef std::ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;
    struct nowhere {
        template <typename T> const nowhere &operator=(const T &) const { return *this; }
    };
    nowhere operator[](std::ptrdiff_t) const { return {}; }
    nowhere operator*() const { return {}; }
    DiscardOutputIterator operator+(std::ptrdiff_t) const { return *this; }
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier, typename T, typename Offset = std::ptrdiff_t> using CacheModifiedInputIterator = T *;

/* What an iterator points to; `Or` where that is void. */
template <typename It>
using hip_cpu_value = typename std::remove_cv<typename std::iterator_traits<It>::value_type>::type;
template <typename It, typename Or>
using hip_cpu_value_or = typename std::conditional<std::is_void<hip_cpu_value<It>>::value, Or, hip_cpu_value<It>>::type;
/* What a reduction adds up in: as wide as its operator makes it. */
template <typename F, typename Init, typename T>
using hip_cpu_accumulator =
    typename std::decay<decltype(std::declval<F>()(std::declval<Init>(), std::declval<T>()))>::type;
} // namespace cub

#endif
