/* The author's files: a source and the headers that it includes, found as a compiler finds them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_FILES_H
#define HIP_CPU_TRANSLATE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "../source/text.h"

/* Where the text names a header of the platform's own; NULL: nowhere. */
const char *own_header(const char *text);

struct file;
struct files {
    char *folder; /* for the copies; ends with XXXXXX until there is one */
    int failed;   /* the exit code, after a message */
    bool loops;   /* kernels get them (loops.c) */
    bool foreign; /* other people's: threads that return early count at barriers */
    const char **search, **define;
    size_t searched, quoted, own, defined; /* search[0 .. quoted) is for #include "..." alone; */
                                           /* from [own] on they have no warnings */
    struct file **file;
    size_t count;
    struct text configurations; /* names of macros, a line for each */
};
/* -iquote, -I, -isystem */
enum search { SEARCH_QUOTED, SEARCH_OWN, SEARCH_SYSTEM };
void files_search(struct files *f, const char *folder, enum search how);
/* NAME=VALUE: #include NAME. */
void files_define(struct files *f, const char *definition);
/* The file to compile: the source itself or its copy, which stays valid; NULL: see failed. */
char *files_translate(struct files *f, char *source);
/* Whether one of the files that were read uses HIP or CUDA. */
bool files_mention_device(const struct files *f);

#endif
