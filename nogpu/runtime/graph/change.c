/* Nodes of a graph, and of what is launched, get other parameters.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../internal.h"

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
#define CHANGES(name, params, parameters, keep)                                                                        \
    hipError_t hipGraph##name##NodeSetParams##params(hipGraphNode_t node, PARAMETERS parameters)                       \
    {                                                                                                                  \
        struct hip_cpu_graph one = {0};                                                                                \
        return replace(node, &one, keep);                                                                              \
    }                                                                                                                  \
    hipError_t hipGraphExec##name##NodeSetParams##params(hipGraphExec_t exec, hipGraphNode_t node,                     \
                                                         PARAMETERS parameters)                                        \
    {                                                                                                                  \
        struct hip_cpu_graph one = {0};                                                                                \
        return replace(copy_of(exec, node), &one, keep);                                                               \
    }
#define PARAMETERS(...) __VA_ARGS__

CHANGES(Kernel, , (const hipKernelNodeParams *p), p ? hip_cpu_keep_kernel(&one, p) : hipErrorInvalidValue)
CHANGES(Memcpy, , (const hipMemcpy3DParms *p), p ? hipMemcpy3DAsync(p, hip_cpu_keeper_of(&one)) : hipErrorInvalidValue)
CHANGES(Memcpy, 1D, (void *to, const void *from, size_t bytes, hipMemcpyKind kind),
        hipMemcpyAsync(to, from, bytes, kind, hip_cpu_keeper_of(&one)))
CHANGES(Memset, , (const hipMemsetParams *p),
        p ? hip_cpu_fill_elements(p, hip_cpu_keeper_of(&one)) : hipErrorInvalidValue)
CHANGES(Host, , (const hipHostNodeParams *p),
        p ? hipLaunchHostFunc(hip_cpu_keeper_of(&one), p->fn, p->userData) : hipErrorInvalidValue)
