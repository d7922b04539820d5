/* All ranks measure in turn, and all know all samples, so that they agree when it is enough.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/timing/timing.h"
#include "verdict/verify.h"
#include "state.h"

/* The same bits. One NaN is as good as another: which one an addition of two hands on depends on the machine. */
static bool same_value(struct scalar a, struct scalar b)
{
    if (type_is_floating(a.type) && isnan(scalar_to_double(a)))
        return isnan(scalar_to_double(b)) != 0;
    return memcmp(&a.as, &b.as, type_size(a.type)) == 0;
}

static void judge(struct measurement *m, const struct sample *all, struct rank_result *result)
{
    struct verdict verdict = verify_check(all[0].value, &m->reference, m->chain);

    if (verdict.outcome > result->verdict.outcome || result->verdict.outcome == VERDICT_OK) {
        result->value = all[0].value;
        result->verdict = verdict;
    }
    bool wrong = verdict.outcome == VERDICT_FAIL, unequal = false;
    for (int k = 0; k < m->ranks->size; k++) {
        struct scalar whole = all[k].whole_value;
        unequal = unequal || !same_value(all[k].value, all[0].value);
        if (!all[k].has_whole)
            continue;
        wrong = wrong || verify_check(whole, &m->reference, m->whole_chain).outcome == VERDICT_FAIL;
        unequal = unequal || (m->method != METHOD_PLAIN && !same_value(whole, all[0].value));
    }
    result->wrong_runs += wrong;
    result->unequal_runs += unequal;
    if (m->peer.entry != NULL)
        result->peer_wrong_runs +=
            verify_check(all[0].peer_value, &m->reference, m->peer.r.chain + (size_t)m->ranks->size)
                .outcome == VERDICT_FAIL;
}

/* What the devices took alone: the medians of all ranks that have one. */
static struct spread spread_of(struct ranks *r, double median)
{
    struct spread s = {.mean = 0};
    double all[r->size];
    int count = 0;

    r->gather(r, &median, sizeof median, all);
    for (int k = 0; k < r->size; k++) {
        if (all[k] == 0)
            continue;
        s.fastest = count == 0 || all[k] < s.fastest ? all[k] : s.fastest;
        s.slowest = all[k] > s.slowest ? all[k] : s.slowest;
        s.mean += all[k];
        count++;
    }
    s.mean /= count > 0 ? count : 1;
    return s;
}

/* One run of all ranks: the slowest, and in time[FASTEST] the fastest to its own value. Alone: of this rank. */
static struct sample join(const struct sample *all, const struct sample *mine, int size)
{
    struct sample s = *mine;

    s.time[FASTEST] = s.time[OWN];
    for (int k = 0; k < size; k++) {
        for (int which = 0; which < WHOLE; which++)
            s.time[which] = fmax(s.time[which], all[k].time[which]);
        s.time[FASTEST] = fmin(s.time[FASTEST], all[k].time[OWN]);
    }
    return s;
}

/* The times of as many runs as there is room for, one kind after the other. */
struct samples {
    size_t room, taken;
    double *time[TIMES];
};

static void summarise(const struct samples *s, struct measurement *m, struct rank_result *result)
{
    result->total = stats_of(s->time[TOTAL], s->taken);
    result->first = stats_of(s->time[FASTEST], s->taken);
    result->last = stats_of(s->time[OWN], s->taken);
    result->combination = stats_of(s->time[COMBINATION], s->taken);
    result->whole = spread_of(m->ranks, stats_of(s->time[WHOLE], s->taken).median);
    result->part = spread_of(m->ranks, stats_of(s->time[PART], s->taken).median);
    result->peer = stats_of(s->time[ALL_PEER], m->peer.entry != NULL ? s->taken : 0);
}

void measure(struct measurement *m, struct rank_result *result)
{
    const struct options *o = m->o;
    struct ranks *r = m->ranks;
    struct samples s = {.room = o->iterations > 0 ? o->iterations : SAMPLES_DEFAULT_MAX};
    struct sample *all = calloc((size_t)r->size, sizeof *all);
    double *memory = calloc(TIMES * s.room, sizeof *memory), spent = 0;
    struct warming warming = {.runs = 0};

    HIP_CHECK(all != NULL && memory != NULL ? hipSuccess : hipErrorOutOfMemory);
    for (int which = 0; which < TIMES; which++)
        s.time[which] = memory + (size_t)which * s.room;
    while (!sampling_done(s.taken, spent, o->iterations)) {
        struct sample mine;
        run_once(m, &mine);
        r->gather(r, &mine, sizeof mine, all);
        judge(m, all, result);
        mine = join(all, &mine, r->size);
        if (!warming_done(&warming, o->warmup_given, o->warmup)) {
            warming_add(&warming, mine.time[TOTAL]);
            continue;
        }
        spent += mine.time[TOTAL];
        for (int which = 0; which < TIMES; which++)
            s.time[which][s.taken] = mine.time[which];
        s.taken++;
    }
    result->warmup = warming.runs;
    summarise(&s, m, result);
    free(memory);
    free(all);
}
