/* The exercise as a program: which functions it calls, and whether the program itself reports OK.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checker.h"
#include "process/child.h"

/* ---- what it calls ---- */

/* Prefixes: functions that compilers call by themselves, and the course's. */
static const char *const beginnings[] = {"__tsan_",  "__ubsan_", "__asan_", "__cxa_",
                                         "_Unwind_", "__gxx_",   "_ZdlPv",  "_ZdaPv",
                                         "_GLOBAL_", "extra_",   "input_",  "reference_of_"};

/* C: memory and text. */
static const char of_c[] = " __stack_chk_fail _Znwm _Znam warpSize __dso_handle memcpy memmove "
                           "memset memcmp strlen strcmp "
                           "strncmp strchr strstr malloc calloc realloc free qsort abort printf "
                           "puts putchar fprintf fputs "
                           "fputc fwrite fflush snprintf stdout stderr __assert_fail ";

/* The platform: functions behind HIP's names. Not its clock, and not those for checkers. */
static const char platform[] =
    " barrier block current dynamic_shared exceeds fail fence grid_barrier is_cooperative late "
    "late_cas "
    "late_found late_word launch_noted look note_kernel returns run scope shuffle shuffle_mask "
    "syncthreads vote vote_mask ";

/* HIP calls whose work the runner sees (runner/calls.c), and queries. The work of others, such as a host function on a
 * stream, would go unseen. */
static const char hip_calls[] =
    " hip_check hipLaunchKernel hipLaunchCooperativeKernel hipMalloc hipFree hipHostMalloc "
    "hipHostFree hipMallocHost hipFreeHost hipHostAlloc "
    "hipExtMallocWithFlags hipMallocAsync hipFreeAsync "
    "hipMemcpy hipMemcpyAsync hipMemcpyWithStream hipMemcpyDtoH hipMemcpyDtoHAsync hipMemcpyDtoD "
    "hipMemcpyDtoDAsync hipMemcpyHtoD hipMemcpyHtoDAsync hipMemset hipMemsetAsync hipMemsetD8 "
    "hipMemsetD16 hipMemsetD32 hipMemsetD32Async hipHostGetDevicePointer hipPointerGetAttributes "
    "hipMemGetInfo "
    "hipStreamCreate hipStreamCreateWithFlags hipStreamCreateWithPriority hipStreamDestroy "
    "hipStreamSynchronize hipStreamQuery hipStreamWaitEvent hipDeviceSynchronize "
    "hipEventCreate hipEventCreateWithFlags hipEventDestroy hipEventRecord hipEventSynchronize "
    "hipEventQuery "
    "hipGetLastError hipPeekAtLastError hipGetErrorName hipGetErrorString hipGetDevice "
    "hipSetDevice "
    "hipGetDeviceCount hipGetDeviceProperties hipDeviceGetAttribute hipFuncGetAttributes "
    "hipFuncSetAttribute hipOccupancyMaxActiveBlocksPerMultiprocessor "
    "hipOccupancyMaxPotentialBlockSize ";

static bool is_word_of(const char *words, const char *name)
{
    char word[80];

    snprintf(word, sizeof word, " %.70s ", name);
    return strstr(words, word) != NULL;
}

/* Also HIP's variables, and helpers for bit operations that the processor lacks. */
static const char mathematics[] =
    " abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 "
    "expm1 "
    "fabs fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma log log10 log1p log2 logb "
    "lrint lround llrint llround modf nearbyint nextafter pow remainder rint round scalbn sin "
    "sincos "
    "sinh sqrt tan tanh tgamma trunc div ldiv labs llabs "
    "blockDim blockIdx gridDim threadIdx "
    "__popcountdi2 __popcountsi2 __clzdi2 __clzsi2 __ctzdi2 __ctzsi2 __ffsdi2 __ffssi2 ";

static bool is_mathematics(const char *name)
{
    char of_float[40];
    size_t length = strlen(name);

    if (length == 0 || length > 30)
        return false;
    snprintf(of_float, sizeof of_float, "%.*s", (int)length - 1, name);
    return is_word_of(mathematics, name) ||
           (name[length - 1] == 'f' && is_word_of(mathematics, of_float));
}

static bool is_allowed(const char *name)
{
    if (strncmp(name, "hip_cpu_", 8) == 0)
        return is_word_of(platform, name + 8);
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
        if (strncmp(name, beginnings[k], strlen(beginnings[k])) == 0)
            return true;
    return is_word_of(of_c, name) || is_word_of(hip_calls, name) || is_mathematics(name);
}

