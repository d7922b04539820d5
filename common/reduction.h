/* The one header a variant includes after hip/hip_runtime.h.
 *
 * A variant is kernels, three functions, and a table:
 *
 *   kernels                                       from const value_t *input to partials or a result
 *   static void plan(struct reduction *r)         launch shape, workspace, chain; no GPU work
 *   static void launch(const struct reduction *r, const value_t *input)
 *                                                 everything that runs on the GPU, on r->stream
 *   static value_t finish(const struct reduction *r)
 *                                                 the last step: the result as a value on the host. It
 *                                                 starts no kernel
 *   VARIANT = {.plan = plan, .launch = launch, .finish = finish};
 *
 * The table may also name:
 *
 *   .options         const struct variant_option[]: the variant's own command line options, ended by
 *                    VARIANT_OPTIONS_END
 *   .device_result   const value_t *(const struct reduction *r): the address of the result on the device, where it is
 *                    once r->stream has completed; NULL if finish() computes it. Another program can so use the result
 *                    without a copy to the host
 *   .places_result   true: launch() leaves the result at r->result, if the program sets that; with many results (rows),
 *                    the first of them. Set before plan(), it saves the space for them in the workspace
 *   .planned_bytes   size of the data that plan() passes to launch() and finish() in addition to the fields of struct
 *                    reduction: r->planned points to that many bytes, all zero before plan()
 *   .release         void (struct reduction *r): once after the last run, frees what plan() allocated
 *   .prepare         void (const struct reduction *r, const struct input_view *in, struct reference *expected):
 *                    once before the runs and not timed; the workspace is zeroed. *expected is the reduction of
 *                    the input by --op: replace it if finish() returns something else. in is NULL if this
 *                    process has only a part of the input
 *   .extras          size_t (const struct reduction *r, const struct input_view *in, struct extra out[EXTRAS_MAX]):
 *                    after some runs, the first and the last among them, whose results are still in the workspace:
 *                    further results, which count for the verdict. Returns their number; their names and order never
 *                    change
 *   .own_operation   true: --op has no effect
 *
 * It is written once for value_t, combine() and IDENTITY (element.h). instantiate.hip compiles it for
 * every type and operation; opened alone, it is the sum of doubles.
 *
 * launch() followed by finish() is the complete reduction, which is what the harness times. It may
 * run them any number of times after one plan(). Several reductions may be planned at the same time: the
 * state of each is in its struct reduction, never in a file-scope variable.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_H
#define REDUCTION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hip/hip_runtime_api.h>

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "extra.h"

#define VARIANT_OPTIONS_MAX 12

/* A variant-specific option, for example --shuffle down|xor|up. */
struct variant_option {
    const char *name;   /* without the dashes; NULL ends the list */
    const char *values; /* "down|xor|up": one of these words, r->option[] holds its index;
                           "": a flag, 0 or 1; NULL: a whole number from min to max;
                           "<FILE>": any text, in r->text[], and r->option[] is 1 if given */
    long fallback;      /* r->option[] when the option is not given */
    long min, max;
    const char *help; /* one line */
};
/* The end of every list of options. */
// clang-format off
#define VARIANT_OPTIONS_END {NULL, NULL, 0, 0, 0, NULL}
// clang-format on

/* One reduction: what the harness knows, and what the variant decides about it. */
struct reduction {
    /* Given by the harness before plan(). */
    size_t n;                              /* elements; 0 is allowed and gives IDENTITY */
    unsigned block;                        /* threads per block from --block, 0: the variant chooses */
    unsigned grid;                         /* blocks from --grid, 0: the variant chooses */
    const char *arch;                      /* "gfx942", "sm_90", "cpu" */
    unsigned warp_size;                    /* lanes per warp (AMD: wavefront), 32 or 64 */
    unsigned compute_units;                /* SMs on NVIDIA, CUs on AMD, worker threads on the CPU */
    unsigned threads_per_unit;             /* threads that can be resident on one of them */
    long option[VARIANT_OPTIONS_MAX];      /* the variant's own options, in the order of options[] */
    const char *text[VARIANT_OPTIONS_MAX]; /* of an option whose values are "<...>"; else NULL */

    /* Decided by plan(). block and grid hold the actual shape of the first launch afterwards. */
    void *planned;          /* the variant's struct planned */
    size_t workspace_bytes; /* device memory */
    size_t host_bytes;      /* pinned host memory */
    size_t chain;           /* additions on the longest path from an element to the result: the
                               a-priori error bound of a floating-point sum is built on it */
    unsigned launches;      /* kernels started by one reduction */

    /* Given by the harness after plan(). */
    void *workspace; /* device memory, workspace_bytes, zeroed once before the first launch */
    /* pinned host memory, host_bytes; it may differ for each launch() and its finish() */
    void *host;
    hipStream_t stream;

    /* A program may set these before launch(); the harness leaves them 0. */
    /* .places_result: where in device or mapped host memory launch() leaves the value */
    void *result;
    void *host_on_device; /* how kernels reach r->host, where that is another address */
    bool overlap;         /* launch() may let its kernels begin while earlier ones of the stream end */
    bool input_ready;     /* with overlap: no earlier work in the stream writes the input */
};

/* A kernel can send a value to r->host while it runs, in words: 32 bits of the value in the low half of each, and this
 * mark above them. launch() zeroes the words first; a word that has the mark has arrived. */
#define MARK (1ull << 32)

