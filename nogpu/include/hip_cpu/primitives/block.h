/* Reductions, scans and sorts of a block, as CUB and hipCUB call them. Threads hand over their values in the temporary
 * storage, which is shared memory of the kernel; using it again needs a __syncthreads() between, as on a GPU.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_BLOCK_H
#define HIP_CPU_PRIMITIVES_BLOCK_H

#include <algorithm>

#include "hip_cpu/groups/cooperative_groups.h"
#include "hip_cpu/primitives/sort.h"

namespace cub
{
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
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
    T *values() { return (T *)bytes; }
};
static inline int hip_cpu_rank() { return (int)cooperative_groups::thread_block::thread_rank(); }

/* What all of them have: their own storage, or the kernel's; and where the kernel made them, which is the place of their
 * barriers. */
template <typename T, size_t N, typename Self> struct hip_cpu_block_primitive {
    typedef hip_cpu_storage<T, N> TempStorage;

  protected:
    TempStorage &storage;
    const char *file;
    int line;
    static TempStorage &own()
    {
        static __shared__ TempStorage memory;
        return memory;
    }
    T *values() { return storage.values(); }
    void sync() const { __syncthreads(file, line); }
    /* The first values of the threads, and behind them the last ones. */
    template <int M> T *ends(int threads, const T (&in)[M])
    {
        T *all = values();
        all[hip_cpu_rank()] = in[0];
        all[threads + hip_cpu_rank()] = in[M - 1];
        sync();
        return all;
    }
    hip_cpu_block_primitive(TempStorage &memory, const char *file, int line) : storage(memory), file(file), line(line)
    {
    }
};
#define HIP_CPU_CONSTRUCTORS(name, base)                                                                               \
    typedef typename base::TempStorage TempStorage;                                                                    \
    name(HIP_CPU_PLACE) : base(base::own(), file, line) {}                                                             \
    name(TempStorage &memory, HIP_CPU_PLACE) : base(memory, file, line) {}

/* The result is thread 0's: the lanes of a warp in a tree, and then the warps one by one. */
template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
struct BlockReduce : hip_cpu_block_primitive<T, (size_t)X * Y * Z, BlockReduce<T, X>> {
    typedef hip_cpu_block_primitive<T, (size_t)X * Y * Z, BlockReduce<T, X>> base;
    HIP_CPU_CONSTRUCTORS(BlockReduce, base)

    template <typename F> T Reduce(T value, F f, int valid = X * Y * Z)
    {
        T *all = this->values();
        int count = valid < X * Y * Z ? valid : X * Y * Z, warp = warpSize;
        all[hip_cpu_rank()] = value;
        this->sync();
        if (hip_cpu_rank() > 0)
            return hip_cpu_undefined(value);
        T sum = hip_cpu_tree<T>(all, 0, count < warp ? count : warp, f);
        for (int i = warp; i < count; i += warp)
            sum = f(sum, hip_cpu_tree<T>(all, i, count - i < warp ? count - i : warp, f));
        return sum;
    }
    template <int N, typename F> T Reduce(T (&values)[N], F f)
    {
        T sum = values[0];
        for (int i = 1; i < N; i++)
            sum = f(sum, values[i]);
        return Reduce(sum, f);
    }
    /* Of one value or an array of each thread; of the former perhaps some threads alone. */
    template <typename V, typename... Valid> T Sum(V &&value, Valid... valid)
    {
        return Reduce(value, cub::Sum(), valid...);
    }
};

template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
struct BlockScan : hip_cpu_block_primitive<T, (size_t)X * Y * Z + 1, BlockScan<T, X>> {
    typedef hip_cpu_block_primitive<T, (size_t)X * Y * Z + 1, BlockScan<T, X>> base;
    HIP_CPU_CONSTRUCTORS(BlockScan, base)

