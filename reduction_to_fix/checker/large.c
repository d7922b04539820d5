/* Many elements, and more blocks than one block has threads.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "checker.h"

/* ---- a million elements, all of them random; sums alone: they miss what is lost ---- */

static const struct shape shapes[] = {{TYPE_LONG, OP_SUM, 1 << 20, 256, 0, 64, 0, 0, 0},
                                      {TYPE_LONG, OP_SUM, (1 << 20) + 12347, 64, 5000, 32, 2, 0, 0},
                                      {TYPE_INT, OP_SUM, 3000017, 1024, 0, 32, 1, 0, 0}};
#define DENSE (sizeof shapes / sizeof shapes[0])

/* ---- up to 2^25 elements, of which a few are not zero ---- */

#define SPARSE 12 /* each type and operation */
#define HOT    40
/* More than these take too long on the CPU. */
#define THREADS_MOST   ((uint64_t)1 << 19)
#define WORKSPACE_MOST ((uint64_t)40 << 20)

static struct {
    struct shape shape; /* the first that is wrong */
    struct scalar got, expected;
    bool wrong, sparse;
    size_t element;         /* the first that does not count once; n: none */
    int64_t times, of_ones; /* how often it counts, and the sum of n ones */
} now;

static struct shape dense(size_t k)
{
    struct shape s = shapes[k];

    s.seed = mix(options.seed, 1000 + k);
    if (task != REDUCE) /* more work for each element */
        s.n = s.n / 8 + 5;
    return shape_here(s);
}

static struct shape sparse(size_t k)
{
    uint64_t r = mix(options.seed, 1100 + k);
    /* Those of 2^21 are enough for most mistakes, and the largest costs most of the time. */
    unsigned exponent = k == 0 ? (options.all ? 28 : 25) : k == 1 ? 23 : 21;
    struct shape s = {.n = ((size_t)1 << exponent) - r % ((size_t)1 << (exponent - 2)),
                      .block = 64u << (r >> 40) % 5,
                      .warp = r >> 50 & 1 ? 32 : 64,
                      .order = (int)((r >> 52) % 3),
                      .seed = r};

    shape_choose(&s, k);
    return shape_here(s);
}

static bool one_of_many(struct fixture *f, size_t hot);

static size_t hot_element(const struct shape *s, unsigned k)
{
    /* The last one, powers of two and what is in front of them, and others. */
    size_t i = k == 0   ? s->n - 1
               : k < 12 ? ((size_t)1 << (20 + k / 2)) - k % 2
                        : mix(s->seed, k) % s->n;
    return i < s->n ? i : s->n - 1 - k;
}

/* A sum of powers of two shows which are missing. For min and max each is better than those before it. */
static struct scalar hot_value(const struct shape *s, unsigned k)
{
    if (s->op == OP_SUM && task_adds())
        return whole(s->type, s->type == TYPE_LONG || s->type == TYPE_DOUBLE
                                  ? (int64_t)1 << k
                                  : (int64_t)1 << k % 18);
    return whole(s->type, (s->op == OP_MIN ? -1 : 1) * (int64_t)(k + 1));
}

/* The result where all other elements are 0; of those of argmax the last one is the best. */
static struct scalar of_one(const struct shape *s, unsigned k)
{
    return task == ARGMAX ? whole(s->type, (int64_t)hot_element(s, k)) : hot_value(s, k);
}

/* A thread for every few elements: only the blocks around some elements run. */
static void run_windows(struct fixture *f)
{
    const struct shape s = f->shape;

    now.element = s.n;
    for (unsigned k = 0; k < 2 && now.element == s.n; k++) {
        size_t hot = hot_element(&s, 12 * k);
        if (!one_of_many(f, hot))
            now.element = hot;
        fixture_close(f);
        fixture_open(f, 0, &s, true);
    }
    now.wrong = now.sparse = now.element < s.n;
    fixture_close(f);
}

