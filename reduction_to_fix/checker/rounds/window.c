/* One element of very many: only the block that reads it runs.
 * SPDX-License-Identifier: MIT */
#include "../checker.h"

#define HOT_VALUE   12345
#define DECOY_VALUE 777
#define LOOKS       24 /* runs until a block is found */

static int64_t to_whole(struct scalar v)
{
    return v.type == TYPE_FLOAT    ? (int64_t)v.as.f
           : v.type == TYPE_DOUBLE ? (int64_t)v.as.d
           : v.type == TYPE_INT    ? v.as.i
                                   : v.as.l;
}

/* Whether this is the hot value, perhaps with decoys of the same block; for argmax, its place; of a bin, how often; of a
 * softmax, the largest output of its row. */
static bool has_hot(int64_t got, int op, size_t hot)
{
    int64_t rest = got - HOT_VALUE;

    if (task == ARGMAX)
        return got == (int64_t)hot;
    if (task_shows_in_output())
        return got == 1;
    return op == OP_SUM ? rest >= 0 && rest % DECOY_VALUE == 0 && rest / DECOY_VALUE < 8 : rest == 0;
}

static int64_t sign_of(const struct trial *s) { return s->op == OP_MIN ? -1 : 1; }

static bool result_has_hot(struct fixture *f, struct scalar result, size_t hot, int64_t *got)
{
    const struct trial *s = &f->trial;

    if (task == HISTOGRAM)
        result = fixture_output(f, HOT_VALUE % BINS);
    else if (task == SOFTMAX && to_whole(result) > 0)
        result = fixture_output(f, hot);
    *got = to_whole(result) * (task == ARGMAX ? 1 : sign_of(s));
    return has_hot(*got, s->op, hot);
}

bool window_has_in_all(struct fixture *f, size_t hot)
{
    int64_t got;

    fixture_reset(f);
    fixture_set(f, hot, whole(f->trial.type, sign_of(&f->trial) * HOT_VALUE));
    return result_has_hot(f, fixture_run(f, RUN_LAUNCH | RUN_FINISH), hot, &got);
}

struct search {
    size_t hot;
    struct window *seen;
    uint64_t block[LOOKS]; /* that have run */
    unsigned count, most;
    uint64_t place[LOOKS * PLACES_MAX]; /* where it may be */
    unsigned places;
    uint64_t beside; /* the next to run after one that did not read it */
};

static bool is_new(const struct search *search, uint64_t block)
{
    for (unsigned k = 0; k < search->count; k++)
        if (search->block[k] == block)
            return false;
    return search->count < search->most;
}

/* If the last block computes the result, this block's partial shows the element. */
static bool block_has(struct fixture *f, struct search *search, uint64_t block)
{
    const struct trial *s = &f->trial;
    int64_t got, value = task == ARGMAX ? (int64_t)search->hot : sign_of(s) * HOT_VALUE;

    search->block[search->count++] = block;
    if (search->count == 1 || f->last.shows || !settings.traced)
        fixture_reset(f);
    struct scalar result = fixture_run_window(f, block, 1 + search->hot);
    if (settings.traced && !f->last.shows)
        return false;
    if (result_has_hot(f, result, search->hot, &got) ||
        (!settings.huge && !task_shows_in_output() && fixture_holds(f, whole(s->type, value))))
        return true;
    search->seen->missing &= got == 0 || got % DECOY_VALUE == 0;
    if (got != 0) {
        search->seen->decoy |= got % DECOY_VALUE == 0;
        search->seen->got = got;
    }
    return false;
}

/* Where it may be by what two blocks have read; else at the beginning, at the end, in the middle. */
static bool choose(struct fixture *f, struct search *search, uint64_t *block)
{
    uint64_t grid = f->last.planned_grid;
    const uint64_t starts[] = {grid > 1, grid - 1, grid / 2, 0};

    unsigned known = fixture_places(f, search->hot);
    for (unsigned k = 0; k < known && search->places < LOOKS * PLACES_MAX; k++)
        search->place[search->places++] = f->last.place[k];
    search->beside = search->count < 3 ? 1 : 2; /* two neighbours may change places */
    for (unsigned k = 0; k < search->places; k++)
        if (is_new(search, *block = search->place[k]))
            return true;
    search->beside = 1;
    for (unsigned k = 0; k < sizeof starts / sizeof *starts; k++)
        if (is_new(search, *block = starts[k]))
            return true;
    return false;
}

bool window_has(struct fixture *f, size_t hot, struct window *seen)
{
    struct window unused = {0}, *w = seen ? seen : &unused;
    const struct trial *s = &f->trial;
    struct search search = {.hot = hot, .seen = w, .most = w->most > 0 && w->most < LOOKS ? w->most : LOOKS};
    uint64_t grid = f->last.planned_grid, block;

    w->few = s->n / grid > (size_t)64 * 1024;
    if (w->few)
        return false;
    w->missing = true;
    w->decoy = false;
    fixture_set(f, hot, whole(s->type, sign_of(s) * HOT_VALUE));
    for (unsigned shift = 31; settings.huge && shift < 34; shift++) /* of a truncated index */
        if (hot >= (size_t)1 << shift)
            fixture_set(f, hot - ((size_t)1 << shift), whole(s->type, sign_of(s) * DECOY_VALUE << (shift - 31)));
    while (choose(f, &search, &block)) {
        if (block_has(f, &search, block))
            return true;
        if (f->last.reads || DEVICE_IS_GPU) /* but it does not count; a GPU runs all blocks */
            return false;
        block = block + search.beside < grid ? block + search.beside : block - search.beside;
        if (block < grid && is_new(&search, block) && block_has(f, &search, block))
            return true;
    }
    return false;
}
