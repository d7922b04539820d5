/* Words in memory that streams write, and wait for.
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stdio.h>

#include "../internal.h"

struct word {
    hipStream_t stream;
    void *at;
    uint64_t value, mask;
    unsigned flags;
    bool wide; /* 8 bytes and not 4 */
};

static hipError_t write_word(const void *work)
{
    const struct word *w = work;

    if (w->wide)
        __atomic_store_n((uint64_t *)w->at, w->value, __ATOMIC_RELEASE);
    else
        __atomic_store_n((uint32_t *)w->at, (uint32_t)w->value, __ATOMIC_RELEASE);
    return hipSuccess;
}

static bool is_there(const void *work)
{
    const struct word *w = work;
    uint64_t now = (w->wide ? __atomic_load_n((uint64_t *)w->at, __ATOMIC_ACQUIRE)
                            : __atomic_load_n((uint32_t *)w->at, __ATOMIC_ACQUIRE)) &
                   w->mask;

    switch (w->flags) {
    case hipStreamWaitValueGte: /* in a circle, as counters go */
        return w->wide ? (int64_t)(now - w->value) >= 0 : (int32_t)(now - w->value) >= 0;
    case hipStreamWaitValueEq:
        return now == w->value;
    case hipStreamWaitValueAnd:
        return (now & w->value) != 0;
    default:
        return (~(now | w->value) & w->mask) != 0;
    }
}

static hipError_t wait_word(const void *work)
{
    const struct word *w = work;

    hip_cpu_wait_until(w->stream, is_there, w);
    return hipSuccess;
}

/* For a tool, the word is an event. */
static hipError_t write_value(const char *call, struct word w)
{
    TRY(hip_cpu_enter_stream(call, w.stream));
    REFUSE_IF(!w.at || (uintptr_t)w.at % (w.wide ? 8 : 4) != 0, hipErrorInvalidValue);
    hipError_t error = hip_cpu_on_stream(w.stream, write_word, &w, sizeof w);
    if (!hip_cpu_captures(w.stream))
        OBSERVE(stream, HIP_CPU_RECORDED, w.stream, (hipEvent_t)w.at);
    return hip_cpu_error(error);
}

/* Whether the host has other threads than this one. */
static bool host_has_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    unsigned count = 0;

    while (tasks && readdir(tasks))
        count++;
    if (tasks)
        closedir(tasks);
    return !tasks || count > 2 + 1 + hip_cpu_workers(); /* two are . and .. */
}

static hipError_t wait_value(const char *call, struct word w)
{
    TRY(hip_cpu_enter_stream(call, w.stream));
    REFUSE_IF(!w.at || (uintptr_t)w.at % (w.wide ? 8 : 4) != 0 || w.flags > hipStreamWaitValueNor,
              hipErrorInvalidValue);
    /* What follows on the stream has to wait, and the program goes on: from now on work is done later. */
    bool waits = !hip_cpu_captures(w.stream) && !is_there(&w);
    if (waits && !OBSERVER)
        hip_cpu_late = true;
    else if (waits && !host_has_threads())
        hip_cpu_fatal("hip: %s: nothing has written the word, and in a traced program the host "
                      "waits with the stream: write it before, or in another thread of the host\n",
                      call);
    hipError_t error = hip_cpu_on_stream(w.stream, wait_word, &w, sizeof w);
    if (!hip_cpu_captures(w.stream))
        OBSERVE(stream, HIP_CPU_STREAM_WAITS, w.stream, (hipEvent_t)w.at);
    return hip_cpu_error(error);
}

hipError_t hipStreamWriteValue32(hipStream_t stream, void *at, uint32_t value, UNUSED unsigned flags)
{
    return write_value(__func__, (struct word){.stream = stream, .at = at, .value = value});
}

hipError_t hipStreamWriteValue64(hipStream_t stream, void *at, uint64_t value, UNUSED unsigned flags)
{
    return write_value(__func__, (struct word){.stream = stream, .at = at, .value = value, .wide = true});
}

hipError_t hipStreamWaitValue32(hipStream_t stream, void *at, uint32_t value, unsigned flags, uint32_t mask)
{
    return wait_value(__func__, (struct word){stream, at, value, mask, flags, false});
}

hipError_t hipStreamWaitValue64(hipStream_t stream, void *at, uint64_t value, unsigned flags, uint64_t mask)
{
    return wait_value(__func__, (struct word){stream, at, value, mask, flags, true});
}
