/* Reductions, scans, sorts and selections of a whole array, as CUB and hipCUB call them: a kernel of one thread does the
 * work, one element after the other, when its stream comes to it. Right, and no measure of anything.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_DEVICE_H
#define HIP_CPU_PRIMITIVES_DEVICE_H

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "hip_cpu/primitives/operators.h"

namespace cub
{
/* f() as a kernel of one thread. */
template <typename F> hipError_t hip_cpu_serially(const char *name, hipStream_t stream, F f)
{
    struct hip_cpu_launch launch = {};
    launch.kernel = name;
    launch.stream = stream;
    launch.grid = dim3(1);
    launch.block = dim3(1);
    return hip_cpu_launch_body(&launch, nullptr, f);
}
/* Every call of the library: without temporary storage it says how much is needed, and does nothing. */
template <typename F>
hipError_t hip_cpu_call(const char *name, void *temporary, size_t &bytes, hipStream_t stream, F f)
{
    if (!temporary) {
        bytes = 1;
        return hipSuccess;
    }
    return hip_cpu_serially(name, stream, f);
}

struct DeviceReduce {
    template <typename In, typename Out, typename F, typename T, typename N>
    static hipError_t Reduce(void *temporary, size_t &bytes, In in, Out out, N n, F f, T init,
                             hipStream_t stream = 0, bool = false)
    {
        return hip_cpu_call("DeviceReduce", temporary, bytes, stream, [=]() {
            hip_cpu_accumulator<F, T, hip_cpu_value<In>> sum = init;
            F op = f;
            for (N i = 0; i < n; i++)
                sum = op(sum, in[i]);
            out[0] = sum;
        });
    }
    template <typename In, typename Out, typename N>
    static hipError_t Sum(void *temporary, size_t &bytes, In in, Out out, N n,
                          hipStream_t stream = 0, bool = false)
    {
        typedef hip_cpu_value_or<Out, hip_cpu_value<In>> T;
        return Reduce(temporary, bytes, in, out, n, cub::Sum(), T(), stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t Min(void *temporary, size_t &bytes, In in, Out out, N n,
                          hipStream_t stream = 0, bool = false)
    {
        typedef hip_cpu_value<In> T;
        T largest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                         : std::numeric_limits<T>::max();
        return Reduce(temporary, bytes, in, out, n, cub::Min(), largest, stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t Max(void *temporary, size_t &bytes, In in, Out out, N n,
                          hipStream_t stream = 0, bool = false)
    {
        typedef hip_cpu_value<In> T;
        T least = std::numeric_limits<T>::has_infinity ? (T)-std::numeric_limits<T>::infinity()
                                                       : std::numeric_limits<T>::lowest();
        return Reduce(temporary, bytes, in, out, n, cub::Max(), least, stream);
    }
    /* Of an empty array: 1, and the largest or least value. */
    template <typename F, typename In, typename Out, typename N>
    static hipError_t Arg(void *temporary, size_t &bytes, In in, Out out, N n, F f,
                          hip_cpu_value<In> none, hipStream_t stream)
    {
        return hip_cpu_call("DeviceReduce", temporary, bytes, stream, [=]() {
            typedef typename std::iterator_traits<Out>::value_type pair;
            pair best;
            best.key = 1;
            best.value = none;
            for (N i = 0; i < n; i++) {
                pair next;
                next.key = (decltype(next.key))i;
                next.value = in[i];
                best = i == 0 ? next : f(best, next);
            }
            out[0] = best;
        });
    }
    template <typename In, typename Out, typename Index, typename N, typename F>
    static hipError_t ArgTwo(void *temporary, size_t &bytes, In in, Out out, Index index, N n, F f,
                             hipStream_t stream)
    {
        return hip_cpu_call("DeviceReduce", temporary, bytes, stream, [=]() {
            KeyValuePair<N, hip_cpu_value<In>> best = {0, in[0]};
            for (N i = 1; i < n; i++)
                best = f(best, KeyValuePair<N, hip_cpu_value<In>>{i, in[i]});
            out[0] = best.value;
            index[0] = best.key;
        });
    }
    template <typename In, typename Out, typename Index, typename N>
    static typename std::enable_if<std::is_integral<N>::value && !std::is_integral<Index>::value,
                                   hipError_t>::type
    ArgMin(void *temporary, size_t &bytes, In in, Out out, Index index, N n, hipStream_t stream = 0)
    {
        return ArgTwo(temporary, bytes, in, out, index, n, cub::ArgMin(), stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t ArgMin(void *temporary, size_t &bytes, In in, Out out, N n,
                             hipStream_t stream = 0, bool = false)
    {
        return Arg(temporary, bytes, in, out, n, cub::ArgMin(),
                   std::numeric_limits<hip_cpu_value<In>>::max(), stream);
    }
    template <typename In, typename Out, typename Index, typename N>
    static typename std::enable_if<std::is_integral<N>::value && !std::is_integral<Index>::value,
                                   hipError_t>::type
    ArgMax(void *temporary, size_t &bytes, In in, Out out, Index index, N n, hipStream_t stream = 0)
    {
        return ArgTwo(temporary, bytes, in, out, index, n, cub::ArgMax(), stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t ArgMax(void *temporary, size_t &bytes, In in, Out out, N n,
                             hipStream_t stream = 0, bool = false)
    {
        return Arg(temporary, bytes, in, out, n, cub::ArgMax(),
                   std::numeric_limits<hip_cpu_value<In>>::lowest(), stream);
    }
    template <typename In, typename Out, typename N, typename F, typename G, typename T>
    static hipError_t TransformReduce(void *temporary, size_t &bytes, In in, Out out, N n, F f,
                                      G transform, T init, hipStream_t stream = 0)
    {
        typedef decltype(transform(in[0])) value;
        return Reduce(temporary, bytes, TransformInputIterator<value, G, In>(in, transform), out, n,
                      f, init, stream);
    }
    /* A run of equal keys becomes one. */
    template <typename Keys, typename Unique, typename In, typename Out, typename Count, typename F,
              typename N>
    static hipError_t ReduceByKey(void *temporary, size_t &bytes, Keys keys, Unique unique, In in,
                                  Out out, Count count, F f, N n, hipStream_t stream = 0,
                                  bool = false)
    {
        return hip_cpu_call("DeviceReduce", temporary, bytes, stream, [=]() {
            F op = f;
            N runs = 0;
            for (N i = 0, next; i < n; i = next) {
                hip_cpu_accumulator<F, hip_cpu_value<In>, hip_cpu_value<In>> sum = in[i];
                for (next = i + 1; next < n && keys[next] == keys[i]; next++)
                    sum = op(sum, in[next]);
                unique[runs] = keys[i];
                out[runs++] = sum;
            }
            *count = runs;
        });
    }
};

struct DeviceSegmentedReduce {
    template <typename In, typename Out, typename Begin, typename End, typename F, typename T>
    static hipError_t Reduce(void *temporary, size_t &bytes, In in, Out out, int segments,
                             Begin begin, End end, F f, T init, hipStream_t stream = 0,
                             bool = false)
    {
        return hip_cpu_call("DeviceSegmentedReduce", temporary, bytes, stream, [=]() {
            F op = f;
            for (int k = 0; k < segments; k++) {
                hip_cpu_accumulator<F, T, hip_cpu_value<In>> sum = init;
                for (auto i = begin[k]; i < end[k]; i++)
                    sum = op(sum, in[i]);
                out[k] = sum;
            }
        });
    }
    template <typename In, typename Out, typename Begin, typename End>
    static hipError_t Sum(void *temporary, size_t &bytes, In in, Out out, int segments, Begin begin,
                          End end, hipStream_t stream = 0, bool = false)
    {
        typedef hip_cpu_value_or<Out, hip_cpu_value<In>> T;
        return Reduce(temporary, bytes, in, out, segments, begin, end, cub::Sum(), T(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static hipError_t Min(void *temporary, size_t &bytes, In in, Out out, int segments, Begin begin,
                          End end, hipStream_t stream = 0, bool = false)
    {
        return Reduce(temporary, bytes, in, out, segments, begin, end, cub::Min(),
                      std::numeric_limits<hip_cpu_value<In>>::max(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static hipError_t Max(void *temporary, size_t &bytes, In in, Out out, int segments, Begin begin,
                          End end, hipStream_t stream = 0, bool = false)
    {
        return Reduce(temporary, bytes, in, out, segments, begin, end, cub::Max(),
                      std::numeric_limits<hip_cpu_value<In>>::lowest(), stream);
    }
};

struct DeviceScan {
    /* Output may be input. */
    template <typename In, typename Out, typename F, typename T, typename N>
    static hipError_t ExclusiveScan(void *temporary, size_t &bytes, In in, Out out, F f, T init,
                                    N n, hipStream_t stream = 0, bool = false)
    {
        return hip_cpu_call("DeviceScan", temporary, bytes, stream, [=]() {
            F op = f;
            hip_cpu_accumulator<F, T, hip_cpu_value<In>> sum = init;
            for (N i = 0; i < n; i++) {
                hip_cpu_value<In> value = in[i];
                out[i] = sum;
                sum = op(sum, value);
            }
        });
    }
    template <typename In, typename Out, typename F, typename N>
    static hipError_t InclusiveScan(void *temporary, size_t &bytes, In in, Out out, F f, N n,
                                    hipStream_t stream = 0, bool = false)
    {
        return hip_cpu_call("DeviceScan", temporary, bytes, stream, [=]() {
            F op = f;
            hip_cpu_accumulator<F, hip_cpu_value<In>, hip_cpu_value<In>> sum = {};
            for (N i = 0; i < n; i++) {
                sum = i == 0 ? (decltype(sum))in[i] : (decltype(sum))op(sum, in[i]);
                out[i] = sum;
            }
        });
    }
    template <typename In, typename Out, typename F, typename T, typename N>
    static hipError_t InclusiveScanInit(void *temporary, size_t &bytes, In in, Out out, F f, T init,
                                        N n, hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceScan", temporary, bytes, stream, [=]() {
            F op = f;
            hip_cpu_accumulator<F, T, hip_cpu_value<In>> sum = init;
            for (N i = 0; i < n; i++)
                out[i] = sum = op(sum, in[i]);
        });
    }
    template <typename In, typename Out, typename N>
    static hipError_t ExclusiveSum(void *temporary, size_t &bytes, In in, Out out, N n,
                                   hipStream_t stream = 0, bool = false)
    {
        return ExclusiveScan(temporary, bytes, in, out, cub::Sum(), hip_cpu_value<In>(), n, stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t InclusiveSum(void *temporary, size_t &bytes, In in, Out out, N n,
                                   hipStream_t stream = 0, bool = false)
    {
        return InclusiveScan(temporary, bytes, in, out, cub::Sum(), n, stream);
    }
    /* In place. */
    template <typename In, typename N>
    static typename std::enable_if<std::is_integral<N>::value, hipError_t>::type
    ExclusiveSum(void *temporary, size_t &bytes, In data, N n, hipStream_t stream = 0)
    {
        return ExclusiveSum(temporary, bytes, data, data, n, stream);
    }
    template <typename In, typename N>
    static typename std::enable_if<std::is_integral<N>::value, hipError_t>::type
    InclusiveSum(void *temporary, size_t &bytes, In data, N n, hipStream_t stream = 0)
    {
        return InclusiveSum(temporary, bytes, data, data, n, stream);
    }
    template <typename Keys, typename In, typename Out, typename N>
    static hipError_t ExclusiveSumByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out,
                                        N n, hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceScan", temporary, bytes, stream, [=]() {
            hip_cpu_value<In> sum = {};
            for (N i = 0; i < n; i++) {
                hip_cpu_value<In> value = in[i];
                sum = i > 0 && keys[i] == keys[i - 1] ? sum : hip_cpu_value<In>();
                out[i] = sum;
                sum = sum + value;
            }
        });
    }
    template <typename Keys, typename In, typename Out, typename N>
    static hipError_t InclusiveSumByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out,
                                        N n, hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceScan", temporary, bytes, stream, [=]() {
            hip_cpu_value<In> sum = {};
            for (N i = 0; i < n; i++)
                out[i] = sum = i > 0 && keys[i] == keys[i - 1] ? sum + in[i] : in[i];
        });
    }
};

/* ---- sorts ---- */

template <typename T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer(T *current = nullptr, T *other = nullptr) : d_buffers{current, other}, selector(0)
    {
    }
    T *Current()
    {
        return d_buffers[selector];
    }
    T *Alternate()
    {
        return d_buffers[!selector];
    }
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
void hip_cpu_radix_sort(const K *keys_in, K *keys_out, const V *values_in, V *values_out, N n,
                        int begin, int end, bool descending)
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
#define HIP_CPU_SORT(suffix, descending)                                                           \
    template <typename K, typename V, typename N>                                                  \
    static hipError_t SortPairs##suffix(void *temporary, size_t &bytes, const K *keys_in,          \
                                        K *keys_out, const V *values_in, V *values_out, N n,       \
                                        int begin = 0, int end = sizeof(K) * 8,                    \
                                        hipStream_t stream = 0, bool = false)                      \
    {                                                                                              \
        return hip_cpu_call("DeviceRadixSort", temporary, bytes, stream, [=]() {                   \
            hip_cpu_radix_sort(keys_in, keys_out, values_in, values_out, n, begin, end,            \
                               descending);                                                        \
        });                                                                                        \
    }                                                                                              \
    template <typename K, typename N>                                                              \
    static hipError_t SortKeys##suffix(void *temporary, size_t &bytes, const K *keys_in,           \
                                       K *keys_out, N n, int begin = 0, int end = sizeof(K) * 8,   \
                                       hipStream_t stream = 0, bool = false)                       \
    {                                                                                              \
        return SortPairs##suffix(temporary, bytes, keys_in, keys_out, (const char *)nullptr,       \
                                 (char *)nullptr, n, begin, end, stream);                          \
    }                                                                                              \
    template <typename K, typename V, typename N>                                                  \
    static hipError_t SortPairs##suffix(                                                           \
        void *temporary, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n,       \
        int begin = 0, int end = sizeof(K) * 8, hipStream_t stream = 0, bool = false)              \
    {                                                                                              \
        return SortPairs##suffix(temporary, bytes, (const K *)keys.Current(), keys.Current(),      \
                                 (const V *)values.Current(), values.Current(), n, begin, end,     \
                                 stream);                                                          \
    }                                                                                              \
    template <typename K, typename N>                                                              \
    static hipError_t SortKeys##suffix(void *temporary, size_t &bytes, DoubleBuffer<K> &keys, N n, \
                                       int begin = 0, int end = sizeof(K) * 8,                     \
                                       hipStream_t stream = 0, bool = false)                       \
    {                                                                                              \
        return SortKeys##suffix(temporary, bytes, (const K *)keys.Current(), keys.Current(), n,    \
                                begin, end, stream);                                               \
    }
    HIP_CPU_SORT(, false)
    HIP_CPU_SORT(Descending, true)
#undef HIP_CPU_SORT
};

