/* The streams that exist.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "../internal.h"

__thread struct hip_cpu_stream hip_cpu_keeper;

static struct {
    pthread_mutex_t lock;
    struct hip_cpu_stream *first;
} streams = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The link to the stream in the list, or its end. */
static struct hip_cpu_stream **find(hipStream_t stream)
{
    struct hip_cpu_stream **at = &streams.first;

    while (*at && *at != stream)
        at = &(*at)->next;
    return at;
}

void hip_cpu_list_stream(hipStream_t stream)
{
    pthread_mutex_lock(&streams.lock);
    stream->next = streams.first;
    streams.first = stream;
    pthread_mutex_unlock(&streams.lock);
}

void hip_cpu_unlist_stream(hipStream_t stream)
{
    pthread_mutex_lock(&streams.lock);
    *find(stream) = stream->next;
    pthread_mutex_unlock(&streams.lock);
}

bool hip_cpu_is_stream(hipStream_t stream)
{
    pthread_mutex_lock(&streams.lock);
    bool is = !stream || stream == &hip_cpu_keeper || *find(stream);
    pthread_mutex_unlock(&streams.lock);
    return is;
}

bool hip_cpu_spoil(bool (*is_spoilt)(const struct hip_cpu_stream *stream))
{
    bool any = false;

    pthread_mutex_lock(&streams.lock);
    for (hipStream_t s = streams.first; s; s = s->next)
        if (hip_cpu_captures(s) && is_spoilt(s))
            any = s->capture->is_invalid = true;
    pthread_mutex_unlock(&streams.lock);
    return any;
}

/* Edges lead to later nodes, and were added with them: one pass from the last one back finds all that the end depends on. */
static bool is_joined(hipStream_t origin, const struct hip_cpu_stream *other)
{
    struct hip_cpu_graph *graph = origin->capture->graph;

    if (other == origin || other->capture != origin->capture || !other->last)
        return true;
    for (struct hip_cpu_node *n = graph->first; n; n = n->next)
        n->number = n == origin->last;
    for (size_t i = graph->edges; i-- > 0;)
        graph->edge[i].from->number |= graph->edge[i].to->number;
    bool joined = other->last->number;
    for (struct hip_cpu_node *n = graph->first; n; n = n->next)
        n->number = 0;
    return joined;
}

bool hip_cpu_all_joined(hipStream_t origin)
{
    bool all = true;

    pthread_mutex_lock(&streams.lock);
    for (hipStream_t s = streams.first; s; s = s->next)
        all = all && is_joined(origin, s);
    pthread_mutex_unlock(&streams.lock);
    return all;
}

hipError_t hip_cpu_enter_stream(const char *call, hipStream_t stream)
{
    hipError_t error = hip_cpu_enter(call);

    return error == hipSuccess && !hip_cpu_is_stream(stream) ? hipErrorInvalidHandle : error;
}
