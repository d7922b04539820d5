/* Fatal errors of run: one line that says what is wrong and what to do, then exit.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_FAILURE_H
#define REDUCTION_FAILURE_H

#include <stddef.h>

/* The command line is wrong: exit code 2. */
_Noreturn void refuse(const char *argument, const char *why);

/* malloc(), realloc() and strdup(); on failure they end the program. */
void *allocate(size_t bytes);
void *reallocate(void *memory, size_t bytes);
char *duplicate(const char *text);

#endif
