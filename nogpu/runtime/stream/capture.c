/* What must not be called while a stream captures: whoever tries gets an error, and no graph.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "../internal.h"

static __thread hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *other)
{
    REFUSE_IF(!other || *other > hipStreamCaptureModeRelaxed, hipErrorInvalidValue);
    hipStreamCaptureMode before = mode;
    mode = *other;
    *other = before;
    return hipSuccess;
}

/* Whether a call that may wait for the device, from this thread, would spoil this capture. */
static bool is_spoilt_by_this_thread(const struct hip_cpu_stream *stream)
{
    const struct hip_cpu_capture *c = stream->capture;
    bool mine = pthread_equal(c->thread, pthread_self());

    return mode != hipStreamCaptureModeRelaxed && c->mode != hipStreamCaptureModeRelaxed &&
           (mine || (mode == hipStreamCaptureModeGlobal && c->mode == hipStreamCaptureModeGlobal));
}
static bool waits_for_the_default_stream(const struct hip_cpu_stream *stream)
{
    return !(stream->flags & hipStreamNonBlocking);
}
static bool is_any(const struct hip_cpu_stream *stream) { return stream != NULL; }

hipError_t hip_cpu_may_wait(void)
{
    return hip_cpu_spoil(is_spoilt_by_this_thread) ? hipErrorStreamCaptureUnsupported : hipSuccess;
}

hipError_t hip_cpu_may_wait_for_all(void)
{
    return hip_cpu_spoil(is_any) ? hipErrorStreamCaptureUnsupported : hipSuccess;
}

hipError_t hip_cpu_may_use(hipStream_t stream)
{
    return !stream && hip_cpu_spoil(waits_for_the_default_stream) ? hipErrorStreamCaptureImplicit : hipSuccess;
}
