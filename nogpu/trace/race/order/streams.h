/* Which work on streams comes before which, and before what the host does: tasks are numbered in the order of the calls.
 *
 *   on a stream      one task after the other
 *   default stream   its tasks, and those of streams that are not hipStreamNonBlocking, wait for each other
 *   events           what was before the record comes before what the stream does that waits for it
 *   host             a task comes after all that the host has waited for; all host threads count as one
 *
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_STREAMS_H
#define TRACE_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

struct streams;
struct streams *streams_create(void);

/* Streams and events are known by their address; a stream of NULL is the default one. */
void streams_created(struct streams *s, const void *stream, bool non_blocking, bool of_graph);
void streams_destroyed(struct streams *s, const void *stream);
void streams_recorded(struct streams *s, const void *event, const void *stream);
void streams_wait(struct streams *s, const void *stream, const void *event);
void streams_host_waited(struct streams *s, const void *stream);
void streams_host_waited_event(struct streams *s, const void *event);
void streams_host_waited_all(struct streams *s);
/* The host has read what the task wrote, and knows that it is done. */
void streams_host_saw(struct streams *s, uint32_t task);

/* A task is put on the stream. */
void streams_queued(struct streams *s, const void *stream);
/* The latest task of the calling thread of the host runs from now on: it is the current one. Returns its number. */
uint32_t streams_run(struct streams *s);
/* The number of a task's stream, as the report has it. */
unsigned streams_number(const struct streams *s, uint32_t task);

/* Whether a task comes before the current one, and before what the host does now. */
bool streams_before(const struct streams *s, uint32_t task);
bool streams_before_host(const struct streams *s, uint32_t task);
/* Whether there is one beside the default stream. */
bool streams_several(const struct streams *s);
/* Whether the host has not waited for all of them. */
bool streams_host_is_ahead(const struct streams *s);
/* The first task that some stream, as they are now, does not have to wait for; that the host has not waited for. */
uint32_t streams_done(struct streams *s);
uint32_t streams_done_host(const struct streams *s);

#endif
