/* What the report tells the reader to look at.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "findings.h"

static const char *scope_name(const struct report_side *a, const struct report_side *b)
{
    static const char *const names[] = {"?", "thread", "warp", "block", "device", "system"};
    return names[a->scope < b->scope ? a->scope : b->scope];
}

/* x++, x += ..., if (x < y) x = y: of plain accesses. */
static const char *update_of(const struct finding *f)
{
    return f->is_update && f->a.write != f->b.write && !f->a.atomic && !f->b.atomic
               ? "if all of them update one element here, use an atomic operation (atomicAdd); if "
                 "not: "
               : "";
}

/* Of an atomic access and a plain one. */
static const char *atomic_too(const struct finding *f)
{
    return (f->a.atomic ? &f->b : &f->a)->write ? "write it atomically, too (atomicExch())"
                                                : "read it atomically, too (__hip_atomic_load(), atomicAdd() of 0)";
}

/* The flag was read, and had handed it over. */
static void advise_fence(const struct finding *f, const struct trace_place *flag, const char *fence, char *text,
                         size_t size)
{
    snprintf(text, size,
             "the atomic operation at %s:%u has read what hands it over, but no %s stands behind "
             "it, before line %u",
             flag->file, flag->line, fence, f->b.place->line);
}

static void advise_block(const struct finding *f, char *text, size_t size)
{
    const struct report_side *a = &f->a, *b = &f->b;
    const struct hand_over *flag = &f->hint.of_thread;
    const char *barrier = f->other_warps ? "no __syncthreads() between the two"
                                         : "no __syncthreads() between the two, and no warp_sync() "
                                           "(__syncwarp), which is enough for lanes of one warp";

    if (a->atomic != b->atomic)
        snprintf(text, size,
                 "one of the two is atomic and the other is not: put a __syncthreads() between "
                 "them; if it does not matter which comes first: %s",
                 atomic_too(f));
    else if (flag->place && flag->is_volatile && b->place != flag->place && a->write != b->write)
        snprintf(text, size,
                 "the volatile load at %s:%u orders nothing: let the flag be written and read by "
                 "atomic operations, with a __threadfence_block() before the one and after the "
                 "other; or use __syncthreads()",
                 flag->place->file, flag->place->line);
    else if (flag->place && f->hint.lacks_fence)
        advise_fence(f, flag->place, "__threadfence_block()", text, size);
    else if (flag->place && a->write != b->write && !*update_of(f))
        snprintf(text, size,
                 "%s; if the atomic operation at %s:%u is to hand it over: it has to read what the "
                 "writer's atomic operation has written, with a __threadfence_block() between the "
                 "write and that one, and another between the reader's and the read",
                 barrier, flag->place->file, flag->place->line);
    else if (a->write && b->write && report_same_line(a->place, b->place))
        snprintf(text, size,
                 "both threads write it at the same line: does each thread have an element "
                 "of its own? If this is a second round, there is no __syncthreads() between "
                 "the rounds");
    else if (a->write && b->write)
        snprintf(text, size,
                 "both threads write it: does each thread have an element of its own (the index)? "
                 "If one is to write after the other: %s",
                 barrier);
    else
        snprintf(text, size, "%s%s", update_of(f), barrier);
}

static void advise_blocks(const struct finding *f, char *text, size_t size)
{
    const struct report_side *a = &f->a, *b = &f->b;
    const struct hand_over *flag = &f->hint.of_block;

    if (a->atomic != b->atomic)
        snprintf(text, size, "one of the two is atomic and the other is not: %s, or order the blocks", atomic_too(f));
    else if (flag->place && f->hint.lacks_fence)
        advise_fence(f, flag->place, "__threadfence()", text, size);
    else if (a->write && b->write)
        snprintf(text, size, "two blocks write it: does each block have an element of its own (blockIdx)?");
    else if (flag->place && flag->is_volatile)
        snprintf(text, size,
                 "the volatile load at %s:%u orders nothing: let the flag be written and read by "
                 "atomic operations, the writer's after a __threadfence() of the same thread, the "
                 "reader's before one",
                 flag->place->file, flag->place->line);
    else if (flag->place)
        snprintf(text, size,
                 "the atomic operation at %s:%u orders the two only if it reads what the writer's "
                 "atomic operation has written, with a __threadfence() between the write and that "
                 "one, and another between the reader's and the read%s",
                 flag->place->file, flag->place->line,
                 flag->place == f->hint.of_thread.place
                     ? ""
                     : "; where threads of one block do these things, a __syncthreads() belongs "
                       "between them");
    else if (f->hint.grid_barrier)
        snprintf(text, size,
                 "after the grid barrier of AMD's device library a block may still read old values "
                 "of what others wrote: the reader needs a __threadfence() after the barrier");
    else if (f->cooperative)
        snprintf(text, size,
                 "%sno grid barrier between the two; an atomic with a __threadfence() on both "
                 "sides could hand over, too",
                 update_of(f));
    else
        snprintf(text, size,
                 "%snothing orders the blocks of one launch: launch a second kernel, use a grid "
                 "barrier, or hand over with an atomic and a __threadfence() on both sides",
                 update_of(f));
}

