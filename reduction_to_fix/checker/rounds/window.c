/* One element of very many: only the blocks around it run.
 * SPDX-License-Identifier: MIT */
#include "../checker.h"

#define HOT_VALUE   12345
#define DECOY_VALUE 777

static int64_t to_whole(struct scalar v)
{
    return v.type == TYPE_FLOAT    ? (int64_t)v.as.f
           : v.type == TYPE_DOUBLE ? (int64_t)v.as.d
           : v.type == TYPE_INT    ? v.as.i
                                   : v.as.l;
}

#define PLACES 400

/* The rules have one order; a block that several of them name has the first one's number. */
static unsigned rules, rule_of[PLACES];
static bool right_before[4 * PLACES];

static unsigned add_place(uint64_t block[PLACES], unsigned count, uint64_t grid, uint64_t place)
{
    rules++;
    for (unsigned k = 0; k < count; k++)
        if (block[k] == place)
            return count;
    if (place < grid && count < PLACES) {
        rule_of[count] = rules;
        block[count++] = place;
    }
    return count;
}

static uint64_t up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Which blocks may take element i: blocks take tiles of 1 to 64 elements per thread, consecutively or in turns, also of each half or quarter; or each
 * block, or each warp, takes a contiguous piece; counted from the first element, from the last one, or from the last
 * tile, which all blocks may share. Returns the number of different blocks. */
static unsigned candidates(const struct fixture *f, size_t i, uint64_t block[PLACES])
{
    uint64_t grid = f->last.planned_grid, threads = f->last.planned_block, n = f->trial.n;
    uint64_t warp = f->trial.warp, warps = up(threads, warp);
    unsigned count = 0;

    rules = 0;
    if (f->trial.columns > 0) { /* a row per block, or per warp; or several in a row per block */
        uint64_t row = i / f->trial.columns, rows = task_rows(&f->trial), from_end = rows - 1 - row;
        count = add_place(block, count, grid, row % grid);
        count = add_place(block, count, grid, row / warps % grid);
        for (unsigned team = 8; team <= 32; team *= 2)
            count = add_place(block, count, grid, row / up(threads, team) % grid);
        count = add_place(block, count, grid, row / up(rows, grid));
        count = add_place(block, count, grid, from_end % grid);
        return add_place(block, count, grid, from_end / warps % grid);
    }
    for (unsigned from = 0; from < 3; from++)
        for (unsigned turn = 0; turn < 10; turn++) {
            unsigned k =
                settings.huge ? (turn + 3) % 10 : turn; /* exercise 9 has 8 of each thread */
            uint64_t per = k < 7    ? threads << k
                           : k == 7 ? up(n, grid)
                           : k == 8 ? up(up(n, grid), threads) * threads
                                    : up(up(n, grid * warps), warp) * warp * warps;
            uint64_t tile = i / per;
            tile = from == 0 ? tile : from == 1 ? (n - 1 - i) / per : up(n, per) - 1 - tile;
            count = add_place(block, count, grid, tile);
            count = add_place(block, count, grid, tile % grid);
        }
    for (unsigned k = 1; k < 6; k++)
        count = add_place(block, count, grid, i / threads % (1u << k));
    for (unsigned parts = 2; parts <= 16;
         parts *= 2) { /* a thread's elements are a half, a quarter ... apart */
        uint64_t exact = n / parts, full = up(n, parts), tiles = up(full, threads) * threads;
        const uint64_t piece[] = {exact, full, tiles, exact / threads * threads};
        for (unsigned k = 0; k < 4; k++)
            for (unsigned each = 1; piece[k] > 0 && each <= 4; each *= 2) {
                count = add_place(block, count, grid, i % piece[k] / (each * threads) % grid);
                count = add_place(block, count, grid, i % piece[k] / up(piece[k], grid));
            }
        if (i >= parts * exact) /* what is left at the end begins with the first block again */
            count = add_place(block, count, grid, (i - parts * exact) / threads % grid);
    }
    for (unsigned k = 0, all = count; k < all; k++)
        count = add_place(block, count, grid, grid - 1 - block[k]);
    for (unsigned k = 0, all = count; k < all; k++) { /* tiles that do not begin with element 0 */
        count = add_place(block, count, grid, (block[k] + 1) % grid);
        count = add_place(block, count, grid, (block[k] + grid - 1) % grid);
    }
    return count;
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
    return op == OP_SUM ? rest >= 0 && rest % DECOY_VALUE == 0 && rest / DECOY_VALUE < 8
                        : rest == 0;
}

static int64_t sign_of(const struct trial *s)
{
    return s->op == OP_MIN ? -1 : 1;
}

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

bool window_has(struct fixture *f, size_t hot, struct window *seen)
{
    struct window unused = {0}, *w = seen ? seen : &unused;
    const struct trial *s = &f->trial;
    int64_t sign = sign_of(s), got;
    uint64_t block[PLACES], each = s->n / f->last.planned_grid;
    unsigned count = candidates(f, hot, block);

    count = w->most > 0 && count > w->most ? w->most : count;

    w->few = each > (size_t)64 * 1024;
    if (w->few)
        return false;
    w->missing = true;
    w->decoy = false;
    fixture_set(f, hot, whole(s->type, sign * HOT_VALUE));
    for (unsigned shift = 31; settings.huge && shift < 34; shift++) /* of a truncated index */
        if (hot >= (size_t)1 << shift)
            fixture_set(f, hot - ((size_t)1 << shift),
                        whole(s->type, sign * DECOY_VALUE << (shift - 31)));
    for (unsigned turn = 0; turn < 2 * count; turn++) { /* first the rules that were right before */
        unsigned k = turn % count;
        if (right_before[rule_of[k]] != (turn < count))
            continue;
        fixture_reset(f);
        /* If the last block computes the result, this block's partial shows the element. */
        if (result_has_hot(f, fixture_run_window(f, block[k]), hot, &got) ||
            (!settings.huge && !task_shows_in_output() &&
             fixture_holds(f, whole(s->type, task == ARGMAX ? (int64_t)hot : sign * HOT_VALUE)))) {
            right_before[rule_of[k]] = true;
            return true;
        }
        w->missing &= got == 0 || got % DECOY_VALUE == 0;
        if (got != 0) {
            w->decoy |= got % DECOY_VALUE == 0;
            w->got = got;
        }
    }
    return false;
}