struct DeviceMergeSort {
    template <typename K, typename N, typename F>
    static hipError_t SortKeys(void *temporary, size_t &bytes, K keys, N n, F less,
                               hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceMergeSort", temporary, bytes, stream,
                            [=]() { std::stable_sort(keys, keys + n, less); });
    }
    template <typename K, typename V, typename N, typename F>
    static hipError_t SortPairs(void *temporary, size_t &bytes, K keys, V values, N n, F less,
                                hipStream_t stream = 0)
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
    static hipError_t StableSortKeys(void *temporary, size_t &bytes, K keys, N n, F less,
                                     hipStream_t stream = 0)
    {
        return SortKeys(temporary, bytes, keys, n, less, stream);
    }
};

/* ---- selections ---- */

struct DeviceSelect {
    /* Those of which keep(i) holds, in their order. */
    template <typename In, typename Out, typename Count, typename N, typename Keep>
    static hipError_t Selected(void *temporary, size_t &bytes, In in, Out out, Count count, N n,
                               Keep keep, hipStream_t stream)
    {
        return hip_cpu_call("DeviceSelect", temporary, bytes, stream, [=]() {
            N kept = 0;
            for (N i = 0; i < n; i++)
                if (keep(i)) {
                    hip_cpu_value<In> value = in[i];
                    out[kept++] = value;
                }
            *count = kept;
        });
    }
    template <typename In, typename Flags, typename Out, typename Count, typename N>
    static hipError_t Flagged(void *temporary, size_t &bytes, In in, Flags flags, Out out,
                              Count count, N n, hipStream_t stream = 0, bool = false)
    {
        return Selected(
            temporary, bytes, in, out, count, n, [=](N i) { return (bool)flags[i]; }, stream);
    }
    template <typename In, typename Out, typename Count, typename N, typename F>
    static hipError_t If(void *temporary, size_t &bytes, In in, Out out, Count count, N n, F f,
                         hipStream_t stream = 0, bool = false)
    {
        return Selected(
            temporary, bytes, in, out, count, n, [=](N i) { return (bool)f(in[i]); }, stream);
    }
    template <typename In, typename Out, typename Count, typename N>
    static hipError_t Unique(void *temporary, size_t &bytes, In in, Out out, Count count, N n,
                             hipStream_t stream = 0, bool = false)
    {
        return Selected(
            temporary, bytes, in, out, count, n,
            [=](N i) { return i == 0 || !(in[i] == in[i - 1]); }, stream);
    }
};

