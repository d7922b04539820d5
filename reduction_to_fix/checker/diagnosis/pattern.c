/* Describes how often each element was counted.
 *
 * If a kernel gives neighbouring elements to neighbouring threads, element i belongs to thread i mod block of block
 * (i / block) mod grid; the description uses that as long as the counts agree with it.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../checker.h"

#define LIST_MAX 6

/* Readable lists: "3, 7 and 12", "0 to 31", "3, 7, 12 and 17 more", of all i < count with chosen[i]. */
static const char *numbers(char text[160], const bool *chosen, size_t count)
{
    size_t total = 0, first = count, last = 0, shown = 0;
    int used = 0;

    for (size_t i = 0; i < count; i++)
        if (chosen[i]) {
            total++;
            first = first == count ? i : first;
            last = i;
        }
    if (total > 2 && last - first + 1 == total) {
        snprintf(text, 160, "%zu to %zu", first, last);
        return text;
    }
    text[0] = '\0';
    for (size_t i = 0; i < count && shown < LIST_MAX; i++)
        if (chosen[i]) {
            bool end = shown + 1 == total;
            used += snprintf(text + used, 160 - (size_t)used, "%s%zu", shown == 0 ? "" : end ? " and " : ", ", i);
            shown++;
        }
    if (shown < total)
        snprintf(text + used, 160 - (size_t)used, " and %zu more", total - shown);
    return text;
}

/* Whether the lost elements (above: those counted more than once) are exactly those with (index mod period) / divisor
 * in a set; stores the set in chosen[classes], where period = divisor * classes. */
static bool depends(const struct shares *s, bool above, size_t divisor, size_t classes, bool *chosen, size_t *size)
{
    signed char state[1024];
    size_t period = divisor * classes;

    if (classes == 0 || classes > 1024 || s->n < period + 1)
        return false;
    memset(state, -1, sizeof state);
    for (size_t i = 0; i < s->n; i++) {
        size_t class = i % period / divisor;
        signed char hit = above ? s->count[i] > 1 || s->count[i] < 0 : s->count[i] == 0;
        if (state[class] >= 0 && state[class] != hit)
            return false;
        state[class] = hit;
    }
    *size = 0;
    for (size_t k = 0; k < classes; k++) {
        chosen[k] = state[k] == 1;
        *size += chosen[k];
    }
    return *size > 0;
}

/* Whether the kept threads are the first `width` of every `period`. */
static bool keeps(const bool *kept, size_t block, size_t period, size_t width)
{
    for (size_t t = 0; t < block; t++)
        if (kept[t] != (t % period < width))
            return false;
    return true;
}

static const char look_writer[] =
    "the line that writes the block's partial: how many threads write there, and which value does "
    "each of them have?";

static const char *one_thread(const struct shares *s, const bool *kept, char text[TEXT_MAX], const char **look)
{
    snprintf(text, TEXT_MAX, "only %s share of each block reaches the result%s",
             kept[s->block - 1] ? "the last thread's"
             : kept[0]          ? "the first thread's"
                                : "one thread's",
             s->block > 1 ? "; the other shares are lost" : "");
    *look = look_writer;
    return "one_thread";
}

/* Parts of a warp, or of a block by warps. NULL: neither. */
static const char *by_warps(const struct shares *s, const bool *kept, char text[TEXT_MAX], const char **look)
{
    size_t below = 0; /* lanes 0 ... below - 1 of a warp */

    /* two lanes of a block are its halves, too */
    if (s->block > s->warp && s->block != 2 * s->warp && keeps(kept, s->block, s->warp, 1)) {
        snprintf(text, TEXT_MAX, "only the first lane's share of each warp reaches the result");
        *look = "how the lanes of a warp are combined";
        return "one_lane";
    }
    /* not just a few lanes more than a warp */
    if (s->block >= 2 * s->warp && keeps(kept, s->block, s->block, s->warp)) {
        snprintf(text, TEXT_MAX, "only the first warp's share of each block reaches the result");
        *look = "how the warps of a block are combined";
        return "one_warp";
    }
    while (below < s->warp && below < s->block && kept[below])
        below++;
    if (s->block < s->warp || below <= 1 || below >= s->warp || !keeps(kept, s->block, s->warp, below))
        return NULL;
    snprintf(text, TEXT_MAX, "only the shares of lanes 0 to %zu of each warp reach the result", below - 1);
    *look = "how the lanes of a warp are combined: how many does the code assume?";
    return "lanes";
}

