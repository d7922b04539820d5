/* Graphs: captured work, which can be launched any number of times.
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
    for (size_t i = 1; i < graph->branches; i++)
        OBSERVE(stream, HIP_CPU_STREAM_DESTROYED, &graph->branch[i], NULL);
    free(graph->branch);
    *graph = (struct hip_cpu_graph){.first = NULL};
}

hipError_t hip_cpu_append_all(struct hip_cpu_graph *to, const struct hip_cpu_graph *from)
{
    for (const struct hip_cpu_node *n = from->first; n; n = n->next) {
        struct hip_cpu_node *copy = hip_cpu_append(&to->first, n->run, n->work, n->bytes);
        if (!copy)
            return hipErrorOutOfMemory;
        copy->origin = n;
        copy->graph = to;
        ((struct hip_cpu_node *)n)->copy = copy;
    }
    for (size_t i = 0; i < from->edges; i++)
        if (!hip_cpu_add_edge(to, from->edge[i].from->copy, from->edge[i].to->copy))
            return hipErrorOutOfMemory;
    return hipSuccess;
}

/* ---- capture: streams of one capture share it; it stays when it has ended, since any of them may ask ---- */

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode)
{
    TRY(hip_cpu_enter_stream(__func__, stream));
    REFUSE_IF(mode > hipStreamCaptureModeRelaxed, hipErrorInvalidValue);
    REFUSE_IF(!stream, hipErrorStreamCaptureUnsupported); /* the default stream cannot */
    REFUSE_IF(hip_cpu_captures(stream), hipErrorIllegalState);
    struct hip_cpu_capture *capture = calloc(1, sizeof *capture);
    REFUSE_IF(!capture, hipErrorOutOfMemory);
    capture->origin = stream;
    capture->mode = mode;
    capture->thread = pthread_self();
    hip_cpu_hold(&stream->capture, capture);
    stream->last = NULL;
    return hipGraphCreate(&stream->capture->graph, 0);
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph)
{
    TRY(hip_cpu_enter_stream(__func__, stream));
    REFUSE_IF(!graph, hipErrorInvalidValue);
    REFUSE_IF(!hip_cpu_captures(stream), hipErrorIllegalState);
    REFUSE_IF(stream->capture->origin != stream, hipErrorStreamCaptureUnmatched);
    hipError_t error = stream->capture->is_invalid   ? hipErrorStreamCaptureInvalidated
                       : !hip_cpu_all_joined(stream) ? hipErrorStreamCaptureUnjoined
                                                     : hipSuccess;
    *graph = stream->capture->graph;
    stream->capture->graph = NULL;
    if (error != hipSuccess) {
        hipGraphDestroy(*graph);
        *graph = NULL;
    }
    return hip_cpu_error(error);
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status)
{
    REFUSE_IF(!hip_cpu_is_stream(stream), hipErrorInvalidHandle);
    REFUSE_IF(!status, hipErrorInvalidValue);
    *status = !hip_cpu_captures(stream)     ? hipStreamCaptureStatusNone
              : stream->capture->is_invalid ? hipStreamCaptureStatusInvalidated
                                            : hipStreamCaptureStatusActive;
    return hipSuccess;
}

/* ---- graphs ---- */

hipError_t hipGraphCreate(hipGraph_t *graph, unsigned flags)
{
    TRY(hip_cpu_enter(__func__));
    REFUSE_IF(!graph || flags != 0, hipErrorInvalidValue);
    return hip_cpu_error((*graph = calloc(1, sizeof **graph)) ? hipSuccess : hipErrorOutOfMemory);
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
    for (struct hip_cpu_node *n = graph->first; n; n = n->next) {
        if (n->run && all < room)
            nodes[all] = n;
        all += n->run != NULL;
    }
    *count = nodes && room < all ? room : all;
    return hipSuccess;
}

