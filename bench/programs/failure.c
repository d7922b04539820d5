/* SPDX-License-Identifier: MIT */
#include "failure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"

void give_up(const char *what, const char *advice)
{
    fprintf(stderr, "%s: %s: %s: %s\n", program_invocation_short_name, what, strerror(errno),
            advice);
    exit(EXIT_DEVICE);
}

void refuse(const char *argument, const char *why)
{
    fprintf(stderr, "%s: %s; %s --help shows the options\n", argument, why,
            program_invocation_short_name);
    exit(EXIT_USAGE);
}

static void *check(void *memory)
{
    if (memory == NULL)
        give_up("memory on the host", "give fewer sizes or programs");
    return memory;
}

void *allocate(size_t bytes)
{
    return check(calloc(1, bytes > 0 ? bytes : 1));
}

void *reallocate(void *memory, size_t bytes)
{
    return check(realloc(memory, bytes > 0 ? bytes : 1));
}

char *duplicate(const char *text)
{
    return check(strdup(text));
}
