/* Reductions and scans of a warp, as CUB and hipCUB call them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_WARP_H
#define HIP_CPU_PRIMITIVES_WARP_H

#include "hip_cpu/groups/cooperative_groups.h"
#include "hip_cpu/primitives/operators.h"
#include "hip_cpu/primitives/tree.h"

namespace cub
{
/* `Lanes` of them beside each other; 0: a whole warp. Of a block that ends within it, the existing ones. Each warp has
 * to have a storage of its own, which is written for that reason alone. */
template <int Lanes> struct hip_cpu_warp_primitive {
    struct TempStorage {
        char used;
    };
    hip_cpu_warp_primitive() {}
    hip_cpu_warp_primitive(TempStorage &storage)
    {
        if (lanes().thread_rank() == 0)
            storage.used = 1;
    }

  protected:
    /* Of any number, and fewer where the warp or the block ends. */
    static cooperative_groups::hip_cpu_part lanes()
    {
        unsigned warp = (unsigned)warpSize, size = Lanes ? Lanes : warp;
        cooperative_groups::hip_cpu_part part =
            cooperative_groups::hip_cpu_tile(size > warp ? size : warp, __FILE__, __LINE__);
        part.mask &= (~0ull >> (64 - size)) << (__lane_id() / size * size);
        return part;
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
        return rank == 0 ? value : hip_cpu_undefined(value);
    }
    template <typename... Valid> T Sum(T value, Valid... valid) { return Reduce(value, cub::Sum(), valid...); }
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
        ExclusiveScan(in, out, init, f, all);
    }
    template <typename F> void ExclusiveScan(T in, T &out, T init, F f, T &all)
    {
        T inclusive;
        InclusiveScan(in, inclusive, f, all);
        auto lanes = this->lanes();
        T before = lanes.shfl_up(inclusive, 1);
        out = lanes.thread_rank() == 0 ? init : (T)f(init, before);
    }
    /* Without a first value the first lane gets none. */
    template <typename F> void Scan(T in, T &inclusive, T &exclusive, F f)
    {
        InclusiveScan(in, inclusive, f);
        auto lanes = this->lanes();
        T before = lanes.shfl_up(inclusive, 1);
        exclusive = lanes.thread_rank() == 0 ? hip_cpu_undefined(before) : before;
    }
    template <typename F> void Scan(T in, T &inclusive, T &exclusive, T init, F f)
    {
        Scan(in, inclusive, exclusive, f);
        inclusive = f(init, inclusive);
        exclusive = this->lanes().thread_rank() == 0 ? init : (T)f(init, exclusive);
    }
    template <typename F> void ExclusiveScan(T in, T &out, F f)
    {
        T inclusive;
        Scan(in, inclusive, out, f);
    }
    template <typename F> void ExclusiveScan(T in, T &out, F f, T &all)
    {
        T inclusive;
        Scan(in, inclusive, out, f);
        auto lanes = this->lanes();
        all = lanes.shfl(inclusive, (int)lanes.size() - 1);
    }
    template <typename... All> void InclusiveSum(T in, T &out, All &...all)
    {
        InclusiveScan(in, out, cub::Sum(), all...);
    }
    template <typename... All> void ExclusiveSum(T in, T &out, All &...all)
    {
        ExclusiveScan(in, out, T(), cub::Sum(), all...);
    }
    T Broadcast(T value, unsigned lane) { return this->lanes().shfl(value, (int)lane); }
};
} // namespace cub

#endif
