/* Reductions, scans, sorts and exchanges of a block or a warp, as CUB and hipCUB call them. Threads hand over their values
 * in the temporary storage, which is shared memory of the kernel; using it again needs a __syncthreads() between, as on
 * a GPU.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_BLOCK_H
#define HIP_CPU_PRIMITIVES_BLOCK_H

#include <algorithm>

#include "hip_cpu/groups/cooperative_groups.h"
#include "hip_cpu/primitives/device.h"

namespace cub
{
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

/* Values of threads in shared memory, which has no constructors. */
template <typename T, size_t N> struct hip_cpu_storage {
    alignas(T) char bytes[N * sizeof(T)];
    T *values()
    {
        return (T *)bytes;
    }
};
static inline int hip_cpu_rank()
{
    return (int)cooperative_groups::thread_block::thread_rank();
}

/* What all of them have: their own storage, or the kernel's. */
template <typename T, size_t N, typename Self> struct hip_cpu_block_primitive {
    typedef hip_cpu_storage<T, N> TempStorage;

  protected:
    TempStorage &storage;
    static TempStorage &own()
    {
        static __shared__ TempStorage memory;
        return memory;
    }
    T *values()
    {
        return storage.values();
    }
    hip_cpu_block_primitive(TempStorage &memory) : storage(memory)
    {
    }
};
#define HIP_CPU_CONSTRUCTORS(name, base)                                                           \
    typedef typename base::TempStorage TempStorage;                                                \
    name() : base(base::own())                                                                     \
    {                                                                                              \
    }                                                                                              \
    name(TempStorage &memory) : base(memory)                                                       \
    {                                                                                              \
    }

/* The result is thread 0's; others get it, too, in thread order. */
template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int = 0>
struct BlockReduce : hip_cpu_block_primitive<T, (size_t)X * Y * Z, BlockReduce<T, X>> {
    typedef hip_cpu_block_primitive<T, (size_t)X * Y * Z, BlockReduce<T, X>> base;
    HIP_CPU_CONSTRUCTORS(BlockReduce, base)

    template <typename F> T Reduce(T value, F f, int valid = X * Y * Z)
    {
        T *all = this->values(), sum;
        all[hip_cpu_rank()] = value;
        __syncthreads();
        sum = all[0];
        for (int i = 1; hip_cpu_rank() == 0 && i < valid && i < X * Y * Z; i++)
            sum = f(sum, all[i]);
        return sum;
    }
    template <int N, typename F> T Reduce(T (&values)[N], F f)
    {
        T sum = values[0];
        for (int i = 1; i < N; i++)
            sum = f(sum, values[i]);
        return Reduce(sum, f);
    }
    T Sum(T value)
    {
        return Reduce(value, cub::Sum());
    }
    T Sum(T value, int valid)
    {
        return Reduce(value, cub::Sum(), valid);
    }
    template <int N> T Sum(T (&values)[N])
    {
        return Reduce(values, cub::Sum());
    }
};

template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
struct BlockScan : hip_cpu_block_primitive<T, (size_t)X * Y * Z + 1, BlockScan<T, X>> {
    typedef hip_cpu_block_primitive<T, (size_t)X * Y * Z + 1, BlockScan<T, X>> base;
    HIP_CPU_CONSTRUCTORS(BlockScan, base)

