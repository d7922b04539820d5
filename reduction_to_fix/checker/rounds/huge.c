/* A huge index space, of which only the blocks around one element run (window.c).
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../checker.h"

/* Indices of 31 or 32 bits fail beyond 2^32 at the latest; a GPU may lack the memory for that. */
#ifdef ON_CPU
#define SIZES 3
#else
#define SIZES 5
#endif

static struct {
    struct trial trial;
    size_t element;
    unsigned shift;
    struct window seen;
} huge;

/* The same places in an array so small that all blocks can run: do those blocks have the element? Otherwise nothing
 * follows from the windows. */
static bool places_hold(const struct trial *big, unsigned most)
{
    struct window seen = {.most = most};
    struct fixture f;
    struct trial s = *big;
    bool hold = true;

    s.n = ((size_t)1 << 21) + 12345;
    s.grid = big->grid > 0 ? (unsigned)(s.n / (8 * s.block) + 1) : 0;
    fixture_open(&f, &s, true);
    for (unsigned k = 0; k < 8 && hold; k++) {
        size_t hot = s.n / 8 * (k + 1) - 5000 - big->seed % 1000;
        if (k > 0) {
            fixture_close(&f);
            fixture_open(&f, &s, true);
        }
        bool window = window_has(&f, hot, &seen);
        hold = window == window_has_in_all(&f, hot);
    }
    fixture_close(&f);
    return hold;
}

/* Each type and operation. */
static unsigned huge_runs(void)
{
    struct trial unused;

    return task_shows_in_output() ? trial_kind(&unused, 0) : 12;
}

/* Whether a run copies its input, or allocates as much: there is no memory for that. Or its blocks draw their elements:
 * there is no time for one that runs alone. */
static bool moves_all(void)
{
    struct fixture f;
    struct trial s = {.n = 100000, .block = 256, .warp = 64, .seed = mix(settings.seed, 1300)};

    trial_choose(&s, 0);
    s = trial_here(s);
    fixture_open(&f, &s, true);
    fixture_run(&f, RUN_LAUNCH | RUN_FINISH);
    uint64_t draws = f.last.work.atomics, share = s.n / f.last.planned_grid + s.block;
    bool moves = f.last.seen.moved >= s.n || (draws > f.last.planned_grid && f.last.work.loads_block > 2 * share);
    fixture_close(&f);
    return moves;
}

/* More than 2^24 blocks, each of which takes time: few of them run. */
static void take_many_blocks(struct trial *s)
{
    huge.seen.most = 12;
    s->block = 1 + (unsigned)(s->seed % (settings.huge ? 30 : 4));
    s->grid = settings.huge ? 0 : BLOCKS_MANY + 2000 + (unsigned)(s->seed % 1000);
    huge.element = settings.huge ? (BLOCKS_MANY + 1234 + s->seed % 1000) * (size_t)8 * s->block
                                 : (size_t)s->grid * s->block * 4 - s->seed % 1000;
}

static bool is_uneven(const struct trial *s) /* rounding may lose the ends of a tile */ { return s->block % 512 != 0; }

/* Number k, and its element. small: blocks of few threads, or very many blocks, whose workspace is large. */
static struct trial huge_trial(uint64_t k, bool *small)
{
    static const unsigned shifts[] = {32, 32, 33, 30, 31}, others[] = {32, 32, 32, 27};
    static const unsigned blocks[] = {1024, 1000, 768, 700};
    struct trial s = {
        .block = blocks[(mix(settings.seed, 6) + k + k / 12) % 4], .warp = 64, .seed = mix(settings.seed, 1200 + k)};
    bool can_be_small = !settings.huge && (task == REDUCE || task == ARGMAX);

    huge.shift = settings.huge ? shifts[(k + k / 4) % SIZES] : others[k % 4] + (k % 4 == 3 ? s.seed % 5 : 0);
    huge.element = ((size_t)1 << huge.shift) + 1234567 + s.seed % 1000;
    huge.seen.most = 0;
    *small = can_be_small && (k == 3 || k == 7);
    if (k == 3 && *small) {
        s.block = 1 + (unsigned)(s.seed % 64);
        huge.element = ((size_t)1 << 27) + s.seed % 1000;
    }
    if (settings.huge ? k % 6 == 5 : k == 7 && *small)
        take_many_blocks(&s);
    huge.shift = *small || huge.seen.most > 0 ? 27 : huge.shift;
    if (is_uneven(&s) || k % 3 > 0)
        huge.element -= huge.element % (16 * s.block) + k % 3 % 2 - 8 * s.block;
    s.n = huge.element + 10000;
    if (!settings.huge && s.grid == 0) /* enough blocks that each has little to do */
        s.grid = (unsigned)(s.n / (64 * s.block) + 1);
    if (task_shows_in_output())
        trial_kind(&s, (unsigned)(k % trial_kind(&s, 0)));
    else
        trial_choose(&s, k);
    if (task == ARGMAX) /* other types cannot represent all indices */
        s.type = TYPE_LONG;
    s = trial_here(s);
    if (s.columns > 0 && k % 2 == 0) { /* a last row of one element, which a float would lose */
        s.n -= (s.n - 1) % s.columns;
        huge.element = s.n - 1;
    }
    return s;
}

