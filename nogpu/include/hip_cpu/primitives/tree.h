/* How values are added up: in a tree, as all of these libraries do, so that sums of floats are as exact. The order stays, for
 * operators that do not commute.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_PRIMITIVES_TREE_H
#define HIP_CPU_PRIMITIVES_TREE_H

#include <string.h>

namespace cub
{
/* Of in[first] to in[first + count - 1], at least one: pairs, pairs of pairs, and so on, as the lanes of a warp do. */
template <typename A, typename In, typename N, typename F> A hip_cpu_tree(const In &in, N first, N count, F &op)
{
    if (count == 1)
        return in[first];
    N left = 1;
    while (left < count - left)
        left *= 2;
    A sum = hip_cpu_tree<A>(in, first, left, op);
    return op(sum, hip_cpu_tree<A>(in, (N)(first + left), (N)(count - left), op));
}

/* A result that the library leaves undefined, for this thread: nothing that it could be mistaken for. */
template <typename T> T hip_cpu_undefined(T value)
{
    uint64_t poison = HIP_CPU_POISON;
    for (size_t i = 0; i < sizeof value; i += sizeof poison)
        memcpy((char *)&value + i, &poison, sizeof value - i < sizeof poison ? sizeof value - i : sizeof poison);
    return value;
}
} // namespace cub

#endif