    /* What stands before this thread's values, whose sum is given; false: nothing. `all` is that of the block. */
    template <typename F> bool before(T sum, F f, T &first, T &all)
    {
        T *of = this->values();
        int rank = hip_cpu_rank(), count = X * Y * Z;
        of[rank] = sum;
        __syncthreads();
        if (rank == 0) {
            T total = of[0];
            for (int i = 1; i < count; i++) {
                T next = f(total, of[i]);
                of[i] = total;
                total = next;
            }
            of[count] = total;
        }
        __syncthreads();
        first = of[rank];
        all = of[count];
        return rank > 0;
    }
    template <int N, typename F>
    void scan(T (&in)[N], T (&out)[N], F f, const T *init, bool inclusive, T &all)
    {
        T sum = in[0], first;
        for (int i = 1; i < N; i++)
            sum = f(sum, in[i]);
        bool some = before(sum, f, first, all);
        if (init) {
            first = some ? f(*init, first) : *init;
            some = true;
        }
        for (int i = 0; i < N; i++) {
            T value = in[i];
            T next = some ? f(first, value) : value;
            out[i] = inclusive ? next : some ? first : T();
            first = next;
            some = true;
        }
    }
    template <typename F> void scan(T in, T &out, F f, const T *init, bool inclusive, T &all)
    {
        T from[1] = {in}, to[1];
        scan(from, to, f, init, inclusive, all);
        out = to[0];
    }
    /* A callback of the first warp gives what comes before the block. */
    template <typename A, typename F, typename Prefix>
    void scan_behind(A &in, A &out, F f, bool inclusive, Prefix &prefix)
    {
        static __shared__ hip_cpu_storage<T, 1> given;
        T all, first;
        A none;
        scan(in, none, f, nullptr, true, all);
        __syncthreads();
        if (hip_cpu_rank() < warpSize) {
            first = prefix(all);
            if (hip_cpu_rank() == 0)
                given.values()[0] = first;
        }
        __syncthreads();
        first = given.values()[0];
        scan(in, out, f, &first, inclusive, all);
    }

    void InclusiveSum(T in, T &out)
    {
        T all;
        scan(in, out, cub::Sum(), nullptr, true, all);
    }
    void InclusiveSum(T in, T &out, T &all)
    {
        scan(in, out, cub::Sum(), nullptr, true, all);
    }
    void ExclusiveSum(T in, T &out)
    {
        T all, zero = T();
        scan(in, out, cub::Sum(), &zero, false, all);
    }
    void ExclusiveSum(T in, T &out, T &all)
    {
        T zero = T();
        scan(in, out, cub::Sum(), &zero, false, all);
    }
    template <typename Prefix,
              typename = typename std::enable_if<std::is_class<Prefix>::value &&
                                                 !std::is_same<Prefix, T>::value>::type>
    void ExclusiveSum(T in, T &out, Prefix &prefix)
    {
        scan_behind(in, out, cub::Sum(), false, prefix);
    }
    template <typename F> void InclusiveScan(T in, T &out, F f)
    {
        T all;
        scan(in, out, f, nullptr, true, all);
    }
    template <typename F> void InclusiveScan(T in, T &out, F f, T &all)
    {
        scan(in, out, f, nullptr, true, all);
    }
    template <typename F> void ExclusiveScan(T in, T &out, T init, F f)
    {
        T all;
        scan(in, out, f, &init, false, all);
    }
    template <typename F> void ExclusiveScan(T in, T &out, T init, F f, T &all)
    {
        scan(in, out, f, &init, false, all);
    }
    template <typename F> void ExclusiveScan(T in, T &out, F f)
    {
        T all;
        scan(in, out, f, nullptr, false, all);
    }
    template <int N> void InclusiveSum(T (&in)[N], T (&out)[N])
    {
        T all;
        scan(in, out, cub::Sum(), nullptr, true, all);
    }
    template <int N> void InclusiveSum(T (&in)[N], T (&out)[N], T &all)
    {
        scan(in, out, cub::Sum(), nullptr, true, all);
    }
    template <int N> void ExclusiveSum(T (&in)[N], T (&out)[N])
    {
        T all, zero = T();
        scan(in, out, cub::Sum(), &zero, false, all);
    }
    template <int N> void ExclusiveSum(T (&in)[N], T (&out)[N], T &all)
    {
        T zero = T();
        scan(in, out, cub::Sum(), &zero, false, all);
    }
    template <int N, typename Prefix,
              typename = typename std::enable_if<std::is_class<Prefix>::value &&
                                                 !std::is_same<Prefix, T>::value>::type>
    void ExclusiveSum(T (&in)[N], T (&out)[N], Prefix &prefix)
    {
        scan_behind(in, out, cub::Sum(), false, prefix);
    }
    template <int N, typename F> void InclusiveScan(T (&in)[N], T (&out)[N], F f)
    {
        T all;
        scan(in, out, f, nullptr, true, all);
    }
    template <int N, typename F> void ExclusiveScan(T (&in)[N], T (&out)[N], T init, F f)
    {
        T all;
        scan(in, out, f, &init, false, all);
    }
    template <int N, typename F> void ExclusiveScan(T (&in)[N], T (&out)[N], T init, F f, T &all)
    {
        scan(in, out, f, &init, false, all);
    }
};

