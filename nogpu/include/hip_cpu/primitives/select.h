/* Selections, partitions, runs, histograms and loops over a whole array.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_SELECT_H
#define HIP_CPU_PRIMITIVES_SELECT_H

#include <algorithm>

#include "hip_cpu/primitives/call.h"

namespace cub
{
/* What is chosen by flags or by a function, and goes where Way says. */
template <typename Way> struct hip_cpu_chosen {
    template <typename In, typename Flags, typename Out, typename Count, typename N>
    static hipError_t Flagged(void *temporary, size_t &bytes, In in, Flags flags, Out out, Count count, N n,
                              hipStream_t stream = 0, bool = false)
    {
        return Way::chosen(
            temporary, bytes, in, out, count, n, [=](N i) { return (bool)flags[i]; }, stream);
    }
    template <typename In, typename Out, typename Count, typename N, typename F>
    static hipError_t If(void *temporary, size_t &bytes, In in, Out out, Count count, N n, F f, hipStream_t stream = 0,
                         bool = false)
    {
        return Way::chosen(
            temporary, bytes, in, out, count, n, [=](N i) { return (bool)f(in[i]); }, stream);
    }
};

struct DeviceSelect : hip_cpu_chosen<DeviceSelect> {
    /* Those of which keep(i) holds, in their order. */
    template <typename In, typename Out, typename Count, typename N, typename Keep>
    static hipError_t chosen(void *temporary, size_t &bytes, In in, Out out, Count count, N n, Keep keep,
                             hipStream_t stream)
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
    template <typename In, typename Out, typename Count, typename N>
    static hipError_t Unique(void *temporary, size_t &bytes, In in, Out out, Count count, N n, hipStream_t stream = 0,
                             bool = false)
    {
        return chosen(
            temporary, bytes, in, out, count, n, [=](N i) { return i == 0 || !(in[i] == in[i - 1]); }, stream);
    }
};

struct DevicePartition : hip_cpu_chosen<DevicePartition> {
    /* The others behind them, the last one first. */
    template <typename In, typename Out, typename Count, typename N, typename Keep>
    static hipError_t chosen(void *temporary, size_t &bytes, In in, Out out, Count count, N n, Keep keep,
                             hipStream_t stream)
    {
        return hip_cpu_call("DevicePartition", temporary, bytes, stream, [=]() {
            N kept = 0, others = 0;
            for (N i = 0; i < n; i++)
                out[keep(i) ? kept++ : n - ++others] = in[i];
            *count = kept;
        });
    }
};

struct DeviceRunLengthEncode {
    template <typename In, typename Unique, typename Lengths, typename Count, typename N>
    static hipError_t Encode(void *temporary, size_t &bytes, In in, Unique unique, Lengths lengths, Count count, N n,
                             hipStream_t stream = 0, bool = false)
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
    static hipError_t HistogramEven(void *temporary, size_t &bytes, In in, Count *bins, int levels, L lower, L upper,
                                    N n, hipStream_t stream = 0, bool = false)
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
    static hipError_t HistogramRange(void *temporary, size_t &bytes, In in, Count *bins, int levels, const L *level,
                                     N n, hipStream_t stream = 0, bool = false)
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
    template <typename It, typename F> static hipError_t ForEach(It begin, It end, F f, hipStream_t stream = 0)
    {
        return hip_cpu_serially("DeviceFor", stream, [=]() {
            for (It at = begin; at != end; ++at)
                f(*at);
        });
    }
};
} // namespace cub

#endif