static void name_stream(const struct report_task *t, char text[32])
{
    if (t->stream == 0)
        snprintf(text, 32, "the default stream");
    else if (t->stream >= STREAMS_OF_GRAPH)
        snprintf(text, 32, "branch %u of a graph", t->stream - STREAMS_OF_GRAPH);
    else
        snprintf(text, 32, "stream %u", t->stream);
}

static const char *const works[] = {
    [TASK_KERNEL] = "the kernel",        [TASK_COPY] = "a copy",       [TASK_FILL] = "a fill",
    [TASK_ALLOCATION] = "an allocation", [TASK_RELEASE] = "a release", [TASK_FUNCTION] = "a function of the host"};

void report_name_task(const struct report_task *t, char *text, size_t size)
{
    char stream[32];

    name_stream(t, stream);
    if (t->kind == TASK_HOST)
        snprintf(text, size, "the host");
    else if (t->kind == TASK_KERNEL)
        snprintf(text, size, "kernel %s on %s", t->name, stream);
    else
        snprintf(text, size, "%s on %s", works[t->kind], stream);
}

static void advise_tasks(const struct finding *f, char *text, size_t size)
{
    const struct report_task *a = &f->a.task, *b = &f->b.task;
    char first[32], second[32];

    name_stream(a, first);
    name_stream(b, second);
    if (b->kind == TASK_HOST)
        snprintf(text, size,
                 "the host does not wait for the %s: hipStreamSynchronize(), hipDeviceSynchronize() "
                 "or hipEventSynchronize() before it goes on%s",
                 strchr(works[a->kind], ' ') + 1,
                 a->kind == TASK_COPY ? "; with memory that is not pinned the copy itself may wait, "
                                        "but it need not"
                                      : "");
    else if (a->stream >= STREAMS_OF_GRAPH || b->stream >= STREAMS_OF_GRAPH)
        snprintf(text, size,
                 "two nodes of a graph may run at the same time unless dependencies lead from one to "
                 "the other: add one; in a capture, record an event after the first "
                 "(hipEventRecord) and let the stream of the second wait for it "
                 "(hipStreamWaitEvent)");
    else if (a->stream == 0 || b->stream == 0)
        snprintf(text, size,
                 "%s was made with hipStreamNonBlocking, so it and the default stream do not wait "
                 "for each other: let the second wait for an event (hipEventRecord, "
                 "hipStreamWaitEvent), or the host for the first",
                 a->stream == 0 ? second : first);
    else
        snprintf(text, size,
                 "streams do not wait for each other: record an event on %s after the first "
                 "(hipEventRecord) and let %s wait for it (hipStreamWaitEvent), or let the host "
                 "wait for the first",
                 first, second);
}

static bool is_of_copy(const struct report_side *s)
{
    unsigned indent;
    return s->write && strstr(trace_source_line(s->place->file, s->place->line, &indent), "memcpy_async");
}

void report_advise(const struct finding *f, char *text, size_t size)
{
    if (f->kind == UNWRITTEN)
        snprintf(text, size,
                 "which thread should have written it before? A block has %u threads, and it must "
                 "not use what an earlier block left there",
                 f->threads);
    else if (f->kind == ABSENT)
        snprintf(text, size,
                 "use the value only where that lane is there (lane + distance < lanes of this "
                 "warp), or let all lanes of the warp take part");
    else if (f->kind == LEAVES)
        snprintf(text, size,
                 "the index against the elements that %s has: dynamic shared memory is one array, "
                 "and each name in it begins where the kernel says",
                 f->name.element);
    else if (f->hint.other_width)
        snprintf(text, size,
                 "both are atomic, but one has 4 bytes and the other 8: they are not atomic to each "
                 "other. Use one width for the word");
    else if (f->hint.is_pending)
        snprintf(text, size,
                 "the copy is asynchronous: until its thread has waited for it (cg::wait(), "
                 "consumer_wait(), __pipeline_wait_prior()) and, for other threads, a barrier "
                 "follows, nobody may use the memory. Does the wait leave too many batches?");
    else if (report_relation(&f->a, &f->b) == OF_TASKS)
        advise_tasks(f, text, size);
    else if (f->kind == VOLATILE)
        snprintf(text, size,
                 "a volatile store is no atomic operation, and an update of a volatile variable is "
                 "a load and a store: use atomicExch() or atomicAdd(). RACES=volatile takes "
                 "volatile accesses to global memory for atomic ones, as older samples do");
    else if (f->a.atomic && f->b.atomic && (f->a.scope < TRACE_SCOPE_DEVICE || f->b.scope < TRACE_SCOPE_DEVICE))
        snprintf(text, size,
                 "both are atomic, but one of them only within its %s, and the other thread is "
                 "not in it: widen the scope (atomicAdd and its like: the device)",
                 scope_name(&f->a, &f->b));
    else if (is_of_copy(&f->a) || is_of_copy(&f->b))
        snprintf(text, size,
                 "the copy is asynchronous: its end at the barrier or pipeline is known to those "
                 "who wait there (wait(), arrive_and_wait(), consumer_wait()), after all have "
                 "arrived");
    else if (f->a.block == f->b.block)
        advise_block(f, text, size);
    else
        advise_blocks(f, text, size);
}
