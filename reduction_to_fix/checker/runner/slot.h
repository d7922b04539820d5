/* A slot: one reduction that the judge has opened, its input, and its memory on the device.
 * SPDX-License-Identifier: MIT */
#ifndef SLOT_H
#define SLOT_H

#include "harness/harness.h"
#include "runner.h"

/* Bytes on each side of the input: more than the tile of a block of 1024 threads. None where a tool is
 * watching for reads there: the CPU platform itself, or a sanitizer. */
#ifdef ON_CPU
#define MARGIN 0
#else
#define MARGIN ((size_t)256 * 1024)
#endif

struct slot {
    bool open, sparse;
    struct trial trial;
    const struct variant_entry *entry;
    uint64_t workspace_most;
    struct reduction *r;   /* where nothing of the judge's lies beside it */
    char *memory;          /* of the device: the input, on a GPU with what lies around it */
    void *input;           /* exactly n elements, and at least 1 byte */
    size_t bytes;          /* of the elements */
    int64_t planned, kept; /* bytes that plan() has allocated; that release() has left */
};

/* Opens the device, once, before all slots. */
const struct device *slots_device(size_t margin);

/* With an input of q->trial.n elements, and planned. False: there is not enough memory. */
bool slot_open(struct slot *s, const struct request *q);
void slot_close(struct slot *s);
/* plan(), and the workspace that it asks for; and release(). */
void slot_plan(struct slot *s);
void slot_unplan(struct slot *s);
/* An element beyond n is ignored. */
void slot_set(const struct slot *s, uint64_t index, uint64_t bits);
/* Fills the margins with this byte. */
void slot_surround(const struct slot *s, int byte);

#endif
