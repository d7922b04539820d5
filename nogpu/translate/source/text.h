/* Text that grows, and lists of words.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_TEXT_H
#define HIP_CPU_TRANSLATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A parameter that a function has for its type. */
#define UNUSED __attribute__((unused))

/* What malloc() has returned; ends the program if that is no memory: exit code 3. */
void *must(void *data);

/* Grows; no zero at the end. */
struct text {
    char *data;
    size_t length, capacity;
};
void text_add(struct text *t, const char *data, size_t length);
void text_print(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *t);

/* All that comes from a descriptor, with a zero at its end; closes it. */
struct text read_all(int from);

bool ends_with(const char *text, const char *end);
/* Whether it is one of the words; NULL ends them. */
bool is_any(const char *text, const char *const *words);

#endif
