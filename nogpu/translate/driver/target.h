/* SPDX-License-Identifier: MIT */
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>

#include "../compiler/command.h"

/* What --offload-arch, -arch and their like name; number 0: nothing. */
struct target {
    char name[64]; /* gfx90a */
    int generation, number;
    bool wave64;
};
/* The text of such an option, or its value. */
void target_note(struct target *t, const char *text, bool cuda);
/* Adds what a compiler for it defines; warp_size: another one than its own, or NULL. */
void target_define(const struct target *t, const char *warp_size, bool cuda, struct words *w);

#endif
