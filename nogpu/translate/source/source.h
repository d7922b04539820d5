/* The text of a file, and where in it is code.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_SOURCE_H
#define HIP_CPU_TRANSLATE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/* The text of a file. In code[] comments, the insides of literals, and backslashes at the end of lines are blanks, so
 * that what looks like code there is not found. */
struct source {
    const char *text; /* [length] */
    size_t length;
    char *code;      /* [length] */
    bool *directive; /* [length]: part of a line that begins with # */
    struct source_index *index;
};
#define NOWHERE ((size_t)-1) /* no such place */

struct source source_read(const char *text, size_t length);
void source_free(struct source *s);

/* Where to look in code[]. */
bool is_word(char c);
bool is_blank(char c);
/* From `at` over blanks. Backwards: the last character that is none, as its place + 1; 0: there is none. */
size_t skip_blanks(const struct source *s, size_t at);
size_t skip_blanks_back(const struct source *s, size_t end);
/* The word that ends at `end`: where it begins; `end` if there is none. And the end of one that begins at `at`. */
size_t word_begin(const struct source *s, size_t end);
size_t word_end(const struct source *s, size_t at);
bool is_text(const struct source *s, size_t begin, size_t end, const char *text);
/* Whether it is one of the texts; NULL ends them. */
bool is_any_text(const struct source *s, size_t begin, size_t end, const char *const *texts);
/* Behind the word or the character at a place. */
size_t token_end(const struct source *s, size_t at);
/* Whether nothing but blanks stands between a place and the end of its line. */
bool ends_line(const struct source *s, size_t at);
/* `open` is a ( [ or {: behind the one that closes it; 0: there is none. Backwards: where the one that ends before
 * `end` opens; NOWHERE: it does not. */
size_t behind_bracket(const struct source *s, size_t open);
size_t before_bracket(const struct source *s, size_t end);

/* Behind <...>, as in template <typename T>; NOWHERE: it is none. */
size_t behind_angles(const struct source *s, size_t at);
bool has_word(const struct source *s, size_t begin, size_t end, const char *word);
/* Where the word stands first in [begin, end); NOWHERE: it does not. */
size_t find_word(const struct source *s, size_t begin, size_t end, const char *word);
/* Behind the name of a macro, where it is first defined from `at` on; NOWHERE: it is not. */
size_t find_definition(const struct source *s, size_t at, const char *name, size_t length);
/* The { of the innermost block around `at` that is open there; NOWHERE: none. Directives do not count. */
size_t open_brace(const struct source *s, size_t at);

#endif