/* lost: `count` of the block's threads, the same in each block. */
static const char *lost_threads(const struct shares *s, const bool *lost, size_t count, char text[TEXT_MAX],
                                const char **look)
{
    bool kept[1024];
    char list[160];

    for (size_t t = 0; t < s->block; t++)
        kept[t] = !lost[t];
    if (s->block - count == 1)
        return one_thread(s, kept, text, look);
    const char *code = by_warps(s, kept, text, look);
    if (code != NULL)
        return code;
    if (s->block - count <= count)
        snprintf(text, TEXT_MAX, "in each block of %u threads only the shares of threads %s reach the result", s->block,
                 numbers(list, kept, s->block));
    else
        snprintf(text, TEXT_MAX, "in each block of %u threads the share%s of thread%s %s %s lost", s->block,
                 count == 1 ? "" : "s", count == 1 ? "" : "s", numbers(list, lost, s->block),
                 count == 1 ? "is" : "are");
    *look = "the steps that combine the threads of a block: which thread reads what in each of them, "
            "and what has been written by then?";
    return "lost_threads";
}

static size_t tile_of(const struct shares *s, size_t missing)
{
    size_t tiles[] = {s->block,
                      2 * (size_t)s->block,
                      4 * (size_t)s->block,
                      8 * (size_t)s->block,
                      (size_t)s->block * s->grid,
                      2 * (size_t)s->block * s->grid};

    for (size_t k = 0; k < sizeof tiles / sizeof tiles[0]; k++)
        if (tiles[k] > 1 && s->n % tiles[k] == missing)
            return tiles[k];
    return 0;
}

static const char look_partials[] = "where each block leaves its partial, and how many of them the last step reads";

/* All from some element on. */
static const char *lost_tail(const struct shares *s, size_t tail, char text[TEXT_MAX], const char **look)
{
    size_t tile = tile_of(s, tail);

    if (s->grid > 1 && s->n - tail == s->block) {
        snprintf(text, TEXT_MAX, "only the first block's share reaches the result, of %u blocks", s->grid);
        *look = look_partials;
        return "lost_blocks";
    }
    if (s->grid > 1 && tile == 0 && (s->n - tail) % s->block == 0 && s->n <= (size_t)s->grid * s->block) {
        snprintf(text, TEXT_MAX, "the shares of all blocks from block %zu on are lost, of %u blocks",
                 (s->n - tail) / s->block, s->grid);
        *look = look_partials;
        return "lost_blocks";
    }
    snprintf(text, TEXT_MAX, "elements from %zu on are missing, %zu of %zu%s", s->n - tail, tail, s->n,
             tile > 0 ? ": the last, partial tile" : "");
    if (tile > 0)
        snprintf(text + strlen(text), TEXT_MAX - strlen(text), " of %zu", tile);
    *look = "what happens to the elements that are left when n is no multiple of what is taken at "
            "once";
    return "tail";
}

/* Whether each block keeps one thread, not the same one everywhere. */
static bool keeps_one_of_each_block(const struct shares *s)
{
    size_t width = (size_t)s->block * s->grid, kept = 0;

    for (size_t i = 0; i < s->n; i++) {
        size_t thread = i % s->block;
        bool here = s->count[i] != 0;
        if (i >= width && here != (s->count[i - width] != 0))
            return false;
        kept = (thread == 0 ? 0 : kept) + here;
        if (kept > 1 || (thread + 1 == s->block && kept == 0))
            return false;
    }
    return s->n >= 2 * (size_t)s->block;
}

/* By thread, by block, or by a stride. NULL: none of them. */
static const char *lost_regularly(const struct shares *s, char text[TEXT_MAX], const char **look)
{
    bool chosen[1024];
    char list[160];
    size_t size;

    if (depends(s, false, 1, s->block, chosen, &size))
        return lost_threads(s, chosen, size, text, look);
    if (s->grid > 1 && depends(s, false, s->block, s->grid, chosen, &size)) {
        snprintf(text, TEXT_MAX, "the shares of blocks %s are lost, of %u blocks", numbers(list, chosen, s->grid),
                 s->grid);
        *look = look_partials;
        return "lost_blocks";
    }
    if (s->grid > 1 && keeps_one_of_each_block(s)) {
        snprintf(text, TEXT_MAX,
                 "only one thread's share of each block reaches the result, not the same thread's in "
                 "each; the other shares are lost");
        *look = look_writer;
        return "one_thread";
    }
    for (size_t period = 2; period <= 16; period++)
        if (depends(s, false, 1, period, chosen, &size)) {
            snprintf(text, TEXT_MAX, "%zu of every %zu elements are lost: those whose index mod %zu is %s", size,
                     period, period, numbers(list, chosen, period));
            *look = "which index each thread starts at, and how far it goes from one element to "
                    "the next";
            return "stride";
        }
    return NULL;
}

