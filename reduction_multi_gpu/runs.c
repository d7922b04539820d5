/* What is timed. A barrier comes first; what counts later is the slowest rank.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "choices.h"
#include "harness/timing.h"
#include "state.h"

/* mine: this rank is about to launch something */
static void ready(struct measurement *m, bool mine)
{
    if (m->d_evict != NULL && mine)
        HIP_CHECK(hipMemsetAsync(m->d_evict, 0, m->evict_bytes, m->stream));
    HIP_CHECK(hipStreamSynchronize(m->stream));
    m->ranks->barrier(m->ranks);
    m->ranks->barrier(m->ranks); /* who waited long in the first one may leave it late */
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

static void run_all(struct measurement *m, struct sample *s)
{
    struct job *j = &m->part;
    double start;

    ready(m, true);
    if (m->how == COMBINE_RCCL) {
        start = timing_now();
        if (payload_kind(m) != PAYLOAD_VALUE)
            j->r.host = combine_devices_target(&m->on_devices, &m->share);
        j->entry->launch(&j->r, j->d_input);
        s->value = by_collective(&m->on_devices, device_result(&m->part));
        s->total = s->own = timing_now() - start;
        return;
    }
    start = timing_now();
    j->r.host = combine_target(&m->combine);
    j->entry->launch(&j->r, j->d_input);
    combine_receive(&m->combine, m->stream);
    s->own = timing_now() - start;
    s->value = combine_finish(&m->combine);
    s->total = timing_now() - start;
}

static void run_combination(struct measurement *m, struct sample *s)
{
    m->ranks->barrier(m->ranks);
    double start = timing_now();
    if (m->how == COMBINE_RCCL)
        by_collective(&m->on_devices, device_result(&m->part));
    else
        combine_again(&m->combine);
    s->combination = timing_now() - start;
}

static void run_job(struct measurement *m, struct job *j, struct scalar *value)
{
    bool words = j == &m->part && payload_kind(m) != PAYLOAD_VALUE;

    j->entry->launch(&j->r, j->d_input);
    if (!words)
        j->entry->finish(&j->r, &value->as);
    else if (m->how == COMBINE_RCCL)
        HIP_CHECK(hipStreamSynchronize(m->stream));
    else
        combine_wait(m->ranks, j->r.host, j->r.host_bytes / sizeof(uint64_t), NULL, m->stream);
}

/* One rank of each host at a time, the others rest. What ran before was another array: where that matters, once
 * untimed, so that the caches are as warm as for run_all(). */
static double run_in_turn(struct measurement *m, struct job *j, int turns, struct scalar *value)
{
    double seconds = 0;

    for (int turn = 0; turn < turns; turn++) {
        bool mine = turn == m->ranks->local && j->entry != NULL;
        if (mine && m->d_evict == NULL &&
            j->r.n * type_size(m->o->type) <= device_evict_bytes(&m->device))
            run_job(m, j, value);
        ready(m, mine);
        if (!mine)
            continue;
        double start = timing_now();
        run_job(m, j, value);
        seconds = timing_now() - start;
    }
    return seconds;
}

/* One device with the same kernel: all elements, and this rank's share. */
static void run_alone(struct measurement *m, struct sample *s)
{
    struct scalar unused;

    s->whole_value.type = m->o->type;
    s->has_whole = m->whole.entry != NULL;
    if (m->wholes)
        s->whole = run_in_turn(m, &m->whole, m->whole_turns, &s->whole_value);
    m->part.r.host = m->own_host;
    s->part = run_in_turn(m, &m->part, m->turns, &unused);
}

static void run_peer(struct measurement *m, struct sample *s)
{
    struct job *j = &m->peer;

    if (j->entry == NULL)
        return;
    ready(m, true);
    double start = timing_now();
    j->entry->launch(&j->r, j->d_input);
    s->peer_value = by_collective(&m->peers, device_result(j));
    s->peer = timing_now() - start;
}

void run_once(struct measurement *m, struct sample *s)
{
    memset(s, 0, sizeof *s);
    run_alone(m, s); /* last the share: run_all() finds the cache as that left it */
    run_all(m, s);
    run_combination(m, s);
    run_peer(m, s);
}
