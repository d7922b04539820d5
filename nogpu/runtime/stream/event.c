/* Events: points in time.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <time.h>

#include "../internal.h"

struct hip_cpu_event {
    uint64_t nanoseconds; /* 0: not recorded */
    unsigned flags;
    hipStream_t stream;              /* where it was recorded, */
    uint64_t number;                 /* and behind which work */
    struct hip_cpu_capture *capture; /* it was recorded while this went on, */
    struct hip_cpu_node *last;       /* behind this node */
};

uint64_t hip_cpu_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorOutOfMemory);
    TRY(hip_cpu_check_device(0));
    REFUSE_IF(!event, hipErrorInvalidValue);
    *event = calloc(1, sizeof **event);
    REFUSE_IF(!*event, hipErrorOutOfMemory);
    (*event)->flags = flags;
    return hipSuccess;
}

hipError_t hipEventCreate(hipEvent_t *event) { return hipEventCreateWithFlags(event, hipEventDefault); }

hipError_t hip_cpu_do_record(const void *work)
{
    (*(const hipEvent_t *)work)->nanoseconds = hip_cpu_nanoseconds();
    return hipSuccess;
}

hipError_t hip_cpu_record(hipEvent_t event, hipStream_t stream)
{
    hipError_t error = hip_cpu_on_stream(stream, hip_cpu_do_record, &event, sizeof event);

    event->stream = stream;
    event->number = hip_cpu_queued();
    return error;
}

/* In a capture an external event is a node of the graph, and another one links streams to the graph and has no time. */
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!event || !hip_cpu_is_stream(stream), hipErrorInvalidHandle);
    if (flags & hipEventRecordExternal && hip_cpu_captures(stream))
        return hip_cpu_error(hip_cpu_capture(stream, hip_cpu_do_record, &event, sizeof event));
    hip_cpu_hold(&event->capture, hip_cpu_captures(stream) ? stream->capture : NULL);
    event->last = event->capture ? stream->last : NULL;
    if (event->capture)
        return hipSuccess;
    hipError_t error = hip_cpu_record(event, stream);
    OBSERVE(stream, HIP_CPU_RECORDED, stream, event);
    return hip_cpu_error(error);
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream)
{
    return hipEventRecordWithFlags(event, stream, hipEventRecordDefault);
}

/* It is no time that could be waited for, and who tries cannot have the graph. */
static bool is_captured(hipEvent_t event)
{
    if (!event->capture || !event->capture->graph)
        return false;
    hip_cpu_invalidate(event->capture);
    return true;
}

hipError_t hipEventSynchronize(hipEvent_t event)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!event, hipErrorInvalidHandle);
    REFUSE_IF(is_captured(event), hipErrorCapturedEvent);
    hipError_t error = hip_cpu_may_wait();
    REFUSE_IF(error != hipSuccess, error);
    error = hip_cpu_wait_for(event->stream, event->number);
    OBSERVE(stream, HIP_CPU_HOST_WAITED_EVENT, NULL, event);
    return hip_cpu_error(error);
}

hipError_t hipEventQuery(hipEvent_t event)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!event, hipErrorInvalidHandle);
    REFUSE_IF(is_captured(event), hipErrorCapturedEvent);
    hipError_t error = hip_cpu_may_wait();
    REFUSE_IF(error != hipSuccess, error);
    error = hip_cpu_query(event->stream, event->number);
    if (error == hipSuccess)
        OBSERVE(stream, HIP_CPU_HOST_WAITED_EVENT, NULL, event);
    return hip_cpu_error(error);
}

/* Where the event is when the stream begins to wait for it. */
hipError_t hip_cpu_meet(hipEvent_t event, hipStream_t stream)
{
    struct hip_cpu_point point = {event->stream, event->number};

    if (!hip_cpu_late || event->number == 0 || event->capture)
        return hipSuccess;
    return hip_cpu_on_stream(stream, hip_cpu_do_meet, &point, sizeof point);
}

/* A node of a graph, which waits by hip_cpu_meet() where anything is late. */
hipError_t hip_cpu_do_wait(UNUSED const void *work) { return hipSuccess; }

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!event || !hip_cpu_is_stream(stream), hipErrorInvalidHandle);
    if (flags & hipEventWaitExternal && hip_cpu_captures(stream))
        return hip_cpu_error(hip_cpu_capture(stream, hip_cpu_do_wait, &event, sizeof event));
    if (event->capture && stream && event->capture->graph)
        return hip_cpu_error(hip_cpu_capture_behind(stream, event->capture, event->last));
    if (!event->capture)
        OBSERVE(stream, HIP_CPU_STREAM_WAITS, stream, event);
    return hip_cpu_error(hip_cpu_meet(event, stream));
}

hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!milliseconds, hipErrorInvalidValue);
    REFUSE_IF(!start || !stop || (start->flags | stop->flags) & hipEventDisableTiming || start->nanoseconds == 0 ||
                  stop->nanoseconds == 0,
              hipErrorInvalidHandle);
    int64_t elapsed = (int64_t)(stop->nanoseconds - start->nanoseconds);
    *milliseconds = (float)((double)elapsed * 1e-6);
    return hipSuccess;
}

static hipError_t release(const void *work)
{
    hip_cpu_hold(&(*(const hipEvent_t *)work)->capture, NULL);
    free(*(const hipEvent_t *)work);
    return hipSuccess;
}

/* Does not wait: the event is freed after the work that it was recorded behind. */
hipError_t hipEventDestroy(hipEvent_t event)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!event, hipErrorInvalidHandle);
    if (hip_cpu_is_pending(event->stream, event->number))
        return hip_cpu_error(hip_cpu_on_stream(event->stream, release, &event, sizeof event));
    return release(&event);
}
