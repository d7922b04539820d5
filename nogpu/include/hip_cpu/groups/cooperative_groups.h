/* Cooperative groups: the block, the grid, and sets of lanes of a warp.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_COOPERATIVE_GROUPS_H
#define HIP_CPU_COOPERATIVE_GROUPS_H

#include "hip_cpu/cuda/copy.h"
#include "hip_cpu/kernel/kernels.h"

namespace cooperative_groups
{
/* Of a barrier in two parts the second one waits, for all that came before the first. */
struct hip_cpu_arrival {
};
#define HIP_CPU_TWO_PARTS(op)                                                                                          \
    typedef hip_cpu_arrival arrival_token;                                                                             \
    static arrival_token barrier_arrive()                                                                              \
    {                                                                                                                  \
        hip_cpu_arrives(op);                                                                                           \
        return {};                                                                                                     \
    }                                                                                                                  \
    HIP_CPU_FORCED void barrier_wait(arrival_token &&, HIP_CPU_PLACE) const { sync(file, line); }

/* ---- the block ---- */

struct thread_block {
    void sync(HIP_CPU_PLACE) const { hip_cpu_syncthreads(file, line); }
    HIP_CPU_TWO_PARTS(HIP_CPU_SYNCTHREADS)
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
    bool is_valid() const { return true; }
};
static inline thread_block this_thread_block() { return thread_block(); }

/* ---- all threads of a kernel that hipLaunchCooperativeKernel started ---- */

struct grid_group {
    void sync(HIP_CPU_PLACE) const { hip_cpu_barrier(HIP_CPU_SYNC_GRID, 0, file, line); }
    HIP_CPU_TWO_PARTS(HIP_CPU_SYNC_GRID)
    static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static unsigned long long size() { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
    static dim3 dim_threads() { return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z); }
    bool is_valid() const { return hip_cpu_is_cooperative(); }
};
static inline grid_group this_grid() { return grid_group(); }

/* ---- lanes of one warp ---- */

/* Operations among the lanes of a mask; the lane of rank r has the r-th bit. */
struct hip_cpu_lanes {
    uint64_t mask;

    unsigned size() const { return (unsigned)__builtin_popcountll(mask); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return (unsigned)__builtin_popcountll(mask & __lanemask_lt()); }
    unsigned long long rank_of_last() const { return size() - 1; }
    bool is_valid() const { return true; }
    HIP_CPU_FORCED void sync(HIP_CPU_PLACE) const { hip_cpu_vote_mask(mask, HIP_CPU_SYNCWARP, 0, file, line); }
    /* The lane that has this rank. */
    unsigned lane_of(unsigned rank) const
    {
        uint64_t rest = mask;
        for (rank %= size(); rank > 0; rank--)
            rest &= rest - 1;
        return (unsigned)__builtin_ctzll(rest);
    }
    /* The bits of a mask of lanes, by rank. */
    unsigned long long by_rank(uint64_t lanes) const
    {
        unsigned long long ranks = 0;
        unsigned rank = 0;
        for (uint64_t rest = mask; rest; rest &= rest - 1, rank++)
            ranks |= (unsigned long long)((lanes & rest & -rest) != 0) << rank;
        return ranks;
    }

