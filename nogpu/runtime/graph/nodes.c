/* Graphs whose nodes are added one by one. A node is what a stream keeps that captures for the graph: these functions call
 * what such a stream is given. The graph's list is an order in which they may run.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../internal.h"

/* It outlives the nodes, which refer to it. */
static __thread struct hip_cpu_capture capture = {.holders = 1};

hipStream_t hip_cpu_keeper_of(struct hip_cpu_graph *graph)
{
    capture.graph = graph;
    hip_cpu_keeper = (struct hip_cpu_stream){.capture = &capture};
    return &hip_cpu_keeper;
}

static struct hip_cpu_node *last_of(const struct hip_cpu_graph *graph)
{
    struct hip_cpu_node *node = graph->first;

    while (node && node->next)
        node = node->next;
    return node;
}

bool hip_cpu_has_node(const struct hip_cpu_graph *graph, const struct hip_cpu_node *node)
{
    for (const struct hip_cpu_node *n = graph->first; n; n = n->next)
        if (n == node)
            return true;
    return false;
}

/* ---- dependencies ---- */

/* Whether a node of this list has to run before it. */
static bool waits(const struct hip_cpu_graph *graph, const struct hip_cpu_graph *list, const struct hip_cpu_node *node)
{
    for (size_t i = 0; i < graph->edges; i++)
        if (graph->edge[i].to == node && hip_cpu_has_node(list, graph->edge[i].from))
            return true;
    return false;
}

/* False: they wait for each other. */
static bool sort(struct hip_cpu_graph *graph)
{
    struct hip_cpu_graph left = {.first = graph->first};
    struct hip_cpu_node **end = &graph->first;

    while (left.first) {
        struct hip_cpu_node **at = &left.first, *node;
        while (*at && waits(graph, &left, *at))
            at = &(*at)->next;
        node = *at;
        if (!node) {
            *end = left.first;
            return false;
        }
        *at = node->next;
        node->next = NULL;
        *end = node;
        end = &node->next;
    }
    return true;
}

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to, size_t count)
{
    REFUSE_IF(!graph || (count > 0 && (!from || !to)), hipErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        REFUSE_IF(!hip_cpu_has_node(graph, from[i]) || !hip_cpu_has_node(graph, to[i]), hipErrorInvalidValue);
        REFUSE_IF(!hip_cpu_add_edge(graph, from[i], to[i]), hipErrorOutOfMemory);
        if (!sort(graph)) {
            graph->edges--;
            sort(graph);
            return hip_cpu_error(hipErrorInvalidValue);
        }
    }
    return hipSuccess;
}

/* ---- nodes ---- */

static hipError_t check(const char *call, hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before,
                        size_t count, const void *params)
{
    hipError_t error = hip_cpu_enter(call);

    if (error == hipSuccess && (!node || !graph || !params || (count > 0 && !before)))
        error = hipErrorInvalidValue;
    for (size_t i = 0; i < count && error == hipSuccess; i++)
        error = hip_cpu_has_node(graph, before[i]) ? hipSuccess : hipErrorInvalidValue;
    return hip_cpu_error(error);
}

/* The first of what has been added behind `last`, and it is the last one, or each of them waits for the one before it. */
static hipError_t join(hipGraphNode_t *node, hipGraph_t graph, struct hip_cpu_node *last, const hipGraphNode_t *before,
                       size_t count)
{
    struct hip_cpu_node *first = last ? last->next : graph->first;
    bool room = true;

    for (size_t i = 0; i < count; i++)
        room = room && hip_cpu_add_edge(graph, before[i], first);
    for (*node = first; (*node)->next; *node = (*node)->next)
        room = room && hip_cpu_add_edge(graph, *node, (*node)->next);
    return room ? hipSuccess : hip_cpu_error(hipErrorOutOfMemory);
}

/* Adds what `call` gives to `keeper`. */
#define ADD(params, call)                                                                                              \
    do {                                                                                                               \
        hipError_t error = check(__func__, node, graph, before, count, params);                                        \
        struct hip_cpu_node *last = error == hipSuccess ? last_of(graph) : NULL;                                       \
        if (error == hipSuccess)                                                                                       \
            error = call;                                                                                              \
        return error == hipSuccess ? join(node, graph, last, before, count) : error;                                   \
    } while (0)

hipError_t hip_cpu_keep_kernel(struct hip_cpu_graph *graph, const hipKernelNodeParams *p)
{
    return hip_cpu_launch_noted(p->func, 0, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes,
                                hip_cpu_keeper_of(graph));
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipKernelNodeParams *params)
{
    ADD(params, hip_cpu_keep_kernel(graph, params));
}

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipMemcpy3DParms *params)
{
    ADD(params, hipMemcpy3DAsync(params, hip_cpu_keeper_of(graph)));
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                   void *to, const void *from, size_t bytes, hipMemcpyKind kind)
{
    ADD(to, hipMemcpyAsync(to, from, bytes, kind, hip_cpu_keeper_of(graph)));
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipMemsetParams *params)
{
    ADD(params, hip_cpu_fill_elements(params, hip_cpu_keeper_of(graph)));
}

