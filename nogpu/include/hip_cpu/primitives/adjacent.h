/* What compares or moves neighbours of a block or of an array, and histograms of a block, as CUB and hipCUB call them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_ADJACENT_H
#define HIP_CPU_PRIMITIVES_ADJACENT_H

#include "hip_cpu/primitives/block.h"

namespace cub
{
/* What is beyond an end of the block, if it is given. */
template <typename T> struct hip_cpu_end {
    bool some = false;
    T value = T();
    hip_cpu_end() = default;
    hip_cpu_end(T given) : some(true), value(given) {}
};

/* The values of the block in their order, N of each thread. */
template <typename T, int X, int Y = 1, int Z = 1, int = 0>
struct BlockAdjacentDifference : hip_cpu_block_primitive<T, (size_t)2 * X * Y * Z, BlockAdjacentDifference<T, X>> {
    typedef hip_cpu_block_primitive<T, (size_t)2 * X * Y * Z, BlockAdjacentDifference<T, X>> base;
    HIP_CPU_CONSTRUCTORS(BlockAdjacentDifference, base)

    /* `end`: what is before the first value, or behind the last one; nothing if it is left out. */
    template <int N, typename R, typename F, typename... End>
    void SubtractLeft(const T (&in)[N], R (&out)[N], F f, End... end)
    {
        left(in, out, f, X * Y * Z * N, end...);
    }
    template <int N, typename R, typename F, typename... End>
    void SubtractLeftPartialTile(const T (&in)[N], R (&out)[N], F f, int valid, End... end)
    {
        left(in, out, f, valid, end...);
    }
    template <int N, typename R, typename F, typename... End>
    void SubtractRight(const T (&in)[N], R (&out)[N], F f, End... end)
    {
        right(in, out, f, X * Y * Z * N, end...);
    }
    template <int N, typename R, typename F>
    void SubtractRightPartialTile(const T (&in)[N], R (&out)[N], F f, int valid)
    {
        right(in, out, f, valid);
    }

  private:
    template <int N, typename R, typename F, typename... End>
    void left(const T (&in)[N], R (&out)[N], F f, int valid, End... end)
    {
        const hip_cpu_end<T> before(end...);
        T *last = this->ends(X * Y * Z, in) + X * Y * Z;
        int rank = hip_cpu_rank();
        for (int i = N - 1; i >= 0; i--) {
            T self = in[i], from = i > 0 ? in[i - 1] : rank > 0 ? last[rank - 1] : before.value;
            bool some = (i > 0 || rank > 0 || before.some) && rank * N + i < valid;
            out[i] = some ? (R)f(self, from) : (R)self;
        }
    }
    template <int N, typename R, typename F, typename... End>
    void right(const T (&in)[N], R (&out)[N], F f, int valid, End... end)
    {
        const hip_cpu_end<T> behind(end...);
        T *first = this->ends(X * Y * Z, in);
        int rank = hip_cpu_rank(), last = X * Y * Z - 1;
        for (int i = 0; i < N; i++) {
            T self = in[i], to = i < N - 1 ? in[i + 1] : rank < last ? first[rank + 1] : behind.value;
            bool some = rank * N + i + 1 < valid || (behind.some && i == N - 1 && rank == last);
            out[i] = some ? (R)f(self, to) : (R)self;
        }
    }
};

/* Flags are 1 where f(a value, the next one) is true, and at an end of the block that has no neighbour. */
template <typename T, int X, int Y = 1, int Z = 1, int = 0>
struct BlockDiscontinuity : hip_cpu_block_primitive<T, (size_t)2 * X * Y * Z, BlockDiscontinuity<T, X>> {
    typedef hip_cpu_block_primitive<T, (size_t)2 * X * Y * Z, BlockDiscontinuity<T, X>> base;
    HIP_CPU_CONSTRUCTORS(BlockDiscontinuity, base)

    template <int N, typename R, typename F, typename... End>
    void FlagHeads(R (&heads)[N], const T (&in)[N], F f, End... before)
    {
        flag(&heads, (R(*)[N]) nullptr, in, f, end(before...), end());
    }
    template <int N, typename R, typename F, typename... End>
    void FlagTails(R (&tails)[N], const T (&in)[N], F f, End... behind)
    {
        flag((R(*)[N]) nullptr, &tails, in, f, end(), end(behind...));
    }
    template <int N, typename R, typename F> void FlagHeadsAndTails(R (&heads)[N], R (&tails)[N], const T (&in)[N], F f)
    {
        flag(&heads, &tails, in, f, end(), end());
    }

