/* What source.c keeps about a text, so that it is not read again for each question.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_INDEX_H
#define HIP_CPU_TRANSLATE_INDEX_H

struct source;
struct source_index *index_new(void);
void index_free(struct source_index *index);

#endif
