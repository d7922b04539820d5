/* The command line, identical in every program, plus the variant's own options.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_OPTIONS_H
#define REDUCTION_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "exit_codes.h"
#include "pattern.h"
#include "reduction.h"
#include "version.h"

#define FORMAT_TABLE 0
#define FORMAT_CSV   1
#define FORMAT_JSON  2
#define FORMAT_WIDE  3 /* a table with all columns */
#define FORMAT_COUNT 4
const char *format_name(int format);
bool format_is_table(int format);

#define SIZES_MAX 256
/* elements; keeps every product with a size of a type in size_t */
#define SIZE_MOST ((size_t)1 << 56)

struct options {
    size_t sizes[SIZES_MAX]; /* elements; -n 1K,5M or -n 1K..1G (powers of two) */
    size_t size_count;       /* 0: no -n, so the default of the device or the whole file */
    int type, op;            /* TYPE_*, OP_* */
    bool type_given, op_given;
    unsigned grid, block;        /* 0: the variant chooses */
    unsigned iterations, warmup; /* 0: chosen by timing.c */
    bool warmup_given;           /* -w 0 is allowed */
    struct pattern pattern;      /* hot: PATTERN_HOT_LAST unless given as onehot:INDEX */
    bool pattern_given, seed_given;
    const char *input; /* file, "-" for stdin, NULL: pattern */
    size_t offset;     /* --offset: elements by which the input is misaligned on purpose */
    int device;
    int format;
    bool cold;  /* evict caches before every run */
    bool quiet; /* the verdict only */
    bool list_devices;
    double ceiling;                   /* GB/s, from --ceiling: measured earlier in the same run; 0: measure */
    long option[VARIANT_OPTIONS_MAX]; /* the variant's own */
    const char *text[VARIANT_OPTIONS_MAX];
};

#define OPTIONS_MESSAGE_MAX 512

enum options_status { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_VERSION, OPTIONS_DEVICES, OPTIONS_ERROR };

/* Fills *o from the command line of the program of variant v. OPTIONS_ERROR puts one line (no newline)
 * into message: what is wrong and what to do next. Reorders argv like getopt, prints nothing and does
 * not exit. */
enum options_status options_parse(struct options *o, const struct variant *v, int argc, char **argv,
                                  char message[OPTIONS_MESSAGE_MAX]);

/* A command line that names other programs, as words: the variant's own options (*own of them), all others, each in one
 * word ("--size=64M"), and the programs. Returns how many; 0: it names none, or is wrong. words: room for argc of them;
 * they are never freed. */
size_t options_words(const struct variant *v, int argc, char **argv, char **words, size_t *own);

/* The text of --help. */
void options_help(FILE *out, const struct variant *v);

#endif
