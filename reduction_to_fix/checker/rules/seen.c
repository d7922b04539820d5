/* The trials whose accesses are counted, and what is recorded of them.
 * SPDX-License-Identifier: MIT */
#include "seen.h"

#define COUNTED 24 /* all types and operations with small and with large blocks */
#define WINDOWS 2  /* one block of an array of millions of elements and thousands of blocks */
#define IN_TURN 32 /* blocks of a launch that take turns at their atomic operations */

_Static_assert(COUNTED + WINDOWS == SEEN_MOST, "seen.h says how many there are");

/* Two thirds have all remainders of 16. */
static size_t columns_of(const struct trial *s, unsigned k)
{
    static const unsigned columns[] = {129, 31, 129, 7, 1000};
    uint64_t r = mix(settings.seed, 4300);

    if (task == ROWS && k % 3 > 0)
        return 48 + (r + k - k / 3) % 16 + 16 * (mix(r, k) % 16);
    return task_columns(s) == 0 ? 0 : task == ROWS ? columns[k / 3 % 5] : *columns;
}

/* Half of the trials have many small blocks, two of them more blocks than threads; half have large ones; half have an arbitrary
 * block size. The last tile mostly lacks an element, whatever its size. One trial is large, two have fewer elements than
 * threads, two a single block. */
static struct trial sample(unsigned k)
{
    static const unsigned large[] = {256, 128, 511, 512, 1024, 999};
    static const unsigned small[] = {64, 96, 64, 61, 64, 128};
    uint64_t r = mix(settings.seed, 4000 + k);
    unsigned turn = (unsigned)mix(settings.seed, 4200) % 8; /* arbitrary sizes have all remainders of 8 */
    bool many = (k + k / 12) % 2 == 0;
    unsigned any = 8 * (many ? 5 + (unsigned)(r >> 20) % 12 : 17 + (unsigned)(r >> 20) % 110) + (k + turn) % 8;
    unsigned block = k / 12 % 2 == 1 ? any : many ? small[k / 2 % 6] : large[k / 2 % 6];
    struct trial s = {.block = block,
                      .grid = k % 11 == 4   ? 100
                              : k % 12 == 7 ? 1
                              : many        ? 4 + (unsigned)(r % 25)
                                            : 2 + (unsigned)(r % 2),
                      .warp = (k / 2 + k / 12) % 2 == 0 ? 32 : 64,
                      .order = 0,
                      .seed = r};

    s.n = (size_t)block * s.grid * (block > 512 || s.grid == 100 ? 4 : 8) + 4 * (size_t)block - r % 4;
    if (k % COUNTED == 9)
        s.n += 32768 + r % 32768;
    if (k % 12 == 5)
        s.n = 1 + r % (block * s.grid);
    if (k % 12 == 10)
        s.n = block * s.grid * 2 + r % (block * s.grid);
    if (k % 8 == 4) { /* as sizes mostly are */
        s.grid = many ? 16 : 2;
        for (s.n = 1024; s.n < 4 * (size_t)s.block * s.grid; s.n *= 2) {
        }
    }
    s.columns = columns_of(&s, k);
    trial_choose(&s, k);
    return trial_here(s);
}

static void note(struct seen *seen, const struct fixture *f)
{
    seen->w = f->last.work;
    seen->o = f->last.seen;
    seen->grid = f->last.planned_grid;
    seen->block = f->last.planned_block;
    seen->size = type_size(seen->trial.type);
    seen->blocks = seen->window ? 1 : seen->grid;
    seen->elements = seen->window ? seen->w.loads : seen->trial.n;
    seen->draws = seen->w.atomics > seen->blocks;
    seen->uneven = seen->draws && 2 * seen->w.loads_block > 3 * (seen->trial.n / seen->grid + seen->block);
}

/* The same type and operation with millions of elements, of which one block takes its own: code that is only right in
 * small arrays and grids fails here. */
static void look_at_window(struct seen *seen, struct trial s)
{
    uint64_t r = mix(s.seed, 4100);
    struct fixture f;

    s.n = ((size_t)1 << 21) + r % ((size_t)1 << 21);
    s.block = 250 + (unsigned)(r >> 32) % 256;
    s.grid = (unsigned)(s.n / (64 * s.block));
    s.columns = 0;
    seen->trial = trial_here(s);
    fixture_open(&f, &seen->trial, true);
    if (f.last.fits && f.last.workspace_bytes <= WORKSPACE_MOST) {
        seen->window = true;
        (void)fixture_run_window(&f, (r >> 52) % f.last.planned_grid, 0);
        note(seen, &f);
    }
    fixture_close(&f);
    round_step();
}

static void look(struct seen *seen, struct fixture *f)
{
    fixture_fill(f, RANDOM, seen->trial.seed);
    seen->got = fixture_run(f, RUN_LAUNCH | RUN_FINISH);
    seen->expected = fixture_expected(f);
    note(seen, f);
    fixture_close(f);
    if (!seen->uneven || seen->grid > IN_TURN || seen->trial.order == 1)
        return;
    seen->trial.order = 1;
    fixture_open(f, &seen->trial, false);
    look(seen, f);
    seen->uneven = false;
}

static void look_at_all(void *context)
{
    struct seen *all = context;

    for (unsigned k = 0; k < WINDOWS && !task_shows_in_output(); k++)
        look_at_window(&all[COUNTED + k], sample(k));
    for (unsigned k = 0; k < COUNTED; k++) {
        struct seen *seen = &all[k];
        struct fixture f;
        seen->trial = sample(k);
        fixture_open(&f, &seen->trial, false);
        if (f.last.planned_grid >= 4 * seen->trial.grid) { /* blocks of few elements each */
            fixture_close(&f);
            seen->trial.n = seen->trial.n / 4 + 1;
            fixture_open(&f, &seen->trial, false);
        }
        look(seen, &f);
        round_step();
    }
}

static void look_at_many(void *context)
{
    struct seen *seen = context;
    look_at_window(seen, seen->trial);
}

bool seen_in_trials(struct seen *seen) { return session_run(TOOL_WORK, 0, look_at_all, seen); }

bool seen_in_window(struct seen *seen) { return session_run(TOOL_WORK, 0, look_at_many, seen); }
