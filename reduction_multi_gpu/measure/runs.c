/* What is timed. A barrier comes first; what counts later is the slowest rank.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "harness/timing/timing.h"
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

static void run_all(struct measurement *m, struct sample *s)
{
    struct job *j = &m->part;

    ready(m, true);
    double start = timing_now();
    struct combine *c = &m->combine;
    c->way->target(c, &j->r);
    j->entry->launch(&j->r, j->d_input);
    c->way->receive(c, device_result(j));
    s->time[OWN] = timing_now() - start;
    s->value = c->way->finish(c);
    s->time[TOTAL] = timing_now() - start;
    if (m->how == COMBINE_RCCL) /* a rank's own value stays on its device */
        s->time[OWN] = s->time[TOTAL];
}

static void run_combination(struct measurement *m, struct sample *s)
{
    m->ranks->barrier(m->ranks);
    double start = timing_now();
    m->combine.way->again(&m->combine);
    s->time[COMBINATION] = timing_now() - start;
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
        words_wait(m->ranks, j->r.host, j->r.host_bytes / sizeof(uint64_t), NULL, m->stream);
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
        s->time[WHOLE] = run_in_turn(m, &m->whole, m->whole_turns, &s->whole_value);
    m->part.r.host = m->own_host;
    m->part.r.host_on_device = NULL;
    s->time[PART] = run_in_turn(m, &m->part, m->turns, &unused);
}

static void run_peer(struct measurement *m, struct sample *s)
{
    struct job *j = &m->peer;

    if (j->entry == NULL)
        return;
    ready(m, true);
    double start = timing_now();
    j->entry->launch(&j->r, j->d_input);
    m->peers.way->receive(&m->peers, device_result(j));
    s->peer_value = m->peers.way->finish(&m->peers);
    s->time[ALL_PEER] = timing_now() - start;
}

void run_once(struct measurement *m, struct sample *s)
{
    memset(s, 0, sizeof *s);
    run_alone(m, s); /* last the share: run_all() finds the cache as that left it */
    run_all(m, s);
    run_combination(m, s);
    run_peer(m, s);
}
