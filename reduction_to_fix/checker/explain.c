/* Right and slow: counts the requests to shared and global memory, from the accesses that the traced program
 * prints. Between warp operations and barriers lanes run one after the other; accesses belong to one instruction
 * of the warp if block, warp, epoch, meeting and line are the same and each lane makes its k-th access there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker.h"

#define BANKS  32 /* of 4 bytes; a GPU serves 128 bytes at once */
#define SECTOR 32

struct access {
    unsigned block, warp, lane, epoch, meeting, size;
    uint64_t line; /* identifies file and line */
    bool write, shared;
    uint64_t address;
    size_t order, turn; /* in the program; of this lane at this line */
};

struct counts {
    size_t passes, sectors, loads; /* of shared memory; of global loads; elements loaded */
};

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* By instruction without the turn. */
static int compare_places(const struct access *a, const struct access *b)
{
    const uint64_t x[] = {a->block, a->warp, a->epoch, a->meeting, a->line, a->write, a->shared};
    const uint64_t y[] = {b->block, b->warp, b->epoch, b->meeting, b->line, b->write, b->shared};
    int difference = 0;

    for (size_t k = 0; k < sizeof x / sizeof x[0] && difference == 0; k++)
        difference = compare_numbers(x[k], y[k]);
    return difference;
}

static int by_lane(const void *first, const void *second)
{
    const struct access *a = first, *b = second;
    int difference = compare_places(a, b);

    if (difference == 0)
        difference = compare_numbers(a->lane, b->lane);
    return difference != 0 ? difference : compare_numbers(a->order, b->order);
}

static int by_turn(const void *first, const void *second)
{
    const struct access *a = first, *b = second;
    int difference = compare_places(a, b);

    if (difference == 0)
        difference = compare_numbers(a->turn, b->turn);
    return difference != 0 ? difference : compare_numbers(a->lane, b->lane);
}

/* Passes of one instruction on shared memory: its lanes form groups that request 128 bytes, and in each group
 * the bank with the most words counts; lanes that request the same word share it. */
static size_t count_passes(const struct access *a, size_t lanes)
{
    size_t passes = 0, group = 128 / a->size;

    for (size_t from = 0; from < 64; from += group) {
        uint64_t words[BANKS][64];
        size_t used[BANKS] = {0}, most = 0;
        for (size_t i = 0; i < lanes; i++) {
            if (a[i].lane < from || a[i].lane >= from + group)
                continue;
            for (uint64_t word = a[i].address / 4; word < (a[i].address + a[i].size) / 4; word++) {
                size_t bank = word % BANKS, k = 0;
                while (k < used[bank] && words[bank][k] != word)
                    k++;
                if (k == used[bank] && k < 64)
                    words[bank][used[bank]++] = word;
                most = used[bank] > most ? used[bank] : most;
            }
        }
        passes += most;
    }
    return passes;
}

static size_t count_sectors(const struct access *a, size_t lanes)
{
    uint64_t seen[128];
    size_t count = 0;

    for (size_t i = 0; i < lanes; i++)
        for (uint64_t s = a[i].address / SECTOR; s <= (a[i].address + a[i].size - 1) / SECTOR;
             s++) {
            size_t k = 0;
            while (k < count && seen[k] != s)
                k++;
            if (k == count && count < 128)
                seen[count++] = s;
        }
    return count;
}

/* One line of HIP_CPU_TRACE=events; false if it is no access. */
static bool parse_line(const char *line, struct access *a, char place[160])
{
    char kind[8], space[8];
    unsigned thread;
    unsigned long long address;

    if (strncmp(line, "volatile ", 9) == 0)
        line += 9;
    if (sscanf(line,
               "%7s %7s %llx %u bytes block %u thread %u warp %u lane %u epoch %u meeting %u %159s",
               kind, space, &address, &a->size, &a->block, &thread, &a->warp, &a->lane, &a->epoch,
               &a->meeting, place) != 11 ||
        (strcmp(kind, "load") != 0 && strcmp(kind, "store") != 0) || a->size == 0 || a->size > 16)
        return false;
    a->write = kind[0] == 's';
    a->shared = space[0] == 's';
    a->address = address;
    a->line = 0;
    for (const char *c = place; *c != '\0'; c++)
        a->line = mix(a->line, (unsigned char)*c);
    return true;
}

