/* Reductions of a whole array, of its segments, and by keys.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_REDUCE_H
#define HIP_CPU_PRIMITIVES_REDUCE_H

#include <limits>

#include "hip_cpu/primitives/call.h"

namespace cub
{
struct DeviceReduce {
    template <typename In, typename Out, typename F, typename T, typename N>
    static hipError_t Reduce(void *temporary, size_t &bytes, In in, Out out, N n, F f, T init, hipStream_t stream = 0,
                             bool = false)
    {
        return hip_cpu_call("DeviceReduce", temporary, bytes, stream, [=]() {
            typedef hip_cpu_accumulator<F, T, hip_cpu_value<In>> A;
            F op = f;
            out[0] = n > 0 ? (A)op(init, hip_cpu_tree<A>(in, (N)0, n, op)) : (A)init;
        });
    }
    template <typename In, typename Out, typename N>
    static hipError_t Sum(void *temporary, size_t &bytes, In in, Out out, N n, hipStream_t stream = 0, bool = false)
    {
        typedef hip_cpu_value_or<Out, hip_cpu_value<In>> T;
        return Reduce(temporary, bytes, in, out, n, cub::Sum(), T(), stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t Min(void *temporary, size_t &bytes, In in, Out out, N n, hipStream_t stream = 0, bool = false)
    {
        typedef std::numeric_limits<hip_cpu_value<In>> of;
        return Reduce(temporary, bytes, in, out, n, cub::Min(), of::has_infinity ? of::infinity() : of::max(), stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t Max(void *temporary, size_t &bytes, In in, Out out, N n, hipStream_t stream = 0, bool = false)
    {
        typedef std::numeric_limits<hip_cpu_value<In>> of;
        return Reduce(temporary, bytes, in, out, n, cub::Max(),
                      of::has_infinity ? (hip_cpu_value<In>)-of::infinity() : of::lowest(), stream);
    }
    /* Of an empty array: 1, and the largest or least value. */
    template <typename F, typename In, typename Out, typename N>
    static hipError_t Arg(void *temporary, size_t &bytes, In in, Out out, N n, F f, hip_cpu_value<In> none,
                          hipStream_t stream)
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
    static hipError_t ArgTwo(void *temporary, size_t &bytes, In in, Out out, Index index, N n, F f, hipStream_t stream)
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
    static typename std::enable_if<std::is_integral<N>::value && !std::is_integral<Index>::value, hipError_t>::type
    ArgMin(void *temporary, size_t &bytes, In in, Out out, Index index, N n, hipStream_t stream = 0)
    {
        return ArgTwo(temporary, bytes, in, out, index, n, cub::ArgMin(), stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t ArgMin(void *temporary, size_t &bytes, In in, Out out, N n, hipStream_t stream = 0, bool = false)
    {
        return Arg(temporary, bytes, in, out, n, cub::ArgMin(), std::numeric_limits<hip_cpu_value<In>>::max(), stream);
    }
    template <typename In, typename Out, typename Index, typename N>
    static typename std::enable_if<std::is_integral<N>::value && !std::is_integral<Index>::value, hipError_t>::type
    ArgMax(void *temporary, size_t &bytes, In in, Out out, Index index, N n, hipStream_t stream = 0)
    {
        return ArgTwo(temporary, bytes, in, out, index, n, cub::ArgMax(), stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t ArgMax(void *temporary, size_t &bytes, In in, Out out, N n, hipStream_t stream = 0, bool = false)
    {
        return Arg(temporary, bytes, in, out, n, cub::ArgMax(), std::numeric_limits<hip_cpu_value<In>>::lowest(),
                   stream);
    }
    template <typename In, typename Out, typename N, typename F, typename G, typename T>
    static hipError_t TransformReduce(void *temporary, size_t &bytes, In in, Out out, N n, F f, G transform, T init,
                                      hipStream_t stream = 0)
    {
        typedef decltype(transform(in[0])) value;
        return Reduce(temporary, bytes, TransformInputIterator<value, G, In>(in, transform), out, n, f, init, stream);
    }
    /* A run of equal keys becomes one. */
    template <typename Keys, typename Unique, typename In, typename Out, typename Count, typename F, typename N>
    static hipError_t ReduceByKey(void *temporary, size_t &bytes, Keys keys, Unique unique, In in, Out out, Count count,
                                  F f, N n, hipStream_t stream = 0, bool = false)
    {
        return hip_cpu_call("DeviceReduce", temporary, bytes, stream, [=]() {
            F op = f;
            N runs = 0;
            for (N i = 0, next; i < n; i = next) {
                for (next = i + 1; next < n && keys[next] == keys[i];)
                    next++;
                unique[runs] = keys[i];
                out[runs++] = hip_cpu_tree<hip_cpu_accumulator<F, hip_cpu_value<In>, hip_cpu_value<In>>>(
                    in, i, (N)(next - i), op);
            }
            *count = runs;
        });
    }
};

struct DeviceSegmentedReduce {
    template <typename In, typename Out, typename Begin, typename End, typename F, typename T>
    static hipError_t Reduce(void *temporary, size_t &bytes, In in, Out out, int segments, Begin begin, End end, F f,
                             T init, hipStream_t stream = 0, bool = false)
    {
        return hip_cpu_call(
            "DeviceSegmentedReduce", temporary, bytes, stream,
            [=]() {
                F op = f;
                for (int k = 0; k < segments; k++) {
                    typedef hip_cpu_accumulator<F, T, hip_cpu_value<In>> A;
                    auto first = begin[k], last = end[k];
                    out[k] = first < last ? (A)op(init, hip_cpu_tree<A>(in, first, last - first, op)) : (A)init;
                }
            },
            0);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static hipError_t Sum(void *temporary, size_t &bytes, In in, Out out, int segments, Begin begin, End end,
                          hipStream_t stream = 0, bool = false)
    {
        typedef hip_cpu_value_or<Out, hip_cpu_value<In>> T;
        return Reduce(temporary, bytes, in, out, segments, begin, end, cub::Sum(), T(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static hipError_t Min(void *temporary, size_t &bytes, In in, Out out, int segments, Begin begin, End end,
                          hipStream_t stream = 0, bool = false)
    {
        return Reduce(temporary, bytes, in, out, segments, begin, end, cub::Min(),
                      std::numeric_limits<hip_cpu_value<In>>::max(), stream);
    }
    template <typename In, typename Out, typename Begin, typename End>
    static hipError_t Max(void *temporary, size_t &bytes, In in, Out out, int segments, Begin begin, End end,
                          hipStream_t stream = 0, bool = false)
    {
        return Reduce(temporary, bytes, in, out, segments, begin, end, cub::Max(),
                      std::numeric_limits<hip_cpu_value<In>>::lowest(), stream);
    }
};
} // namespace cub

#endif
