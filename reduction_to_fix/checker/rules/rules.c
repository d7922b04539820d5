/* Requirements beyond the result: exercise.txt, compared with what the kernels did in a few trials (seen.c).
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules_table.h"
#include "seen.h"

bool rules_want_fences(void) { return rules_say(ORDER, "fences"); }

/* ---- how much is allowed ---- */

static uint64_t up(uint64_t a, uint64_t b) { return b > 0 ? a / b + (a % b != 0) : 0; }

static unsigned depth(uint64_t count)
{
    unsigned steps = 0;

    while (count > 1) {
        count = (count + 1) / 2;
        steps++;
    }
    return steps;
}

/* Shared memory passes that sequential addressing needs in one block. */
static uint64_t passes_of_tree(uint64_t block, uint64_t warp, uint64_t size)
{
    uint64_t passes = up(block, warp) * up(warp * size, 128) + 1;

    for (uint64_t count = block; count > 1; count = (count + 1) / 2) {
        uint64_t lanes = count / 2;
        passes += 3 * (lanes / warp * up(warp * size, 128) + up(lanes % warp * size, 128));
    }
    return passes;
}

static bool wrong(const char *code, const char *look)
{
    found.code = code;
    found.look = look;
    return false;
}

/* ---- the rules ---- */

static bool judge_result(const struct seen *s)
{
    if (s->window || same(s->got, s->expected))
        return true;
    say_results(&s->trial, s->got, s->expected);
    say_large(&s->trial);
    return false;
}

static bool judge_memory(const struct seen *s)
{
    const struct work *w = &s->w;

    if (judge_written(&s->o, &found))
        return false;
    if (w->beyond_line > 0) {
        snprintf(found.what, TEXT_MAX, "in line %u the kernel reaches behind its static __shared__ variables",
                 w->beyond_line);
        return wrong("out_of_bounds", "the index in that line, and the size of the array");
    }
    if (task == HISTOGRAM && w->float_line > 0) { /* what few elements count is no such word */
        snprintf(found.what, TEXT_MAX,
                 "line %u counts in a float, which stays at 2^24: a block of a large array counts "
                 "more",
                 w->float_line);
        return wrong("large", "the type of the counters, in shared memory and behind it");
    }
    if (w->shared_bytes > (size_t)64 << 10) {
        snprintf(found.what, TEXT_MAX, "a __shared__ variable has %llu KiB, and a block has at most 64 on most GPUs",
                 (unsigned long long)w->shared_bytes >> 10);
        return wrong("gpu", "the sizes of arrays in shared memory");
    }
    if (rules_say(MEMORY, "own") && w->static_bytes > 0) {
        snprintf(found.what, TEXT_MAX, "line %u writes to a variable of the device that all reductions share",
                 w->static_line);
        return wrong("static", "where a reduction keeps what belongs to it: its workspace");
    }
    if (w->host_bytes + w->static_bytes > 4 * (s->grid + 32) * s->size) {
        snprintf(found.what, TEXT_MAX,
                 "the kernel stores %llu bytes where the host can read them, for %zu elements: the "
                 "host does the work",
                 (unsigned long long)(w->host_bytes + w->static_bytes), s->trial.n);
        return wrong("host_sum", "restore the original launch() and finish(): the kernel has to "
                                 "reduce");
    }
    return true;
}

static bool judge_copies(const struct seen *s)
{
    bool copied = !s->window && s->w.loads < s->trial.n && s->o.moved >= s->trial.n * s->size;

    if (!copied || (rules_number(FLIGHT) <= 1 && !rules_say(SECTORS, "least")))
        return true;
    snprintf(found.what, TEXT_MAX,
             "right and slow: the input is copied, and the kernels read the copy: each element is "
             "moved three times");
    return wrong("reads", "what the kernel reads: the input itself, where it is");
}

#define TEAM 16 /* lanes; fewer that share a row are serial */

/* Elements that one thread may have to take: a row belongs to one team of lanes, one warp, or one block. */
static uint64_t share_of_thread(const struct seen *s)
{
    uint64_t warps = up(s->block, s->trial.warp), columns = s->trial.columns;
    uint64_t rows = task_rows(&s->trial), share = up(s->trial.n, s->grid * s->block);
    uint64_t rest = s->block % TEAM > 0 ? s->block % TEAM : TEAM; /* lanes of the last team */
    uint64_t of_team = up(rows, s->grid * up(s->block, TEAM)) * up(columns, rest);
    /* The last warp has the fewest lanes, or the last group of 32. */
    uint64_t least = s->block % s->trial.warp > 0 ? s->block % s->trial.warp : s->trial.warp;
    if (s->block % 32 > 0 && s->block % 32 < least)
        least = s->block % 32;
    uint64_t of_warp = up(rows, s->grid * warps) * up(columns, least);
    uint64_t of_block = up(rows, s->grid) * up(columns, s->block);

    share = share > of_warp ? share : of_warp;
    share = share > of_team ? share : of_team;
    return task_reads() * (share > of_block ? share : of_block);
}

