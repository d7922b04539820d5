/* Chooses types, operations, sizes, blocks, grids, warp sizes and schedules.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../checker.h"

static const size_t sizes[] = {1000, 1024, 999, 257, 2, 1, 0, 63, 64, 65, 129, 511, 2049, 4096, 10007};
static const unsigned blocks[] = {256, 100, 64, 1, 1024, 32, 33, 96, 2, 3, 128, 500, 7};
static const unsigned grids[] = {0, 1, 7, 3, 2, 16};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct reply device;

static char kinds[64]; /* "int_sum+long_sum", or all */

void trial_kinds(const char *words) { snprintf(kinds, sizeof kinds, "%s", words); }

void device_ask(void)
{
    struct request q = {.kind = ASK_DEVICE};

    device = *session_ask(&q, NULL, NULL, 0, NULL);
    for (int type = 0; type < TYPE_COMMON; type++)
        for (int op = 0; op < OP_COMMON; op++) {
            char kind[32];
            snprintf(kind, sizeof kind, "%s_%s", type_name(type), op_name(op));
            bool tried = op_is_tried(op) && (*kinds == '\0' || strstr(kinds, kind) != NULL);
            device.ops[type] &= tried ? ~0u : ~(1u << op);
        }
}

static unsigned warp_for(uint64_t choice) { return device.warp > 0 ? device.warp : choice % 2 == 0 ? 64 : 32; }

static bool is_there(const struct trial *s) { return device.ops[s->type] >> s->op & 1; }

/* A GPU's runner has only some types and operations: take the next that it has. */
static void take_what_is_there(struct trial *s)
{
    for (int k = 0; !is_there(s) && k < TYPE_COMMON * OP_COMMON; k++) {
        s->type = (s->type + 1) % TYPE_COMMON;
        if (s->type == 0)
            s->op = (s->op + 1) % OP_COMMON;
    }
}

void trial_choose(struct trial *s, uint64_t k)
{
    /* 5 and 12 have no common divisor, so 12 consecutive k give all. */
    uint64_t at = (mix(settings.seed, 5) + 5 * k) % (TYPE_COMMON * OP_COMMON);

    s->type = (int)(at % TYPE_COMMON);
    s->op = (int)(at / TYPE_COMMON);
    take_what_is_there(s);
}

/* One element more or less than 1 to 3 iterations of a block or the grid. */
static size_t edge(const struct trial *s, unsigned k)
{
    size_t width = s->block * (k % 2 == 0 || s->grid == 0 ? 1 : (size_t)s->grid);

    return (1 + k / 6 % 3) * width + k / 2 % 3 - 1;
}

unsigned trial_kind(struct trial *s, unsigned k)
{
    unsigned count = 0;

    for (int type = 0; type < TYPE_COMMON; type++)
        for (int op = 0; op < OP_COMMON; op++)
            if (device.ops[type] >> op & 1 && count++ == k) {
                s->type = type;
                s->op = op;
            }
    return count;
}

size_t trials_make(struct trial *trials, uint64_t seed)
{
    const size_t max = TRIALS;
    size_t count = 0;

    /* The obvious trials, with both warp sizes and in both orders, once with more elements than threads; and with no
     * element or one. What is lost of NaN or of a zero, is lost by a thread of several elements. */
    for (unsigned warp = 0; warp < 2; warp++)
        for (int order = 0; order < 3; order++)
            for (int op = 0; op < OP_COMMON; op++)
                for (int type = 0; type < TYPE_COMMON; type++) {
                    bool floating = type == TYPE_FLOAT || type == TYPE_DOUBLE,
                         loops = order == 1 && floating && op != OP_SUM;
                    if (count < max && (order != 1 || type == TYPE_LONG || loops))
                        trials[count++] = (struct trial){type,
                                                         op,
                                                         order < 2 ? 1000 - 24 * (size_t)order : warp,
                                                         256,
                                                         loops ? 1 : warp,
                                                         warp_for(warp),
                                                         order % 2,
                                                         seed,
                                                         0};
                }
    /* Each size, each block, each grid, with everything else at random. */
    for (uint64_t i = 0; count < max; i++) {
        uint64_t r = mix(seed, i);
        struct trial s = {(int)(r % TYPE_COMMON),
                          r >> 8 & 1 ? OP_SUM : (int)((r >> 16) % OP_COMMON),
                          sizes[(r >> 24) % COUNT(sizes)],
                          blocks[(r >> 32) % COUNT(blocks)],
                          grids[(r >> 40) % COUNT(grids)],
                          warp_for(r >> 48),
                          (int)((r >> 50) % 3),
                          r,
                          0};
        if (i < 4 * COUNT(sizes)) {
            s.type = TYPE_LONG;
            s.op = OP_SUM;
            s.n = sizes[i % COUNT(sizes)];
            s.order = i / COUNT(sizes) % 2 == 0 ? 0 : s.order;
        } else if (i < 4 * COUNT(sizes) + COUNT(blocks) * COUNT(grids)) {
            s.block = blocks[i % COUNT(blocks)];
            s.grid = grids[i % COUNT(grids)];
            if (s.grid == 0) /* plan() chooses */
                s.n = 1024 + r % 3000;
        } else if (i % 3 == 0) {
            s.n = 1 + (r >> 20) % 3000;
            s.block = 1 + (unsigned)((r >> 4) % 1024);
            s.grid = i % 2 == 0 ? s.grid : 1 + (unsigned)((r >> 44) % (i % 5 == 0 ? 600 : 40));
        }
        /* Many idle threads cost time and show little. */
        unsigned most = i % 8 == 0 ? 3000 : 1024;
        if ((size_t)s.grid * s.block > most)
            s.grid = most / s.block;
        if (i < 4 * COUNT(sizes) && i / COUNT(sizes) % 2 == 1)
            s.n = edge(&s, (unsigned)i);
        if (i >= 4 * COUNT(sizes) + COUNT(blocks) * COUNT(grids) && i % 6 == 0)
            s.n = edge(&s, (unsigned)(r >> 36));
        trials[count++] = s;
    }
    size_t others = 0; /* a task or a GPU with few types and operations makes some of them the same */
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        trials[others] = trial_here(trials[i]);
        for (size_t k = 0; k < others && !known; k++)
            known = memcmp(&trials[k], &trials[others], sizeof *trials) == 0;
        others += !known;
    }
    return others;
}

struct trial trial_here(struct trial s)
{
    if (device.warp > 0) { /* a GPU's is fixed */
        s.warp = device.warp;
        s.order = 0;
    }
    take_what_is_there(&s);
    if (task == SOFTMAX && s.n > 3000 && s.n >> 24 == 0) /* exp() and three passes over each row */
        s.n = 1 + s.n % 3000;
    if (s.columns == 0)
        s.columns = task_columns(&s);
    return s;
}
