/* The command line, identical in every program, plus the variant's own options. */
#ifndef REDUCTION_OPTIONS_H
#define REDUCTION_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "pattern.h"
#include "reduction.h"

#define EXIT_RIGHT     0
#define EXIT_WRONG     1
#define EXIT_USAGE     2
#define EXIT_DEVICE    3
#define EXIT_NO_DEVICE 77

#define FORMAT_TABLE 0
#define FORMAT_CSV   1
#define FORMAT_JSON  2

#define SIZES_MAX 256

struct options {
    size_t sizes[SIZES_MAX]; /* elements; -n 1K,5M or -n 1K..1G (powers of two) */
    size_t size_count;       /* 0: no -n, the default of the device */
    int type, op;            /* TYPE_*, OP_* */
    bool type_given;
    unsigned grid, block;          /* 0: the variant chooses */
    unsigned iterations, warmup;   /* 0: chosen by timing.c */
    bool warmup_given;             /* -w 0 is allowed */
    struct pattern pattern;
    const char *input;             /* file, "-" for stdin, NULL: pattern */
    size_t offset;                 /* --offset: elements by which the input is misaligned on purpose */
    int device;
    int format;
    bool cold;                     /* evict caches before every run */
    bool quiet;                    /* the verdict only */
    bool list_devices;
    double ceiling;                /* GB/s, from --ceiling: measured earlier in the same run; 0: measure */
    long option[VARIANT_OPTIONS_MAX]; /* the variant's own */
};

