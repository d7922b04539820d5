/* Right and slow: what the hardware would do, from the counts of HIP_CPU_TRACE=explain (make explain). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker.h"

#define ELEMENTS 2048
#define SHAPE    "sum of 2048 elements of type float, 2 blocks of 256 threads, warps of 32"

/* What solutions need; a tenth more is allowed. */
#define PASSES_BEST  90 /* of shared memory */
#define SECTORS_BEST (ELEMENTS * 4 / 32)

/* The number with this name in a line of JSON; 0 if it is not there. */
static unsigned long long number(const char *line, const char *name)
{
    char key[64];

    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(line, key);
    return at != NULL ? strtoull(at + strlen(key), NULL, 10) : 0;
}

struct counts {
    unsigned long long threads, passes, sectors, loads; /* threads: of all blocks */
    unsigned long long alone, line; /* the most loads by one or two lanes of a warp, and where */
};

/* All kernels together. Totals of a kernel stand in one line of text, and each line of its source in another. */
static struct counts count(char *json)
{
    struct counts c = {0};

    for (char *text = strtok(json, "\n"); text != NULL; text = strtok(NULL, "\n")) {
        text += strspn(text, " ");
        if (strncmp(text, "{\"kernel\": ", 11) == 0) {
            c.threads += number(text, "blocks") * number(text, "threads");
            c.passes += number(text, "shared_load_passes") + number(text, "shared_store_passes");
            c.sectors += number(text, "global_load_sectors");
            c.loads += number(text, "global_load_lanes");
        } else if (strncmp(text, "{\"file\": ", 9) == 0 &&
                   strstr(text, "\"kind\": \"load\"") != NULL) {
            unsigned long long times = number(text, "instructions");
            if (number(text, "lanes") <= 2 * times && times > c.alone) {
                c.alone = times;
                c.line = number(text, "line");
            }
        }
    }
    return c;
}

/* A thread that does the work of its block reads as often as the block has threads. In a tree, lanes that are left
 * alone read a few times. */
static bool judge_serial(const struct counts *c)
{
    if (c->alone < c->threads / 4)
        return true;
    found.code = "serial";
    snprintf(found.what, TEXT_MAX,
             "right and serial: the threads of a block wait for one of them, which reads alone in "
             "line %llu, %llu times for %llu threads",
             c->line, c->alone, c->threads);
    found.look = "how many threads work in each step: a block of 256 needs 8 steps, not 256";
    return false;
}

static bool judge_conflicts(const struct counts *c)
{
    if (c->passes <= PASSES_BEST + PASSES_BEST / 10)
        return true;
    found.code = "conflicts";
    snprintf(found.what, TEXT_MAX,
             "right and slow: shared memory needs %llu passes, and a tree can do with %d",
             c->passes, PASSES_BEST);
    found.look =
        "which words the lanes of a warp ask for in each step, and how many warps still have "
        "work: there are 32 banks, and each gives one word in a pass";
    return false;
}

static bool judge_sectors(const struct counts *c)
{
    if (c->sectors <= SECTORS_BEST + SECTORS_BEST / 10)
        return true;
    found.code = "sectors";
    snprintf(
        found.what, TEXT_MAX,
        "right and slow: %llu sectors of 32 bytes are moved for %llu elements, and %d would do",
        c->sectors, c->loads, SECTORS_BEST);
    found.look = "which elements the lanes of a warp read in the same turn of the loop";
    return false;
}

bool check_explain(void)
{
    char *arguments[] = {
        (char *)options.race, "--quiet",     "--iterations=1", "--warmup=0", "--ceiling=1",
        "--type=float",       "--size=2048", "--block=256",    "--grid=2",   NULL};
    const char *what = options.explain != NULL ? options.explain : "";
    char *said = NULL;

    if (options.race == NULL)
        return true;
    round_begin(strcmp(what, "conflicts") == 0 ? "threads at work, passes of shared memory"
                : strcmp(what, "sectors") == 0 ? "threads at work, sectors of global memory"
                                               : "threads at work",
                1);
    setenv("HIP_CPU_TRACE", "explain", 1);
    setenv("HIP_CPU_EXPLAIN", "json,machine:sm_90", 1);
    setenv("HIP_CPU_WARP_SIZE", "32", 1);
    struct end end = child_program(arguments, &said);
    unsetenv("HIP_CPU_TRACE");
    unsetenv("HIP_CPU_EXPLAIN");
    unsetenv("HIP_CPU_WARP_SIZE");
    struct counts c = {0};
    if (said != NULL)
        c = count(said);
    free(said);
    common->alive++;

    bool right;
    snprintf(found.where, TEXT_MAX, "%s", SHAPE);
    if (end.how != ENDED || c.threads == 0) {
        right = false;
        found.code = "crash";
        snprintf(found.what, TEXT_MAX, "the traced program did not run to its end: %.300s",
                 end.said);
        found.look = "what it says";
    } else {
        right = judge_serial(&c) && (strcmp(what, "conflicts") != 0 || judge_conflicts(&c)) &&
                (strcmp(what, "sectors") != 0 || judge_sectors(&c));
    }
    round_close(right);
    return right;
}
