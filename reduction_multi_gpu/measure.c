/* All ranks measure in turn, and all know all samples, so that they agree when it is enough.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "harness/timing.h"
#include "verdict/verify.h"
#include "state.h"

/* The same bits. One NaN is as good as another: which one an addition of two hands on depends on the machine. */
static bool same_value(struct scalar a, struct scalar b)
{
    if (type_is_floating(a.type) && isnan(scalar_to_double(a)))
        return isnan(scalar_to_double(b)) != 0;
    return memcmp(&a.as, &b.as, type_size(a.type)) == 0;
}

static void judge(struct measurement *m, const struct sample *all, struct rank_row *row)
{
    struct verdict verdict = verify_check(all[0].value, &m->reference, m->chain);

    if (verdict.outcome > row->verdict.outcome || row->verdict.outcome == VERDICT_OK) {
        row->value = all[0].value;
        row->verdict = verdict;
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
    row->wrong_runs += wrong;
    row->unequal_runs += unequal;
    if (m->peer.entry != NULL)
        row->peer_wrong_runs +=
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

static double most(const struct sample *all, int size, size_t which)
{
    double result = 0;

    for (int k = 0; k < size; k++) {
        double x = *(const double *)((const char *)&all[k] + which);
        result = x > result ? x : result;
    }
    return result;
}

void measure(struct measurement *m, struct rank_row *row)
{
    const struct options *o = m->o;
    struct ranks *r = m->ranks;
    size_t room = o->iterations > 0 ? o->iterations : SAMPLES_DEFAULT_MAX, taken = 0;
    struct sample *all = calloc((size_t)r->size, sizeof *all);
    double *samples = calloc(7 * room, sizeof *samples), spent = 0, best = 0;
    unsigned calm = 0;
    bool warm = o->warmup_given && o->warmup == 0;

    HIP_CHECK(all != NULL && samples != NULL ? hipSuccess : hipErrorOutOfMemory);
    while (taken < room && (o->iterations > 0 || taken < SAMPLES_MIN || spent < SAMPLES_SECONDS)) {
        struct sample mine;
        run_once(m, &mine);
        r->gather(r, &mine, sizeof mine, all);
        judge(m, all, row);

        double total = most(all, r->size, offsetof(struct sample, total)), first = total;
        for (int k = 0; k < r->size; k++)
            first = all[k].own < first ? all[k].own : first;
        spent += total;
        if (!warm) {
            calm = row->warmup > 0 && total >= 0.98 * best ? calm + 1 : 0;
            best = row->warmup == 0 || total < best ? total : best;
            row->warmup++;
            warm = o->warmup_given ? row->warmup >= o->warmup
                                   : row->warmup >= WARMUP_MIN &&
                                         (calm >= WARMUP_CALM || spent > WARMUP_SECONDS);
            spent = warm ? 0 : spent;
            continue;
        }
        double *s = samples + taken++;
        s[0] = total;
        s[room] = first;
        s[2 * room] = most(all, r->size, offsetof(struct sample, own));
        s[3 * room] = most(all, r->size, offsetof(struct sample, combination));
        s[4 * room] = mine.whole;
        s[5 * room] = mine.part;
        s[6 * room] = most(all, r->size, offsetof(struct sample, peer));
    }
    row->total = stats_of(samples, taken);
    row->first = stats_of(samples + room, taken);
    row->last = stats_of(samples + 2 * room, taken);
    row->combination = stats_of(samples + 3 * room, taken);
    row->whole = spread_of(r, stats_of(samples + 4 * room, taken).median);
    row->part = spread_of(r, stats_of(samples + 5 * room, taken).median);
    row->peer = stats_of(samples + 6 * room, m->peer.entry != NULL ? taken : 0);
    free(samples);
    free(all);
}