static void diagnose_symbol(const char *line)
{
    const char *name = strchr(line, ' ');

    snprintf(found.where, TEXT_MAX, "the compiled exercise");
    if (strncmp(line, "include ", 8) == 0) {
        found.code = "include";
        snprintf(found.what, TEXT_MAX, "it includes %.200s: an exercise stands alone", name + 1);
        found.look = "the lines with #include";
    } else if (strncmp(line, "word ", 5) == 0) {
        found.code = "call";
        snprintf(found.what, TEXT_MAX,
                 "%.200s reveals where the code runs, so it could behave differently elsewhere",
                 name + 1);
        found.look = "the lines with that word";
    } else if (strncmp(line, "address ", 8) == 0) {
        found.code = "call";
        snprintf(found.what, TEXT_MAX,
                 "it takes the address of %.200s, which an exercise can only call", name + 1);
        found.look = "where that name stands without its arguments";
    } else if (strncmp(line, "host ", 5) == 0) {
        found.code = "call";
        snprintf(found.what, TEXT_MAX,
                 "a kernel calls %.200s, which has no __device__: no compiler for a GPU takes that",
                 name + 1);
        found.look = "the words before that function's name";
    } else if (strcmp(line, "shared") == 0) {
        found.code = "call";
        snprintf(found.what, TEXT_MAX,
                 "a __shared__ variable is larger than the 64 KiB that a block has on most GPUs");
        found.look = "the sizes of arrays in shared memory";
    } else if (strncmp(line, "define ", 7) == 0) {
        found.code = "define";
        snprintf(found.what, TEXT_MAX,
                 "it defines %.200s for the whole program, where others may mean their own",
                 name + 1);
        found.look = "extern \"C\": functions of an exercise are static, or kernels";
    } else {
        found.code = "call";
        snprintf(found.what, TEXT_MAX,
                 "it uses %.200s, which belongs neither to HIP nor to what an exercise needs",
                 line);
        if (strncmp(line, "hip", 3) == 0)
            snprintf(found.what, TEXT_MAX, "it uses %.200s, whose work the checker cannot see",
                     line);
        found.look = "the declarations and calls";
    }
}

/* Lines of symbols.sh. */
bool check_symbols(void)
{
    char line[512];
    FILE *file = settings.symbols != NULL ? fopen(settings.symbols, "r") : NULL;
    bool right = true;

    while (right && file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "number ", 7) == 0) {
            trial_number_add((size_t)atol(line + 7));
            continue;
        }
        right = *line == '\0' || (strchr(line, ' ') == NULL && is_allowed(line));
        if (!right)
            diagnose_symbol(line);
    }
    if (file != NULL)
        fclose(file);
    return right;
}

/* ---- its own verdict ---- */

#define PROGRAM_RUNS 4 /* each in a process of its own */
#define TOGETHER     64

/* Built late, since most submissions do not come as far as this. */
static bool build_program(void)
{
    char reason[TEXT_MAX];

    if (settings.build == NULL)
        return true;
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

/* Two sums of floating-point numbers, whose error bounds the program computes; then any type and operation. */
static struct trial alone(unsigned k)
{
    uint64_t r = mix(settings.seed, 5000 + k);
    struct trial s = {.n = (k < 2 ? 1000 : 1) + r % (k % 2 == 0 ? 3000 : 60000),
                      .block = k == 0 ? 256 : 1 + (unsigned)((r >> 24) % 512),
                      .type = k == 0 ? TYPE_FLOAT : TYPE_DOUBLE,
                      .op = OP_SUM};

    if (k < 2)
        return trial_here(s);
    trial_choose(&s, k);
    return s;
}

/* One process, which runs all of these. */
static bool run_program(const struct trial *trials, unsigned count)
{
    struct command command[TOGETHER];
    char *words[TOGETHER * WORDS_EACH + 2], reason[TEXT_MAX];
    size_t at = 0;

    for (unsigned k = 0; k < count; k++) {
        command[k] = command_of(&trials[k]);
        char *of_this[] = {k == 0
                               ? (char *)(count == 1 && settings.program != NULL ? settings.program
                                                                                 : settings.runner)
                               : "--",
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
        snprintf(found.what, TEXT_MAX, "its own program says that it is wrong: %s",
                 child_reason(&child, reason, 300));
        snprintf(found.where, TEXT_MAX, "%.31s %.23s %.23s %.15s %.23s", c->size, c->block, c->type,
                 c->op, trials[k < count ? k : 0].grid > 0 ? c->grid : "");
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
            trials[k] = from < PROGRAM_RUNS
                            ? alone(from)
                            : every_one(mix(settings.seed, 9), from + k - PROGRAM_RUNS);
            round_step();
        }
        right = run_program(trials, count);
    }
    round_close(right);
    return right;
}