    template <typename T> HIP_CPU_FORCED T shfl(T value, int rank, HIP_CPU_PLACE) const
    {
        return hip_cpu_shuffle_mask_as(mask, HIP_CPU_SHFL, value, lane_of((unsigned)rank), warpSize, file, line);
    }
    template <typename T> HIP_CPU_FORCED T shfl_up(T value, unsigned delta, HIP_CPU_PLACE) const
    {
        unsigned rank = thread_rank();
        return shfl(value, (int)(delta <= rank ? rank - delta : rank), file, line);
    }
    template <typename T> HIP_CPU_FORCED T shfl_down(T value, unsigned delta, HIP_CPU_PLACE) const
    {
        unsigned rank = thread_rank();
        return shfl(value, (int)(delta < size() - rank ? rank + delta : rank), file, line);
    }
    template <typename T> HIP_CPU_FORCED T shfl_xor(T value, unsigned ranks, HIP_CPU_PLACE) const
    {
        unsigned rank = thread_rank();
        return shfl(value, (int)((rank ^ ranks) < size() ? rank ^ ranks : rank), file, line);
    }
    HIP_CPU_FORCED int any(int predicate, HIP_CPU_PLACE) const
    {
        return (int)hip_cpu_vote_mask(mask, HIP_CPU_ANY, predicate != 0, file, line);
    }
    HIP_CPU_FORCED int all(int predicate, HIP_CPU_PLACE) const
    {
        return (int)hip_cpu_vote_mask(mask, HIP_CPU_ALL, predicate != 0, file, line);
    }
    HIP_CPU_FORCED hip_cpu_mask ballot(int predicate, HIP_CPU_PLACE) const
    {
        uint64_t lanes = hip_cpu_vote_mask(mask, HIP_CPU_BALLOT, predicate != 0, file, line);
        return (hip_cpu_mask)by_rank(lanes);
    }
    template <typename T> HIP_CPU_FORCED hip_cpu_mask match_any(T value, HIP_CPU_PLACE) const
    {
        uint64_t lanes = hip_cpu_vote_mask(mask, HIP_CPU_MATCH_ANY, hip_cpu_bits_of(value), file, line);
        return (hip_cpu_mask)by_rank(lanes);
    }
    template <typename T> HIP_CPU_FORCED hip_cpu_mask match_all(T value, int &all, HIP_CPU_PLACE) const
    {
        uint64_t lanes = hip_cpu_vote_mask(mask, HIP_CPU_MATCH_ALL, hip_cpu_bits_of(value), file, line);
        all = lanes != 0;
        return (hip_cpu_mask)by_rank(lanes);
    }
};

/* Which of several equal groups this one is. */
struct hip_cpu_part : hip_cpu_lanes {
    unsigned group_rank = 0, groups = 1;

    unsigned meta_group_rank() const { return group_rank; }
    unsigned meta_group_size() const { return groups; }
};

struct coalesced_group : hip_cpu_part {
    coalesced_group(uint64_t lanes, unsigned rank = 0, unsigned count = 1)
    {
        mask = lanes;
        group_rank = rank;
        groups = count;
    }
};
HIP_CPU_INLINE coalesced_group coalesced_threads(HIP_CPU_PLACE)
{
    return coalesced_group(hip_cpu_vote(HIP_CPU_ACTIVE, 0, file, line));
}

/* `size` lanes beside each other, a power of two; a block that ends within a tile has fewer there. */
static inline hip_cpu_part hip_cpu_tile(unsigned size, const char *file, int line)
{
    hip_cpu_part part;
    unsigned threads = thread_block::size(), warp = (unsigned)warpSize, lane = __lane_id();
    unsigned first = thread_block::thread_rank() - lane, left = threads - first;
    uint64_t present = left < 64 ? ((uint64_t)1 << left) - 1 : ~0ull;

    if (size == 0 || size > warp || (size & (size - 1)) != 0)
        hip_cpu_fail("a tile has a power of two of threads, at most those of a warp: choose its "
                     "size by warpSize, or the warp by HIP_CPU_WARP_SIZE",
                     file, line);
    part.mask = (~0ull >> (64 - size)) << (lane & ~(size - 1)) & present;
    part.group_rank = thread_block::thread_rank() / size;
    part.groups = (threads + size - 1) / size;
    return part;
}

template <unsigned Size, typename Parent = void> struct thread_block_tile : hip_cpu_part {
    thread_block_tile(const hip_cpu_part &part) : hip_cpu_part(part) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static unsigned thread_rank() { return __lane_id() % Size; }
    operator coalesced_group() const { return coalesced_group(mask, group_rank, groups); }
};

/* ---- any of them, where only the launch knows which ---- */

struct thread_group {
    enum { BLOCK, GRID, LANES } kind;
    hip_cpu_part lanes;

