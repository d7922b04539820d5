/* The end of the program after a fault: one line that says which thread did what, and exit code 3.
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "internal.h"

void (*hip_cpu_look_closer)(void);

void hip_cpu_begin_fatal(void)
{
    static atomic_flag taken = ATOMIC_FLAG_INIT; /* the process ends only once */
    static __thread bool mine;

    while (!mine && atomic_flag_test_and_set(&taken))
        pause();
    mine = true;
}

static enum hip_cpu_fault which;
static void (*at_fault)(enum hip_cpu_fault fault);

void hip_cpu_begin_fault(enum hip_cpu_fault fault)
{
    hip_cpu_begin_fatal();
    which = fault;
}

void hip_cpu_set_at_fault(void (*tell)(enum hip_cpu_fault fault)) { at_fault = tell; }

void hip_cpu_end_fatal(void)
{
    if (at_fault)
        at_fault(which);
    OBSERVE(finish);
    _exit(EXIT_DEVICE_FAULT);
}

void hip_cpu_fatal(const char *format, ...)
{
    va_list arguments;

    hip_cpu_begin_fatal();
    fflush(stdout);
    va_start(arguments, format);
    vfprintf(stderr, hip_cpu_named(format), arguments);
    va_end(arguments);
    hip_cpu_end_fatal();
}

void hip_cpu_fail(const char *what, const char *file, int line)
{
    char who[512];

    OBSERVE(fault, which, 0, what, file, (unsigned)line, 0);
    hip_cpu_describe_thread(who, sizeof who);
    hip_cpu_fatal("%s, at %s:%d: %s\n", who, file, line, hip_cpu_named(what));
}

void hip_cpu_describe_thread(char *text, size_t size)
{
    const struct hip_cpu_thread *t = hip_cpu_current;

    if (hip_cpu_look_closer)
        hip_cpu_look_closer();
    if (!t) {
        snprintf(text, size, "hip: host code");
        return;
    }
    const uint3 *b = &t->block->index;
    int length = snprintf(text, size, "hip: kernel %s, block (%u,%u,%u)", t->block->kernel, b->x, b->y, b->z);
    if (t->block->loops != HIP_CPU_LOOPS_RUN && length < (int)size)
        snprintf(text + length, size - (size_t)length, ", thread (%u,%u,%u)", t->index.x, t->index.y, t->index.z);
}

#ifndef LIBRARY
/* The sanitizers call these when they report something. */
void __asan_on_error(void);
void __ubsan_on_report(void);

static void say_who(void)
{
    char who[512];

    if (!hip_cpu_current)
        return;
    hip_cpu_describe_thread(who, sizeof who);
    fprintf(stderr, "%s:\n", who);
}

void __asan_on_error(void) { say_who(); }

void __ubsan_on_report(void) { say_who(); }
#endif
