/* What a compiler says, in the words of the author's source.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_MESSAGES_H
#define HIP_CPU_MESSAGES_H

#include <stdbool.h>

/* What the platform has not is one thing to say, however often a program uses it: shows a line about each. Whether there
 * was such a thing. */
bool messages_missing(const char *said);
/* Shows all of it, but not how the compiler came to the headers that are read before the source. */
void messages_show(const char *said);

#endif
