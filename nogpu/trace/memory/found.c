/* What the memory tool has found: one finding for one cause.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../trace_internal.h"
#include "memory.h"

#define FOUND_MAX 1000

static const char *const kinds[] = {
    [OUT_OF_BOUNDS] = "out of bounds",   [USE_AFTER_FREE] = "use after free",
    [MISALIGNED] = "misaligned",         [UNINITIALISED] = "uninitialised",
    [NULL_POINTER] = "null pointer",     [HOST_POINTER] = "host pointer",
    [DEVICE_POINTER] = "device pointer", [DOUBLE_FREE] = "double free",
    [INVALID_FREE] = "invalid free",     [LEAK] = "leak",
    [UNCHECKED] = "unchecked error",
};

struct found {
    struct found *next;
    enum memory_kind kind;
    uintptr_t start; /* of the block; 0: none */
    const char *kernel;
    struct finding_shown shown;
};

/* Another line of the same cause, once. */
static void add_line(struct finding_shown *f, const char *file, unsigned line)
{
    char *text = finding_text("%s:%u", file, line);
    bool is_known = f->side[0].line == line && strcmp(f->side[0].file, file) == 0;

    for (unsigned i = 0; i < f->others; i++)
        is_known = is_known || strcmp(f->other[i], text) == 0;
    if (is_known || f->others == FINDING_OTHERS)
        free(text);
    else
        f->other[f->others++] = text;
}

struct found *found_add(struct found **list, enum memory_kind kind, const struct block *block, const char *file,
                        unsigned line)
{
    const char *kernel = trace_launch ? trace_launch->kernel : "";
    static struct found left_out;
    struct found **end = list;
    unsigned count = 0;

    if (trace_launch && trace_launch->left_out) {
        left_out.shown.times = 2; /* is known */
        return &left_out;
    }
    for (; *end; end = &(*end)->next) {
        struct found *f = *end;
        const struct finding_side *s = &f->shown.side[0];
        bool same_line = s->line == line && strcmp(s->file, file) == 0;
        if (f->kind == kind && strcmp(f->kernel, kernel) == 0 &&
            (same_line || (block && *kernel && f->start == block->start))) {
            f->shown.times++;
            add_line(&f->shown, file, line);
            return f;
        }
        if (++count == FOUND_MAX) { /* too many: the last one stands for all others */
            f->shown.times++;
            return f;
        }
    }
    struct found *f = *end = trace_check_alloc(calloc(1, sizeof *f));
    f->kind = kind;
    f->start = block ? block->start : 0;
    f->kernel = kernel;
    f->shown = (struct finding_shown){.kind = kinds[kind],
                                      .kernel = kernel,
                                      .function = "?",
                                      .hint = "",
                                      .head = "",
                                      .times = 1,
                                      .sides = 1,
                                      .keys = finding_text("%s %s:%u", kinds[kind], file, line)};
    return f;
}

struct finding_shown *found_shown(struct found *f) { return &f->shown; }

extern const int hip_cpu_default_warp_size __attribute__((weak));

bool memory_of_cuda(void) { return &hip_cpu_default_warp_size; }

bool found_is_merged(void)
{
    const char *file = hip_cpu_setting("HIP_CPU_FINDINGS");
    return file && *file;
}

int found_print(struct found *list, const char *clean, bool stopped, bool launched)
{
    unsigned number = 0;

    fflush(stdout);
    bool merged = found_is_merged() && freopen(hip_cpu_setting("HIP_CPU_FINDINGS"), "a", stdout);
    if (merged && stopped)
        printf("\001stopped\n");
    for (struct found *f = list; f; f = f->next) {
        char seen[80];
        f->shown.hint = hip_cpu_named(f->shown.hint);
        snprintf(seen, sizeof seen, "seen %llu times", f->shown.times);
        if (merged) {
            finding_record(stdout, &f->shown);
        } else {
            printf("\n");
            finding_print(stdout, &f->shown, ++number, f->shown.times > 1 ? seen : NULL);
        }
    }
    if (list) {
        if (!merged)
            printf("\nmemory: %u found%s\n", number, stopped ? "; the run stopped early" : "");
        return 1;
    }
    printf("%s", merged ? "\001none\n" : "\n");
    finding_wrap(stdout, "memory: ", "      ", launched ? clean : TRACE_NO_KERNEL);
    return launched ? 0 : EXIT_NOTHING_SEEN;
}
