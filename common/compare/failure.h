/* How compare and bench give up: one line that says what is wrong and what to do, and the exit code. */
#ifndef REDUCTION_FAILURE_H
#define REDUCTION_FAILURE_H

#include <stddef.h>

/* The system has failed (errno says how): exit code 3. */
_Noreturn void give_up(const char *what, const char *advice);

/* The command line is wrong: exit code 2. */
_Noreturn void refuse(const char *argument, const char *why);

/* malloc(), realloc() and strdup() that give up. */
void *allocate(size_t bytes);
void *reallocate(void *memory, size_t bytes);
char *duplicate(const char *text);

#endif
