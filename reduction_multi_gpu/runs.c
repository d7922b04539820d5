/* What is timed. A barrier comes first; what counts later is the slowest rank. */
#include <string.h>

#include "choices.h"
#include "device_facts.h"
#include "harness/timing.h"
#include "state.h"

/* mine: this rank is about to launch something */
static void ready(struct bench *b, bool mine)
{
    if (b->d_evict != NULL && mine)
        HIP_CHECK(hipMemsetAsync(b->d_evict, 0, b->evict_bytes, b->stream));
    HIP_CHECK(hipStreamSynchronize(b->stream));
    b->ranks->barrier(b->ranks);
    b->ranks->barrier(b->ranks); /* who waited long in the first one may leave it late */
}

/* Where its value is, if it is on the device. */
static const void *device_result(const struct job *j)
{
    return j->entry->device_result(&j->r);
}

/* On the devices, and for the report a copy. */
static struct scalar by_collective(struct combine_devices *c, const void *from)
{
    combine_devices_launch(c, from);
    return combine_devices_finish(c);
}

static void run_all(struct bench *b, struct sample *s)
{
    struct job *j = &b->part;
    double start;

    ready(b, true);
    if (b->how == COMBINE_RCCL) {
        start = timing_now();
        if (payload_kind(b) != PAYLOAD_VALUE)
            j->r.host = combine_devices_target(&b->on_devices, &b->share);
        j->entry->launch(&j->r, j->d_input);
        s->value = by_collective(&b->on_devices, device_result(&b->part));
        s->total = s->own = timing_now() - start;
        return;
    }
    start = timing_now();
    j->r.host = combine_target(&b->combine);
    j->entry->launch(&j->r, j->d_input);
    combine_receive(&b->combine, b->stream);
    s->own = timing_now() - start;
    s->value = combine_finish(&b->combine);
    s->total = timing_now() - start;
}

static void run_combination(struct bench *b, struct sample *s)
{
    b->ranks->barrier(b->ranks);
    double start = timing_now();
    if (b->how == COMBINE_RCCL)
        by_collective(&b->on_devices, device_result(&b->part));
    else
        combine_again(&b->combine);
    s->combination = timing_now() - start;
}

static void run_job(struct bench *b, struct job *j, struct scalar *value)
{
    bool words = j == &b->part && payload_kind(b) != PAYLOAD_VALUE;

    j->entry->launch(&j->r, j->d_input);
    if (!words)
        j->entry->finish(&j->r, &value->as);
    else if (b->how == COMBINE_RCCL)
        HIP_CHECK(hipStreamSynchronize(b->stream));
    else
        combine_wait(b->ranks, j->r.host, j->r.host_bytes / sizeof(uint64_t), NULL, b->stream);
}

/* One rank of each host at a time, the others rest. What ran before was another array: where that matters, once
 * untimed, so that the caches are as warm as for run_all(). */
static double run_in_turn(struct bench *b, struct job *j, int turns, struct scalar *value)
{
    double seconds = 0;

    for (int turn = 0; turn < turns; turn++) {
        bool mine = turn == b->ranks->local && j->entry != NULL;
        if (mine && b->d_evict == NULL &&
            j->r.n * type_size(b->o->type) <= device_evict_bytes(&b->device))
            run_job(b, j, value);
        ready(b, mine);
        if (!mine)
            continue;
        double start = timing_now();
        run_job(b, j, value);
        seconds = timing_now() - start;
    }
    return seconds;
}

/* One device with the same kernel: all elements, and this rank's share. */
static void run_alone(struct bench *b, struct sample *s)
{
    struct scalar unused;

    s->whole_value.type = b->o->type;
    s->has_whole = b->whole.entry != NULL;
    if (b->wholes)
        s->whole = run_in_turn(b, &b->whole, b->whole_turns, &s->whole_value);
    b->part.r.host = b->own_host;
    s->part = run_in_turn(b, &b->part, b->turns, &unused);
}

static void run_peer(struct bench *b, struct sample *s)
{
    struct job *j = &b->peer;

    if (j->entry == NULL)
        return;
    ready(b, true);
    double start = timing_now();
    j->entry->launch(&j->r, j->d_input);
    s->peer_value = by_collective(&b->peers, device_result(j));
    s->peer = timing_now() - start;
}

void run_once(struct bench *b, struct sample *s)
{
    memset(s, 0, sizeof *s);
    run_alone(b, s); /* last the share: run_all() finds the cache as that left it */
    run_all(b, s);
    run_combination(b, s);
    run_peer(b, s);
}