hipError_t hipGraphAddHostNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                               const hipHostNodeParams *params)
{
    ADD(params, hipLaunchHostFunc(hip_cpu_keeper_of(graph), params->fn, params->userData));
}

hipError_t hip_cpu_do_nothing(UNUSED const void *work) { return hipSuccess; }

hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count)
{
    ADD(graph, hip_cpu_capture(hip_cpu_keeper_of(graph), hip_cpu_do_nothing, "", 0));
}

static hipError_t append_child(hipGraph_t graph, const struct hip_cpu_graph *child)
{
    hipError_t error = hip_cpu_capture(hip_cpu_keeper_of(graph), hip_cpu_do_nothing, "", 0);
    return error == hipSuccess ? hip_cpu_error(hip_cpu_append_all(graph, child)) : error;
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                     hipGraph_t child)
{
    ADD(child == graph ? NULL : child, append_child(graph, child));
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before,
                                      size_t count, hipEvent_t event)
{
    ADD(event, hip_cpu_capture(hip_cpu_keeper_of(graph), hip_cpu_do_record, &event, sizeof event));
}

hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                    hipEvent_t event)
{
    ADD(event, hip_cpu_capture(hip_cpu_keeper_of(graph), hip_cpu_do_wait, &event, sizeof event));
}

static hipError_t allocate(hipGraph_t graph, hipMemAllocNodeParams *params)
{
    hipError_t error = hipMalloc(&params->dptr, params->bytesize);
    return error == hipSuccess ? hip_cpu_keep_memory(hip_cpu_keeper_of(graph), params->dptr, true) : error;
}

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                   hipMemAllocNodeParams *params)
{
    ADD(params, allocate(graph, params));
}

hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                  void *pointer)
{
    ADD(pointer, hip_cpu_error(hip_cpu_keep_memory(hip_cpu_keeper_of(graph), pointer, false)));
}

hipError_t hipGraphAddNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                           hipGraphNodeParams *params)
{
    REFUSE_IF(!params, hipErrorInvalidValue);
    switch (params->type) {
    case hipGraphNodeTypeKernel:
        return hipGraphAddKernelNode(node, graph, before, count, &params->kernel);
    case hipGraphNodeTypeMemcpy:
        return hipGraphAddMemcpyNode(node, graph, before, count, &params->memcpy.copyParams);
    case hipGraphNodeTypeMemset:
        return hipGraphAddMemsetNode(node, graph, before, count, &params->memset);
    case hipGraphNodeTypeHost:
        return hipGraphAddHostNode(node, graph, before, count, &params->host);
    case hipGraphNodeTypeGraph:
        return hipGraphAddChildGraphNode(node, graph, before, count, params->graph.graph);
    case hipGraphNodeTypeEmpty:
        return hipGraphAddEmptyNode(node, graph, before, count);
    case hipGraphNodeTypeEventRecord:
        return hipGraphAddEventRecordNode(node, graph, before, count, params->eventRecord.event);
    case hipGraphNodeTypeWaitEvent:
        return hipGraphAddEventWaitNode(node, graph, before, count, params->eventWait.event);
    case hipGraphNodeTypeMemAlloc:
        return hipGraphAddMemAllocNode(node, graph, before, count, &params->alloc);
    case hipGraphNodeTypeMemFree:
        return hipGraphAddMemFreeNode(node, graph, before, count, params->free.dptr);
    default:
        return hip_cpu_error(hipErrorNotSupported);
    }
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type)
{
    REFUSE_IF(!node || !type, hipErrorInvalidValue);
    *type = node->run == hip_cpu_do_copy      ? hipGraphNodeTypeMemcpy
            : node->run == hip_cpu_do_fill    ? hipGraphNodeTypeMemset
            : node->run == hip_cpu_do_call    ? hipGraphNodeTypeHost
            : node->run == hip_cpu_do_begin   ? hipGraphNodeTypeMemAlloc
            : node->run == hip_cpu_do_end     ? hipGraphNodeTypeMemFree
            : node->run == hip_cpu_do_record  ? hipGraphNodeTypeEventRecord
            : node->run == hip_cpu_do_wait    ? hipGraphNodeTypeWaitEvent
            : node->run == hip_cpu_do_nothing ? hipGraphNodeTypeEmpty
                                              : hipGraphNodeTypeKernel;
    return hipSuccess;
}
