/* A finding of any tool, as it is shown: tools write it as text or as a record, and nogpu_report joins the records of several
 * runs. Texts are UTF-8 without line breaks.
 * SPDX-License-Identifier: MIT */
#ifndef NOGPU_FINDING_H
#define NOGPU_FINDING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define FINDING_OTHERS   16
#define FINDING_ROUNDING 2e-5 /* relative: as much may sums differ whose order differs */

/* A place in the source, and who did what there. */
struct finding_side {
    const char *file, *function;   /* "?": unknown */
    const char *source;            /* the line, without the white space before it */
    const char *who;               /* "block 0, thread 3 (warp 0, lane 3) writes it" */
    const char *called;            /* "a.cu:7 b.cu:9": where the function was called from; "" */
    unsigned line, column, indent; /* column 0: unknown; indent: white space before the line */
};

struct finding_shown {
    const char *kind;                  /* "race", "out of bounds" ... */
    const char *head;                  /* what happened */
    const char *kernel;                /* "": none, or several */
    const char *hint;                  /* what to look at */
    const char *other[FINDING_OTHERS]; /* findings that may have the same cause */
    struct finding_side side[2];
    unsigned sides, others;
    unsigned long long times;
    /* For several runs. Findings with a key in common are one: "key;key". reach: the function around all lines, the first
     * line there whose effect may matter, the last one. */
    const char *keys, *function;
    unsigned first, last;
};

/* As printf() would print it; the caller's to free. Without memory the program ends. */
char *finding_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Of this text behind others; FINDING_HASH is that of none. FNV-1a, with a byte behind each text. */
#define FINDING_HASH 0xcbf29ce484222325u
uint64_t finding_hash(uint64_t hash, const char *text);
/* At most 80 columns, broken between words. */
void finding_wrap(FILE *out, const char *first, const char *rest, const char *text);
/* seen: a line at the end, or NULL. */
void finding_print(FILE *out, const struct finding_shown *f, unsigned number, const char *seen);
void finding_record(FILE *out, const struct finding_shown *f);

#endif
