/* SPDX-License-Identifier: MIT */
#include "failure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"

void refuse(const char *argument, const char *why)
{
    fprintf(stderr, "%s: %s; %s --help shows the options\n", argument, why, program_invocation_short_name);
    exit(EXIT_USAGE);
}

static void *check(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "%s: memory on the host: %s: give fewer programs\n", program_invocation_short_name,
                strerror(errno));
        exit(EXIT_DEVICE);
    }
    return memory;
}

void *allocate(size_t bytes) { return check(calloc(1, bytes > 0 ? bytes : 1)); }

void *reallocate(void *memory, size_t bytes) { return check(realloc(memory, bytes > 0 ? bytes : 1)); }

char *duplicate(const char *text) { return check(strdup(text)); }
