/* What programs use most of rocPRIM: CUB's, under other names and with other orders of parameters.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_ROCPRIM_H
#define HIP_CPU_PRIMITIVES_ROCPRIM_H

#include "hip_cpu/primitives/cub.h"

namespace rocprim
{
struct empty_type {
};
struct default_config {
};
#define HIP_CPU_OPERATOR(name, R, value)                                                                               \
    template <typename T = void> struct name {                                                                         \
        R operator()(const T &a, const T &b) const { return value; }                                                   \
    };
HIP_CPU_OPERATOR(plus, T, (T)(a + b))
HIP_CPU_OPERATOR(minus, T, (T)(a - b))
HIP_CPU_OPERATOR(multiplies, T, (T)(a *b))
HIP_CPU_OPERATOR(maximum, T, (a < b ? b : a))
HIP_CPU_OPERATOR(minimum, T, (b < a ? b : a))
HIP_CPU_OPERATOR(less, bool, a < b)
HIP_CPU_OPERATOR(greater, bool, a > b)
HIP_CPU_OPERATOR(equal_to, bool, a == b)
HIP_CPU_OPERATOR(not_equal_to, bool, a != b)
#undef HIP_CPU_OPERATOR

template <typename T> using counting_iterator = cub::CountingInputIterator<T>;
template <typename T> using constant_iterator = cub::ConstantInputIterator<T>;
template <typename It, typename F>
using transform_iterator = cub::TransformInputIterator<decltype(std::declval<F>()(*std::declval<It>())), F, It>;
template <typename T> counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }
template <typename T> constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }
template <typename It, typename F> transform_iterator<It, F> make_transform_iterator(It it, F f)
{
    return transform_iterator<It, F>(it, f);
}
using cub::DoubleBuffer;
template <typename T> using double_buffer = cub::DoubleBuffer<T>;

/* ---- of an array ---- */

template <typename Config = default_config, typename In, typename Out, typename T,
          typename F = plus<cub::hip_cpu_value<In>>,
          typename = typename std::enable_if<!std::is_same<F, hipStream_t>::value && std::is_class<F>::value>::type>
hipError_t reduce(void *temporary, size_t &bytes, In in, Out out, T init, size_t n, F f = F(), hipStream_t stream = 0,
                  bool = false)
{
    return cub::DeviceReduce::Reduce(temporary, bytes, in, out, n, f, init, stream);
}
template <typename Config = default_config, typename In, typename Out, typename F = plus<cub::hip_cpu_value<In>>,
          typename = typename std::enable_if<std::is_class<F>::value>::type>
hipError_t reduce(void *temporary, size_t &bytes, In in, Out out, size_t n, F f = F(), hipStream_t stream = 0,
                  bool = false)
{
    return cub::hip_cpu_call("reduce", temporary, bytes, stream, [=]() {
        F op = f;
        if (n > 0)
            out[0] = cub::hip_cpu_tree<cub::hip_cpu_value<In>>(in, (size_t)0, n, op);
    });
}
template <typename Config = default_config, typename In, typename Out, typename F = plus<cub::hip_cpu_value<In>>>
hipError_t inclusive_scan(void *temporary, size_t &bytes, In in, Out out, size_t n, F f = F(), hipStream_t stream = 0,
                          bool = false)
{
    return cub::DeviceScan::InclusiveScan(temporary, bytes, in, out, f, n, stream);
}
template <typename Config = default_config, typename In, typename Out, typename T,
          typename F = plus<cub::hip_cpu_value<In>>>
hipError_t exclusive_scan(void *temporary, size_t &bytes, In in, Out out, T init, size_t n, F f = F(),
                          hipStream_t stream = 0, bool = false)
{
    return cub::DeviceScan::ExclusiveScan(temporary, bytes, in, out, f, init, n, stream);
}
template <typename Config = default_config, typename In, typename Out, typename F>
hipError_t transform(In in, Out out, size_t n, F f, hipStream_t stream = 0, bool = false)
{
    return cub::hip_cpu_serially("transform", stream, [=]() {
        for (size_t i = 0; i < n; i++)
            out[i] = f(in[i]);
    });
}
template <typename Config = default_config, typename In, typename Out, typename Count, typename F>
hipError_t select(void *temporary, size_t &bytes, In in, Out out, Count count, size_t n, F f, hipStream_t stream = 0,
                  bool = false)
{
    return cub::DeviceSelect::If(temporary, bytes, in, out, count, n, f, stream);
}
#define HIP_CPU_SORT(suffix, Suffix)                                                                                   \
    template <typename Config = default_config, typename K>                                                            \
    hipError_t radix_sort_keys##suffix(void *temporary, size_t &bytes, const K *in, K *out, size_t n,                  \
                                       unsigned begin = 0, unsigned end = sizeof(K) * 8, hipStream_t stream = 0,       \
                                       bool = false)                                                                   \
    {                                                                                                                  \
        return cub::DeviceRadixSort::SortKeys##Suffix(temporary, bytes, in, out, n, (int)begin, (int)end, stream);     \
    }                                                                                                                  \
    template <typename Config = default_config, typename K, typename V>                                                \
    hipError_t radix_sort_pairs##suffix(void *temporary, size_t &bytes, const K *in, K *out, const V *values_in,       \
                                        V *values_out, size_t n, unsigned begin = 0, unsigned end = sizeof(K) * 8,     \
                                        hipStream_t stream = 0, bool = false)                                          \
    {                                                                                                                  \
        return cub::DeviceRadixSort::SortPairs##Suffix(temporary, bytes, in, out, values_in, values_out, n,            \
                                                       (int)begin, (int)end, stream);                                  \
    }
