/* Two functions of one name.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_OVERLOADS_H
#define HIP_CPU_TRANSLATE_OVERLOADS_H

#include "../source/edits.h"

/* Functions for the host and for the device of one name and type. */
void find_overloads(const struct source *s, struct edits *e);
/* Functions for both with bodies of their own; after all other edits. */
void find_both(const struct source *s, struct edits *e);

#endif