/* One compiled (type, operation) of a variant; input and result are arrays of that type, but the result of two-byte
 * elements is a float. */
struct variant_entry {
    /* r->planned is NULL, or that of another n; ends with release() */
    void (*plan)(struct reduction *r);
    void (*launch)(const struct reduction *r, const void *input);
    void (*finish)(const struct reduction *r, void *result);
    /* NULL where the result is not on the device */
    const void *(*device_result)(const struct reduction *r);
    void (*prepare)(const struct reduction *r, const struct input_view *in, struct reference *expected);
    size_t (*extras)(const struct reduction *r, const struct input_view *in, struct extra *out);
    void (*release)(struct reduction *r);
};

/* A compiled variant: what the harness runs. Each is defined by a function of its own, which the build names after it:
 *
 *   const struct variant *reduction_shfl(void);
 *
 * It is a function, because the GPU compiler would copy a constant table of host functions to the device. */
struct variant {
    const char *name;   /* "reduction_shfl" */
    bool own_operation; /* --op has no effect */
    bool places_result; /* r->result counts */
    const struct variant_option *options;
    struct variant_entry entry[TYPE_ALL][OP_ALL]; /* plan is NULL where a variant has none */
};
/* A program that uses a variant sets its options by their names. First the defaults, then one by one; value NULL: a
 * flag. False if the variant has no such option, or the option no such value. */
void variant_options_default(const struct variant *v, struct reduction *r);
bool variant_option_set(const struct variant *v, struct reduction *r, const char *name, const char *value);
/* What text means for an option: r->option[] gets *value, and r->text[] *file. */
bool variant_option_read(const struct variant_option *option, const char *text, long *value, const char **file);

/* Ends the program with exit code 3 and one line (what failed, where, what it means) unless error is
 * hipSuccess. Use through HIP_CHECK. A library, which must not end the program, defines the macros before. */
#ifndef HIP_CHECK
void hip_check(hipError_t error, const char *what, const char *file, int line);

#define HIP_CHECK(call) hip_check((call), #call, __FILE__, __LINE__)
/* A launch returns nothing; hipGetLastError has its error. Use after every launch. */
#define HIP_CHECK_LAUNCH() hip_check(hipGetLastError(), "kernel launch", __FILE__, __LINE__)
#endif

/* These two are for kernels, too. */
#ifdef __cplusplus
#define HOST_DEVICE __host__ __device__ static inline
#else
#define HOST_DEVICE static inline
#endif

/* ceil(a / b), b > 0, without overflow */
HOST_DEVICE size_t ceil_div(size_t a, size_t b) { return a / b + (a % b != 0); }

HOST_DEVICE size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

/* The most threads of one launch. HIP on AMD requires fewer than 2^32; half of that is plenty. */
#define GRID_THREADS_MAX (((size_t)1 << 31) - 1)

/* The blocks of one launch, where there may be more than a grid can have: `blocks` of them, from `first` on. */
struct grid_part {
    size_t first;
    unsigned blocks;
};

/* Goes on to the next launch of at most `grid` blocks; false when all `count` blocks have had theirs. Begin with
 * {0, 0}. */
static inline bool next_launch(struct grid_part *part, unsigned grid, size_t count)
{
    part->first += part->blocks;
    part->blocks = (unsigned)min_size(grid, count - part->first);
    return part->blocks > 0;
}

/* Reserves so many bytes of the workspace: where they begin, in bytes from its start. For plan(). */
static inline size_t workspace_take(struct reduction *r, size_t bytes)
{
    size_t start = r->workspace_bytes;

    r->workspace_bytes += ceil_div(bytes, 256) * 256;
    return start;
}

/* Blocks that can be resident on the device at once; at least 1 and at most `wanted`. */
static inline unsigned grid_to_fill(const struct reduction *r, size_t wanted)
{
    size_t per_unit = r->threads_per_unit / r->block;
    size_t fill = min_size((per_unit > 0 ? per_unit : 1) * r->compute_units, wanted);
    return fill > 0 ? (unsigned)fill : 1;
}

/* Blocks that have any element, where each of r->grid blocks begins with one per thread. The partials of
 * others are IDENTITY, and combining with that rounds nothing. */
static inline size_t busy_blocks(const struct reduction *r) { return min_size(r->grid, ceil_div(r->n, r->block)); }

/* Steps of a binary tree over count values: ceil(log2(count)), 0 for 0 and 1. */
static inline size_t tree_depth(size_t count)
{
    size_t depth = 0;
    while (depth < 64 && ((size_t)1 << depth) < count)
        depth++;
    return depth;
}

#define PAIRWISE_LEAF 16

/* Additions on the longest path through combine_pairwise() of count values. */
static inline size_t chain_of_pairs(size_t count) { return PAIRWISE_LEAF + tree_depth(count); }

#ifdef __cplusplus
}
#endif

/* What depends on the vendor: warp_sync(), load_16(), word_load() ... */
#ifdef __cplusplus
#include "intrinsics.h"
#endif

/* The type of the elements, if it is not that of the result: see instantiate.hip. */
#define ELEMENT_TYPE VALUE_TYPE

/* Only a compiler for kernels gets value_t; and only a variant opened alone gets it here. */
#if defined(__cplusplus) && !defined(REDUCTION_INSTANTIATE)
#define VALUE_TYPE TYPE_DOUBLE
#define OPERATION  OP_SUM
#include "element.h"
#endif

#endif
