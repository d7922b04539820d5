/* Under valgrind: it hears of stacks and allocations, and what it finds gets the name of a thread. Its requests are a sequence
 * of instructions that does nothing elsewhere (valgrind.h).
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../internal.h"

enum {
    RUNNING_ON_VALGRIND = 0x1001,
    COUNT_ERRORS = 0x1201,
    PRINTF = 0x1403,
    STACK_REGISTER = 0x1501,
    MEMORY = 'M' << 24 | 'C' << 16 /* and then the kind */
};
/* For each launch, so many threads are named. */
#define NAMES_MAX 8

bool hip_cpu_valgrind;
static uint64_t errors;
static uint64_t launch;
static unsigned names;

static uint64_t request(uint64_t what, uintptr_t first, uintptr_t second)
{
    uint64_t result = 0;
#if defined(__x86_64__)
    volatile uint64_t words[6] = {what, first, second};

    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; "
                     "xchgq %%rbx, %%rbx"
                     : "+d"(result)
                     : "a"(words)
                     : "cc", "memory");
#else
    (void)what, (void)first, (void)second;
#endif
    return result;
}

/* After the settings. */
__attribute__((constructor(102))) static void find_valgrind(void)
{
    hip_cpu_valgrind = request(RUNNING_ON_VALGRIND, 0, 0) > 0;
    if (hip_cpu_valgrind && !getenv("HIP_CPU_WORKERS"))
        hip_cpu_config.workers = 1;
}

void hip_cpu_announce_stack(const char *bottom, const char *end)
{
    request(STACK_REGISTER, (uintptr_t)bottom, (uintptr_t)end);
}

void hip_cpu_announce_memory(const void *start, size_t bytes, enum hip_cpu_announced kind)
{
    request((uint64_t)MEMORY + kind, (uintptr_t)start, bytes);
}

static void say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    request(PRINTF, (uintptr_t)format, (uintptr_t)&arguments);
    va_end(arguments);
}

void hip_cpu_name_finder(void)
{
    uint64_t now = request(COUNT_ERRORS, 0, 0);
    const struct run *run = hip_cpu_worker->run;
    char who[512];

    if (now > errors && hip_cpu_current) {
        names = launch == run->seed ? names + 1 : 1;
        launch = run->seed;
        hip_cpu_describe_thread(who, sizeof who);
        if (names <= NAMES_MAX)
            say("%s: what is said above\n", who);
    }
    errors = now;
}
