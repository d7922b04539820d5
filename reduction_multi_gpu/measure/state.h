/* One rank at work: what rank.c, jobs.c, runs.c and measure.c share.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_STATE_H
#define MULTI_GPU_STATE_H

#include <hip/hip_runtime_api.h>

#include "rank.h"
#include "../combine/combine.h"
#include "harness/device/device.h"
#include "reduction.h"

/* A reduction of an array on this rank's device. */
struct job {
    const struct variant_entry *entry; /* NULL: there is none */
    struct reduction r;
    void *d_array;
    char *d_input;
};

struct measurement {
    struct ranks *ranks;
    const struct program *p;
    const struct options *o;
    struct device device;
    hipStream_t stream;
    int method, how;
    int sharers;     /* ranks on this rank's device */
    int turns;       /* in which the ranks of each host measure their shares alone */
    int whole_turns; /* and those with a whole */
    bool first_here; /* of the ranks on this device */
    struct collective collective;
    void *d_evict;
    size_t evict_bytes;

    /* for one number of elements */
    size_t n;
    struct share share;
    struct job part, whole, peer;
    struct combine combine, peers; /* of part, and of peer by RCCL or NCCL */
    void *own_host;                /* where the words of part go when this rank works alone */
    bool wholes;                   /* each device has room for all elements, too: whole */
    size_t chain, whole_chain;     /* of the combined value; of whole on any device */
    struct reference reference;
};

/* What one run of everything gave on one rank: seconds, 0 where it has not that part. */
enum { TOTAL, OWN, COMBINATION, ALL_PEER, WHOLE, PART, FASTEST, TIMES };
struct sample {
    double time[TIMES];
    bool has_whole;
    struct scalar value, whole_value, peer_value;
};

/* jobs.c: the reductions of m->n elements. plan_all() chooses shapes, without memory; check_memory() compares what all
 * ranks need with what they have, says so and returns false where it is too much; fill_all() writes the input and
 * computes what its reduction should be. */
int payload_kind(const struct measurement *m); /* PAYLOAD_* */
void plan_all(struct measurement *m);
bool check_memory(struct measurement *m);
void allocate_all(struct measurement *m);
void fill_all(struct measurement *m);
void free_all(struct measurement *m);

/* runs.c: each of everything that is measured, once. */
void run_once(struct measurement *m, struct sample *s);

/* measure.c: until it is enough; every run is judged. */
void measure(struct measurement *m, struct rank_result *result);

#endif
