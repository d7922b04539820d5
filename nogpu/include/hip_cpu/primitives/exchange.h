/* Loads, stores and exchanges of a block, as CUB and hipCUB call them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_EXCHANGE_H
#define HIP_CPU_PRIMITIVES_EXCHANGE_H

#include "hip_cpu/primitives/block.h"

namespace cub
{
/* Thread t has elements t * N to t * N + N - 1; striped: t, t + threads, ... */
template <typename T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
struct BlockLoad : hip_cpu_block_primitive<T, 1, BlockLoad<T, X, N>> {
    typedef hip_cpu_block_primitive<T, 1, BlockLoad<T, X, N>> base;
    HIP_CPU_CONSTRUCTORS(BlockLoad, base)

    static int place(int i)
    {
        return A == BLOCK_LOAD_STRIPED ? i * X * Y * Z + hip_cpu_rank() : hip_cpu_rank() * N + i;
    }
    template <typename It> void Load(It from, T (&to)[N])
    {
        for (int i = 0; i < N; i++)
            to[i] = from[place(i)];
    }
    template <typename It> void Load(It from, T (&to)[N], int valid)
    {
        for (int i = 0; i < N; i++)
            if (place(i) < valid)
                to[i] = from[place(i)];
    }
    template <typename It, typename D> void Load(It from, T (&to)[N], int valid, D otherwise)
    {
        for (int i = 0; i < N; i++)
            to[i] = place(i) < valid ? (T)from[place(i)] : (T)otherwise;
    }
};
template <typename T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
struct BlockStore : hip_cpu_block_primitive<T, 1, BlockStore<T, X, N>> {
    typedef hip_cpu_block_primitive<T, 1, BlockStore<T, X, N>> base;
    HIP_CPU_CONSTRUCTORS(BlockStore, base)

    template <typename It> void Store(It to, T (&from)[N], int valid = X * Y * Z * N)
    {
        for (int i = 0; i < N; i++) {
            int place = A == BLOCK_STORE_STRIPED ? i * X * Y * Z + hip_cpu_rank() : hip_cpu_rank() * N + i;
            if (place < valid)
                to[place] = from[i];
        }
    }
};

template <typename T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0>
struct BlockExchange : hip_cpu_block_primitive<T, (size_t)X * Y * Z * N, BlockExchange<T, X, N>> {
    typedef hip_cpu_block_primitive<T, (size_t)X * Y * Z * N, BlockExchange<T, X, N>> base;
    HIP_CPU_CONSTRUCTORS(BlockExchange, base)

    void StripedToBlocked(const T (&in)[N], T (&out)[N]) { move(in, out, X * Y * Z, 1, 1, N); }
    void BlockedToStriped(const T (&in)[N], T (&out)[N]) { move(in, out, 1, N, X * Y * Z, 1); }
    void StripedToBlocked(T (&values)[N]) { StripedToBlocked(values, values); }
    void BlockedToStriped(T (&values)[N]) { BlockedToStriped(values, values); }

  private:
    void move(const T (&in)[N], T (&out)[N], int in_step, int in_thread, int out_step, int out_thread)
    {
        T *all = this->values();
        for (int i = 0; i < N; i++)
            all[i * in_step + hip_cpu_rank() * in_thread] = in[i];
        this->sync();
        for (int i = 0; i < N; i++)
            out[i] = all[i * out_step + hip_cpu_rank() * out_thread];
    }
};

template <typename T, int N, typename F> T ThreadReduce(const T (&values)[N], F f)
{
    T sum = values[0];
    for (int i = 1; i < N; i++)
        sum = f(sum, values[i]);
    return sum;
}
template <typename It, typename T, int N> void LoadDirectBlocked(int thread, It from, T (&to)[N])
{
    for (int i = 0; i < N; i++)
        to[i] = from[thread * N + i];
}
template <typename T, int N, typename It> void StoreDirectBlocked(int thread, It to, const T (&from)[N])
{
    for (int i = 0; i < N; i++)
        to[thread * N + i] = from[i];
}
template <int Threads, typename It, typename T, int N> void LoadDirectStriped(int thread, It from, T (&to)[N])
{
    for (int i = 0; i < N; i++)
        to[i] = from[thread + i * Threads];
}
template <int Threads, typename T, int N, typename It> void StoreDirectStriped(int thread, It to, const T (&from)[N])
{
    for (int i = 0; i < N; i++)
        to[thread + i * Threads] = from[i];
}
} // namespace cub

#endif