static void run_sparse(struct shape *s)
{
    struct fixture f;
    struct scalar got, expected = whole(s->type, 0);

    fixture_open(&f, 0, s, true);
    while (f.last.fits && f.last.workspace_bytes > WORKSPACE_MOST) {
        fixture_close(&f);
        s->n /= 2;
        fixture_open(&f, 0, s, true);
    }
    if (f.last.fits && (uint64_t)f.last.planned_grid * f.last.planned_block > THREADS_MOST) {
        fixture_close(&f);
        s->n = s->n / 4 + 1; /* each launch may copy all of it */
        fixture_open(&f, 0, s, true);
        run_windows(&f);
        return;
    }
    for (unsigned k = 0; f.last.fits && k < HOT; k++) {
        fixture_set(&f, hot_element(s, k), hot_value(s, k));
        for (unsigned i = k; i-- > 0;) /* the later one counts */
            if (hot_element(s, i) == hot_element(s, k)) {
                fixture_close(&f);
                return;
            }
        expected = task == ARGMAX ? of_one(s, k) : combine_two(expected, hot_value(s, k), s->op);
    }
    bool fits = f.last.fits;
    got = fits ? fixture_run(&f, RUN_LAUNCH | RUN_FINISH) : expected;
    now.wrong = !same(got, expected);
    if (!now.wrong && fits && s->op != OP_SUM) { /* the best one hides the last one */
        fixture_set(&f, hot_element(s, 0), hot_value(s, HOT));
        expected = task == ARGMAX ? of_one(s, 0) : hot_value(s, HOT);
        got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH);
        now.wrong = !same(got, expected);
    }
    now.sparse = now.wrong;
    now.got = got;
    now.expected = expected;
    /* One by one, to say which are missing. */
    now.element = s->n;
    for (unsigned k = 0; now.wrong && k < 12; k++) {
        for (unsigned i = 0; i < HOT; i++)
            fixture_set(&f, hot_element(s, i), i == k ? hot_value(s, k) : whole(s->type, 0));
        fixture_reset(&f);
        if (!same(fixture_run(&f, RUN_LAUNCH | RUN_FINISH), of_one(s, k)) &&
            hot_element(s, k) < now.element)
            now.element = hot_element(s, k);
    }
    fixture_close(&f);
}

static void many_elements(void *argument)
{
    (void)argument;
    for (size_t k = 0; k < DENSE && !now.wrong; k++) {
        struct fixture f;
        now.shape = dense(k);
        fixture_open(&f, 0, &now.shape, false);
        fixture_fill(&f, RANDOM, now.shape.seed);
        now.got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH);
        now.expected = fixture_expected(&f);
        now.wrong = !same(now.got, now.expected);
        fixture_close(&f);
        round_step();
    }
    bool zeros_do_nothing = task_adds() || task == ARGMAX;
    for (size_t k = 0; k < SPARSE && zeros_do_nothing && !now.wrong; k++) {
        now.shape = sparse(k);
        run_sparse(&now.shape);
        round_step();
    }
}

static int64_t sum_of_ones(struct fixture *f, size_t ones)
{
    fixture_reset(f);
    fixture_ones(f, ones);
    struct scalar got = fixture_run(f, RUN_LAUNCH | RUN_FINISH);
    return got.type == TYPE_INT ? got.as.i : got.as.l;
}

/* The first element that does not count once: with ones in front of it the sum is right, with it no more. */
static void first_element(void *argument)
{
    struct fixture f;
    size_t right = 0, wrong = now.shape.n;

    (void)argument;
    fixture_open(&f, 0, &now.shape, false);
    now.element = wrong;
    now.of_ones = sum_of_ones(&f, wrong);
    if (now.of_ones != (int64_t)wrong) {
        while (wrong - right > 1) {
            size_t middle = right + (wrong - right) / 2;
            if (sum_of_ones(&f, middle) == (int64_t)middle)
                right = middle;
            else
                wrong = middle;
        }
        now.element = right;
        now.times = sum_of_ones(&f, wrong) - (int64_t)right;
    }
    fixture_close(&f);
}

static void describe(void)
{
    size_t n = now.shape.n, first = now.element;

    if (first == n || (!now.sparse && !task_adds())) {
        found.code = "large";
        snprintf(found.what, TEXT_MAX, "right up to 10007 elements, and wrong for %zu", n);
        found.look = "what depends on n or on the number of blocks";
    } else if (now.sparse) {
        found.code = "tail";
        snprintf(found.what, TEXT_MAX, "of %zu elements, element %zu does not count once", n,
                 first);
        found.look = "where the loop over the elements ends, and which thread takes that element";
    } else if (now.times == 0 && now.of_ones == (int64_t)first) {
        found.code = "tail";
        snprintf(found.what, TEXT_MAX, "elements from %zu on are missing, %zu of %zu", first,
                 n - first, n);
        found.look = "where the loop over the elements ends, and how many blocks and elements the "
                     "last step can take";
    } else {
        found.code = now.times == 0 ? "lost" : now.times > 0 ? "double" : "not_a_sum";
        snprintf(found.what, TEXT_MAX,
                 "right up to 10007 elements; of %zu the first that does not count once is element "
                 "%zu, which counts %lld times, and %zu ones give %lld",
                 n, first, (long long)now.times, n, (long long)now.of_ones);
        found.look = "which thread takes that element, and where its share goes then";
    }
}

