/* What the race tool has found: written by report.c, joined by causes.c, printed by print.c.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_FINDINGS_H
#define TRACE_FINDINGS_H

#include "../../text/names.h"
#include "report.h"

#define FINDINGS_MAX 4096
#define KERNELS_MAX  4 /* that are named in one finding */
#define UNSET_MAX    8
#define NOTES_MAX    16

struct finding {
    enum { RACE, UNWRITTEN, ABSENT, LEAVES, VOLATILE } kind;
    struct report_side a, b; /* UNWRITTEN, ABSENT: b alone */
    struct trace_name name;  /* ABSENT: name.where alone */
    uint64_t array;          /* which one: a hash of its name */
    struct report_hint hint;
    bool cooperative; /* the launch */
    bool is_mixed;    /* at one time both wrote, and at another one of them read */
    bool is_update;   /* x++, or if (x < y) x = y */
    bool is_flag;     /* of other findings, which it should have ordered */
    bool is_later;    /* perhaps what another one brings about */
    bool varies;      /* of two stores the first one's value, in memory, was once another one */
    uint64_t stored;
    bool other_warps; /* at another time they were of different warps */
    unsigned group;   /* index of the finding that has the same cause */
    const char *kernel[KERNELS_MAX];
    unsigned kernels;
    unsigned threads; /* of a block */
    unsigned long long count;
};

struct report {
    struct finding *finding; /* [FINDINGS_MAX] */
    unsigned findings;
    struct {
        const struct trace_place *place;
        const char *kernel;
    } unset[UNSET_MAX]; /* who reads global memory that nothing has written */
    unsigned unsets;
    char *note[NOTES_MAX];
    unsigned notes;
    struct coverage *coverage;

    unsigned long long loads[2], stores[2], atomics, barriers, meetings, blocks, threads, warps, volatiles;
    unsigned launches, kernels, copies, streams;
    bool merged;    /* into one report with other runs, by nogpu_report */
    bool hand_over; /* blocks that could take turns, and need not, share words */
    bool volatile_is_atomic, strict;
    char names[512];
};

/* What the two threads of a race have in common. */
enum relation { OF_BLOCK, OF_LAUNCH, OF_TASKS };
static inline enum relation report_relation(const struct report_side *a, const struct report_side *b)
{
    return a->task.number != b->task.number ? OF_TASKS : a->block == b->block ? OF_BLOCK : OF_LAUNCH;
}

/* Finds out which of all findings have one cause. */
void report_group(struct report *r);
/* The same calls inlined around it do not matter: a helper that two kernels call is one place. */
bool report_same_place(const struct trace_place *a, const struct trace_place *b);
bool report_same_line(const struct trace_place *a, const struct trace_place *b);
/* "kernel fill on stream 1", "the host" */
void report_name_task(const struct report_task *t, char *text, size_t size);
/* What the reader should look at. */
void report_advise(const struct finding *f, char *text, size_t size);

#endif
