/* From results to a diagnosis.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../checker.h"

/* ---- one trial ---- */

static bool right_in(const struct record *r, enum pass run)
{
    return (unsigned)run >= r->runs || same(r->got[run], r->expected[run]);
}

/* The host receives much more than one partial per block. */
static bool much_to_host(const struct trial *s, const struct record *r)
{
    size_t size = type_size(s->type), of_blocks = 2 * (size_t)r->planned_grid + 32 + task_for_host(s, r->planned_grid);

    return s->n >= 1000 && r->seen.to_host > of_blocks * size;
}

/* Enough work for many blocks, even if each thread takes 8 elements at once. */
static bool is_large(const struct trial *s) { return s->n >= 2000 && s->n >= 16 * (size_t)s->block && s->grid != 1; }

static bool few_blocks(const struct trial *s, const struct record *r)
{
    return is_large(s) && s->grid == 0 && r->planned_grid < r->units &&
           8 * ((size_t)r->planned_grid + 1) * s->block < s->n;
}

static bool other_trial(const struct trial *s, const struct record *r)
{
    return is_large(s) && r->seen.launches > 0 && (r->seen.blocks < 2 || r->seen.threads != r->planned_block);
}

/* Work outside of launch(), which the column kernel leaves out. */
static bool outside(const struct trial *s, const struct record *r)
{
#ifdef ON_CPU
    return r->seen.launches_in_finish > 0 || r->seen.elsewhere > 0 || (s->n > 0 && r->seen.launches == 0);
#else
    (void)s, (void)r;
    return false;
#endif
}

static bool honest(const struct trial *s, const struct record *r)
{
    return !r->seen.input_written && !r->seen.host_reads && !r->seen.host_touches && r->seen.kept <= 0 &&
           !outside(s, r) && !much_to_host(s, r) && !few_blocks(s, r) && !other_trial(s, r) &&
           r->planned_block == s->block;
}

bool record_right(const struct trial *s, const struct record *r)
{
    for (unsigned run = 0; run < r->runs; run++)
        if (!right_in(r, (enum pass)run))
            return false;
    return honest(s, r);
}

bool judge_written(const struct observed *seen, struct diagnosis *d)
{
    if (!seen->input_written)
        return false;
    d->code = "input_changed";
    snprintf(d->what, TEXT_MAX,
             "the input is overwritten%s%s: a read at the same time, or in the next run, gets "
             "other values, even if it is restored later",
             *seen->place != '\0' ? ", in " : "", seen->place);
    d->look = "the lines that write: whose memory is that?";
    return true;
}