/* Whether each of some elements counts. */
static bool elements_count(struct fixture *f, uint64_t k)
{
    const struct trial s = f->trial;
    size_t e = huge.element, beside = k % 3 % 2 == 0 ? e - 1 : e + 1, power = (size_t)1 << 32;
    bool uneven = is_uneven(&s), in_output = task_shows_in_output(), right = true;
    bool one = in_output || k >= 12 || s.grid > BLOCKS_MANY;
    bool last = in_output || (!one && s.seed % 2 == 0); /* the other one is near the end, too */
    size_t places[4] = {last ? s.n - 1 : e, uneven && settings.huge ? beside : e / 3 /* far from the end */};
    unsigned count = one ? 1 : 2;

    if (s.n > power && !in_output) { /* the low half of what is left there is 0 */
        places[count++] = s.n - power;
        if (uneven) /* and here that of the index, within a tile */
            places[count++] = power;
    }
    for (unsigned p = 0; p < count && right; p++) {
        if (p > 0) {
            fixture_close(f);
            fixture_open(f, &s, true);
        }
        huge.element = places[p];
        right = window_has(f, huge.element, &huge.seen);
    }
    if (right || huge.seen.few || huge.seen.decoy || huge.seen.got != 0)
        return right;
    fixture_close(f);
    bool missing = places_hold(&s, huge.seen.most);
    fixture_open(f, &s, true);
    if (!missing && settings.huge) /* then run all blocks */
        return huge.seen.most > 0 || window_has_in_all(f, huge.element);
    return !missing;
}

static bool huge_arrays(void)
{
    uint64_t workspaces = 0; /* bytes, of all runs */
    bool right = true, small;

#ifndef ON_CPU
    if (!settings.huge) /* here all blocks would run */
        return true;
#endif
    round_begin(settings.huge ? "an element of 2^30 to 2^33" : "an element of 2^27 to 2^32", huge_runs());
    if (!settings.huge && moves_all())
        return true;
    for (uint64_t k = 0; k < huge_runs() && right; k++) {
        struct trial s = huge.trial = huge_trial(k, &small);
        struct fixture f;
        fixture_open(&f, &s, true);
        bool too_large = !settings.huge && task != SOFTMAX && f.last.workspace_bytes > workspace_most(&s);
        workspaces += too_large || small || task == SOFTMAX ? 0 : f.last.workspace_bytes;
        bool ends = !f.last.fits || (!settings.huge && workspaces > 2 * WORKSPACE_MOST);
        right = too_large || ends || elements_count(&f, k);
        fixture_close(&f);
        if (ends && !too_large) /* on a GPU; the check on the CPU decides */
            return true;
        round_step();
    }
    return right;
}

/* Near a power of two, which an index or its bytes cannot exceed. */
static bool is_cut(size_t i)
{
    size_t near = (size_t)1 << 20;

    for (unsigned bits = 27; bits < 34; bits++)
        if (i + near > (size_t)1 << bits && i < ((size_t)1 << bits) + near)
            return true;
    return false;
}

static void diagnose_huge(void)
{
    bool bits = false;
    size_t hot = huge.element, past = hot - ((size_t)1 << huge.shift);
    char far[48] = "";
    trial_text(found.where, &huge.trial);
    if (huge.seen.few) {
        found.code = "shape";
        snprintf(found.what, TEXT_MAX, "plan() takes too few blocks for %zu elements", huge.trial.n);
        found.look = "restore the original plan()";
        return;
    }
    if (huge.seen.most > 0) {
        found.code = "index";
        snprintf(found.what, TEXT_MAX, "element %zu is missing, where there are more than 2^24 blocks", hot);
        found.look = "what has 24 bits: a float, __umul24()";
        return;
    }
    if (huge.seen.missing && !huge.seen.decoy && !task_shows_in_output()) {
        size_t first;
        some_missing(&huge.trial, true, &first);
        if (first < huge.trial.n && !is_cut(first) && !is_cut(huge.trial.n - first))
            return;
        bits = first < huge.trial.n;
    }
    if (huge.trial.n - hot == (size_t)1 << 32)
        snprintf(far, sizeof far, ", 2^32 before the end of the array,");
    else if (hot >> huge.shift > 0 && past == 0)
        snprintf(far, sizeof far, " (2^%u)", huge.shift);
    else if (hot >> huge.shift > 0)
        snprintf(far, sizeof far, " (2^%u + %zu)", huge.shift, past);
    found.code = "index";
    found.look = "how many bits each step of the index has, the products too, before they are assigned";
    if (bits)
        return;
    if (huge.seen.decoy)
        snprintf(found.what, TEXT_MAX, "in the place of element %zu%s another one counts, 2^31 or more before it", hot,
                 far);
    else if (huge.seen.missing)
        snprintf(found.what, TEXT_MAX, "element %zu%s is missing", hot, far);
    else
        snprintf(found.what, TEXT_MAX, "element %zu counts wrongly", hot);
}

const struct round round_huge = {huge_arrays, diagnose_huge};
