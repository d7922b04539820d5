/* The parts of the memory tool.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_MEMORY_H
#define TRACE_MEMORY_H

#include "../text/shown.h"
#include "blocks.h"

enum memory_kind {
    OUT_OF_BOUNDS,
    USE_AFTER_FREE,
    MISALIGNED,
    UNINITIALISED,
    NULL_POINTER,
    HOST_POINTER,
    DEVICE_POINTER,
    DOUBLE_FREE,
    INVALID_FREE,
    LEAK,
    UNCHECKED
};

struct found;

/* A finding, unless one of the same cause is known: of the same kind, the same kernel and the same block or, where that is
 * NULL, the same place. Returns it with times == 1 if it is new: then the caller fills in the rest. */
struct found *found_add(struct found **list, enum memory_kind kind, const struct block *block, const char *file,
                        unsigned line);
struct finding_shown *found_shown(struct found *f);
/* Whether the program has CUDA's headers: then messages have CUDA's names. */
bool memory_of_cuda(void);
/* Whether the findings go into a file, as records. */
bool found_is_merged(void);
/* Returns the exit code. */
int found_print(struct found *list, const char *clean, bool stopped, bool launched);

#endif
