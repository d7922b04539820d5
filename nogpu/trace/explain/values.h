/* The values that lanes load and store. An event comes before its access, so what is stored is read at the next event.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_EXPLAIN_VALUES_H
#define TRACE_EXPLAIN_VALUES_H

#include <stdint.h>

/* Copies what the memory holds now. */
void values_take(void *to, uintptr_t from, unsigned bytes);
/* Copies what it holds after the access that is about to happen, and then adds `bit` to *known. */
void values_take_later(void *to, uintptr_t from, unsigned bytes, uint64_t *known, uint64_t bit);
/* At each event, first of all. */
void values_complete(void);

#endif