HIP_CPU_SORT(, )
HIP_CPU_SORT(_desc, Descending)
#undef HIP_CPU_SORT

/* ---- of a block and of a warp ---- */

enum class block_reduce_algorithm {
    using_warp_reduce,
    raking_reduce,
    raking_reduce_commutative_only,
    default_algorithm = using_warp_reduce
};
enum class block_scan_algorithm { using_warp_scan, reduce_then_scan, default_algorithm = using_warp_scan };

enum class block_load_method { block_load_direct, block_load_striped, default_method = block_load_direct };
enum class block_store_method { block_store_direct, block_store_striped, default_method = block_store_direct };

/* What threads load and store needs no storage here; from, to, how many are valid, and what the others get. */
template <typename T, unsigned X, unsigned N, block_load_method M = block_load_method::default_method, unsigned Y = 1,
          unsigned Z = 1>
struct block_load {
    typedef cub::BlockLoad<
        T, (int)X, (int)N,
        M == block_load_method::block_load_striped ? cub::BLOCK_LOAD_STRIPED : cub::BLOCK_LOAD_DIRECT, (int)Y, (int)Z>
        inner;
    typedef typename inner::TempStorage storage_type;

    template <typename It, typename... Rest> void load(It from, T (&items)[N], Rest... rest)
    {
        inner().Load(from, items, rest...);
    }
};
template <typename T, unsigned X, unsigned N, block_store_method M = block_store_method::default_method, unsigned Y = 1,
          unsigned Z = 1>
struct block_store {
    typedef cub::BlockStore<T, (int)X, (int)N,
                            M == block_store_method::block_store_striped ? cub::BLOCK_STORE_STRIPED
                                                                         : cub::BLOCK_STORE_DIRECT,
                            (int)Y, (int)Z>
        inner;
    typedef typename inner::TempStorage storage_type;

    template <typename It, typename... Rest> void store(It to, T (&items)[N], Rest... rest)
    {
        inner().Store(to, items, rest...);
    }
};

template <typename T, unsigned X, block_reduce_algorithm = block_reduce_algorithm::default_algorithm, unsigned Y = 1,
          unsigned Z = 1>
struct block_reduce {
    typedef cub::BlockReduce<T, (int)X, cub::BLOCK_REDUCE_RAKING, (int)Y, (int)Z> inner;
    typedef typename inner::TempStorage storage_type;

    template <typename F = plus<T>> void reduce(T in, T &out, storage_type &storage, F f = F(), HIP_CPU_PLACE)
    {
        out = inner(storage, file, line).Reduce(in, f);
    }
    template <typename F = plus<T>> void reduce(T in, T &out, F f = F(), HIP_CPU_PLACE)
    {
        out = inner(file, line).Reduce(in, f);
    }
    template <unsigned N, typename F = plus<T>>
    void reduce(T (&in)[N], T &out, storage_type &storage, F f = F(), HIP_CPU_PLACE)
    {
        out = inner(storage, file, line).Reduce(in, f);
    }
    template <unsigned N, typename F = plus<T>> void reduce(T (&in)[N], T &out, F f = F(), HIP_CPU_PLACE)
    {
        out = inner(file, line).Reduce(in, f);
    }
};
template <typename T, unsigned X, block_scan_algorithm = block_scan_algorithm::default_algorithm, unsigned Y = 1,
          unsigned Z = 1>
struct block_scan {
    typedef cub::BlockScan<T, (int)X, cub::BLOCK_SCAN_RAKING, (int)Y, (int)Z> inner;
    typedef typename inner::TempStorage storage_type;

    template <typename F = plus<T>> void inclusive_scan(T in, T &out, storage_type &storage, F f = F(), HIP_CPU_PLACE)
    {
        inner(storage, file, line).InclusiveScan(in, out, f);
    }
    template <typename F = plus<T>>
    void exclusive_scan(T in, T &out, T init, storage_type &storage, F f = F(), HIP_CPU_PLACE)
    {
        inner(storage, file, line).ExclusiveScan(in, out, init, f);
    }
};
template <typename T, unsigned Lanes = 0> struct warp_reduce {
    typedef cub::WarpReduce<T, (int)Lanes> inner;
    typedef typename inner::TempStorage storage_type;

    template <typename F = plus<T>> void reduce(T in, T &out, storage_type &storage, F f = F())
    {
        out = inner(storage).Reduce(in, f);
    }
};
template <typename T, unsigned Lanes = 0> struct warp_scan {
    typedef cub::WarpScan<T, (int)Lanes> inner;
    typedef typename inner::TempStorage storage_type;

    template <typename F = plus<T>> void inclusive_scan(T in, T &out, storage_type &storage, F f = F())
    {
        inner(storage).InclusiveScan(in, out, f);
    }
    template <typename F = plus<T>> void exclusive_scan(T in, T &out, T init, storage_type &storage, F f = F())
    {
        inner(storage).ExclusiveScan(in, out, init, f);
    }
};

static inline unsigned flat_block_thread_id() { return (unsigned)cub::hip_cpu_rank(); }
static inline unsigned flat_block_id() { return (unsigned)cooperative_groups::grid_group::block_rank(); }
} // namespace rocprim

#endif
