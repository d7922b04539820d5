/* Replacements in a source, and the author's lines and columns behind them: all other text stays as it is, to the byte, and
 * #line keeps file, line and column for what follows on a line that changed.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_EDITS_H
#define HIP_CPU_TRANSLATE_EDITS_H

#include "source.h"
#include "text.h"

/* A replacement. */
struct edit {
    size_t begin, end;
    struct text text;
    bool restart; /* what follows keeps its column */
};
struct edits {
    struct edit *edit;
    size_t count, capacity;
};
/* To be added to. Edits may be made in any order, but do not overlap. */
struct text *edits_add(struct edits *e, size_t begin, size_t end, bool restart);
void edits_free(struct edits *e);

/* The text of [begin, end) with its edits. */
void edits_copy(const struct source *s, struct edits *e, size_t begin, size_t end, struct text *out);
/* Writes the source with its edits; name is what the compiler calls the file. */
void edits_apply(const struct source *s, struct edits *e, const char *name, struct text *out);

#endif
