/* Kernels as loops over the threads of a block.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_LOOPS_H
#define HIP_CPU_TRANSLATE_LOOPS_H

#include "../source/edits.h"

/* All files of the author's that a source is made of. */
struct sources {
    const struct source **source;
    size_t count;
    struct answers *answers;
};
struct answers *answers_new(void);
void answers_free(struct answers *a);
/* asked(all, word, depth), which is always the same. */
typedef bool question(const struct sources *all, const char *word, unsigned depth);
bool ask(const struct sources *all, question *asked, const char *word, unsigned depth);

/* Kernels as loops, before each that is understood; when all other edits are known. file: its name for the compiler, which
 * warns of the kernel itself, and not of its loops. */
void find_loops(const struct sources *all, const struct source *s, const char *file, struct edits *e);

#endif