static bool dishonest(const struct trial *s, const struct record *r, struct diagnosis *d)
{
    bool reshaped = r->seen.launches == 1 && r->seen.threads != r->planned_block;

    if (judge_written(&r->seen, d))
        return true;
    if (r->seen.host_reads || (much_to_host(s, r) && !reshaped)) {
        d->code = "host_sum";
        if (r->seen.host_reads)
            snprintf(d->what, TEXT_MAX, "the host reads the elements of the input itself%s%s",
                     *r->seen.place != '\0' ? ", in " : "", r->seen.place);
        else
            snprintf(d->what, TEXT_MAX, "%llu bytes come to the host for %zu elements: the host does the work",
                     (unsigned long long)r->seen.to_host, s->n);
        d->look = "restore the original launch() and finish(): the kernel has to reduce";
    } else if (r->seen.host_touches) {
        d->code = "host_access";
        snprintf(d->what, TEXT_MAX, "host code dereferences a device pointer%s%s: on a GPU this crashes",
                 *r->seen.place != '\0' ? ", in " : "", r->seen.place);
        d->look = "the pointer there: hipMemcpy() brings to the host what it points to";
    } else if (outside(s, r)) {
        d->code = "events";
        if (r->seen.elsewhere > 0)
            snprintf(d->what, TEXT_MAX,
                     "%u kernel%s on a stream that r->stream does not wait for: the events, which are "
                     "on r->stream, measure something else",
                     r->seen.elsewhere, r->seen.elsewhere == 1 ? " runs" : "s run");
        else if (r->seen.launches == 0)
            snprintf(d->what, TEXT_MAX, "launch() starts no kernel: the events around it measure nothing");
        else
            snprintf(d->what, TEXT_MAX, "finish() starts %u kernel%s: the events, which end behind launch(), miss it",
                     r->seen.launches_in_finish, r->seen.launches_in_finish == 1 ? "" : "s");
        d->look = "which of the two starts the work, and which waits for it";
    } else if (r->seen.kept > 0) {
        d->code = "memory";
        snprintf(d->what, TEXT_MAX,
                 "a run, or plan(), allocates %lld bytes that are not freed: after many of them "
                 "none are "
                 "left, and another reduction cannot use them",
                 (long long)r->seen.kept);
        d->look = "workspace_bytes in plan(): memory that lasts as long as the reduction";
    } else if (few_blocks(s, r)) {
        d->code = "one_block";
        snprintf(d->what, TEXT_MAX, "plan() takes %u block%s for %zu elements, and the rest of the GPU is idle",
                 r->planned_grid, r->planned_grid == 1 ? "" : "s", s->n);
        d->look = "restore the original plan()";
    } else if (r->planned_block != s->block) {
        d->code = "shape";
        snprintf(d->what, TEXT_MAX, "plan() takes blocks of %u threads where --block says %u", r->planned_block,
                 s->block);
        d->look = "restore the original plan(): the kernel has to work for any block";
    } else {
        d->code = r->seen.blocks < 2 ? "one_block" : "shape";
        snprintf(d->what, TEXT_MAX, "launch() starts %llu block%s of %llu threads, and plan() says %u of %u",
                 (unsigned long long)r->seen.blocks, r->seen.blocks == 1 ? "" : "s",
                 (unsigned long long)r->seen.threads, r->planned_grid, r->planned_block);
        d->look = "restore the original launch(): the kernel has to work for any grid and block";
    }
    return true;
}

/* Right for random elements, but wrong when all have the same sign. */
static bool wrong_identity(const struct trial *s, const struct record *r, struct diagnosis *d)
{
    char got[64], expected[64];
    static const char look[] = "the value of a thread or block that has no element, or none yet: is it "
                               "the identity of the operation?";
    enum pass run = s->op == OP_MAX ? BELOW : ABOVE;

    if (!task_adds())
        return false;
    if (s->op != OP_SUM && s->n > 1 && r->runs > ABOVE && same(r->got[FIRST], r->got[BELOW]) &&
        same(r->got[FIRST], r->got[ABOVE])) {
        d->code = "identity";
        snprintf(d->what, TEXT_MAX, "the %s is %s, whatever the input is", s->op == OP_MAX ? "maximum" : "minimum",
                 scalar_words(got, r->got[FIRST]));
        d->look = look;
        return true;
    }
    if (s->op == OP_SUM || s->n == 0 || r->runs <= ABOVE || right_in(r, run) ||
        !right_in(r, s->op == OP_MAX ? ABOVE : BELOW) ||
        (!right_in(r, FIRST) && !same(r->got[FIRST], r->got[run]))) /* of few elements all may have one sign */
        return false;
    d->code = "identity";
    snprintf(d->what, TEXT_MAX, "the %s of only %s numbers is %s instead of %s",
             s->op == OP_MAX ? "maximum" : "minimum", s->op == OP_MAX ? "negative" : "positive",
             scalar_words(got, r->got[run]), scalar_words(expected, r->expected[run]));
    d->look = look;
    return true;
}

/* No place among elements that are all as bad as can be. */
static bool nowhere(const struct trial *s, const struct record *r, struct diagnosis *d)
{
    enum pass run = first_wrong(r);

    if (task != ARGMAX || right_in(r, run) || run == FIRST || !same(r->got[run], whole(s->type, -1)))
        return false;
    d->code = "identity";
    snprintf(d->what, TEXT_MAX, "no place is found where all %zu elements are the worst of their type", s->n);
    d->look = "what a thread begins with, and what an element has to be to take its place";
    return true;
}

