/* Cooperative groups: reductions and scans of lanes; part of cooperative_groups.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_COOPERATIVE_REDUCE_H
#define HIP_CPU_COOPERATIVE_REDUCE_H

namespace cooperative_groups
{
#define HIP_CPU_GROUP_OPERATION(name, value)                                                                           \
    template <typename T = void> struct name {                                                                         \
        T operator()(T a, T b) const { return value; }                                                                 \
    };                                                                                                                 \
    template <> struct name<void> {                                                                                    \
        template <typename T> T operator()(T a, T b) const { return value; }                                           \
    };
HIP_CPU_GROUP_OPERATION(plus, a + b)
HIP_CPU_GROUP_OPERATION(less, b < a ? b : a)
HIP_CPU_GROUP_OPERATION(greater, a < b ? b : a)
HIP_CPU_GROUP_OPERATION(bit_and, a &b)
HIP_CPU_GROUP_OPERATION(bit_or, a | b)
HIP_CPU_GROUP_OPERATION(bit_xor, a ^ b)

/* As CUDA's: lanes exchange in pairs where there is a power of two of them, and else the first one adds up. */
template <typename G, typename T, typename F> HIP_CPU_INLINE T reduce(const G &group, T value, F f, HIP_CPU_PLACE)
{
    const hip_cpu_lanes &lanes = group;
    unsigned count = lanes.size();

    if ((count & (count - 1)) == 0) {
        for (unsigned distance = count / 2; distance > 0; distance /= 2)
            value = f(value, lanes.shfl_xor(value, distance, file, line));
        return value;
    }
    for (unsigned distance = 1; distance < count; distance *= 2) {
        T other = lanes.shfl_down(value, distance, file, line);
        if (lanes.thread_rank() + distance < count)
            value = f(value, other);
    }
    return lanes.shfl(value, 0, file, line);
}

template <typename G, typename T, typename F>
HIP_CPU_INLINE T inclusive_scan(const G &group, T value, F f, HIP_CPU_PLACE)
{
    const hip_cpu_lanes &lanes = group;

    for (unsigned distance = 1; distance < lanes.size(); distance *= 2) {
        T other = lanes.shfl_up(value, distance, file, line);
        if (lanes.thread_rank() >= distance)
            value = f(other, value);
    }
    return value;
}
template <typename G, typename T> HIP_CPU_INLINE T inclusive_scan(const G &group, T value, HIP_CPU_PLACE)
{
    return inclusive_scan(group, value, plus<T>(), file, line);
}
/* The first lane gets T(), which is the identity of a sum. */
template <typename G, typename T, typename F>
HIP_CPU_INLINE T exclusive_scan(const G &group, T value, F f, HIP_CPU_PLACE)
{
    const hip_cpu_lanes &lanes = group;
    T before = lanes.shfl_up(inclusive_scan(group, value, f, file, line), 1, file, line);
    return lanes.thread_rank() == 0 ? T() : before;
}
template <typename G, typename T> HIP_CPU_INLINE T exclusive_scan(const G &group, T value, HIP_CPU_PLACE)
{
    return exclusive_scan(group, value, plus<T>(), file, line);
}

template <typename G, typename F> HIP_CPU_INLINE void invoke_one(const G &group, F f)
{
    if (group.thread_rank() == 0)
        f();
}
/* What it returns goes to all. */
template <typename G, typename F>
HIP_CPU_INLINE auto invoke_one_broadcast(const G &group, F f, HIP_CPU_PLACE) -> decltype(f())
{
    const hip_cpu_lanes &lanes = group;
    decltype(f()) value{};

    invoke_one(group, [&] { value = f(); });
    return lanes.shfl(value, 0, file, line);
}
} // namespace cooperative_groups

#endif
