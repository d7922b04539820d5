/* cuda::barrier, cuda::latch and cuda::counting_semaphore. Threads wait for a word in memory, and a trace sees what orders
 * them by it.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_BARRIER_H
#define HIP_CPU_CUDA_BARRIER_H

#include <cstddef>
#include <limits>
#include <new>

#include "hip_cpu/cuda/atomic.h"
#include "hip_cpu/cuda/copy.h"

namespace cuda
{
/* Until done() is true. Only threads of a block can be seen not to come. */
template <thread_scope Scope, typename F> HIP_CPU_FORCED void hip_cpu_wait_until(F done, const char *file, int line)
{
    unsigned looks = 0;
    bool within = Scope == thread_scope_block || Scope == thread_scope_thread;

    while (!done())
        hip_cpu_pause(within ? &looks : nullptr, file, line);
}

struct hip_cpu_no_completion {
    void operator()() const {}
};

/* Phases: each ends when as many have arrived as are expected. A token is the phase of its arrival. */
template <thread_scope Scope, typename Completion = hip_cpu_no_completion> class barrier
{
  public:
    typedef uint64_t arrival_token;

    barrier() = default;
    explicit barrier(::std::ptrdiff_t count, Completion completion = Completion())
        : expected((int)count), left((int)count), phase(0), completion(completion)
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;
    static constexpr ::std::ptrdiff_t max() { return (1 << 20) - 1; }

    HIP_CPU_FORCED arrival_token arrive(::std::ptrdiff_t count = 1)
    {
        hip_cpu_copy_all();
        HIP_CPU_SCOPE(Scope);
        unsigned token = __atomic_load_n(&phase, __ATOMIC_RELAXED);
        HIP_CPU_SCOPE(Scope);
        if (__atomic_fetch_sub(&left, (int)count, __ATOMIC_ACQ_REL) == (int)count) {
            completion();
            HIP_CPU_SCOPE(Scope);
            int next = __atomic_load_n(&expected, __ATOMIC_RELAXED);
            HIP_CPU_SCOPE(Scope);
            __atomic_store_n(&left, next, __ATOMIC_RELAXED);
            HIP_CPU_SCOPE(Scope);
            __atomic_store_n(&phase, token + 1, __ATOMIC_RELEASE);
        }
        return token;
    }
    HIP_CPU_FORCED void wait(arrival_token token, HIP_CPU_PLACE) const
    {
        hip_cpu_wait_until<Scope>([=] { return is_over(token); }, file, line);
    }
    HIP_CPU_FORCED void wait_parity(bool parity, HIP_CPU_PLACE) const
    {
        hip_cpu_wait_until<Scope>([=] { return is_other(parity); }, file, line);
    }
    /* They may fail, and give others the turn. */
    HIP_CPU_FORCED bool try_wait(arrival_token token, HIP_CPU_PLACE) const
    {
        hip_cpu_pause(nullptr, file, line);
        return is_over(token);
    }
    HIP_CPU_FORCED bool try_wait_parity(bool parity, HIP_CPU_PLACE) const
    {
        hip_cpu_pause(nullptr, file, line);
        return is_other(parity);
    }
    template <typename D> HIP_CPU_FORCED bool try_wait_for(arrival_token token, const D &) const
    {
        return try_wait(token);
    }
    template <typename D> HIP_CPU_FORCED bool try_wait_parity_for(bool parity, const D &) const
    {
        return try_wait_parity(parity);
    }
    HIP_CPU_FORCED void arrive_and_wait(HIP_CPU_PLACE) { wait(arrive(), file, line); }
    HIP_CPU_FORCED void arrive_and_drop()
    {
        HIP_CPU_SCOPE(Scope);
        __atomic_fetch_sub(&expected, 1, __ATOMIC_RELAXED);
        (void)arrive();
    }

    friend void init(barrier *b, ::std::ptrdiff_t count) { new (b) barrier(count); }
    friend void init(barrier *b, ::std::ptrdiff_t count, Completion completion) { new (b) barrier(count, completion); }

  private:
    HIP_CPU_FORCED unsigned now() const
    {
        HIP_CPU_SCOPE(Scope);
        return __atomic_load_n(&phase, __ATOMIC_ACQUIRE);
    }
    HIP_CPU_FORCED bool is_over(arrival_token token) const { return now() != (unsigned)token; }
    HIP_CPU_FORCED bool is_other(bool parity) const { return (now() & 1) != parity; }

    int expected, left;
    unsigned phase;
    Completion completion;
};

template <thread_scope Scope> class latch
{
  public:
    explicit latch(::std::ptrdiff_t count) : left(count) {}
    latch(const latch &) = delete;
    static constexpr ::std::ptrdiff_t max() { return ::std::numeric_limits<::std::ptrdiff_t>::max(); }
    HIP_CPU_FORCED void count_down(::std::ptrdiff_t by = 1)
    {
        HIP_CPU_SCOPE(Scope);
        __atomic_fetch_sub(&left, by, __ATOMIC_RELEASE);
    }
    HIP_CPU_FORCED bool try_wait() const
    {
        HIP_CPU_SCOPE(Scope);
        return __atomic_load_n(&left, __ATOMIC_ACQUIRE) == 0;
    }
    HIP_CPU_FORCED void wait(HIP_CPU_PLACE) const
    {
        hip_cpu_wait_until<Scope>([=] { return try_wait(); }, file, line);
    }
    HIP_CPU_FORCED void arrive_and_wait(::std::ptrdiff_t by = 1, HIP_CPU_PLACE)
    {
        count_down(by);
        wait(file, line);
    }

  private:
    ::std::ptrdiff_t left;
};

template <thread_scope Scope, ::std::ptrdiff_t Most = (1 << 30)> class counting_semaphore
{
  public:
    explicit counting_semaphore(::std::ptrdiff_t count) : left(count) {}
    counting_semaphore(const counting_semaphore &) = delete;
    static constexpr ::std::ptrdiff_t max() { return Most; }
    HIP_CPU_FORCED void release(::std::ptrdiff_t by = 1)
    {
        HIP_CPU_SCOPE(Scope);
        __atomic_fetch_add(&left, by, __ATOMIC_RELEASE);
    }
    HIP_CPU_FORCED bool try_acquire()
    {
        HIP_CPU_SCOPE(Scope);
        ::std::ptrdiff_t old = __atomic_load_n(&left, __ATOMIC_RELAXED);
        HIP_CPU_SCOPE(Scope);
        return old > 0 && __atomic_compare_exchange_n(&left, &old, old - 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    }
    HIP_CPU_FORCED void acquire(HIP_CPU_PLACE)
    {
        hip_cpu_wait_until<Scope>([=] { return try_acquire(); }, file, line);
    }

  private:
    ::std::ptrdiff_t left;
};
template <thread_scope Scope> using binary_semaphore = counting_semaphore<Scope, 1>;

/* What is copied is there when the phase ends: a thread copies before it arrives. */
template <typename To, typename From, typename Size, thread_scope Scope, typename C>
HIP_CPU_FORCED void memcpy_async(To *to, const From *from, Size bytes, barrier<Scope, C> &)
{
    hip_cpu_copy_later(to, from, bytes, 0, 1);
}
template <typename G, typename To, typename From, typename Size, thread_scope Scope, typename C>
HIP_CPU_FORCED void memcpy_async(const G &group, To *to, const From *from, Size bytes, barrier<Scope, C> &)
{
    hip_cpu_copy_later(to, from, bytes, (size_t)group.thread_rank(), (size_t)group.size());
}
} // namespace cuda

#endif
