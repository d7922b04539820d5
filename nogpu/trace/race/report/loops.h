/* Loops with braces, as the source has them: a word before a brace.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_LOOPS_H
#define TRACE_LOOPS_H

#include "../../trace.h"

/* The line where the innermost loop around this line begins; 0: none. */
unsigned loops_around(const char *file, unsigned line);
/* If there is a loop around both lines, they become the first and the last one of the innermost. */
bool loops_widen(const char *file, unsigned *low, unsigned *high);

#endif