static uint64_t share_of_block(const struct seen *s)
{
    uint64_t share = up(s->trial.n, s->grid);
    const uint64_t teams[] = {up(s->block, s->trial.warp), up(s->block, TEAM)};

    for (unsigned k = 0; k < 2; k++) {
        uint64_t of_rows = up(task_rows(&s->trial), s->grid * teams[k]) * teams[k] * s->trial.columns;
        share = share > of_rows ? share : of_rows;
    }
    return task_reads() * share;
}

static bool judge_spread(const struct seen *s)
{
    const struct work *w = &s->w;
    uint64_t share = share_of_thread(s), of_block = share_of_block(s);
    /* Two trees, or one warp that reads the values of the others. */
    uint64_t trees = s->trial.columns > 0 ? up(task_rows(&s->trial), s->grid) : 1;
    uint64_t meet =
        trees * task_words() * (8 + 2 * up(s->block, s->trial.warp) + 4 * depth(s->block) + 2 * up(s->grid, s->block));
    if (rules_say(SPREAD, "pairs")) /* or three values in each step, or a warp that takes those of the others */
        meet = 2 * up(s->block, s->trial.warp) + 2 * depth(2 * s->block) + 1;

    /* Each thread waits for what its block draws, and reads it, perhaps twice. */
    uint64_t drawn = s->draws ? up(w->loads_block, s->block) + 1 : 0;
    meet += 2 * drawn;
    uint64_t threads = s->grid * s->block, busy = w->busy_blocks * s->block;

    if (task_reads() == 1 && task != ARGMAX && 2 * w->loads > 3 * s->trial.n + 4 * threads) {
        snprintf(found.what, TEXT_MAX, "right and slow: %llu loads of %zu elements", (unsigned long long)w->loads,
                 s->trial.n);
        return wrong("reads", "which elements are read more than once, and what for");
    }
    /* Full tiles may have 16 elements per thread, and all threads share the rest. */
    if (!s->uneven && s->trial.n >= threads && w->loads_block > of_block + 16 * s->block &&
        w->loads_block > of_block + of_block / 2 + 4 * s->block) {
        snprintf(found.what, TEXT_MAX, "one block of %llu reads %llu of %zu elements: the others do nothing",
                 (unsigned long long)s->grid, (unsigned long long)w->loads_block, s->trial.n);
        return wrong("one_block", "which elements a block takes");
    }
    if (!s->uneven && w->loads_thread > 2 * share + 12 && w->loads_thread > share + 17) {
        snprintf(found.what, TEXT_MAX, "right and serial: one thread reads %llu elements, and its share is %llu",
                 (unsigned long long)w->loads_thread, (unsigned long long)share);
        return wrong("serial", "which elements a thread takes, also behind the last full tile");
    }
    if (!s->uneven && s->trial.columns == 0 && w->loads >= s->trial.n && 4 * threads <= s->trial.n &&
        4 * w->busy_threads < 3 * (busy > s->block ? busy - s->block : busy)) { /* the last tile may be short */
        snprintf(found.what, TEXT_MAX, "right, and %llu of %llu threads take elements: the others do nothing",
                 (unsigned long long)w->busy_threads, (unsigned long long)busy);
        return wrong("serial", "which elements a thread takes");
    }
    if (rules_say(SPREAD, "loads"))
        return true;
    if (w->meet_thread > meet) {
        snprintf(found.what, TEXT_MAX,
                 "right and serial: in line %u one thread reads what others left, %llu times in a "
                 "block of %llu threads; a tree reads %u times",
                 w->meet_line, (unsigned long long)w->meet_thread, (unsigned long long)s->block, depth(s->block));
        return wrong("serial", "how many threads work in each step: a block of 256 needs 8 steps, "
                               "not 256");
    }
    /* Threads that take turns read little, and wait for all others. Tiles that come by way of shared memory wait, too. */
    uint64_t waits = 8 + 4 * trees * depth(s->block) + 4 * share + 2 * up(s->grid, s->block) + 2 * drawn;
    uint64_t syncs = trees * (3 * depth(s->trial.warp) + 4) + 2 * share;
    if (w->barriers > waits || w->syncs > syncs) {
        bool warps = w->barriers <= waits;
        snprintf(found.what, TEXT_MAX,
                 "right and serial: in line %u the threads of a %s wait for each other, %u times: "
                 "one of them works, and the others wait for their turn; halves meet in %u steps",
                 warps ? w->sync_line : w->barrier_line, warps ? "warp" : "block", warps ? w->syncs : w->barriers,
                 depth(warps ? s->trial.warp : s->block));
        return wrong("serial", "how many threads work in each step");
    }
    uint64_t shuffles = trees * task_words() * (6 * depth(s->trial.warp) + 8);
    if (rules_say(TREE, "lanes")) /* two trees, each with its result for all lanes */
        shuffles = task_words() * (2 * depth(s->trial.warp) + 4);
    if (w->shuffles > shuffles) {
        snprintf(found.what, TEXT_MAX,
                 "right and serial: in line %u lanes take values from each other one by one, %u times "
                 "in a warp of %u; halves meet in %u steps",
                 w->shuffle_line, w->shuffles, s->trial.warp, depth(s->trial.warp));
        return wrong("serial", "how many lanes give something new in each step");
    }
    uint64_t atomics = up(s->block, s->trial.warp) + 2;
    uint64_t tiles = up(s->elements, s->block); /* that blocks draw */
    if (w->shared_atomics > atomics || w->atomics > s->blocks * atomics + tiles + 8) {
        bool shared = w->shared_atomics > atomics;
        snprintf(found.what, TEXT_MAX,
                 "right and serial: line %u makes %llu atomic operations %s, and they come one "
                 "after the other",
                 w->atomic_line, (unsigned long long)(shared ? w->shared_atomics : w->atomics),
                 shared ? "in the shared memory of a block" : "in global memory");
        return wrong("atomics", "which values meet before the atomic operation: those of a block "
                                "in a tree, or at least those of a warp");
    }
    return true;
}

