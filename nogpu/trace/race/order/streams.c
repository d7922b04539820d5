/* Vector clocks: see streams.h.
 * SPDX-License-Identifier: MIT */
#include "streams.h"

#include <stdlib.h>
#include <string.h>

#include "../../trace_internal.h"
#include "../report/report.h"

#define STREAMS_MAX 64 /* at a time; the clock of a stream that is gone goes on in a later one */

/* Of each stream, how many of its tasks come before. */
struct vector {
    uint32_t clock[STREAMS_MAX];
};

struct stream {
    const void *handle;
    unsigned number; /* as reports name it */
    bool exists, non_blocking;
    uint32_t tasks;
    struct vector before; /* its next task, as far as this stream alone decides */
};

struct task {
    uint32_t clock;
    uint16_t stream, number;
};

struct event {
    const void *handle;
    struct vector before;
};

struct streams {
    struct stream stream[STREAMS_MAX]; /* [0]: the default one */
    unsigned count, created, branches;
    struct vector host;
    struct vector running; /* the current task, and what it comes after */
    struct event *event;
    size_t events, events_room;
    struct task *task; /* those since `base` */
    size_t tasks, room;
    /* done: all before it come before any later one; done_host: and before the host */
    uint32_t base, done, done_host;
};

/* Of the calling thread. */
static __thread struct {
    uint32_t task;
    struct vector before;
} queued;

struct streams *streams_create(void)
{
    struct streams *s = trace_check_alloc(calloc(1, sizeof *s));

    s->stream[0].exists = true;
    s->count = 1;
    return s;
}

static void join(struct vector *v, const struct vector *other)
{
    for (unsigned i = 0; i < STREAMS_MAX; i++)
        v->clock[i] = other->clock[i] > v->clock[i] ? other->clock[i] : v->clock[i];
}

static struct stream *stream_of(struct streams *s, const void *handle)
{
    unsigned i = 0;

    while (handle && i < s->count && !(s->stream[i].exists && s->stream[i].handle == handle))
        i++;
    return &s->stream[i < s->count ? i : 0];
}

void streams_created(struct streams *s, const void *handle, bool non_blocking, bool of_graph)
{
    unsigned i = 1;

    while (i < s->count && (s->count < STREAMS_MAX || s->stream[i].exists))
        i++;
    if (i == STREAMS_MAX) /* work on it counts as work on the default one */
        return;
    s->count = i == s->count ? i + 1 : s->count;
    s->stream[i].handle = handle;
    s->stream[i].number = of_graph ? STREAMS_OF_GRAPH + ++s->branches : ++s->created;
    s->stream[i].exists = true;
    s->stream[i].non_blocking = non_blocking;
}

void streams_destroyed(struct streams *s, const void *handle)
{
    struct stream *stream = stream_of(s, handle);

    stream->exists = stream == &s->stream[0];
}

/* What the stream's next task comes after. */
static struct vector next_of(const struct streams *s, const struct stream *stream)
{
    struct vector v = stream->before;

    join(&v, &s->host);
    if (stream == &s->stream[0]) {
        for (unsigned i = 1; i < s->count; i++)
            if (!s->stream[i].non_blocking)
                join(&v, &s->stream[i].before);
    } else if (!stream->non_blocking) {
        join(&v, &s->stream[0].before);
    }
    return v;
}

static struct event *event_of(struct streams *s, const void *handle, bool create)
{
    for (size_t i = 0; i < s->events; i++)
        if (s->event[i].handle == handle)
            return &s->event[i];
    if (!create)
        return NULL;
    TRACE_ONE_MORE(s->event, s->events, s->events_room, 16);
    s->event[s->events] = (struct event){.handle = handle};
    return &s->event[s->events++];
}

void streams_recorded(struct streams *s, const void *event, const void *stream)
{
    event_of(s, event, true)->before = stream_of(s, stream)->before;
}

void streams_wait(struct streams *s, const void *stream, const void *event)
{
    const struct event *e = event_of(s, event, false);

    if (e)
        join(&stream_of(s, stream)->before, &e->before);
}

/* ---- the host ---- */

static void host_joins(struct streams *s, const struct vector *v)
{
    join(&s->host, v);
    while (s->done_host < s->base + s->tasks && streams_before_host(s, s->done_host))
        s->done_host++;
}

void streams_host_waited(struct streams *s, const void *stream)
{
    struct vector v = next_of(s, stream_of(s, stream));
    const struct stream *its = stream_of(s, stream);

    host_joins(s, its == &s->stream[0] ? &v : &its->before);
}

void streams_host_waited_event(struct streams *s, const void *event)
{
    const struct event *e = event_of(s, event, false);

    if (e)
        host_joins(s, &e->before);
}

void streams_host_waited_all(struct streams *s)
{
    for (unsigned i = 0; i < s->count; i++)
        host_joins(s, &s->stream[i].before);
}

static const struct task *task_of(const struct streams *s, uint32_t task) { return &s->task[task - s->base]; }

void streams_host_saw(struct streams *s, uint32_t task)
{
    struct vector v = {{0}};

    if (task < s->base)
        return;
    v.clock[task_of(s, task)->stream] = task_of(s, task)->clock;
    host_joins(s, &v);
}

/* ---- tasks ---- */

void streams_queued(struct streams *s, const void *handle)
{
    struct stream *stream = stream_of(s, handle);
    uint32_t number = s->base + (uint32_t)s->tasks;

    if (streams_done(s) == number && s->done_host == number) { /* they are no longer asked for */
        s->base = number;
        s->tasks = 0;
    }
    TRACE_ONE_MORE(s->task, s->tasks, s->room, 64);
    stream->before = next_of(s, stream);
    stream->before.clock[stream - s->stream] = ++stream->tasks;
    s->task[s->tasks++] = (struct task){
        .clock = stream->tasks, .stream = (uint16_t)(stream - s->stream), .number = (uint16_t)stream->number};
    queued.task = number;
    queued.before = stream->before;
}

uint32_t streams_run(struct streams *s)
{
    s->running = queued.before;
    return queued.task;
}

unsigned streams_number(const struct streams *s, uint32_t task)
{
    return task < s->base ? 0 : task_of(s, task)->number;
}

static bool is_before(const struct streams *s, uint32_t task, const struct vector *v)
{
    return task < s->base || task_of(s, task)->clock <= v->clock[task_of(s, task)->stream];
}

bool streams_before(const struct streams *s, uint32_t task) { return is_before(s, task, &s->running); }

bool streams_before_host(const struct streams *s, uint32_t task) { return is_before(s, task, &s->host); }

bool streams_several(const struct streams *s) { return s->count > 1; }

bool streams_host_is_ahead(const struct streams *s) { return s->done_host < s->base + s->tasks; }

uint32_t streams_done(struct streams *s)
{
    struct vector least = next_of(s, &s->stream[0]);

    for (unsigned i = 1; i < s->count; i++) {
        if (!s->stream[i].exists)
            continue;
        struct vector v = next_of(s, &s->stream[i]);
        for (unsigned k = 0; k < STREAMS_MAX; k++)
            least.clock[k] = v.clock[k] < least.clock[k] ? v.clock[k] : least.clock[k];
    }
    while (s->done < s->base + s->tasks && is_before(s, s->done, &least))
        s->done++;
    return s->done;
}

uint32_t streams_done_host(const struct streams *s) { return s->done_host; }