struct DevicePartition {
    /* The others behind them, the last one first. */
    template <typename In, typename Out, typename Count, typename N, typename Keep>
    static hipError_t Parted(void *temporary, size_t &bytes, In in, Out out, Count count, N n,
                             Keep keep, hipStream_t stream)
    {
        return hip_cpu_call("DevicePartition", temporary, bytes, stream, [=]() {
            N kept = 0, others = 0;
            for (N i = 0; i < n; i++)
                out[keep(i) ? kept++ : n - ++others] = in[i];
            *count = kept;
        });
    }
    template <typename In, typename Flags, typename Out, typename Count, typename N>
    static hipError_t Flagged(void *temporary, size_t &bytes, In in, Flags flags, Out out,
                              Count count, N n, hipStream_t stream = 0, bool = false)
    {
        return Parted(
            temporary, bytes, in, out, count, n, [=](N i) { return (bool)flags[i]; }, stream);
    }
    template <typename In, typename Out, typename Count, typename N, typename F>
    static hipError_t If(void *temporary, size_t &bytes, In in, Out out, Count count, N n, F f,
                         hipStream_t stream = 0, bool = false)
    {
        return Parted(
            temporary, bytes, in, out, count, n, [=](N i) { return (bool)f(in[i]); }, stream);
    }
};