/* The accesses of the first launch that is traced. */
static size_t parse(char *said, struct access **accesses)
{
    size_t count = 0, room = 0;
    char place[160];

    *accesses = NULL;
    for (char *line = strtok(said, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        struct access a = {.order = count};
        if (count > 0 && strncmp(line, "launch ", 7) == 0)
            break;
        if (!parse_line(line, &a, place))
            continue;
        if (count == room) {
            room = room == 0 ? 4096 : 2 * room;
            void *more = realloc(*accesses, room * sizeof a);
            HIP_CHECK(more != NULL ? hipSuccess : hipErrorOutOfMemory);
            *accesses = more;
        }
        (*accesses)[count++] = a;
    }
    return count;
}

static struct counts count_all(struct access *a, size_t count)
{
    struct counts c = {0};

    qsort(a, count, sizeof *a, by_lane);
    for (size_t i = 0; i < count; i++) {
        bool again = i > 0 && compare_places(&a[i - 1], &a[i]) == 0 && a[i - 1].lane == a[i].lane;
        a[i].turn = again ? a[i - 1].turn + 1 : 0;
    }
    qsort(a, count, sizeof *a, by_turn);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && compare_places(&a[i], &a[end]) == 0 && a[i].turn == a[end].turn;)
            end++;
        if (a[i].shared) {
            c.passes += count_passes(&a[i], end - i);
        } else if (!a[i].write) {
            c.sectors += count_sectors(&a[i], end - i);
            c.loads += end - i;
        }
    }
    return c;
}

/* The solution's numbers are known; a tenth more is allowed. */
#define ELEMENTS    2048
#define PASSES_BEST 45 /* of a block of 256 */

bool check_explain(void)
{
    char *arguments[] = {
        (char *)options.race, "--quiet",     "--iterations=1", "--warmup=0", "--ceiling=1",
        "--type=float",       "--size=2048", "--block=256",    "--grid=2",   NULL};
    bool conflicts = options.explain != NULL && strcmp(options.explain, "conflicts") == 0;
    struct access *accesses;
    struct counts c;
    struct end end;
    char *said = NULL;

    if (options.explain == NULL || options.race == NULL)
        return true;
    round_begin(conflicts ? "passes of shared memory" : "sectors of global memory", 1);
    setenv("HIP_CPU_TRACE", "events", 1);
    setenv("HIP_CPU_WARP_SIZE", "32", 1);
    end = child_program(arguments, &said);
    unsetenv("HIP_CPU_TRACE");
    unsetenv("HIP_CPU_WARP_SIZE");
    size_t count = said == NULL ? 0 : parse(said, &accesses);
    if (end.how != ENDED || count == 0) {
        snprintf(found.what, TEXT_MAX, "the traced program did not run to its end: %.300s",
                 end.said);
        found.code = "crash";
        found.look = "what it says";
        round_close(false);
        return false;
    }
    c = count_all(accesses, count);
    free(accesses);
    free(said);
    common->alive++;

    size_t best = conflicts ? 2 * PASSES_BEST : (size_t)ELEMENTS * 4 / SECTOR;
    size_t is = conflicts ? c.passes : c.sectors;
    bool right = is <= best + best / 10;
    round_close(right);
    if (right)
        return true;
    found.code = conflicts ? "conflicts" : "sectors";
    snprintf(found.where, TEXT_MAX,
             "sum of %d elements of type float, 2 blocks of 256 threads, warps of 32", ELEMENTS);
    if (conflicts) {
        snprintf(found.what, TEXT_MAX,
                 "right and slow: shared memory needs %zu passes, and a tree can do with %zu", is,
                 best);
        found.look =
            "which words the lanes of a warp ask for in each step, and how many warps still have "
            "work: there are 32 banks, and each gives one word in a pass";
    } else {
        snprintf(
            found.what, TEXT_MAX,
            "right and slow: %zu sectors of 32 bytes are moved for %zu elements, and %zu would do",
            is, c.loads, best);
        found.look = "which elements the lanes of a warp read in the same turn of the loop";
    }
    return false;
}
