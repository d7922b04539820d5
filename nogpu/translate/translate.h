/* HIP and CUDA as people write them, to what a host's C++ compiler takes: kernel<<<grid, block>>>(arguments) and
 * extern __shared__ become macros of hip_cpu/kernel/launch.h and hip_cpu/language.h. All other text stays as it is, to the
 * byte, and #line keeps the author's file, line and column for what follows on a line that changed.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_H
#define HIP_CPU_TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>

/* Grows; no zero at the end. */
struct text {
    char *data;
    size_t length, capacity;
};
void text_add(struct text *t, const char *data, size_t length);
void text_print(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *t);

/* The text of a file. In code[] comments, the insides of literals, and backslashes at the end of lines are blanks, so
 * that what looks like code there is not found. */
struct source {
    const char *text; /* [length] */
    size_t length;
    char *code;      /* [length] */
    bool *directive; /* [length]: part of a line that begins with # */
};
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
/* `open` is a ( [ or {: behind the one that closes it; 0: there is none. Backwards: where the one that ends before
 * `end` opens; (size_t)-1: nowhere. */
size_t behind_bracket(const struct source *s, size_t open);
size_t before_bracket(const struct source *s, size_t end);

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

/* Adds the macros that are a configuration alone, <<<...>>>; finds launches with one of them. */
void find_launches(const struct source *s, struct edits *e, struct text *configurations);
void find_configured(const struct source *s, const struct text *configurations, struct edits *e);
void find_shared(const struct source *s, struct edits *e);
void find_names(const struct source *s, struct edits *e);
/* Adds the names of kernels, a line for each; finds where one of them is cast to void *. */
void find_kernels(const struct source *s, struct text *names);
void find_addresses(const struct source *s, const struct text *names, struct edits *e);
/* What is compiled for the device alone sees that it is. */
void find_device(const struct source *s, struct edits *e);
/* Whether `at` is in a function for the device alone. */
bool for_device(const struct source *s, size_t at);
/* Functions for the host and for the device of one name and type. */
void find_overloads(const struct source *s, struct edits *e);
/* Where threads begin a kernel, and where they end it before its last line, only for sources that are not ours. */
void find_threads(const struct source *s, bool foreign, struct edits *e);

/* From behind what comes before a declaration to its {. */
size_t head_begin(const struct source *s, size_t brace);
/* The { of a kernel, whose __global__ ends at `at`: void __launch_bounds__(256) name(...) {. 0: it has none, or one that a
 * macro hides. *bounds: the ( of its __launch_bounds__, or 0. */
size_t kernel_brace(const struct source *s, size_t at, size_t *bounds);

/* All files of the author's that a source is made of. */
struct sources {
    const struct source **source;
    size_t count;
};
/* Kernels as loops, before each that is understood; when all other edits are known. file: its name for the compiler, which
 * warns of the kernel itself, and not of its loops. */
void find_loops(const struct sources *all, const struct source *s, const char *file,
                struct edits *e);

/* The text of [begin, end) with its edits. */
void edits_copy(const struct source *s, struct edits *e, size_t begin, size_t end,
                struct text *out);
/* Writes the source with its edits; name is what the compiler calls the file. */
void edits_apply(const struct source *s, struct edits *e, const char *name, struct text *out);

#endif
