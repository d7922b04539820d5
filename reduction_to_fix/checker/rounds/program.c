/* The exercise as a program: whether the program itself reports OK.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checker.h"
#include "process/child.h"

#define PROGRAM_RUNS 4 /* each in a process of its own */
#define TOGETHER     64

/* Two sums of floating-point numbers, whose error bounds the program computes, and two others. */
static struct trial alone(unsigned k)
{
    static const int types[PROGRAM_RUNS] = {TYPE_FLOAT, TYPE_DOUBLE, TYPE_INT, TYPE_LONG},
                     ops[PROGRAM_RUNS] = {OP_SUM, OP_SUM, OP_MAX, OP_MIN};
    uint64_t r = mix(settings.seed, 5000 + k);

    return trial_here((struct trial){.n = (k < 2 ? 1000 : 1) + r % (k % 2 == 0 ? 3000 : 60000),
                                     .block = k == 0 ? 256 : 1 + (unsigned)((r >> 24) % 512),
                                     .type = types[k],
                                     .op = ops[k]});
}

/* What these need, and no more, since that takes time to compile: "float_sum+double_sum+int_max+long_min". */
static const char *instances(void)
{
    static char text[PROGRAM_RUNS * 16];
    size_t used = 0;

    for (unsigned k = 0; k < PROGRAM_RUNS; k++) {
        struct trial s = alone(k);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s_%s", k > 0 ? "+" : "", type_name(s.type),
                                 op_name(s.op));
    }
    return text;
}

/* Built late, since most submissions do not come as far as this. */
static bool build_program(void)
{
    char reason[TEXT_MAX];

    if (settings.build == NULL)
        return true;
    setenv("ONLY", instances(), 1);
    char *words[] = {"sh", "-c", (char *)settings.build, NULL};
    struct child_job job = {.words = words, .said_most = 0};
    struct child child = child_run(&job);
    bool right = child.how == CHILD_ENDED && child.status == 0;
    if (!right) {
        found.code = "compile";
        snprintf(found.what, TEXT_MAX, "what it is without the checker cannot be built: %s",
                 child_reason(&child, reason, 300));
        found.look = "make, without check";
    }
    child_free(&child);
    return right;
}

struct command {
    char size[32], block[24], grid[24], type[24], op[16];
};
#define WORDS_EACH 10

static struct command command_of(const struct trial *s)
{
    struct command c;

    snprintf(c.size, sizeof c.size, "--size=%zu", s->n > 0 ? s->n : 1);
    snprintf(c.block, sizeof c.block, "--block=%u", s->block);
    snprintf(c.grid, sizeof c.grid, "--grid=%u", s->grid);
    snprintf(c.type, sizeof c.type, "--type=%s", type_name(s->type));
    snprintf(c.op, sizeof c.op, "--op=%s", op_name(s->op));
    return c;
}

/* One process, which runs all of these. */
static bool run_program(const struct trial *trials, unsigned count)
{
    struct command command[TOGETHER];
    char *words[TOGETHER * WORDS_EACH + 2], reason[TEXT_MAX];
    size_t at = 0;

    for (unsigned k = 0; k < count; k++) {
        command[k] = command_of(&trials[k]);
        char *of_this[] = {
            k == 0 ? (char *)(count == 1 && settings.program != NULL ? settings.program : settings.runner) : "--",
            "--quiet",
            "--ceiling=1",
            "--warmup=1",
            count == 1 ? "--iterations=2" : "--iterations=1",
            command[k].size,
            command[k].block,
            command[k].type,
            command[k].op,
            command[k].grid};
        size_t take = WORDS_EACH - (trials[k].grid == 0);
        memcpy(&words[at], of_this, take * sizeof *words);
        at += take;
    }
    words[at] = NULL;
    struct child_job job = {.words = words, .limit = {10, 4}};
    struct child child = child_run(&job);
    bool right = child.how == CHILD_ENDED && child.status == 0;
    if (!right) {
        unsigned k = 0;
        for (const char *line = child.said; (line = strstr(line, "\n#")) != NULL; line++)
            k = (unsigned)atoi(line + 2);
        const struct command *c = &command[k < count ? k : 0];
        found.code = "program";
        snprintf(found.what, TEXT_MAX, "its own program says that it is wrong: %s", child_reason(&child, reason, 300));
        snprintf(found.where, TEXT_MAX, "%.31s %.23s %.23s %.15s %.23s", c->size, c->block, c->type, c->op,
                 trials[k < count ? k : 0].grid > 0 ? c->grid : "");
        found.look = "what is different when it runs alone";
    }
    child_free(&child);
    return right;
}

bool check_program(void)
{
    unsigned all = PROGRAM_RUNS + every_count(), count;
    struct trial trials[TOGETHER];
    bool right = true;

    if (!settings.traced)
        return true;
    round_begin("its own program", all);
    right = build_program();
    unsetenv("HIP_CPU_TRACE");
    unsetenv("HIP_CPU_MEMORY");
    unsetenv("HIP_CPU_WORKERS");       /* as it runs anywhere */
    setenv("OMP_NUM_THREADS", "1", 1); /* further threads would spin while they wait */
    for (unsigned from = 0; right && from < all; from += count) {
        if (from == PROGRAM_RUNS)
            setenv("HIP_CPU_WORKERS", "2", 1);
        count = from < PROGRAM_RUNS ? 1 : all - from < TOGETHER ? all - from : TOGETHER;
        for (unsigned k = 0; k < count; k++) {
            trials[k] = from < PROGRAM_RUNS ? alone(from) : every_one(mix(settings.seed, 9), from + k - PROGRAM_RUNS);
            round_step();
        }
        right = run_program(trials, count);
    }
    round_close(right);
    return right;
}
