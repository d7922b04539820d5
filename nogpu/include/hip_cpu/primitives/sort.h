/* Sorts of a whole array.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_SORT_H
#define HIP_CPU_PRIMITIVES_SORT_H

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "hip_cpu/primitives/call.h"

namespace cub
{
template <typename T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer(T *current = nullptr, T *other = nullptr) : d_buffers{current, other}, selector(0) {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[!selector]; }
};

/* The bits of a key, so that unsigned numbers compare as the keys do. */
template <typename K> unsigned long long hip_cpu_radix(K key, int begin, int end)
{
    unsigned long long bits = 0, sign = 1ull << (sizeof key * 8 - 1);
    std::memcpy(&bits, &key, sizeof key);
    if (std::is_floating_point<K>::value || std::is_class<K>::value) {
        if (bits == sign) /* -0 and +0 are equal */
            bits = 0;
        bits = bits & sign ? ~bits & (sign | (sign - 1)) : bits | sign;
    } else if (std::is_signed<K>::value) {
        bits ^= sign;
    }
    bits = end < 64 ? bits & ((1ull << end) - 1) : bits;
    return bits >> begin;
}
/* keys_in to keys_out, and values with them; stable. */
template <typename K, typename V, typename N>
void hip_cpu_radix_sort(const K *keys_in, K *keys_out, const V *values_in, V *values_out, N n, int begin, int end,
                        bool descending)
{
    std::vector<size_t> order((size_t)n);
    std::vector<K> keys(keys_in, keys_in + n);
    std::iota(order.begin(), order.end(), (size_t)0);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        auto x = hip_cpu_radix(keys[a], begin, end), y = hip_cpu_radix(keys[b], begin, end);
        return descending ? y < x : x < y;
    });
    for (size_t i = 0; i < order.size(); i++)
        keys_out[i] = keys[order[i]];
    if (values_in) {
        std::vector<V> values(values_in, values_in + n);
        for (size_t i = 0; i < order.size(); i++)
            values_out[i] = values[order[i]];
    }
}

struct DeviceRadixSort {
#define HIP_CPU_SORT(suffix, descending)                                                                               \
    template <typename K, typename V, typename N>                                                                      \
    static hipError_t SortPairs##suffix(void *temporary, size_t &bytes, const K *keys_in, K *keys_out,                 \
                                        const V *values_in, V *values_out, N n, int begin = 0,                         \
                                        int end = sizeof(K) * 8, hipStream_t stream = 0, bool = false)                 \
    {                                                                                                                  \
        return hip_cpu_call("DeviceRadixSort", temporary, bytes, stream, [=]() {                                       \
            hip_cpu_radix_sort(keys_in, keys_out, values_in, values_out, n, begin, end, descending);                   \
        });                                                                                                            \
    }                                                                                                                  \
    template <typename K, typename N>                                                                                  \
    static hipError_t SortKeys##suffix(void *temporary, size_t &bytes, const K *keys_in, K *keys_out, N n,             \
                                       int begin = 0, int end = sizeof(K) * 8, hipStream_t stream = 0, bool = false)   \
    {                                                                                                                  \
        return SortPairs##suffix(temporary, bytes, keys_in, keys_out, (const char *)nullptr, (char *)nullptr, n,       \
                                 begin, end, stream);                                                                  \
    }                                                                                                                  \
    template <typename K, typename V, typename N>                                                                      \
    static hipError_t SortPairs##suffix(void *temporary, size_t &bytes, DoubleBuffer<K> &keys,                         \
                                        DoubleBuffer<V> &values, N n, int begin = 0, int end = sizeof(K) * 8,          \
                                        hipStream_t stream = 0, bool = false)                                          \
    {                                                                                                                  \
        return SortPairs##suffix(temporary, bytes, (const K *)keys.Current(), keys.Current(),                          \
                                 (const V *)values.Current(), values.Current(), n, begin, end, stream);                \
    }                                                                                                                  \
    template <typename K, typename N>                                                                                  \
    static hipError_t SortKeys##suffix(void *temporary, size_t &bytes, DoubleBuffer<K> &keys, N n, int begin = 0,      \
                                       int end = sizeof(K) * 8, hipStream_t stream = 0, bool = false)                  \
    {                                                                                                                  \
        return SortKeys##suffix(temporary, bytes, (const K *)keys.Current(), keys.Current(), n, begin, end, stream);   \
    }
    HIP_CPU_SORT(, false)
    HIP_CPU_SORT(Descending, true)
#undef HIP_CPU_SORT
};

struct DeviceMergeSort {
    template <typename K, typename N, typename F>
    static hipError_t SortKeys(void *temporary, size_t &bytes, K keys, N n, F less, hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceMergeSort", temporary, bytes, stream,
                            [=]() { std::stable_sort(keys, keys + n, less); });
    }
    template <typename K, typename V, typename N, typename F>
    static hipError_t SortPairs(void *temporary, size_t &bytes, K keys, V values, N n, F less, hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceMergeSort", temporary, bytes, stream, [=]() {
            std::vector<std::pair<hip_cpu_value<K>, hip_cpu_value<V>>> pairs;
            for (N i = 0; i < n; i++)
                pairs.emplace_back(keys[i], values[i]);
            std::stable_sort(pairs.begin(), pairs.end(),
                             [=](const auto &a, const auto &b) { return less(a.first, b.first); });
            for (N i = 0; i < n; i++) {
                keys[i] = pairs[(size_t)i].first;
                values[i] = pairs[(size_t)i].second;
            }
        });
    }
    template <typename K, typename N, typename F>
    static hipError_t StableSortKeys(void *temporary, size_t &bytes, K keys, N n, F less, hipStream_t stream = 0)
    {
        return SortKeys(temporary, bytes, keys, n, less, stream);
    }
};
} // namespace cub

#endif