  private:
    typedef hip_cpu_end<T> end;
    template <int N, typename R, typename F>
    void flag(R (*heads)[N], R (*tails)[N], const T (&in)[N], F f, end before, end behind)
    {
        T *all = this->ends(X * Y * Z, in);
        int rank = hip_cpu_rank(), last = X * Y * Z - 1;
        for (int i = 0; i < N; i++) {
            const T *left = i > 0 ? &in[i - 1] : rank > 0 ? &all[last + rank] : before.some ? &before.value : nullptr;
            const T *right = i < N - 1     ? &in[i + 1]
                             : rank < last ? &all[rank + 1]
                             : behind.some ? &behind.value
                                           : nullptr;
            if (heads)
                (*heads)[i] = (R)(!left || f(*left, in[i]));
            if (tails)
                (*tails)[i] = (R)(!right || f(in[i], *right));
        }
    }
};

template <typename T, int X, int Y = 1, int Z = 1, int = 0>
struct BlockShuffle : hip_cpu_block_primitive<T, (size_t)X * Y * Z, BlockShuffle<T, X>> {
    typedef hip_cpu_block_primitive<T, (size_t)X * Y * Z, BlockShuffle<T, X>> base;
    HIP_CPU_CONSTRUCTORS(BlockShuffle, base)

    /* A thread whose source is outside the block keeps what it has. */
    void Offset(T in, T &out, int distance = 1)
    {
        T *all = shared(in);
        int from = hip_cpu_rank() + distance;
        if (from >= 0 && from < X * Y * Z)
            out = all[from];
    }
    void Rotate(T in, T &out, unsigned distance = 1)
    {
        T *all = shared(in);
        out = all[((unsigned)hip_cpu_rank() + distance) % (X * Y * Z)];
    }
    template <int N> void Up(const T (&in)[N], T (&out)[N])
    {
        T *all = shared(in[N - 1]);
        for (int i = N - 1; i > 0; i--)
            out[i] = in[i - 1];
        if (hip_cpu_rank() > 0)
            out[0] = all[hip_cpu_rank() - 1];
    }
    template <int N> void Down(const T (&in)[N], T (&out)[N])
    {
        T *all = shared(in[0]);
        for (int i = 0; i < N - 1; i++)
            out[i] = in[i + 1];
        if (hip_cpu_rank() < X * Y * Z - 1)
            out[N - 1] = all[hip_cpu_rank() + 1];
    }

  private:
    T *shared(T value)
    {
        T *all = this->values();
        all[hip_cpu_rank()] = value;
        this->sync();
        return all;
    }
};

template <typename T, int X, int N, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int = 0>
struct BlockHistogram : hip_cpu_block_primitive<T, 1, BlockHistogram<T, X, N, Bins>> {
    typedef hip_cpu_block_primitive<T, 1, BlockHistogram<T, X, N, Bins>> base;
    HIP_CPU_CONSTRUCTORS(BlockHistogram, base)

    template <typename C> void InitHistogram(C (&bins)[Bins])
    {
        for (int i = hip_cpu_rank(); i < Bins; i += X * Y * Z)
            bins[i] = 0;
    }
    template <typename C> void Composite(const T (&in)[N], C (&bins)[Bins])
    {
        for (int i = 0; i < N; i++)
            atomicAdd(&bins[in[i]], (C)1);
    }
    template <typename C> void Histogram(const T (&in)[N], C (&bins)[Bins])
    {
        InitHistogram(bins);
        this->sync();
        Composite(in, bins);
    }
};

struct DeviceAdjacentDifference {
    template <typename In, typename Out, typename F = Difference>
    static hipError_t SubtractLeftCopy(void *temporary, size_t &bytes, In in, Out out, size_t n, F f = F(),
                                       hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceAdjacentDifference", temporary, bytes, stream, [=]() {
            for (size_t i = n; i-- > 1;)
                out[i] = f(in[i], in[i - 1]);
            if (n > 0)
                out[0] = in[0];
        });
    }
    template <typename In, typename Out, typename F = Difference>
    static hipError_t SubtractRightCopy(void *temporary, size_t &bytes, In in, Out out, size_t n, F f = F(),
                                        hipStream_t stream = 0)
    {
        return hip_cpu_call("DeviceAdjacentDifference", temporary, bytes, stream, [=]() {
            for (size_t i = 0; i + 1 < n; i++)
                out[i] = f(in[i], in[i + 1]);
            if (n > 0)
                out[n - 1] = in[n - 1];
        });
    }
    template <typename It, typename F = Difference>
    static hipError_t SubtractLeft(void *temporary, size_t &bytes, It in, size_t n, F f = F(), hipStream_t stream = 0)
    {
        return SubtractLeftCopy(temporary, bytes, in, in, n, f, stream);
    }
    template <typename It, typename F = Difference>
    static hipError_t SubtractRight(void *temporary, size_t &bytes, It in, size_t n, F f = F(), hipStream_t stream = 0)
    {
        return SubtractRightCopy(temporary, bytes, in, in, n, f, stream);
    }
};
} // namespace cub

#endif