/* Thread t has elements t * N to t * N + N - 1; striped: t, t + threads, ... */
template <typename T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int = 0>
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
template <typename T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int = 0>
struct BlockStore : hip_cpu_block_primitive<T, 1, BlockStore<T, X, N>> {
    typedef hip_cpu_block_primitive<T, 1, BlockStore<T, X, N>> base;
    HIP_CPU_CONSTRUCTORS(BlockStore, base)

    template <typename It> void Store(It to, T (&from)[N], int valid = X * Y * Z * N)
    {
        for (int i = 0; i < N; i++) {
            int place =
                A == BLOCK_STORE_STRIPED ? i * X * Y * Z + hip_cpu_rank() : hip_cpu_rank() * N + i;
            if (place < valid)
                to[place] = from[i];
        }
    }
};

template <typename T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0>
struct BlockExchange : hip_cpu_block_primitive<T, (size_t)X * Y * Z * N, BlockExchange<T, X, N>> {
    typedef hip_cpu_block_primitive<T, (size_t)X * Y * Z * N, BlockExchange<T, X, N>> base;
    HIP_CPU_CONSTRUCTORS(BlockExchange, base)

    void StripedToBlocked(const T (&in)[N], T (&out)[N])
    {
        move(in, out, X * Y * Z, 1, 1, N);
    }
    void BlockedToStriped(const T (&in)[N], T (&out)[N])
    {
        move(in, out, 1, N, X * Y * Z, 1);
    }
    void StripedToBlocked(T (&values)[N])
    {
        StripedToBlocked(values, values);
    }
    void BlockedToStriped(T (&values)[N])
    {
        BlockedToStriped(values, values);
    }

  private:
    void move(const T (&in)[N], T (&out)[N], int in_step, int in_thread, int out_step,
              int out_thread)
    {
        T *all = this->values();
        for (int i = 0; i < N; i++)
            all[i * in_step + hip_cpu_rank() * in_thread] = in[i];
        __syncthreads();
        for (int i = 0; i < N; i++)
            out[i] = all[i * out_step + hip_cpu_rank() * out_thread];
    }
};

struct NullType {
};
/* Keys, and values with them, in blocked order. */
template <typename K, int X, int N, typename V = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1, int = 0>
struct BlockRadixSort
    : hip_cpu_block_primitive<std::pair<K, V>, (size_t)X * Y * Z * N, BlockRadixSort<K, X, N, V>> {
    typedef std::pair<K, V> pair;
    typedef hip_cpu_block_primitive<pair, (size_t)X * Y * Z * N, BlockRadixSort<K, X, N, V>> base;
    HIP_CPU_CONSTRUCTORS(BlockRadixSort, base)

    void Sort(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8)
    {
        V none[N] = {};
        sort(keys, none, begin, end, false);
    }
    void SortDescending(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8)
    {
        V none[N] = {};
        sort(keys, none, begin, end, true);
    }
    void Sort(K (&keys)[N], V (&values)[N], int begin = 0, int end = sizeof(K) * 8)
    {
        sort(keys, values, begin, end, false);
    }
    void SortDescending(K (&keys)[N], V (&values)[N], int begin = 0, int end = sizeof(K) * 8)
    {
        sort(keys, values, begin, end, true);
    }

  private:
    void sort(K (&keys)[N], V (&values)[N], int begin, int end, bool descending)
    {
        pair *all = this->values();
        for (int i = 0; i < N; i++) {
            all[hip_cpu_rank() * N + i].first = keys[i];
            all[hip_cpu_rank() * N + i].second = values[i];
        }
        __syncthreads();
        if (hip_cpu_rank() == 0)
            std::stable_sort(all, all + X * Y * Z * N, [=](const pair &a, const pair &b) {
                auto x = hip_cpu_radix(a.first, begin, end), y = hip_cpu_radix(b.first, begin, end);
                return descending ? y < x : x < y;
            });
        __syncthreads();
        for (int i = 0; i < N; i++) {
            keys[i] = all[hip_cpu_rank() * N + i].first;
            values[i] = all[hip_cpu_rank() * N + i].second;
        }
    }
};

/* ---- warps ---- */