static bool in_flight(const struct seen *s) { return 5 * s->w.grouped[rules_number(FLIGHT)] >= 3 * s->w.loads; }

static bool judge_flight(const struct seen *s)
{
    const struct work *w = &s->w;
    int wanted = rules_number(FLIGHT);
    struct seen many = {.trial = s->trial};

    if (wanted <= 1 || in_flight(s) || s->trial.n < (uint64_t)wanted * s->grid * s->block)
        return true;
    /* Threads that take more at once do so in trials with more elements. */
    if (seen_in_window(&many) && many.w.loads > 0 && in_flight(&many))
        return true;
    snprintf(found.what, TEXT_MAX,
             "right, and the loads come one by one: %llu of %llu are on their way with %d or more "
             "of the same thread",
             (unsigned long long)w->grouped[wanted], (unsigned long long)w->loads, wanted);
    return wrong("flight", "what the exercise began with: a thread takes several elements at once, "
                           "so that their loads overlap");
}

static bool judge_barriers(const struct seen *s)
{
    const struct work *w = &s->w;
    unsigned few = 3 + depth(up(s->block, s->trial.warp));

    if (w->split_a > 0) {
        if (w->split_a == w->split_b)
            snprintf(found.what, TEXT_MAX,
                     "some threads of a block wait in one call of a barrier in line %u, and others "
                     "in another one: it is right here, and a GPU may hang",
                     w->split_a);
        else
            snprintf(found.what, TEXT_MAX,
                     "threads of one block wait in different calls of a barrier, in lines %u and "
                     "%u: it is right here, and a GPU may hang",
                     w->split_a, w->split_b);
        return wrong("barrier", "the branches around the barrier: all threads of a block have to "
                                "reach the same call");
    }
    if (rules_say(BARRIER, "few") && w->partial_line > 0) {
        snprintf(found.what, TEXT_MAX,
                 "in line %u a call for all lanes of a warp is in a branch that only %u of them take: "
                 "it is right here, and a GPU may hang",
                 w->partial_line, w->partial_lanes);
        return wrong("barrier", "the branch around the call: all lanes of the warp have to reach it");
    }
    if (!rules_say(BARRIER, "few") || w->barriers <= few)
        return true;
    snprintf(found.what, TEXT_MAX,
             "right, and each block of %llu threads waits %u times for all its warps, also where "
             "one warp is left",
             (unsigned long long)s->block, w->barriers);
    return wrong("barriers", "the steps of the last warp: who has to wait for whom?");
}

