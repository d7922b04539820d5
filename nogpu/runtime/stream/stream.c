/* Streams: list.c has those that there are, queue.c the work on them.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../internal.h"

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorOutOfMemory);
    TRY(hip_cpu_check_device(0));
    REFUSE_IF(!stream || flags > hipStreamNonBlocking, hipErrorInvalidValue);
    *stream = calloc(1, sizeof **stream);
    REFUSE_IF(!*stream, hipErrorOutOfMemory);
    (*stream)->flags = flags;
    hip_cpu_list_stream(*stream);
    OBSERVE(stream, flags & hipStreamNonBlocking ? HIP_CPU_STREAM_CREATED_NON_BLOCKING : HIP_CPU_STREAM_CREATED,
            *stream, NULL);
    return hipSuccess;
}

hipError_t hipStreamCreate(hipStream_t *stream) { return hipStreamCreateWithFlags(stream, hipStreamDefault); }

hipError_t hipStreamDestroy(hipStream_t stream)
{
    REFUSE_IF(hip_cpu_fails(__func__), hipErrorUnknown);
    REFUSE_IF(!stream || !hip_cpu_is_stream(stream), hipErrorInvalidHandle);
    hipError_t error = hip_cpu_wait_for(stream, HIP_CPU_FOREVER); /* no work may refer to a destroyed stream */
    OBSERVE(stream, HIP_CPU_STREAM_DESTROYED, stream, NULL);
    hip_cpu_unlist_stream(stream);
    hip_cpu_hold(&stream->capture, NULL);
    free(stream);
    return hip_cpu_error(error);
}

static hipError_t look_at(const char *call, hipStream_t stream, hipError_t (*look)(hipStream_t stream, uint64_t number))
{
    TRY(hip_cpu_enter_stream(call, stream));
    if (hip_cpu_captures(stream)) /* nothing runs that could be waited for */
        TRY(hip_cpu_invalidate(stream->capture));
    TRY(hip_cpu_may_use(stream));
    TRY(look(stream, HIP_CPU_FOREVER));
    OBSERVE(stream, HIP_CPU_HOST_WAITED, stream, NULL);
    return hipSuccess;
}

hipError_t hip_cpu_finish(hipError_t error, hipStream_t stream)
{
    return error == hipSuccess ? hipStreamSynchronize(stream) : error;
}

hipError_t hipStreamSynchronize(hipStream_t stream) { return look_at(__func__, stream, hip_cpu_wait_for); }

hipError_t hipStreamQuery(hipStream_t stream) { return look_at(__func__, stream, hip_cpu_query); }

/* ---- priorities ---- */

hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    TRY(hip_cpu_enter(__func__));
    if (least)
        *least = 1;
    if (greatest)
        *greatest = -1;
    return hipSuccess;
}

hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority)
{
    hipError_t error = hipStreamCreateWithFlags(stream, flags);

    if (error == hipSuccess)
        (*stream)->priority = priority > 1 ? 1 : priority < -1 ? -1 : priority;
    return error;
}

hipError_t hipStreamGetPriority(hipStream_t stream, int *priority)
{
    REFUSE_IF(!hip_cpu_is_stream(stream), hipErrorInvalidHandle);
    REFUSE_IF(!priority, hipErrorInvalidValue);
    *priority = stream ? stream->priority : 0;
    return hipSuccess;
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned *flags)
{
    REFUSE_IF(!hip_cpu_is_stream(stream), hipErrorInvalidHandle);
    REFUSE_IF(!flags, hipErrorInvalidValue);
    *flags = stream ? stream->flags : hipStreamDefault;
    return hipSuccess;
}

/* ---- work of the host ---- */

struct call {
    hipHostFn_t function;
    hipStreamCallback_t callback;
    hipStream_t stream;
    void *data;
};

hipError_t hip_cpu_do_call(const void *work)
{
    const struct call *c = work;

    OBSERVE(stream, HIP_CPU_FUNCTION_BEGINS, c->stream, NULL);
    if (c->function)
        c->function(c->data);
    else
        c->callback(c->stream, hipSuccess, c->data);
    OBSERVE(stream, HIP_CPU_FUNCTION_ENDS, c->stream, NULL);
    return hipSuccess;
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data)
{
    struct call c = {.function = function, .data = data};

    TRY(hip_cpu_enter(__func__));
    return hip_cpu_error(function ? hip_cpu_on_stream(stream, hip_cpu_do_call, &c, sizeof c) : hipErrorInvalidValue);
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *data, unsigned flags)
{
    struct call c = {.callback = callback, .stream = stream, .data = data};

    TRY(hip_cpu_enter(__func__));
    REFUSE_IF(!callback || flags != 0, hipErrorInvalidValue);
    return hip_cpu_error(hip_cpu_on_stream(stream, hip_cpu_do_call, &c, sizeof c));
}
