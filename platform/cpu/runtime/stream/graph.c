/* Graphs: work that a stream has kept, to be done any number of times.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../internal.h"

static void clear(struct hip_cpu_graph *graph)
{
    while (graph->first) {
        struct hip_cpu_node *node = graph->first;
        graph->first = node->next;
        free(node);
    }
    free(graph->edge);
    graph->edge = NULL;
    graph->edges = 0;
}

hipError_t hip_cpu_append_all(struct hip_cpu_graph *to, const struct hip_cpu_graph *from)
{
    for (const struct hip_cpu_node *n = from->first; n; n = n->next) {
        struct hip_cpu_node *copy = hip_cpu_append(&to->first, n->run, n->work, n->bytes);
        if (!copy)
            return hipErrorOutOfMemory;
        copy->origin = n;
    }
    return hipSuccess;
}

/* ---- capture: streams of one capture share it; it stays when it has ended, since any of them may ask ---- */

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode)
{
    hipError_t error = hip_cpu_enter(__func__);

    (void)mode;
    if (error == hipSuccess && !stream)
        error = hipErrorStreamCaptureUnsupported; /* the default stream cannot */
    if (error == hipSuccess && hip_cpu_captures(stream))
        error = hipErrorIllegalState;
    REFUSE_IF(error != hipSuccess, error);
    stream->capture = malloc(sizeof *stream->capture);
    REFUSE_IF(!stream->capture, hipErrorOutOfMemory);
    *stream->capture = (struct hip_cpu_capture){.origin = stream};
    return hipGraphCreate(&stream->capture->graph, 0);
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph)
{
    hipError_t error = hip_cpu_enter(__func__);

    if (error == hipSuccess && !graph)
        error = hipErrorInvalidValue;
    if (error == hipSuccess && !hip_cpu_captures(stream))
        error = hipErrorIllegalState;
    if (error == hipSuccess && stream->capture->origin != stream)
        error = hipErrorStreamCaptureUnmatched;
    REFUSE_IF(error != hipSuccess, error);
    *graph = stream->capture->graph;
    stream->capture->graph = NULL;
    return hipSuccess;
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status)
{
    REFUSE_IF(!status, hipErrorInvalidValue);
    *status = hip_cpu_captures(stream) ? hipStreamCaptureStatusActive : hipStreamCaptureStatusNone;
    return hipSuccess;
}

/* ---- graphs ---- */

hipError_t hipGraphCreate(hipGraph_t *graph, unsigned flags)
{
    hipError_t error = hip_cpu_enter(__func__);

    if (error == hipSuccess && (!graph || flags != 0))
        error = hipErrorInvalidValue;
    if (error == hipSuccess)
        error = (*graph = calloc(1, sizeof **graph)) ? hipSuccess : hipErrorOutOfMemory;
    return hip_cpu_error(error);
}

hipError_t hipGraphDestroy(hipGraph_t graph)
{
    REFUSE_IF(!graph, hipErrorInvalidValue);
    clear(graph);
    free(graph);
    return hipSuccess;
}

hipError_t hipGraphClone(hipGraph_t *clone, hipGraph_t graph)
{
    hipError_t error = graph ? hipGraphCreate(clone, 0) : hip_cpu_error(hipErrorInvalidValue);
    return error == hipSuccess ? hip_cpu_error(hip_cpu_append_all(*clone, graph)) : error;
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count)
{
    size_t room, all = 0;

    REFUSE_IF(!graph || !count, hipErrorInvalidValue);
    room = nodes ? *count : 0;
    for (struct hip_cpu_node *n = graph->first; n; n = n->next, all++) {
        if (all < room)
            nodes[all] = n;
    }
    *count = nodes && room < all ? room : all;
    return hipSuccess;
}

/* What is launched is a copy, so that the graph may go. */
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph,
                                        unsigned long long flags)
{
    (void)flags;
    return hipGraphClone(exec, graph);
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *wrong,
                              hipGraphExecUpdateResult *result)
{
    REFUSE_IF(!exec || !graph || !result, hipErrorInvalidValue);
    clear(exec);
    if (wrong)
        *wrong = NULL;
    *result = hipGraphExecUpdateSuccess;
    return hip_cpu_error(hip_cpu_append_all(exec, graph));
}

hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream)
{
    (void)stream;
    return exec ? hipSuccess : hip_cpu_error(hipErrorInvalidValue);
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream)
{
    hipError_t error = hip_cpu_enter(__func__);

    if (error == hipSuccess && !exec)
        error = hipErrorInvalidValue;
    REFUSE_IF(error != hipSuccess, error);
    for (const struct hip_cpu_node *n = exec->first; n && error == hipSuccess; n = n->next)
        error = hip_cpu_on_stream(stream, n->run, n->work, n->bytes);
    return hip_cpu_error(error);
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec)
{
    return hipGraphDestroy(exec);
}