struct DeviceRunLengthEncode {
    template <typename In, typename Unique, typename Lengths, typename Count, typename N>
    static hipError_t Encode(void *temporary, size_t &bytes, In in, Unique unique, Lengths lengths,
                             Count count, N n, hipStream_t stream = 0, bool = false)
    {
        return hip_cpu_call("DeviceRunLengthEncode", temporary, bytes, stream, [=]() {
            N runs = 0;
            for (N i = 0, next; i < n; i = next) {
                for (next = i + 1; next < n && in[next] == in[i];)
                    next++;
                unique[runs] = in[i];
                lengths[runs++] = next - i;
            }
            *count = runs;
        });
    }
};

struct DeviceHistogram {
    /* `levels` bounds make one bin less. */
    template <typename In, typename Count, typename L, typename N>
    static hipError_t HistogramEven(void *temporary, size_t &bytes, In in, Count *bins, int levels,
                                    L lower, L upper, N n, hipStream_t stream = 0, bool = false)
    {
        return hip_cpu_call("DeviceHistogram", temporary, bytes, stream, [=]() {
            std::fill(bins, bins + levels - 1, Count());
            for (N i = 0; i < n; i++) {
                L value = (L)in[i];
                if (value >= lower && value < upper)
                    bins[(int)((value - lower) * (L)(levels - 1) / (upper - lower))]++;
            }
        });
    }
    template <typename In, typename Count, typename L, typename N>
    static hipError_t HistogramRange(void *temporary, size_t &bytes, In in, Count *bins, int levels,
                                     const L *level, N n, hipStream_t stream = 0, bool = false)
    {
        return hip_cpu_call("DeviceHistogram", temporary, bytes, stream, [=]() {
            std::fill(bins, bins + levels - 1, Count());
            for (N i = 0; i < n; i++) {
                long bin = std::upper_bound(level, level + levels, (L)in[i]) - level - 1;
                if (bin >= 0 && bin < levels - 1)
                    bins[bin]++;
            }
        });
    }
};

