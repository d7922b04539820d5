/* What a graph consists of.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "../internal.h"

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

/* Edges from nodes that run to `to`, by way of where branches meet (`at`). */
static size_t edges_to(const struct hip_cpu_graph *graph, struct hip_cpu_node *at,
                       struct hip_cpu_node *to, hipGraphNode_t *from_list, hipGraphNode_t *to_list,
                       size_t room, size_t count)
{
    for (size_t i = 0; i < graph->edges; i++) {
        struct hip_cpu_node *from = graph->edge[i].from;
        if (graph->edge[i].to != at)
            continue;
        if (!from->run) {
            count = edges_to(graph, from, to, from_list, to_list, room, count);
            continue;
        }
        if (count < room) {
            from_list[count] = from;
            to_list[count] = to;
        }
        count++;
    }
    return count;
}

hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t *from, hipGraphNode_t *to,
                            size_t *count)
{
    size_t all = 0, room;

    REFUSE_IF(!graph || !count || !from != !to, hipErrorInvalidValue);
    room = from ? *count : 0;
    for (struct hip_cpu_node *n = graph->first; n; n = n->next)
        if (n->run)
            all = edges_to(graph, n, n, from, to, room, all);
    *count = from && room < all ? room : all;
    return hipSuccess;
}

hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count)
{
    size_t all = 0, room;

    REFUSE_IF(!graph || !count, hipErrorInvalidValue);
    room = nodes ? *count : 0;
    for (struct hip_cpu_node *n = graph->first; n; n = n->next) {
        if (!n->run || edges_to(graph, n, n, NULL, NULL, 0, 0) > 0)
            continue;
        if (all < room)
            nodes[all] = n;
        all++;
    }
    *count = nodes && room < all ? room : all;
    return hipSuccess;
}

/* Nodes before one, or behind it. */
static hipError_t neighbours(hipGraphNode_t node, bool before, hipGraphNode_t *nodes, size_t *count)
{
    size_t all = 0, room;

    REFUSE_IF(!node || !node->graph || !count, hipErrorInvalidValue);
    REFUSE_IF(hipGraphGetEdges(node->graph, NULL, NULL, &all) != hipSuccess, hipErrorInvalidValue);
    hipGraphNode_t *from = calloc(2 * all + 1, sizeof *from), *to = from ? from + all : NULL;
    REFUSE_IF(!from, hipErrorOutOfMemory);
    room = nodes ? *count : 0;
    *count = 0;
    (void)hipGraphGetEdges(node->graph, from, to, &all);
    for (size_t i = 0; i < all; i++) {
        if ((before ? to : from)[i] != node)
            continue;
        if (*count < room)
            nodes[*count] = (before ? from : to)[i];
        *count += !nodes || *count < room;
    }
    free(from);
    return hipSuccess;
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *nodes, size_t *count)
{
    return neighbours(node, true, nodes, count);
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t *nodes, size_t *count)
{
    return neighbours(node, false, nodes, count);
}

/* For graphviz. */
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char *path, unsigned flags)
{
    static const char *const names[] = {"kernel", "copy",  "fill", "host",
                                        "graph",  "empty", "wait", "record"};
    FILE *file = graph && path ? fopen(path, "w") : NULL;
    size_t number = 0, all = 0;

    (void)flags;
    REFUSE_IF(!file, hipErrorInvalidValue);
    fprintf(file, "digraph {\n");
    for (struct hip_cpu_node *n = graph->first; n; n = n->next) {
        hipGraphNodeType type = hipGraphNodeTypeEmpty;
        if (!n->run)
            continue;
        (void)hipGraphNodeGetType(n, &type);
        fprintf(file, "    \"%p\" [label=\"%zu: %s\"];\n", (void *)n, number++,
                type <= hipGraphNodeTypeEventRecord ? names[type] : "memory");
    }
    (void)hipGraphGetEdges(graph, NULL, NULL, &all);
    hipGraphNode_t *from = calloc(2 * all + 1, sizeof *from);
    if (from)
        (void)hipGraphGetEdges(graph, from, from + all, &all);
    for (size_t i = 0; from && i < all; i++)
        fprintf(file, "    \"%p\" -> \"%p\";\n", (void *)from[i], (void *)from[all + i]);
    free(from);
    fprintf(file, "}\n");
    return hip_cpu_error(fclose(file) == 0 && from ? hipSuccess : hipErrorInvalidValue);
}
