/* All ranks measure in turn, and all know all samples, so that they agree when it is enough. */
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "harness/timing.h"
#include "harness/verdict/verify.h"
#include "state.h"

static void judge(struct bench *b, const struct sample *all, struct rank_row *row)
{
    size_t bytes = type_size(b->o->type);
    struct verdict verdict = verify_check(all[0].value, &b->reference, b->chain);

    if (verdict.outcome > row->verdict.outcome || row->verdict.outcome == VERDICT_OK) {
        row->value = all[0].value;
        row->verdict = verdict;
    }
    row->wrong_runs += verdict.outcome == VERDICT_FAIL;
    for (int k = 1; k < b->ranks->size; k++)
        if (memcmp(&all[k].value.as, &all[0].value.as, bytes) != 0) {
            row->unequal_runs++;
            break;
        }
    if (b->whole.entry != NULL) {
        row->wrong_runs +=
            verify_check(all[0].whole_value, &b->reference, b->whole.r.chain).outcome ==
            VERDICT_FAIL;
        if (b->method != METHOD_PLAIN &&
            memcmp(&all[0].whole_value.as, &all[0].value.as, bytes) != 0)
            row->unequal_runs++;
    }
    if (b->peer.entry != NULL)
        row->peer_wrong_runs +=
            verify_check(all[0].peer_value, &b->reference, b->peer.r.chain + (size_t)b->ranks->size)
                .outcome == VERDICT_FAIL;
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

void measure(struct bench *b, struct rank_row *row)
{
    const struct options *o = b->o;
    struct ranks *r = b->ranks;
    size_t room = o->iterations > 0 ? o->iterations : SAMPLES_DEFAULT_MAX, taken = 0;
    struct sample *all = calloc((size_t)r->size, sizeof *all);
    double *samples = calloc(7 * room, sizeof *samples), spent = 0, best = 0;
    unsigned calm = 0;
    bool warm = o->warmup_given && o->warmup == 0;

    HIP_CHECK(all != NULL && samples != NULL ? hipSuccess : hipErrorOutOfMemory);
    while (taken < room && (o->iterations > 0 || taken < SAMPLES_MIN || spent < SAMPLES_SECONDS)) {
        struct sample mine;
        run_once(b, &mine);
        r->gather(r, &mine, sizeof mine, all);
        judge(b, all, row);

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
        s[4 * room] = all[0].whole;
        s[5 * room] = all[0].part;
        s[6 * room] = most(all, r->size, offsetof(struct sample, peer));
    }
    row->total = stats_of(samples, taken);
    row->first = stats_of(samples + room, taken);
    row->last = stats_of(samples + 2 * room, taken);
    row->combination = stats_of(samples + 3 * room, taken);
    row->whole = stats_of(samples + 4 * room, b->whole.entry != NULL ? taken : 0);
    row->part = stats_of(samples + 5 * room, taken);
    row->peer = stats_of(samples + 6 * room, b->peer.entry != NULL ? taken : 0);
    free(samples);
    free(all);
}
