/* The same exercise, compiled so that every access is traced, and run with the tools that examine them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker.h"

#define TRACED_RUNS 6

/* The traced program's output in *said (to be freed); true if it exits with 0. */
static bool run_traced(const char *tool, const char *warp, const char *memory,
                       char *const *arguments, char **said, struct end *end)
{
    if (tool != NULL)
        setenv("HIP_CPU_TRACE", tool, 1);
    setenv("HIP_CPU_WARP_SIZE", warp, 1);
    if (memory != NULL)
        setenv("HIP_CPU_MEMORY", memory, 1);
    *end = child_program(arguments, said);
    unsetenv("HIP_CPU_TRACE");
    unsetenv("HIP_CPU_WARP_SIZE");
    unsetenv("HIP_CPU_MEMORY");
    return end->how == ENDED;
}

/* The first race of a report, without those after it; NULL if there is none. */
static char *first_race(const char *said)
{
    const char *from = said != NULL ? strstr(said, "\nrace 1: ") : NULL;

    if (from == NULL)
        return NULL;
    const char *to = strstr(++from, "\n\n");
    return strndup(from, to != NULL ? (size_t)(to - from) : strlen(from));
}

/* Looks for a race in a few shapes; its report, or NULL. */
static char *find_race(const char **warp, bool tells)
{
    static const char *const shapes[][3] = {
        {"1009", "96", "5"}, {"2000", "256", "3"}, {"77", "64", "1"}};
    static const char *const warps[] = {"32", "64"};

    for (size_t k = 0; k < 6; k++) {
        const char *const *s = shapes[k / 2];
        char size[32], block[32], grid[32], *said = NULL;
        struct end end;
        snprintf(size, sizeof size, "--size=%s", s[0]);
        snprintf(block, sizeof block, "--block=%s", s[1]);
        snprintf(grid, sizeof grid, "--grid=%s", s[2]);
        char *arguments[] = {(char *)options.race,
                             "--quiet",
                             "--iterations=1",
                             "--warmup=0",
                             "--ceiling=1",
                             "--type=long",
                             size,
                             block,
                             grid,
                             NULL};
        run_traced("races", warps[k % 2], NULL, arguments, &said, &end);
        char *race = first_race(said);
        free(said);
        if (tells) {
            common->alive++;
            tell();
        }
        if (race != NULL) {
            *warp = warps[k % 2];
            return race;
        }
    }
    return NULL;
}

bool check_race(void)
{
    const char *warp = "";

    if (options.race == NULL)
        return true;
    round_begin("every access, for races", TRACED_RUNS);
    report = find_race(&warp, true);
    round_close(report == NULL);
    if (report == NULL)
        return true;
    found.code = "race";
    snprintf(found.what, TEXT_MAX,
             "a race: two threads use the same memory, and nothing orders them; that the results "
             "were right "
             "is luck");
    snprintf(found.where, TEXT_MAX, "a run with every access seen, warps of %s", warp);
    found.look = "the two lines below";
    return false;
}

void explain_race(void)
{
    const char *warp;

    if (options.race != NULL && report == NULL && found.code != NULL &&
        (strcmp(found.code, "race") == 0 || strcmp(found.code, "one_thread") == 0 ||
         strcmp(found.code, "weak_memory") == 0 || strcmp(found.code, "lost_threads") == 0))
        report = find_race(&warp, false);
}

/* Stores become visible to other blocks as late as the memory model allows: the result must not depend on it. */
bool check_weak(void)
{
    static const char *const seeds[] = {"weak:1", "weak:2", "weak:3"};
    unsigned wrong = 0;

    if (options.race == NULL)
        return true;
    round_begin("weak memory", 3);
    for (size_t k = 0; k < 3; k++) {
        char *arguments[] = {(char *)options.race, "--quiet",     "--iterations=1", "--warmup=0",
                             "--ceiling=1",        "--type=long", "--size=2009",    "--block=96",
                             "--grid=7",           NULL};
        char *said = NULL;
        struct end end;
        run_traced(NULL, "32", seeds[k], arguments, &said, &end);
        free(said);
        wrong += end.how == CRASHED && end.status == 1;
        common->alive++;
        tell();
    }
    round_close(wrong == 0);
    if (wrong == 0)
        return true;
    found.code = "weak_memory";
    snprintf(found.what, TEXT_MAX,
             "right on most machines, and wrong in %u of 3 runs where what one block stores "
             "becomes visible to "
             "another as late as HIP allows: nothing orders the two",
             wrong);
    snprintf(found.where, TEXT_MAX,
             "sum of 2009 elements of type long, 7 blocks of 96 threads, warps of 32");
    found.look = "what one block writes and another one reads: what says that the write is done?";
    return false;
}