static const char *describe_lost(const struct shares *s, size_t lost, char text[TEXT_MAX], const char **look)
{
    size_t tail = 0, head = 0, i = 0;

    while (tail < s->n && s->count[s->n - 1 - tail] == 0)
        tail++;
    while (head < s->n && s->count[head] == 0)
        head++;
    if (lost == s->n) {
        snprintf(text, TEXT_MAX, "no element reaches the result");
        *look = "what the kernel reads and where it writes: does finish() copy what launch() wrote?";
        return "nothing";
    }
    if (tail == lost)
        return lost_tail(s, tail, text, look);
    const char *code = lost_regularly(s, text, look);
    if (code != NULL)
        return code;
    while (s->count[i] != 0)
        i++;
    snprintf(text, TEXT_MAX, "%zu of %zu elements are missing; the first one is element %zu (thread %zu of block %zu)",
             lost, s->n, i, i % s->block, i / s->block % (s->grid > 0 ? s->grid : 1));
    *look = "which thread should take the first of them, and where its share goes then";
    return head > 0 && head == lost ? "head" : "lost";
}

static const char *describe_double(const struct shares *s, size_t above, char text[TEXT_MAX], const char **look)
{
    bool chosen[1024], all = above == s->n;
    char list[160];
    int64_t most = 0;
    size_t size, first = s->n;

    for (size_t i = 0; i < s->n; i++) {
        if (s->count[i] > 1 && first == s->n)
            first = i;
        most = s->count[i] > most ? s->count[i] : most;
        all &= s->count[i] == s->count[0];
    }
    *look = "which index each thread starts at, how far it goes from one element to the next, and "
            "which other thread takes the same element";
    if (all) {
        snprintf(text, TEXT_MAX, "every element counts %s", most == 2 ? "twice" : "");
        if (most != 2)
            snprintf(text, TEXT_MAX, "every element counts %lld times%s", (long long)most,
                     (uint64_t)most == s->block  ? ", as often as a block has threads"
                     : (uint64_t)most == s->grid ? ", as often as there are blocks"
                                                 : "");
        return "double";
    }
    if (depends(s, true, 1, s->block, chosen, &size))
        snprintf(text, TEXT_MAX, "in each block the shares of threads %s count %lld times",
                 numbers(list, chosen, s->block), (long long)most);
    else
        snprintf(text, TEXT_MAX,
                 "%zu of %zu elements count more than once, up to %lld times; the first one is "
                 "element %zu",
                 above, s->n, (long long)most, first);
    return "double";
}

const char *pattern_describe(const struct shares *s, char text[TEXT_MAX], const char **look)
{
    size_t lost = 0, above = 0, below = 0;
    char more[TEXT_MAX];

    for (size_t i = 0; i < s->n; i++) {
        lost += s->count[i] == 0;
        above += s->count[i] > 1;
        below += s->count[i] < 0;
    }
    if (below > 0 || !s->whole) {
        snprintf(text, TEXT_MAX,
                 "the result is not a sum of elements: it does not change as it should when one "
                 "changes");
        *look = "what besides input elements goes into the result";
        return "not_a_sum";
    }
    if (lost == 0 && above == 0)
        return NULL;
    const char *code = lost > 0 ? describe_lost(s, lost, text, look) : describe_double(s, above, text, look);
    if (lost > 0 && above > 0) {
        const char *ignored;
        int64_t times = 0;
        bool equal = true;
        for (size_t i = 0; i < s->n; i++)
            if (s->count[i] > 1) {
                equal &= times == 0 || times == s->count[i];
                times = s->count[i];
            }
        if (equal && lost + above == s->n)
            snprintf(more, sizeof more, "what reaches it counts %lld times%s", (long long)times,
                     (uint64_t)times == s->block ? ", as often as a block has threads" : "");
        else
            describe_double(s, above, more, &ignored);
        snprintf(text + strlen(text), TEXT_MAX - strlen(text), "; %s", more);
    }
    return code;
}