static struct scalar twice(struct scalar v)
{
    if (v.type == TYPE_FLOAT)
        v.as.f *= 2;
    else if (v.type == TYPE_DOUBLE)
        v.as.d *= 2;
    else if (v.type == TYPE_INT)
        v.as.i = (int32_t)(2u * (uint32_t)v.as.i);
    else
        v.as.l = (int64_t)(2u * (uint64_t)v.as.l);
    return v;
}

bool judge_record(const struct trial *s, const struct record *r, struct diagnosis *d)
{
    char got[64], expected[64], words[64];
    static const char reset[] = "where the result begins: what sets it to the identity before each run?";

    if (!honest(s, r))
        return dishonest(s, r, d);
    if (s->n == 0 && !right_in(r, FIRST)) {
        d->code = "empty";
        snprintf(d->what, TEXT_MAX, "without elements the result is %s instead of %s", scalar_words(got, r->got[FIRST]),
                 scalar_words(expected, r->expected[FIRST]));
        d->look = "the result if no thread has an element";
        return true;
    }
    if (r->tie) {
        d->code = "tie";
        snprintf(d->what, TEXT_MAX, "of equal elements a later one is found, not the first");
        d->look = "where two equal values meet: which index stays?";
        return true;
    }
    if (right_in(r, FIRST) && !right_in(r, SECOND)) {
        d->code = "no_reset";
        if (s->op == OP_SUM && same(r->got[SECOND], twice(r->got[FIRST])))
            snprintf(d->what, TEXT_MAX,
                     "right the first time, twice as much the second time: nothing resets the result");
        else
            snprintf(d->what, TEXT_MAX, "right the first time, %s instead of %s the second time",
                     scalar_words(got, r->got[SECOND]), scalar_words(expected, r->expected[SECOND]));
        d->look = reset;
        return true;
    }
    if (right_in(r, FIRST) && !right_in(r, CHANGED)) {
        bool old = same(r->got[CHANGED], r->got[SECOND]);
        if (s->op == OP_SUM && old && task_adds()) { /* others have equal results by chance */
            d->code = "stale";
            snprintf(d->what, TEXT_MAX, "the input has changed, but the result is still that of the run before");
            d->look = "what is kept from one run to the next";
            return true;
        }
        struct scalar special;
        if (!old && task_adds() && r->item == 0 && fill_special(s, &special)) {
            if (wrong_identity(s, r, d)) /* not this value alone */
                return true;
            d->code = "value";
            snprintf(d->what, TEXT_MAX,
                     "right for other numbers; with an element that is %s the result is %s instead "
                     "of %s",
                     scalar_words(words, special), scalar_words(got, r->got[CHANGED]),
                     scalar_words(expected, r->expected[CHANGED]));
            d->look = is_nan(special) ? "what compares: NaN is neither above nor below a number, "
                                        "and combine() keeps it"
                                      : "what a thread does with an element that has this value";
            return true;
        }
        if (s->op != OP_SUM && old) { /* a sum that nothing resets is wrong the second time already */
            d->code = "no_reset";
            snprintf(d->what, TEXT_MAX,
                     "right the first time, and later an earlier result is still in it: nothing "
                     "resets the result");
            d->look = reset;
            return true;
        }
    }
    return nowhere(s, r, d) || wrong_identity(s, r, d);
}

/* ---- all cases ---- */

