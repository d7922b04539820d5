/* Behind which nodes the next one of a stream comes that captures.
 * SPDX-License-Identifier: MIT */
#include "../internal.h"

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id,
                                      hipGraph_t *graph, const hipGraphNode_t **before, size_t *count)
{
    hipError_t error = hipStreamIsCapturing(stream, status);
    bool captures = error == hipSuccess && hip_cpu_captures(stream);

    if (captures && id)
        *id = (uintptr_t)stream->capture;
    if (captures && graph)
        *graph = stream->capture->graph;
    if (captures && before)
        *before = &stream->last;
    if (captures && count)
        *count = stream->last != NULL;
    return error;
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *before, size_t count, unsigned flags)
{
    hipError_t error = hipSuccess;

    TRY(hip_cpu_enter_stream(__func__, stream));
    REFUSE_IF(!hip_cpu_captures(stream), hipErrorIllegalState);
    REFUSE_IF(count > 0 && !before, hipErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        REFUSE_IF(!hip_cpu_has_node(stream->capture->graph, before[i]), hipErrorInvalidValue);
    if (flags & hipStreamSetCaptureDependencies)
        stream->last = NULL;
    for (size_t i = 0; i < count && error == hipSuccess; i++)
        error = hip_cpu_capture_behind(stream, stream->capture, before[i]);
    return hip_cpu_error(error);
}
