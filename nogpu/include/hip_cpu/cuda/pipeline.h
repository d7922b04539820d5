/* cuda::pipeline: stages that producers fill and consumers empty, and the calls of cuda_pipeline.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_CUDA_PIPELINE_H
#define HIP_CPU_CUDA_PIPELINE_H

#include "hip_cpu/cuda/barrier.h"

namespace cuda
{
enum class pipeline_role { producer, consumer };

template <thread_scope Scope, unsigned Stages> struct pipeline_shared_state {
    barrier<Scope> filled[Stages], emptied[Stages];
    int producers;
};

/* Of one thread, it has no stages: batches of copies take their place. */
template <thread_scope Scope> class pipeline
{
  public:
    pipeline() = default;
    pipeline(barrier<Scope> *filled, barrier<Scope> *emptied, unsigned stages)
        : filled(filled), emptied(emptied), stages(stages)
    {
    }
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;

    /* The n-th use of a stage begins when the one before it has been emptied. */
    HIP_CPU_FORCED void producer_acquire(HIP_CPU_PLACE)
    {
        if (stages && head >= stages)
            emptied[head % stages].wait(head / stages - 1, file, line);
    }
    HIP_CPU_FORCED void producer_commit()
    {
        hip_cpu_copy_commit();
        if (stages)
            (void)filled[head % stages].arrive();
        head++;
    }
    HIP_CPU_FORCED void consumer_wait(HIP_CPU_PLACE)
    {
        if (stages)
            filled[tail % stages].wait(tail / stages, file, line);
        else
            hip_cpu_copy_until(head > tail ? head - tail - 1 : 0);
    }
    template <typename D> HIP_CPU_FORCED bool consumer_wait_for(const D &, HIP_CPU_PLACE)
    {
        if (stages)
            return filled[tail % stages].try_wait(tail / stages, file, line);
        hip_cpu_copy_until(head > tail ? head - tail - 1 : 0);
        return true;
    }
    HIP_CPU_FORCED void consumer_release()
    {
        if (stages)
            (void)emptied[tail % stages].arrive();
        tail++;
    }
    bool quit() { return true; }

  private:
    barrier<Scope> *filled = nullptr, *emptied = nullptr;
    unsigned stages = 0, head = 0, tail = 0; /* how often this thread has committed and released */
};

static inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <typename G, thread_scope Scope, unsigned Stages>
HIP_CPU_FORCED pipeline<Scope> hip_cpu_pipeline(const G &group, pipeline_shared_state<Scope, Stages> *state,
                                                size_t producers, size_t consumers)
{
    if (group.thread_rank() == 0)
        for (unsigned i = 0; i < Stages; i++) {
            init(&state->filled[i], (::std::ptrdiff_t)producers);
            init(&state->emptied[i], (::std::ptrdiff_t)consumers);
        }
    group.sync();
    return {state->filled, state->emptied, Stages};
}
/* All fill and empty. */
template <typename G, thread_scope Scope, unsigned Stages>
HIP_CPU_FORCED pipeline<Scope> make_pipeline(const G &group, pipeline_shared_state<Scope, Stages> *state)
{
    return hip_cpu_pipeline(group, state, group.size(), group.size());
}
template <typename G, thread_scope Scope, unsigned Stages>
HIP_CPU_FORCED pipeline<Scope> make_pipeline(const G &group, pipeline_shared_state<Scope, Stages> *state,
                                             size_t producers)
{
    return hip_cpu_pipeline(group, state, producers, (size_t)group.size() - producers);
}
template <typename G, thread_scope Scope, unsigned Stages>
HIP_CPU_FORCED pipeline<Scope> make_pipeline(const G &group, pipeline_shared_state<Scope, Stages> *state,
                                             pipeline_role role)
{
    if (group.thread_rank() == 0)
        state->producers = 0;
    group.sync();
    __atomic_fetch_add(&state->producers, role == pipeline_role::producer, __ATOMIC_RELAXED);
    group.sync();
    size_t producers = (size_t)state->producers;
    return hip_cpu_pipeline(group, state, producers, (size_t)group.size() - producers);
}

template <unsigned N, thread_scope Scope> HIP_CPU_FORCED void pipeline_consumer_wait_prior(pipeline<Scope> &)
{
    hip_cpu_copy_until(N);
}
template <thread_scope Scope, thread_scope Other, typename C>
HIP_CPU_FORCED void pipeline_producer_commit(pipeline<Scope> &, barrier<Other, C> &)
{
}

template <typename To, typename From, typename Size, thread_scope Scope>
HIP_CPU_FORCED void memcpy_async(To *to, const From *from, Size bytes, pipeline<Scope> &)
{
    hip_cpu_copy_later(to, from, bytes, 0, 1);
}
template <typename G, typename To, typename From, typename Size, thread_scope Scope>
HIP_CPU_FORCED void memcpy_async(const G &group, To *to, const From *from, Size bytes, pipeline<Scope> &)
{
    hip_cpu_copy_later(to, from, bytes, (size_t)group.thread_rank(), (size_t)group.size());
}
} // namespace cuda

HIP_CPU_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
    static const uint64_t none[2] = {0, 0};

    hip_cpu_copy_later(to, from, bytes - zeros, 0, 1);
    hip_cpu_copy_later((char *)to + bytes - zeros, none, zeros, 0, 1);
}
HIP_CPU_INLINE void __pipeline_commit() { hip_cpu_copy_commit(); }
HIP_CPU_INLINE void __pipeline_wait_prior(size_t left) { cuda::hip_cpu_copy_until((unsigned)left); }

#endif
