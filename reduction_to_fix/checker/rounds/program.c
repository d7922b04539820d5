/* The exercise as a program, as which the runner acts, too: whether it reports OK.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checker.h"
#include "process/child.h"

#define PROGRAM_RUNS 4
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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

/* One process, which runs all of these. */
static bool run_program(void)
{
    static const char *const usual[] = {"--", "--quiet", "--ceiling=1", "--warmup=1", "--iterations=2"};
    char own[PROGRAM_RUNS][4][32], *words[PROGRAM_RUNS * (COUNT(usual) + COUNT(*own)) + 1], reason[TEXT_MAX];
    size_t at = 0;

    for (unsigned k = 0; k < PROGRAM_RUNS; k++) {
        struct trial s = alone(k);
        snprintf(own[k][0], sizeof **own, "--size=%zu", s.n > 0 ? s.n : 1);
        snprintf(own[k][1], sizeof **own, "--block=%u", s.block);
        snprintf(own[k][2], sizeof **own, "--type=%s", type_name(s.type));
        snprintf(own[k][3], sizeof **own, "--op=%s", op_name(s.op));
        for (size_t i = 0; i < COUNT(usual); i++)
            words[at + i] = (char *)(at + i == 0 ? settings.runner : usual[i]);
        for (size_t i = 0; i < COUNT(*own); i++)
            words[at + COUNT(usual) + i] = own[k][i];
        at += COUNT(usual) + COUNT(*own);
        round_step();
    }
    words[at] = NULL;
    struct child_job job = {.words = words, .limit = {10, 4}};
    struct child child = child_run(&job);
    bool right = child.how == CHILD_ENDED && child.status == 0;
    if (!right) {
        unsigned k = 0;
        for (const char *line = child.said; (line = strstr(line, "\n#")) != NULL; line++)
            k = (unsigned)atoi(line + 2);
        k = k < PROGRAM_RUNS ? k : 0;
        found.code = "program";
        snprintf(found.what, TEXT_MAX, "its own program says that it is wrong: %s", child_reason(&child, reason, 300));
        snprintf(found.where, TEXT_MAX, "%.31s %.31s %.31s %.31s", own[k][0], own[k][1], own[k][2], own[k][3]);
        found.look = "what is different when it runs alone";
    }
    child_free(&child);
    return right;
}

bool check_program(void)
{
    if (!settings.traced)
        return true;
    round_begin("its own program", PROGRAM_RUNS);
    unsetenv("HIP_CPU_TRACE");
    unsetenv("HIP_CPU_MEMORY");
    unsetenv("HIP_CPU_WORKERS");       /* as it runs anywhere */
    setenv("OMP_NUM_THREADS", "1", 1); /* further threads would spin while they wait */
    bool right = run_program();
    round_close(right);
    return right;
}
