/* Macros that name an architecture, as compilers for GPUs define them.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

/* gfx90a:xnack+ is of generation 9, gfx1100 of 11; of several the first. sm_90a or compute_90: of several the newest. */
void target_note(struct target *t, const char *text, bool cuda)
{
    const char *at = text;

    while (cuda && (at = strchr(at, '_'))) {
        int number = atoi(++at);
        if (number >= 30 && number * 10 > t->number)
            t->number = number * 10;
    }
    if (cuda || *t->name || !(at = strstr(text, "gfx")))
        return;
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");
    size_t digits = strspn(at + 3, "0123456789abcdef");
    if (length >= sizeof t->name || digits == 0)
        return;
    bool generic = length > 3 + digits; /* gfx9-4-generic, gfx11-generic */
    if (!generic && digits < 3)
        return;
    size_t major = generic ? digits : digits - 2;
    for (size_t i = 0; i < major; i++)
        t->generation = 10 * t->generation + at[3 + i] - '0';
    for (size_t i = 0; i < length; i++)
        t->name[i] = at[i] == '-' ? '_' : at[i];
    t->number = 100 * t->generation + (generic ? 0 : 10 * (at[3 + major] - '0'));
}

/* NOLINTBEGIN(clang-analyzer-unix.Malloc): words live as long as the process */
static void define(struct words *w, const char *format, const char *name, int value)
{
    char text[96];

    snprintf(text, sizeof text, format, name, value);
    add(w, strdup(text));
}
/* NOLINTEND(clang-analyzer-unix.Malloc) */

void target_define(const struct target *t, const char *warp_size, bool cuda, struct words *w)
{
    bool narrow = warp_size ? strcmp(warp_size, "32") == 0 : t->generation >= 10 && !t->wave64;
    int warp = cuda || narrow ? 32 : 64;
    int generation = t->generation ? t->generation : warp == 64 ? 9 : 11;

    if (!cuda) {
        define(w, "-D__GFX%s%d__", "", generation);
        define(w, "-D__AMDGCN_WAVEFRONT_SIZE%s=%d", "", warp);
        define(w, "-D__AMDGCN_WAVEFRONT_SIZE%s=%d", "__", warp);
    }
    if (*t->name)
        define(w, "-D__%s__", t->name, 0);
    if (t->number == 0)
        return;
    define(w, "-DHIP_CPU_TARGET%s=%d", "", t->number);
    define(w, "-DHIP_CPU_TARGET_%s=%d", "WARP", warp);
    add(w, "-include");
    add(w, "hip_cpu/target.h");
}