bool check_large(void)
{
    memset(&now, 0, sizeof now);
    round_begin("many elements, many blocks", DENSE + SPARSE);
    bool ran = session_run(NO_TOOL, 0, many_elements, NULL);
    bool right = ran && !now.wrong;

    round_close(right);
    if (!ran || right)
        return right;
    say_results(&now.shape, now.got, now.expected);
    if (repeat_as_it_runs(&now.shape))
        return false;
    if (!now.sparse && task_adds()) {
        struct diagnosis before = found;
        round_begin("where it begins to be wrong", 20);
        bool described = session_run(NO_TOOL, 0, first_element, NULL);
        found = before;
        round_close(false);
        if (!described)
            now.element = now.shape.n;
    }
    describe();
    return false;
}

/* ---- a huge index space: only the blocks around one element run ---- */

#define HOT_VALUE   12345
#define DECOY_VALUE 777

static struct {
    struct shape shape;
    size_t element;
    unsigned shift;
    int64_t got;
    bool missing, decoy, few;
} huge;

static int64_t to_whole(struct scalar v)
{
    return v.type == TYPE_FLOAT    ? (int64_t)v.as.f
           : v.type == TYPE_DOUBLE ? (int64_t)v.as.d
           : v.type == TYPE_INT    ? v.as.i
                                   : v.as.l;
}

/* Where element i may be: blocks take tiles of 1 to 64 elements for each thread, one after the other, or turn by
 * turn; or each thread takes a piece. Returns the number of different blocks. */
static unsigned candidates(const struct fixture *f, size_t i, uint64_t block[32])
{
    uint64_t grid = f->last.planned_grid, threads = f->last.planned_block, per;
    unsigned count = 0;

    for (unsigned k = 0; k < 15; k++) {
        if (k < 7) { /* in a row */
            block[count] = i / (threads << k);
        } else if (k < 14) { /* turn by turn */
            block[count] = i / (threads << (k - 7)) % grid;
        } else { /* one piece for each */
            per = (f->shape.n + grid - 1) / grid;
            block[count] = i / per;
        }
        bool known = block[count] >= grid;
        for (unsigned j = 0; j < count; j++)
            known |= block[j] == block[count];
        count += !known;
        if (k == 14 || count >= 31)
            break;
    }
    for (unsigned j = 0, all = count; j < all && count < 32; j++) { /* and from behind */
        bool known = false;
        for (unsigned m = 0; m < count; m++)
            known |= block[m] == grid - 1 - block[j];
        if (!known)
            block[count++] = grid - 1 - block[j];
    }
    return count;
}

/* Whether it is the hot value, perhaps with decoys that belong to the same block. */
static bool has_hot(int64_t got, int op)
{
    int64_t rest = got - HOT_VALUE;

    return op == OP_SUM ? rest >= 0 && rest % DECOY_VALUE == 0 && rest / DECOY_VALUE < 8
                        : rest == 0;
}

/* True: the element counts. */
static bool one_of_many(struct fixture *f, size_t hot)
{
    const struct shape *s = &f->shape;
    int64_t sign = s->op == OP_MIN ? -1 : 1;
    uint64_t block[32], each = s->n / f->last.planned_grid;
    unsigned count = candidates(f, hot, block);

    huge.few = each > (size_t)64 * 1024;
    if (huge.few)
        return false;
    huge.missing = true;
    huge.decoy = false;
    fixture_set(f, hot, whole(s->type, sign * HOT_VALUE));
    for (unsigned shift = 31; options.huge && shift < 34; shift++) /* of a truncated index */
        if (hot >= (size_t)1 << shift)
            fixture_set(f, hot - ((size_t)1 << shift),
                        whole(s->type, sign * DECOY_VALUE << (shift - 31)));
    for (unsigned k = 0; k < count; k++) {
        fixture_reset(f);
        int64_t got = to_whole(fixture_run_window(f, block[k], 1)) * sign;
        if (has_hot(got, s->op))
            return true;
        huge.missing &= got == 0 || got % DECOY_VALUE == 0;
        if (got != 0) {
            huge.decoy |= got % DECOY_VALUE == 0;
            huge.got = got;
        }
    }
    return false;
}

/* The same places in an array of which all blocks can run: do they have the element? Otherwise nothing follows
 * from what was seen. */
