/* Graphs that change: other parameters, nodes that are left out or go.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../internal.h"

/* ---- other parameters ---- */

/* The same node does what the only one of `from` does, which goes. */
static hipError_t replace(struct hip_cpu_node *node, struct hip_cpu_graph *from, hipError_t error)
{
    struct hip_cpu_node *other = from->first;

    if (error == hipSuccess && (!node || other->bytes > node->bytes))
        error = hipErrorInvalidValue;
    if (error == hipSuccess) {
        node->run = other->run;
        memcpy(node->work, other->work, other->bytes);
    }
    free(other);
    return hip_cpu_error(error);
}

/* What is launched is a copy of the node. */
static struct hip_cpu_node *copy_of(hipGraphExec_t exec, hipGraphNode_t node)
{
    struct hip_cpu_node *n = exec ? exec->first : NULL;

    while (n && n->origin != node)
        n = n->next;
    return n;
}

/* Parameters of a node, and of its copy that is launched: what `keep` leaves in a graph of one node. */
#define CHANGES(name, params, parameters, keep)                                                    \
    hipError_t hipGraph##name##NodeSetParams##params(hipGraphNode_t node, PARAMETERS parameters)   \
    {                                                                                              \
        struct hip_cpu_graph one = {0};                                                            \
        return replace(node, &one, keep);                                                          \
    }                                                                                              \
    hipError_t hipGraphExec##name##NodeSetParams##params(hipGraphExec_t exec, hipGraphNode_t node, \
                                                         PARAMETERS parameters)                    \
    {                                                                                              \
        struct hip_cpu_graph one = {0};                                                            \
        return replace(copy_of(exec, node), &one, keep);                                           \
    }
#define PARAMETERS(...) __VA_ARGS__

CHANGES(Kernel, , (const hipKernelNodeParams *p),
        p ? hip_cpu_keep_kernel(&one, p) : hipErrorInvalidValue)
CHANGES(Memcpy, , (const hipMemcpy3DParms *p),
        p ? hipMemcpy3DAsync(p, hip_cpu_keeper_of(&one)) : hipErrorInvalidValue)
CHANGES(Memcpy, 1D, (void *to, const void *from, size_t bytes, hipMemcpyKind kind),
        hipMemcpyAsync(to, from, bytes, kind, hip_cpu_keeper_of(&one)))
CHANGES(Memset, , (const hipMemsetParams *p),
        p ? hip_cpu_fill_elements(p, hip_cpu_keeper_of(&one)) : hipErrorInvalidValue)
CHANGES(Host, , (const hipHostNodeParams *p),
        p ? hipLaunchHostFunc(hip_cpu_keeper_of(&one), p->fn, p->userData) : hipErrorInvalidValue)

/* ---- nodes that are left out ---- */

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned enabled)
{
    struct hip_cpu_node *copy = copy_of(exec, node);

    REFUSE_IF(!copy, hipErrorInvalidValue);
    copy->is_disabled = !enabled;
    return hipSuccess;
}

hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned *enabled)
{
    const struct hip_cpu_node *copy = copy_of(exec, node);

    REFUSE_IF(!copy || !enabled, hipErrorInvalidValue);
    *enabled = !copy->is_disabled;
    return hipSuccess;
}

/* ---- nodes and edges that go ---- */

/* Those from one node to another; NULL: any. */
static bool remove_edges(struct hip_cpu_graph *graph, const struct hip_cpu_node *from,
                         const struct hip_cpu_node *to)
{
    size_t kept = 0, all = graph->edges;

    for (size_t i = 0; i < all; i++)
        if ((from && graph->edge[i].from != from) || (to && graph->edge[i].to != to))
            graph->edge[kept++] = graph->edge[i];
    graph->edges = kept;
    return kept < all;
}

hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                      const hipGraphNode_t *to, size_t count)
{
    REFUSE_IF(!graph || (count > 0 && (!from || !to)), hipErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        REFUSE_IF(!from[i] || !to[i] || !remove_edges(graph, from[i], to[i]), hipErrorInvalidValue);
    return hipSuccess;
}

hipError_t hipGraphDestroyNode(hipGraphNode_t node)
{
    REFUSE_IF(!node || !node->graph, hipErrorInvalidValue);
    remove_edges(node->graph, node, NULL);
    remove_edges(node->graph, NULL, node);
    for (struct hip_cpu_node **at = &node->graph->first; *at; at = &(*at)->next)
        if (*at == node) {
            *at = node->next;
            free(node);
            return hipSuccess;
        }
    return hip_cpu_error(hipErrorInvalidValue);
}