static bool judge_tree(const struct seen *s)
{
    const struct work *w = &s->w;

    bool on_chip = rules_say(TREE, "shared") || rules_say(TREE, "lanes");
    if (on_chip && w->scratch_stores > 4 * s->blocks) {
        snprintf(found.what, TEXT_MAX, "right, and values meet in global memory: %llu stores there for %llu blocks",
                 (unsigned long long)w->scratch_stores, (unsigned long long)s->blocks);
        return wrong("tree", "where the threads of a block leave their values");
    }
    if (rules_say(TREE, "global") && (w->shared_stores > s->blocks || 8 * w->scratch_stores < s->elements)) {
        snprintf(found.what, TEXT_MAX,
                 "right, and the tree is no longer in global memory: %llu stores there and %llu in "
                 "shared memory, for %llu elements",
                 (unsigned long long)w->scratch_stores, (unsigned long long)w->shared_stores,
                 (unsigned long long)s->elements);
        return wrong("tree", "the task: the tree stays in global memory, and needs room there");
    }
    if (rules_say(TREE, "lanes") && w->shared_stores > s->blocks * (2 * up(s->block, s->trial.warp) + 2)) {
        snprintf(found.what, TEXT_MAX,
                 "right, and values meet in shared memory: %llu stores there, and %llu blocks have "
                 "%llu warps each",
                 (unsigned long long)w->shared_stores, (unsigned long long)s->blocks,
                 (unsigned long long)up(s->block, s->trial.warp));
        return wrong("tree", "the task: lanes exchange registers, and shared memory gets one value "
                             "of each warp");
    }
    return true;
}

static bool judge_launches(const struct seen *s)
{
    if (!rules_say(EVENTS, "once") || (s->o.launches == 1 && s->o.to_host <= 2 * s->size))
        return true;
    snprintf(found.what, TEXT_MAX, "right, and not by the last block: %u launches, and %llu bytes come to the host",
             s->o.launches, (unsigned long long)s->o.to_host);
    return wrong("launches", "the task: one launch, after which the host needs one value");
}

static bool judge_speed(const struct seen *s)
{
    const struct work *w = &s->w;
    uint64_t tree = s->blocks * passes_of_tree(s->block, s->trial.warp, s->size);
    uint64_t least = up(s->elements * s->size, 32);
    /* A warp's elements may begin within a sector: as many as the warps have turns. */
    uint64_t warps = up(s->block, s->trial.warp), columns = s->trial.columns;
    uint64_t lanes = s->block % s->trial.warp, last = up(columns, lanes > 0 ? lanes : s->trial.warp);
    uint64_t of_rows = up((warps - 1) * up(columns, s->trial.warp) + last, warps);
    uint64_t shifted =
        columns > 0 ? task_rows(&s->trial) * of_rows : up(s->elements, s->blocks * s->block) * s->blocks * warps;

    if (rules_say(SHARED, "clean") && w->passes > w->needed + w->needed / 20) {
        snprintf(found.what, TEXT_MAX,
                 "right and slow: shared memory needs %llu passes, and %llu without conflicts; most "
                 "in line %u",
                 (unsigned long long)w->passes, (unsigned long long)w->needed, w->conflict_line);
        return wrong("conflicts", "which words the lanes of a warp ask for in each step: there are 32 banks, "
                                  "and each gives one word in a pass");
    }
    if (rules_say(SHARED, "clean") && 5 * w->passes > 16 * tree) {
        snprintf(found.what, TEXT_MAX, "right and slow: shared memory needs %llu passes, and a tree can do with %llu",
                 (unsigned long long)w->passes, (unsigned long long)tree);
        return wrong("conflicts", "how many warps still have work in each step, and how many lanes "
                                  "of each");
    }
    /* Rows begin and end within a sector, and so do the tiles of uneven blocks. */
    unsigned often = s->trial.columns > 0 || s->block % 8 != 0 ? 25 : 13;
    if (rules_say(SECTORS, "least") && 10 * w->sectors > often * (least + s->blocks) &&
        w->sectors > least + s->blocks + shifted) {
        snprintf(found.what, TEXT_MAX,
                 "right and slow: %llu sectors of 32 bytes are moved for %llu elements, and %llu "
                 "would do",
                 (unsigned long long)w->sectors, (unsigned long long)s->elements, (unsigned long long)least);
        return wrong("sectors", "which elements the lanes of a warp read in the same turn of the loop");
    }
    return true;
}

bool check_rules(void)
{
    static bool (*const rules[])(const struct seen *) = {judge_result, judge_memory,   judge_copies,
                                                         judge_spread, judge_barriers, judge_tree,
                                                         judge_speed,  judge_flight,   judge_launches};
    static struct seen seen[SEEN_MOST];

    if (!settings.has_rules || !settings.traced)
        return true;
    round_begin("what must hold besides the result", SEEN_MOST);
    bool right = seen_in_trials(seen);
    if (!right) {
        round_close(false);
        return false;
    }
    for (size_t rule = 0; right && rule < sizeof rules / sizeof *rules; rule++)
        for (unsigned k = 0; right && k < SEEN_MOST; k++) {
            right = !seen[k].w.counted || rules[rule](&seen[k]);
            if (!right && *found.where == '\0')
                trial_text(found.where, &seen[k].trial);
        }
    round_close(right);
    return right;
}
