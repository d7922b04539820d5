/* Cooperative groups: tiles of several warps, which need shared memory of their own; part of cooperative_groups.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_COOPERATIVE_TILES_H
#define HIP_CPU_COOPERATIVE_TILES_H

namespace cooperative_groups
{
template <unsigned Threads = 1024> struct block_tile_memory {
    uint64_t value[Threads];
};
struct thread_block_with_memory : thread_block {
    uint64_t *value;
};
template <unsigned Threads> static inline thread_block_with_memory this_thread_block(block_tile_memory<Threads> &memory)
{
    thread_block_with_memory block;
    block.value = memory.value;
    return block;
}

/* Its threads meet where all of the block do: every tile of the block has to come. */
template <unsigned Size> struct hip_cpu_wide_tile {
    uint64_t *value; /* of the first thread of the block */

    void sync(HIP_CPU_PLACE) const { hip_cpu_syncthreads(file, line); }
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
    static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
};

template <unsigned Size> static inline auto tiled_partition(const thread_block_with_memory &block, HIP_CPU_PLACE)
{
    if constexpr (Size > 32)
        return hip_cpu_wide_tile<Size>{block.value};
    else
        return thread_block_tile<Size, thread_block>(hip_cpu_tile(Size, file, line));
}

template <unsigned Size, typename T, typename F>
HIP_CPU_INLINE T reduce(const hip_cpu_wide_tile<Size> &tile, T value, F f, HIP_CPU_PLACE)
{
    static_assert(sizeof value <= sizeof *tile.value, "a value of up to 8 bytes");
    uint64_t *first = tile.value + tile.meta_group_rank() * Size;
    unsigned count = thread_block::size() - tile.meta_group_rank() * Size;

    memcpy(first + tile.thread_rank(), &value, sizeof value);
    tile.sync(file, line);
    for (unsigned i = 0; i < Size && i < count; i++) {
        T other;
        memcpy(&other, first + i, sizeof other);
        value = i == 0 ? other : f(value, other);
    }
    tile.sync(file, line);
    return value;
}
} // namespace cooperative_groups

#endif