    thread_group(const thread_block &) : kind(BLOCK), lanes() {}
    thread_group(const grid_group &) : kind(GRID), lanes() {}
    thread_group(const hip_cpu_part &part) : kind(LANES), lanes(part) {}
    HIP_CPU_FORCED void sync(HIP_CPU_PLACE) const
    {
        if (kind == LANES)
            lanes.sync(file, line);
        else if (kind == BLOCK)
            thread_block().sync(file, line);
        else
            grid_group().sync(file, line);
    }
    unsigned long long size() const
    {
        return kind == LANES ? lanes.size() : kind == BLOCK ? thread_block::size() : grid_group::size();
    }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const
    {
        return kind == LANES   ? lanes.thread_rank()
               : kind == BLOCK ? thread_block::thread_rank()
                               : grid_group::thread_rank();
    }
    bool is_valid() const { return true; }
};
static inline coalesced_group this_thread() { return coalesced_group((uint64_t)1 << __lane_id()); }

/* ---- parts of groups ---- */

template <unsigned Size>
HIP_CPU_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &, HIP_CPU_PLACE)
{
    return hip_cpu_tile(Size, file, line);
}
template <unsigned Size, unsigned ParentSize, typename P>
HIP_CPU_INLINE thread_block_tile<Size, thread_block_tile<ParentSize, P>>
tiled_partition(const thread_block_tile<ParentSize, P> &, HIP_CPU_PLACE)
{
    static_assert(Size <= ParentSize, "a part is not larger than the whole");
    hip_cpu_part part = hip_cpu_tile(Size, file, line);
    part.group_rank = __lane_id() % ParentSize / Size;
    part.groups = ParentSize / Size;
    return part;
}
HIP_CPU_INLINE thread_group tiled_partition(const thread_group &parent, unsigned size, HIP_CPU_PLACE)
{
    if (parent.kind != thread_group::LANES)
        return hip_cpu_tile(size, file, line);
    /* Of some lanes: by their ranks. */
    hip_cpu_part part;
    unsigned rank = parent.lanes.thread_rank() / size, count = 0;
    part.mask = 0;
    for (uint64_t rest = parent.lanes.mask; rest; rest &= rest - 1, count++)
        part.mask |= count / size == rank ? rest & -rest : 0;
    part.group_rank = rank;
    part.groups = (count + size - 1) / size;
    return part;
}
template <typename G, typename L>
HIP_CPU_INLINE coalesced_group labeled_partition(const G &group, L label, HIP_CPU_PLACE)
{
    uint64_t key = (uint64_t)label;
    return coalesced_group(hip_cpu_vote_mask(group.mask, HIP_CPU_MATCH_ANY, key, file, line));
}
template <typename G> HIP_CPU_INLINE coalesced_group binary_partition(const G &group, bool side, HIP_CPU_PLACE)
{
    uint64_t yes = hip_cpu_vote_mask(group.mask, HIP_CPU_BALLOT, side, file, line);
    return coalesced_group(side ? yes : group.mask & ~yes, !side, 2);
}

/* ---- functions of any group ---- */

template <typename G> HIP_CPU_INLINE void sync(const G &group, HIP_CPU_PLACE) { group.sync(file, line); }
template <typename G> static inline unsigned long long thread_rank(const G &group) { return group.thread_rank(); }
template <typename G> static inline unsigned long long group_size(const G &group) { return group.size(); }
/* Each copy is a batch of its own. */
template <typename G, typename To, typename From, typename Size>
HIP_CPU_INLINE void memcpy_async(const G &group, To *to, const From *from, Size bytes)
{
    hip_cpu_copy_later(to, from, bytes, (size_t)group.thread_rank(), (size_t)group.size());
    hip_cpu_copy_commit();
}
/* Of elements: as many as fit. */
template <typename G, typename T, typename Room, typename Count>
HIP_CPU_INLINE void memcpy_async(const G &group, T *to, Room room, const T *from, Count count)
{
    size_t most = (size_t)room < (size_t)count ? (size_t)room : (size_t)count;
    memcpy_async(group, to, from, most * sizeof(T));
}
template <typename G> HIP_CPU_INLINE void wait(const G &group, HIP_CPU_PLACE)
{
    cuda::hip_cpu_copy_until(0);
    group.sync(file, line);
}
template <unsigned N, typename G> HIP_CPU_INLINE void wait_prior(const G &group, HIP_CPU_PLACE)
{
    cuda::hip_cpu_copy_until(N);
    group.sync(file, line);
}
} // namespace cooperative_groups

#include "hip_cpu/groups/reduce.h"
#include "hip_cpu/groups/tiles.h"

#endif
