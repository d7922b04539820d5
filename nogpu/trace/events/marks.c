/* Which calls of the kernels took place: a bit for each byte of the program's code.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../trace_internal.h"

unsigned char *trace_marks;

void trace_mark_code(void) { trace_marks = trace_check_alloc(calloc((size_t)(etext - __executable_start) / 8 + 1, 1)); }

bool trace_is_marked(uintptr_t code)
{
    uintptr_t at = code - (uintptr_t)__executable_start;
    return trace_marks && trace_marks[at / 8] >> at % 8 & 1;
}