struct DeviceFor {
    template <typename N, typename F> static hipError_t Bulk(N n, F f, hipStream_t stream = 0)
    {
        return hip_cpu_serially("DeviceFor", stream, [=]() {
            for (N i = 0; i < n; i++)
                f(i);
        });
    }
    template <typename It, typename F>
    static hipError_t ForEach(It begin, It end, F f, hipStream_t stream = 0)
    {
        return hip_cpu_serially("DeviceFor", stream, [=]() {
            for (It at = begin; at != end; ++at)
                f(*at);
        });
    }
};

/* ---- memory that samples keep for the temporary storage ---- */

struct CachingDeviceAllocator {
    template <typename... Settings> CachingDeviceAllocator(Settings...)
    {
    }
    hipError_t DeviceAllocate(void **pointer, size_t bytes, hipStream_t = 0)
    {
        return hipMalloc(pointer, bytes);
    }
    hipError_t DeviceFree(void *pointer)
    {
        return hipFree(pointer);
    }
    hipError_t FreeAllCached()
    {
        return hipSuccess;
    }
};
static inline hipError_t hip_cpu_debug(hipError_t error, const char *file, int line)
{
    if (error != hipSuccess)
        fprintf(stderr, "%s:%d: %s\n", file, line, hipGetErrorString(error));
    return error;
}
} // namespace cub
#define CubDebug(call)     cub::hip_cpu_debug(call, __FILE__, __LINE__)
#define CubDebugExit(call) (CubDebug(call) != hipSuccess ? exit(1) : (void)0)
#define HipcubDebug(call)  CubDebug(call)
#define HIPCUB_RUNTIME_FUNCTION
#define CUB_RUNTIME_FUNCTION

#endif