static bool places_hold(const struct shape *big)
{
    struct fixture f;
    struct shape s = *big;
    bool hold = true;

    s.n = ((size_t)1 << 21) + 12345;
    s.grid = big->grid > 0 ? (unsigned)(s.n / (8 * s.block) + 1) : 0;
    fixture_open(&f, 0, &s, true);
    size_t hot = s.n - 5000 - big->seed % 1000;
    bool window = one_of_many(&f, hot);
    fixture_reset(&f);
    bool all = has_hot(
        to_whole(fixture_run(&f, RUN_LAUNCH | RUN_FINISH)) * (s.op == OP_MIN ? -1 : 1), s.op);
    hold = window == all;
    fixture_close(&f);
    return hold;
}

/* Where the index is what the exercise is about, each type and operation with one of the sizes, and each size with several;
 * elsewhere a few. */
static unsigned huge_runs(void)
{
    return (options.huge ? 12 : 3) * (options.all ? 4 : 1);
}

/* Whether a run copies its input, or allocates as much: there is no room for that. */
static bool moves_all(void)
{
    struct fixture f;
    struct shape s = {.n = 100000, .block = 256, .warp = 64, .seed = mix(options.seed, 1300)};

    shape_choose(&s, 0);
    s = shape_here(s);
    fixture_open(&f, 0, &s, true);
    fixture_run(&f, RUN_LAUNCH | RUN_FINISH);
    bool moves = f.last.seen.moved >= s.n;
    fixture_close(&f);
    return moves;
}

static void huge_arrays(void *wrong)
{
    static const unsigned shifts[] = {30, 31, 32, 33}, others[] = {27, 31, 29, 32};

    if (!options.huge && moves_all())
        return;
    for (uint64_t k = 0; k < huge_runs() && !*(bool *)wrong; k++) {
        struct fixture f;
        struct shape s = {.block = 1024u >> (mix(options.seed, k) % 3),
                          .warp = 64,
                          .seed = mix(options.seed, 1200 + k)};
        huge.shift = options.huge ? shifts[(k + k / 12) % 4] : others[k % 4];
        huge.element = ((size_t)1 << huge.shift) + 1234567 + s.seed % 1000;
        s.n = huge.element + 10000;
        if (!options.huge) /* so many blocks that each has little to do */
            s.grid = (unsigned)(s.n / (8 * s.block) + 1);
        shape_choose(&s, k);
        huge.shape = s = shape_here(s);
        fixture_open(&f, 0, &s, true);
        if (!f.last.fits || (!options.huge && f.last.workspace_bytes > WORKSPACE_MOST)) {
            fixture_close(&f); /* on a GPU: the check on the CPU decides */
            return;
        }
        bool right = one_of_many(&f, huge.element);
        if (!right && !huge.few && !huge.decoy && huge.got == 0) {
            fixture_close(&f);
            bool missing = places_hold(&s);
            fixture_open(&f, 0, &s, true);
            if (!missing && options.huge) { /* all blocks, then */
                fixture_set(&f, huge.element, whole(s.type, (s.op == OP_MIN ? -1 : 1) * HOT_VALUE));
                right = has_hot(to_whole(fixture_run(&f, RUN_LAUNCH | RUN_FINISH)) *
                                    (s.op == OP_MIN ? -1 : 1),
                                s.op);
            }
            right |= !missing && !options.huge;
        }
        *(bool *)wrong = !right;
        fixture_close(&f);
        round_step();
    }
}

bool check_huge(void)
{
    bool wrong = false;

#ifndef ON_CPU
    if (!options.huge) /* all blocks would run */
        return true;
#endif
    if (!options.huge && task != REDUCE)
        return true;
    memset(&huge, 0, sizeof huge);
    round_begin(options.huge ? "an element of 2^30, 2^31, 2^32, 2^33"
                             : "an element of 2^27 to 2^32",
                huge_runs());
    bool ran = session_run(NO_TOOL, 0, huge_arrays, &wrong);
    round_close(ran && !wrong);
    if (!ran || !wrong)
        return ran;
    size_t hot = huge.element, past = hot - ((size_t)1 << huge.shift);
    shape_text(found.where, &huge.shape);
    if (huge.few) {
        found.code = "shape";
        snprintf(found.what, TEXT_MAX, "plan() takes too few blocks for %zu elements",
                 huge.shape.n);
        found.look = "restore the original plan()";
        return false;
    }
    found.code = "index";
    if (huge.decoy)
        snprintf(found.what, TEXT_MAX,
                 "in the place of element %zu (2^%u + %zu) another one counts, 2^31 or more before "
                 "it",
                 hot, huge.shift, past);
    else if (huge.missing)
        snprintf(found.what, TEXT_MAX, "element %zu (2^%u + %zu) is missing", hot, huge.shift,
                 past);
    else
        snprintf(found.what, TEXT_MAX, "element %zu counts wrongly", hot);
    found.look =
        "how many bits each step of the index has, the products too, before they are assigned";
    return false;
}
