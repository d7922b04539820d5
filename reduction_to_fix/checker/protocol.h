/* The judge's requests and the runner's answers, through a socket.
 * SPDX-License-Identifier: MIT */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device_facts.h"
#include "types.h"

#if !DEVICE_IS_GPU
#define ON_CPU 1
#endif

#define SETS_MAX   64
#define PLACE_MAX  96
#define GROUPS_MAX 8
#define PLACES_MAX 4

struct trial {
    int type, op;
    size_t n;
    unsigned block, grid; /* grid 0: the exercise chooses */
    unsigned warp;        /* CPU: 32 or 64; GPU: the device's */
    int order;            /* CPU: of blocks and threads: 0 forward, 1 reverse, 2 by the seed */
    uint64_t seed;        /* of input and order */
    /* elements of a row, where the input is a matrix: the exercise's first option */
    size_t columns;
};

enum request_kind {
    ASK_DEVICE,
    ASK_OPEN,     /* plans a trial. sparse: the input is n zeros that need no memory */
    ASK_CLOSE,    /* releases it */
    ASK_READ,     /* answers with the input's bytes */
    ASK_OUTPUT,   /* answers with `outputs` values behind the first ones at device_result() */
    ASK_SURROUND, /* GPU: sets every byte around the input to `byte` */
    ASK_HEAP,     /* CPU: the bytes that the program has from malloc() */
    ASK_FIND,     /* CPU: whether the workspace holds set[0].bits as a value */
    ASK_PLACES,   /* TRACE=1: which blocks may read element set[0].index, by what the last two windows have read */
    ASK_RUN       /* count bytes of the input may follow; sets elements, then does what the flags say */
};

enum run_flags {
    RUN_RESET = 1,  /* plans again, with a workspace of zeros */
    RUN_LAUNCH = 2, /* launch() */
    RUN_WAIT = 4,   /* the host waits for the device */
    RUN_FINISH = 8, /* finish() */
    RUN_LATE = 16,  /* CPU: the device works as late as HIP allows */
    RUN_HIDE = 32,  /* CPU: hides the device's memory from host code, which costs time */
    RUN_BEGIN = 64, /* ASK_OPEN first, and */
    RUN_END = 128,  /* ASK_CLOSE afterwards: as many requests cost more than a small run */
    RUN_BUSY = 256  /* CPU, RUN_LATE: a host that asks whether the device is ready hears no, some million times */
};

struct request {
    enum request_kind kind;
    unsigned flags;
    struct trial trial;
    bool sparse;
    int byte;
    uint64_t workspace_most; /* a larger one is not allocated, and no run follows; 0: any; sparse:
                                 it needs memory only where it is written */
    size_t outputs, first_output;
    uint64_t count;                      /* bytes that follow */
    uint64_t window_first, window_count; /* CPU: only these blocks run; count 0: all */
    /* TRACE=1, of a window: 1 + an element, what it reads is noted, and finish() runs if that is not all 0; 0: counted, as
     * always */
    uint64_t look_for;
    unsigned sets; /* elements to change before the run */
    struct {
        uint64_t index, bits;
    } set[SETS_MAX];
};

/* What a run did, as seen by the memory guard and the runtime. */
struct observed {
    unsigned launches, launches_in_finish; /* 0 if unknown */
    unsigned elsewhere;                    /* launches on streams that neither r->stream nor launch() waits for */
    uint64_t blocks, threads;              /* of the launch with the most blocks */
    bool host_reads;                       /* the host read elements of the input */
    bool host_touches;                     /* the host used other device memory */
    bool input_written;                    /* CPU: also if it was restored */
    char place[PLACE_MAX];                 /* its line */
    uint64_t to_host;                      /* bytes copied from the device to the host */
    int64_t kept;                          /* bytes that were allocated and not freed */
    uint64_t moved;                        /* bytes that were allocated, or copied on the device */
};

/* What the kernels of a run did, access by access (TRACE=1). Loads are counted in elements. */
struct work {
    bool counted;
    uint64_t loads;                     /* of the input */
    uint64_t loads_thread, loads_block; /* the most by one thread, by one block */
    uint64_t busy_threads, busy_blocks; /* that read any of the input */
    /* the most values of others that one thread read from shared memory and workspace */
    uint64_t meet_thread;
    unsigned meet_line;                     /* where it read most of them */
    uint64_t shared_stores, shared_atomics; /* atomics: the most by a block */
    uint64_t atomics;                       /* in global memory */
    uint64_t scratch_stores;                /* to global memory */
    uint64_t shared_bytes;                  /* of the largest static __shared__ variable that was used */
    uint64_t host_bytes, static_bytes;      /* stored to host memory, to __device__ variables */
    unsigned static_line, atomic_line;
    /* atomic operations on a word that looks like a float from 1 on; 0: none */
    unsigned float_line;
    unsigned beyond_line;                 /* reaches behind the kernel's own static __shared__ variables; 0: none */
    unsigned shuffles, shuffle_line;      /* the most by one warp */
    unsigned syncs, sync_line;            /* of a warp alone, the most by one */
    unsigned partial_line, partial_lanes; /* a call that is for all lanes of a warp of 32, and has so many */
    unsigned barriers, barrier_line;      /* the most by one block */
    unsigned split_a, split_b;            /* lines of two calls at which threads met in one barrier; 0: none */
    uint64_t passes, needed;              /* of shared memory; needed: without conflicts */
    unsigned worst, conflict_line;        /* the instruction with the most passes above what it needs */
    uint64_t sectors;                     /* of 32 bytes, that loads of the input moved */
    uint64_t grouped[GROUPS_MAX + 1];     /* loads of the input that were on their way with this many or more */
};

struct reply {
    uint64_t bits;             /* of the result */
    unsigned warp;             /* of the device; 0: the request says */
    unsigned ops[TYPE_COMMON]; /* a bit for each operation that the runner was compiled with */
    unsigned planned_grid, planned_block, units;
    uint64_t workspace_bytes;
    bool fits;  /* sparse: into the device's memory */
    bool found; /* ASK_FIND */
    bool reads; /* the last window has read the element it was to look for, */
    bool shows; /* or any that is not 0 */
    unsigned places;
    uint64_t place[PLACES_MAX]; /* ASK_PLACES */
    bool beyond;                /* CPU: an index out of bounds ends the runner; no bytes follow */
    uint64_t heap;              /* ASK_HEAP */
    struct observed seen;
    struct work work;
    uint64_t count; /* bytes that follow */
};

#endif