/* The executable graph is a copy, so that the graph can be destroyed. */
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph, UNUSED unsigned long long flags)
{
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

hipError_t hipGraphUpload(hipGraphExec_t exec, UNUSED hipStream_t stream)
{
    return exec ? hipSuccess : hip_cpu_error(hipErrorInvalidValue);
}

/* A node continues the branch of a node that it depends on, or begins another branch. */
static bool find_branches(struct hip_cpu_graph *graph)
{
    size_t nodes = 1;

    for (const struct hip_cpu_node *n = graph->first; n; n = n->next)
        nodes++;
    graph->branch = calloc(nodes, sizeof *graph->branch);
    graph->branches = 1;
    for (struct hip_cpu_node *n = graph->branch ? graph->first : NULL; n; n = n->next) {
        bool begins = n != graph->first;
        for (struct hip_cpu_edge *e = graph->edge; e < graph->edge + graph->edges; e++) {
            if (e->to != n || e->from->is_followed)
                continue;
            n->stream = e->from->stream;
            e->from->is_followed = true;
            begins = false;
            break;
        }
        if (begins) {
            n->stream = &graph->branch[graph->branches++];
            OBSERVE(stream, HIP_CPU_BRANCH_CREATED, n->stream, NULL);
        }
    }
    return graph->branch;
}

/* For a tool, branches are streams, and nodes are events. */
static hipError_t launch_observed(struct hip_cpu_graph *exec, hipStream_t stream)
{
    hipEvent_t whole = (hipEvent_t)exec;
    hipError_t error = exec->branch || find_branches(exec) ? hipSuccess : hipErrorOutOfMemory;

    OBSERVE(stream, HIP_CPU_STREAM_WAITS, stream, whole); /* for the launch before it */
    OBSERVE(stream, HIP_CPU_RECORDED, stream, whole);
    for (const struct hip_cpu_node *n = exec->first; n && error == hipSuccess; n = n->next) {
        hipStream_t branch = n->stream ? n->stream : stream;
        OBSERVE(stream, HIP_CPU_STREAM_WAITS, branch, whole);
        for (const struct hip_cpu_edge *e = exec->edge; e < exec->edge + exec->edges; e++)
            if (e->to == n)
                OBSERVE(stream, HIP_CPU_STREAM_WAITS, branch, (hipEvent_t)e->from);
        if (n->run == hip_cpu_do_wait)
            OBSERVE(stream, HIP_CPU_STREAM_WAITS, branch, *(const hipEvent_t *)n->work);
        if (n->run) {
            OBSERVE(stream, HIP_CPU_QUEUED, branch, NULL);
            error = n->run(n->work);
        }
        if (n->run == hip_cpu_do_record)
            OBSERVE(stream, HIP_CPU_RECORDED, branch, *(const hipEvent_t *)n->work);
        OBSERVE(stream, HIP_CPU_RECORDED, branch, (hipEvent_t)n);
    }
    for (const struct hip_cpu_node *n = exec->first; n; n = n->next)
        OBSERVE(stream, HIP_CPU_STREAM_WAITS, stream, (hipEvent_t)n);
    OBSERVE(stream, HIP_CPU_RECORDED, stream, whole);
    return error;
}

static hipError_t launch_node(const struct hip_cpu_node *n, hipStream_t stream)
{
    if (n->run == hip_cpu_do_record && !hip_cpu_captures(stream))
        return hip_cpu_record(*(const hipEvent_t *)n->work, stream);
    if (n->run == hip_cpu_do_wait && !hip_cpu_captures(stream))
        return hip_cpu_meet(*(const hipEvent_t *)n->work, stream);
    return hip_cpu_on_stream(stream, n->run, n->work, n->bytes);
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream)
{
    hipError_t error = hip_cpu_enter_stream(__func__, stream);

    if (error == hipSuccess && !exec)
        error = hipErrorInvalidValue;
    REFUSE_IF(error != hipSuccess, error);
    if (OBSERVER && !hip_cpu_captures(stream))
        return hip_cpu_error(launch_observed(exec, stream));
    for (const struct hip_cpu_node *n = exec->first; n && error == hipSuccess; n = n->next)
        if (n->run)
            error = launch_node(n, stream);
    return hip_cpu_error(error);
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) { return hipGraphDestroy(exec); }
