/* A slot: a reduction that the judge has opened, with its input and its memory on the device.
 * SPDX-License-Identifier: MIT */
#ifndef SLOT_H
#define SLOT_H

#include "harness/harness.h"
#include "runner.h"

/* Bytes on each side of the input: more than the tile of a block of 1024 threads. None if the CPU platform or a sanitizer
 * reports reads there. */
#ifdef ON_CPU
#define MARGIN 0
#else
#define MARGIN ((size_t)256 * 1024)
#endif

struct slot {
    bool open, sparse;
    bool mapped; /* the workspace */
    struct trial trial;
    const struct variant_entry *entry;
    uint64_t workspace_most;
    struct reduction *r;   /* in memory without any of the judge's data */
    char *memory;          /* on the device: the input, on a GPU with margins */
    void *input;           /* exactly n elements, and at least 1 byte */
    size_t bytes;          /* of the elements */
    int64_t planned, kept; /* bytes that plan() has allocated; that release() has left */
};

/* Opens the device, once, before all slots. */
const struct device *slots_device(size_t margin);

/* Allocates an input of q->trial.n elements and plans. False: not enough memory. */
bool slot_open(struct slot *s, const struct request *q);
void slot_close(struct slot *s);
/* Calls plan() and allocates the workspace; calls release(). */
void slot_plan(struct slot *s);
void slot_unplan(struct slot *s);
/* Ignores elements beyond n. */
void slot_set(const struct slot *s, uint64_t index, uint64_t bits);
/* Fills the margins with this byte. */
void slot_surround(const struct slot *s, int byte);

#endif