/* `Lanes` of them beside each other; 0: a whole warp. Of a block that ends within it, those that are there. */
template <int Lanes> struct hip_cpu_warp_primitive {
    struct TempStorage {
        char none;
    };
    hip_cpu_warp_primitive()
    {
    }
    hip_cpu_warp_primitive(TempStorage &)
    {
    }

  protected:
    static cooperative_groups::hip_cpu_part lanes()
    {
        unsigned size = 1, wanted = Lanes ? Lanes : (unsigned)warpSize;
        while (size < wanted)
            size *= 2;
        return cooperative_groups::hip_cpu_tile(size, __FILE__, __LINE__);
    }
};

template <typename T, int Lanes = 0, int = 0> struct WarpReduce : hip_cpu_warp_primitive<Lanes> {
    using hip_cpu_warp_primitive<Lanes>::hip_cpu_warp_primitive;

    /* The result is the first lane's. */
    template <typename F> T Reduce(T value, F f, int valid = Lanes ? Lanes : 64)
    {
        auto lanes = this->lanes();
        int rank = (int)lanes.thread_rank(), count = (int)lanes.size();
        count = valid < count ? valid : count;
        for (int distance = 1; distance < count; distance *= 2) {
            T other = lanes.shfl_down(value, (unsigned)distance);
            if (rank + distance < count)
                value = f(value, other);
        }
        return value;
    }
    T Sum(T value)
    {
        return Reduce(value, cub::Sum());
    }
    T Sum(T value, int valid)
    {
        return Reduce(value, cub::Sum(), valid);
    }
};

template <typename T, int Lanes = 0, int = 0> struct WarpScan : hip_cpu_warp_primitive<Lanes> {
    using hip_cpu_warp_primitive<Lanes>::hip_cpu_warp_primitive;

    template <typename F> void InclusiveScan(T in, T &out, F f)
    {
        auto lanes = this->lanes();
        out = in;
        for (unsigned distance = 1; distance < lanes.size(); distance *= 2) {
            T other = lanes.shfl_up(out, distance);
            if (lanes.thread_rank() >= distance)
                out = f(other, out);
        }
    }
    template <typename F> void InclusiveScan(T in, T &out, F f, T &all)
    {
        InclusiveScan(in, out, f);
        auto lanes = this->lanes();
        all = lanes.shfl(out, (int)lanes.size() - 1);
    }
    template <typename F> void ExclusiveScan(T in, T &out, T init, F f)
    {
        T all;
        InclusiveScan(in, all, f);
        auto lanes = this->lanes();
        T before = lanes.shfl_up(all, 1);
        out = lanes.thread_rank() == 0 ? init : (T)f(init, before);
    }
    template <typename F> void ExclusiveScan(T in, T &out, T init, F f, T &all)
    {
        T inclusive;
        InclusiveScan(in, inclusive, f, all);
        auto lanes = this->lanes();
        T before = lanes.shfl_up(inclusive, 1);
        out = lanes.thread_rank() == 0 ? init : (T)f(init, before);
    }
    void InclusiveSum(T in, T &out)
    {
        InclusiveScan(in, out, cub::Sum());
    }
    void InclusiveSum(T in, T &out, T &all)
    {
        InclusiveScan(in, out, cub::Sum(), all);
    }
    void ExclusiveSum(T in, T &out)
    {
        ExclusiveScan(in, out, T(), cub::Sum());
    }
    void ExclusiveSum(T in, T &out, T &all)
    {
        ExclusiveScan(in, out, T(), cub::Sum(), all);
    }
    T Broadcast(T value, unsigned lane)
    {
        return this->lanes().shfl(value, (int)lane);
    }
};

/* ---- functions of a thread ---- */

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
template <typename T, int N, typename It>
void StoreDirectBlocked(int thread, It to, const T (&from)[N])
{
    for (int i = 0; i < N; i++)
        to[thread * N + i] = from[i];
}
template <int Threads, typename It, typename T, int N>
void LoadDirectStriped(int thread, It from, T (&to)[N])
{
    for (int i = 0; i < N; i++)
        to[i] = from[thread + i * Threads];
}
template <int Threads, typename T, int N, typename It>
void StoreDirectStriped(int thread, It to, const T (&from)[N])
{
    for (int i = 0; i < N; i++)
        to[thread + i * Threads] = from[i];
}
} // namespace cub

#endif
