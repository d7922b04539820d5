/* What index.c has found in a text, so that it is not read again for each question.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_INDEX_H
#define HIP_CPU_TRANSLATE_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* The places of words, by a number made of their letters: those of number i are place[first[i] .. first[i + 1]), in order. */
struct places {
    size_t numbers; /* a power of two */
    size_t *first, *place;
};
struct source_index {
    struct places words, defined; /* names of macros, where they are defined */
    size_t *open;
};

uint32_t hash_of(const char *word, size_t length);

#endif
