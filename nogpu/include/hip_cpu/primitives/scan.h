/* Scans of a whole array.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_SCAN_H
#define HIP_CPU_PRIMITIVES_SCAN_H

#include "hip_cpu/primitives/call.h"

namespace cub
{
/* Tile by tile: a value is what stands before its tile, and the sum of the tile as far as there. Output may be input. */
template <bool inclusive, typename A, typename In, typename Out, typename F, typename N>
void hip_cpu_scan(In in, Out out, F op, bool some, A before, N n)
{
    const N tile = sizeof(N) == 1 ? 64 : 1024;

    for (N first = 0, count; first < n; first += count) {
        A sum = before;
        count = n - first < tile ? n - first : tile;
        for (N i = first; i < first + count; i++) {
            hip_cpu_value<In> value = in[i];
            A next = i == first ? (A)value : (A)op(sum, value);
            if (inclusive)
                out[i] = some ? (A)op(before, next) : next;
            else
                out[i] = i == first ? before : (A)op(before, sum);
            sum = next;
        }
        before = some ? (A)op(before, sum) : sum;
        some = true;
    }
}

struct DeviceScan {
    template <typename In, typename Out, typename F, typename T, typename N>
    static hipError_t ExclusiveScan(void *temporary, size_t &bytes, In in, Out out, F f, T init, N n,
                                    hipStream_t stream = 0, bool = false)
    {
        return hip_cpu_call("DeviceScan", temporary, bytes, stream, [=]() {
            hip_cpu_scan<false, hip_cpu_accumulator<F, T, hip_cpu_value<In>>>(in, out, f, true, init, n);
        });
    }
    template <typename In, typename Out, typename F, typename N>
    static hipError_t InclusiveScan(void *temporary, size_t &bytes, In in, Out out, F f, N n, hipStream_t stream = 0,
                                    bool = false)
    {
        return hip_cpu_call("DeviceScan", temporary, bytes, stream, [=]() {
            hip_cpu_scan<true, hip_cpu_accumulator<F, hip_cpu_value<In>, hip_cpu_value<In>>>(in, out, f, false, {}, n);
        });
    }
    template <typename In, typename Out, typename F, typename T, typename N>
    static hipError_t InclusiveScanInit(void *temporary, size_t &bytes, In in, Out out, F f, T init, N n,
                                        hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceScan", temporary, bytes, stream, [=]() {
            hip_cpu_scan<true, hip_cpu_accumulator<F, T, hip_cpu_value<In>>>(in, out, f, true, init, n);
        });
    }
    template <typename In, typename Out, typename N>
    static hipError_t ExclusiveSum(void *temporary, size_t &bytes, In in, Out out, N n, hipStream_t stream = 0,
                                   bool = false)
    {
        return ExclusiveScan(temporary, bytes, in, out, cub::Sum(), hip_cpu_value<In>(), n, stream);
    }
    template <typename In, typename Out, typename N>
    static hipError_t InclusiveSum(void *temporary, size_t &bytes, In in, Out out, N n, hipStream_t stream = 0,
                                   bool = false)
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
    static hipError_t ExclusiveSumByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, N n,
                                        hipStream_t stream = 0)
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
    static hipError_t InclusiveSumByKey(void *temporary, size_t &bytes, Keys keys, In in, Out out, N n,
                                        hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceScan", temporary, bytes, stream, [=]() {
            hip_cpu_value<In> sum = {};
            for (N i = 0; i < n; i++)
                out[i] = sum = i > 0 && keys[i] == keys[i - 1] ? sum + in[i] : in[i];
        });
    }
};
} // namespace cub

#endif
