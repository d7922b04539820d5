/* Stored work: until its stream reaches it, or in a graph.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../internal.h"

struct hip_cpu_node *hip_cpu_append(struct hip_cpu_node **list, hipError_t (*run)(const void *work), const void *work,
                                    size_t bytes)
{
    struct hip_cpu_node *node = NULL;

    if (posix_memalign((void **)&node, _Alignof(struct hip_cpu_node), sizeof *node + bytes) != 0)
        return NULL;
    *node = (struct hip_cpu_node){.run = run, .bytes = bytes};
    memcpy(node->work, work, bytes);
    while (*list)
        list = &(*list)->next;
    return *list = node;
}

bool hip_cpu_add_edge(struct hip_cpu_graph *graph, struct hip_cpu_node *from, struct hip_cpu_node *to)
{
    struct hip_cpu_edge *more = realloc(graph->edge, (graph->edges + 1) * sizeof *graph->edge);

    if (!more)
        return false;
    graph->edge = more;
    graph->edge[graph->edges++] = (struct hip_cpu_edge){from, to};
    return true;
}

void hip_cpu_hold(struct hip_cpu_capture **holder, struct hip_cpu_capture *capture)
{
    if (capture)
        capture->holders++;
    if (*holder && --(*holder)->holders == 0)
        free(*holder);
    *holder = capture;
}

hipError_t hip_cpu_invalidate(struct hip_cpu_capture *capture)
{
    capture->is_invalid = true;
    return hipErrorStreamCaptureUnsupported;
}

bool hip_cpu_captures(hipStream_t stream) { return stream && stream->capture && stream->capture->graph; }

hipError_t hip_cpu_capture(hipStream_t stream, hipError_t (*run)(const void *work), const void *work, size_t bytes)
{
    if (stream->capture->is_invalid)
        return hipErrorStreamCaptureInvalidated;
    struct hip_cpu_graph *graph = stream->capture->graph;
    struct hip_cpu_node *node = hip_cpu_append(&graph->first, run, work, bytes);

    if (node)
        node->graph = graph;
    if (!node || (stream->last && !hip_cpu_add_edge(graph, stream->last, node)))
        return hipErrorOutOfMemory;
    stream->last = node;
    return hipSuccess;
}

hipError_t hip_cpu_capture_behind(hipStream_t stream, struct hip_cpu_capture *capture, struct hip_cpu_node *last)
{
    if (stream->capture != capture) {
        hip_cpu_hold(&stream->capture, capture);
        stream->last = NULL;
    }
    if (!stream->last || !last || stream->last == last) {
        stream->last = last ? last : stream->last;
        return hipSuccess;
    }
    hipError_t error = hip_cpu_capture(stream, NULL, "", 0);
    if (error == hipSuccess && !hip_cpu_add_edge(capture->graph, last, stream->last))
        error = hipErrorOutOfMemory;
    return error;
}
