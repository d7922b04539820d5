/* What a compiler says, in the words of the author's source.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_MESSAGES_H
#define HIP_CPU_MESSAGES_H

#include <stdbool.h>

/* Shows each missing feature of the platform once. Whether there was one. */
bool messages_missing(const char *said);
/* Shows all of it, but not how the compiler came to the headers that are read before the source. */
void messages_show(const char *said);
/* Shows warnings; those of results of HIP that are not looked at as one line. */
void messages_count_unchecked(const char *said);

#endif