    /* What stands before this thread's values, whose sum is given; false: nothing. `all` is that of the block, and the
     * first word, which whoever uses the storage next writes: too early without a barrier. */
    template <typename F> bool before(T sum, F f, T &first, T &all)
    {
        T *of = this->values();
        int rank = hip_cpu_rank(), count = X * Y * Z;
        of[(rank + 1) % count + 1] = sum; /* another one than it reads below, so that a missing barrier shows */
        this->sync();
        if (rank == 0) {
            T total = of[1 % count + 1];
            for (int i = 2; i <= count; i++) {
                T next = f(total, of[i % count + 1]);
                of[i] = total;
                total = next;
            }
            of[0] = total;
        }
        this->sync();
        first = of[rank + 1];
        all = of[0];
        return rank > 0;
    }
    template <int N, typename F> void scan(const T (&in)[N], T (&out)[N], F f, const T *init, bool inclusive, T &all)
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
    template <typename In, typename Out, typename F, typename Prefix>
    void scan_behind(const In &in, Out &out, F f, Prefix &prefix)
    {
        static __shared__ hip_cpu_storage<T, 1> given;
        T all, first;
        Out none;
        scan(in, none, f, nullptr, true, all);
        this->sync();
        if (hip_cpu_rank() < warpSize) {
            first = prefix(all);
            if (hip_cpu_rank() == 0)
                given.values()[0] = first;
        }
        this->sync();
        first = given.values()[0];
        scan(in, out, f, &first, false, all);
    }

    /* Of one value of each thread, or of an array of them; the last argument gets the sum of the block. */
    template <typename In, typename Out, typename... All> void InclusiveSum(const In &in, Out &out, All &...all)
    {
        InclusiveScan(in, out, cub::Sum(), all...);
    }
    template <typename In, typename Out> void ExclusiveSum(const In &in, Out &out)
    {
        T all;
        ExclusiveSum(in, out, all);
    }
    template <typename In, typename Out> void ExclusiveSum(const In &in, Out &out, T &all)
    {
        ExclusiveScan(in, out, T(), cub::Sum(), all);
    }
    template <typename In, typename Out, typename Prefix,
              typename = typename std::enable_if<std::is_class<Prefix>::value && !std::is_same<Prefix, T>::value>::type>
    void ExclusiveSum(const In &in, Out &out, Prefix &prefix)
    {
        scan_behind(in, out, cub::Sum(), prefix);
    }
    template <typename In, typename Out, typename F> void InclusiveScan(const In &in, Out &out, F f)
    {
        T all;
        InclusiveScan(in, out, f, all);
    }
    template <typename In, typename Out, typename F> void InclusiveScan(const In &in, Out &out, F f, T &all)
    {
        scan(in, out, f, nullptr, true, all);
    }
    template <typename In, typename Out, typename F> void ExclusiveScan(const In &in, Out &out, T init, F f)
    {
        T all;
        ExclusiveScan(in, out, init, f, all);
    }
    template <typename In, typename Out, typename F> void ExclusiveScan(const In &in, Out &out, T init, F f, T &all)
    {
        scan(in, out, f, &init, false, all);
    }
    template <typename In, typename Out, typename F> void ExclusiveScan(const In &in, Out &out, F f)
    {
        T all;
        scan(in, out, f, nullptr, false, all);
    }
};

struct NullType {
};
/* Keys, and values with them, in blocked order. */
template <typename K, int X, int N, typename V = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1, int = 0>
struct BlockRadixSort : hip_cpu_block_primitive<std::pair<K, V>, (size_t)X * Y * Z * N, BlockRadixSort<K, X, N, V>> {
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
        this->sync();
        if (hip_cpu_rank() == 0)
            std::stable_sort(all, all + X * Y * Z * N, [=](const pair &a, const pair &b) {
                auto x = hip_cpu_radix(a.first, begin, end), y = hip_cpu_radix(b.first, begin, end);
                return descending ? y < x : x < y;
            });
        this->sync();
        for (int i = 0; i < N; i++) {
            keys[i] = all[hip_cpu_rank() * N + i].first;
            values[i] = all[hip_cpu_rank() * N + i].second;
        }
    }
};
} // namespace cub

#endif
