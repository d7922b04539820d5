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
    " barrier block current dynamic_shared fail fence grid_barrier is_cooperative late late_cas "
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

#define PROGRAM_RUNS 4

bool check_program(void)
{
    unsigned runs = settings.all ? 12 : PROGRAM_RUNS;
    bool right = true;

    if (!settings.traced)
        return true;
    round_begin("its own program", runs);
    unsetenv("HIP_CPU_TRACE");
    unsetenv("HIP_CPU_MEMORY");
    setenv("HIP_CPU_WORKERS", "2", 1);
    setenv("OMP_NUM_THREADS", "1", 1); /* further threads would spin while they wait */
    for (unsigned k = 0; right && k < runs; k++) {
        struct trial s = {0};
        char size[40], block[40], type[40], op[40], reason[TEXT_MAX];
        uint64_t r = mix(settings.seed, 5000 + k);
        trial_choose(&s, k);
        s.n = 1 + r % (k % 2 == 0 ? 3000 : 60000);
        s.block = k == 0 ? 256 : 1 + (unsigned)((r >> 24) % 512);
        snprintf(size, sizeof size, "--size=%zu", s.n);
        snprintf(block, sizeof block, "--block=%u", s.block);
        snprintf(type, sizeof type, "--type=%s", type_name(s.type));
        snprintf(op, sizeof op, "--op=%s", op_name(s.op));
        char *words[] = {(char *)settings.runner,
                         "--quiet",
                         "--ceiling=1",
                         "--warmup=1",
                         "--iterations=2",
                         size,
                         block,
                         type,
                         op,
                         NULL};
        struct child_job job = {.words = words, .limit = {10, 4}};
        struct child child = child_run(&job);
        right = child.how == CHILD_ENDED && child.status == 0;
        if (!right) {
            found.code = "program";
            snprintf(found.what, TEXT_MAX, "its own program says that it is wrong: %s",
                     child_reason(&child, reason, 300));
            snprintf(found.where, TEXT_MAX, "%s %s %s %s", size, block, type, op);
            found.look = "what is different when it runs alone";
        }
        child_free(&child);
        round_step();
    }
    round_close(right);
    return right;
}