size_t judge_smallest(const struct trial *trials, const struct record *records, size_t count)
{
    size_t best = count;
    unsigned long least = ~0ul;

    for (size_t i = 0; i < count; i++) {
        const struct trial *s = &trials[i];
        if (!records[i].done || record_right(s, &records[i]))
            continue;
        unsigned long cost =
            (s->op != OP_SUM ? 4000u : 0u) + (s->type != TYPE_LONG ? 2000u : 0u) + 1000u * (unsigned)s->order +
            (s->n < 500 || s->n > 3000 ? 500u : 0u) + (s->n < 8 * (size_t)s->block ? 60u : 0u) +
            (s->columns > 0 && s->columns < 2 * (size_t)s->warp ? 400u /* a row without a full turn of its lanes */
                                                                : 0u) +
            (s->n == 0 ? 9000u : 0u) + /* says nothing about elements */
            (s->block == 1         ? 300u
             : s->block > 300      ? 100u
             : s->block <= s->warp ? 50u /* says little about warps */
                                   : 0u) +
            (s->warp == 32 ? 40u : 0u) + (s->n % s->block == 0 ? 20u : 0u);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

enum trait {
    WARP64,
    WARP32,
    MAX_ONLY,
    MIN_ONLY,
    NOT_SUM,
    SUM_ONLY,
    FLOATING,
    MANY_WARPS,
    MANY_THREADS,
    UNEVEN_BLOCK,
    PARTIAL_WARP,
    PARTIAL_BLOCK,
    PARTIAL_GRID,
    MANY_BLOCKS,
    BEYOND_BLOCK,
    NOT_FORWARD,
    TRAITS
};

static const char *const trait_words[TRAITS] = {
    "right with warps of 32, wrong with warps of 64",
    "right with warps of 64, wrong with warps of 32",
    "only for max",
    "only for min",
    "only for min and max",
    "only for sum",
    "only for float and double",
    "only in blocks of more than one warp",
    "only in blocks of more than one thread",
    "only where the block is no power of two",
    "only where the last warp of a block is incomplete",
    "only where n is no multiple of the block",
    "only where n is no multiple of grid x block",
    "only with more than one block",
    "only with more blocks than a block has threads",
    "only when blocks and threads run in another order",
};

static bool has(const struct trial *s, const struct record *r, enum trait t)
{
    size_t all = (size_t)r->planned_grid * s->block;

    switch (t) {
    case WARP64:
    case WARP32:
        return (s->warp == 64) == (t == WARP64);
    case MAX_ONLY:
        return s->op == OP_MAX;
    case MIN_ONLY:
        return s->op == OP_MIN;
    case NOT_SUM:
    case SUM_ONLY:
        return (s->op == OP_SUM) == (t == SUM_ONLY);
    case FLOATING:
        return s->type == TYPE_FLOAT || s->type == TYPE_DOUBLE;
    case MANY_WARPS:
        return s->block > s->warp;
    case MANY_THREADS:
        return s->block > 1;
    case UNEVEN_BLOCK:
        return (s->block & (s->block - 1)) != 0;
    case PARTIAL_WARP:
        return s->block % s->warp != 0;
    case PARTIAL_BLOCK:
        return s->n % s->block != 0;
    case PARTIAL_GRID:
        return all > 0 && s->n % all != 0;
    case MANY_BLOCKS:
        return r->planned_grid > 1;
    case BEYOND_BLOCK:
        return r->planned_grid > s->block;
    default:
        return s->order != 0;
    }
}

/* The narrowest trait that all wrong cases have and many right ones do not. */
void judge_common(const struct trial *trials, const struct record *records, size_t count, char text[TEXT_MAX])
{
    size_t wrong = 0, done = 0, least = SIZE_MAX;
    const char *words = NULL;

    for (size_t i = 0; i < count; i++) {
        done += records[i].done;
        wrong += records[i].done && !record_right(&trials[i], &records[i]);
    }
    for (int t = 0; t < TRAITS; t++) {
        if (task == ARGMAX && (t == MAX_ONLY || t == NOT_SUM || t == SUM_ONLY)) /* a sum is a maximum there */
            continue;
        size_t with = 0, wrong_without = 0, right_without = 0;
        for (size_t i = 0; i < count; i++) {
            bool right = record_right(&trials[i], &records[i]);
            if (records[i].done && has(&trials[i], &records[i], (enum trait)t)) {
                with++;
            } else if (records[i].done) {
                wrong_without += !right;
                right_without += right && trials[i].n > 1;
            }
        }
        /* A few wrong cases share traits by chance. */
        bool chance = pow((double)with / (double)done, (double)wrong) > 0.002;
        if (wrong_without > 0 || right_without < 8 || chance || with >= least)
            continue;
        least = with;
        words = trait_words[t];
        if (t == WARP64 || t == WARP32) /* more telling than any other */
            break;
    }
    if (done > 1)
        snprintf(text, TEXT_MAX, "%zu of %zu cases are wrong%s%s", wrong, done, words != NULL ? ": " : "",
                 words != NULL ? words : "");
}
