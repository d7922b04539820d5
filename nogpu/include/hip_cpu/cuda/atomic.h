/* cuda::atomic and cuda::atomic_ref, which say who may look.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_ATOMIC_H
#define HIP_CPU_CUDA_ATOMIC_H

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "hip_cpu/cuda/std.h"

namespace cuda
{
enum thread_scope {
    thread_scope_system = __HIP_MEMORY_SCOPE_SYSTEM,
    thread_scope_device = __HIP_MEMORY_SCOPE_AGENT,
    thread_scope_block = __HIP_MEMORY_SCOPE_WORKGROUP,
    thread_scope_thread = __HIP_MEMORY_SCOPE_SINGLETHREAD
};
typedef ::std::memory_order memory_order;
static constexpr memory_order memory_order_relaxed = ::std::memory_order_relaxed;
static constexpr memory_order memory_order_consume = ::std::memory_order_consume;
static constexpr memory_order memory_order_acquire = ::std::memory_order_acquire;
static constexpr memory_order memory_order_release = ::std::memory_order_release;
static constexpr memory_order memory_order_acq_rel = ::std::memory_order_acq_rel;
static constexpr memory_order memory_order_seq_cst = ::std::memory_order_seq_cst;

HIP_CPU_INLINE void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system)
{
    HIP_CPU_SCOPE(scope);
    __atomic_thread_fence((int)order);
}

/* Operations on *at(). */
template <typename T, thread_scope Scope, typename Self> struct hip_cpu_atomic {
    typedef T value_type;

    HIP_CPU_FORCED T load(memory_order order = memory_order_seq_cst) const
    {
        return hip_cpu_load(at(), (int)order, Scope);
    }
    HIP_CPU_FORCED void store(T value, memory_order order = memory_order_seq_cst) const
    {
        hip_cpu_store(at(), value, (int)order, Scope);
    }
    HIP_CPU_FORCED bool compare_exchange_strong(T &expected, T value, memory_order order, memory_order failed) const
    {
        return hip_cpu_exchange_if(at(), &expected, value, (int)order, (int)failed, Scope);
    }
    HIP_CPU_FORCED bool compare_exchange_strong(T &expected, T value, memory_order order = memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, value, order, failure_of(order));
    }
    HIP_CPU_FORCED bool compare_exchange_weak(T &expected, T value, memory_order order, memory_order failed) const
    {
        return compare_exchange_strong(expected, value, order, failed);
    }
    HIP_CPU_FORCED bool compare_exchange_weak(T &expected, T value, memory_order order = memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, value, order);
    }
#define HIP_CPU_OPERATION(name)                                                                                        \
    template <typename V> HIP_CPU_FORCED T name(V value, memory_order order = memory_order_seq_cst) const              \
    {                                                                                                                  \
        return hip_cpu_##name(at(), value, (int)order, Scope);                                                         \
    }
    HIP_CPU_OPERATION(exchange)
    HIP_CPU_OPERATION(fetch_add)
    HIP_CPU_OPERATION(fetch_sub)
    HIP_CPU_OPERATION(fetch_and)
    HIP_CPU_OPERATION(fetch_or)
    HIP_CPU_OPERATION(fetch_xor)
    HIP_CPU_OPERATION(fetch_min)
    HIP_CPU_OPERATION(fetch_max)
#undef HIP_CPU_OPERATION
    HIP_CPU_FORCED operator T() const { return load(); }
    HIP_CPU_FORCED T operator++() const { return (T)(fetch_add(1) + 1); }
    HIP_CPU_FORCED T operator++(int) const { return fetch_add(1); }
    HIP_CPU_FORCED T operator--() const { return (T)(fetch_sub(1) - 1); }
    HIP_CPU_FORCED T operator--(int) const { return fetch_sub(1); }
    HIP_CPU_FORCED T operator+=(T value) const { return (T)(fetch_add(value) + value); }
    HIP_CPU_FORCED T operator-=(T value) const { return (T)(fetch_sub(value) - value); }
    bool is_lock_free() const { return true; }

  private:
    T *at() const { return static_cast<const Self *>(this)->address(); }
    static memory_order failure_of(memory_order order)
    {
        return order == memory_order_acq_rel   ? memory_order_acquire
               : order == memory_order_release ? memory_order_relaxed
                                               : order;
    }
};

template <typename T, thread_scope Scope = thread_scope_system>
struct atomic_ref : hip_cpu_atomic<T, Scope, atomic_ref<T, Scope>> {
    explicit atomic_ref(T &value) : value(&value) {}
    T operator=(T next) const
    {
        this->store(next);
        return next;
    }
    T *address() const { return value; }

  private:
    T *value;
};

template <typename T, thread_scope Scope = thread_scope_system>
struct atomic : hip_cpu_atomic<T, Scope, atomic<T, Scope>> {
    atomic() = default;
    constexpr atomic(T first) : value(first) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    T operator=(T next)
    {
        this->store(next);
        return next;
    }
    T *address() const { return const_cast<T *>(&value); }

  private:
    alignas(sizeof(T)) T value;
};
} // namespace cuda

#endif
