/* Work that is kept: until its stream comes to it, or in a graph.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../internal.h"

struct hip_cpu_node *hip_cpu_append(struct hip_cpu_node **list, hipError_t (*run)(const void *work),
                                    const void *work, size_t bytes)
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

bool hip_cpu_captures(hipStream_t stream)
{
    return stream && stream->capture && stream->capture->graph;
}

hipError_t hip_cpu_capture(hipStream_t stream, hipError_t (*run)(const void *work),
                           const void *work, size_t bytes)
{
    return hip_cpu_append(&stream->capture->graph->first, run, work, bytes) ? hipSuccess
                                                                            : hipErrorOutOfMemory;
}
