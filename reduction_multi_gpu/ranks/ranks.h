/* The ranks of a run and what they tell each other: threads of one process (threads.c), or processes of MPI
 * (mpi.c). Every rank calls the same functions in the same order.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_RANKS_H
#define MULTI_GPU_RANKS_H

#include <stdbool.h>
#include <stddef.h>

struct ranks {
    int rank, size;
    int local, locals; /* number of this rank among those of its host, and how many there are */
    bool mpi;
    unsigned polls; /* at a word in memory, before a rank that waits offers its core to others */
    char about[64]; /* "4 processes of MPI on 2 hosts" */
    void *state;

    void (*barrier)(struct ranks *);
    /* all[bytes * rank] becomes that rank's *mine, for all. */
    void (*gather)(struct ranks *, const void *mine, size_t bytes, void *all);
    /* Zeroed memory that all ranks of this host see, until the end. */
    void *(*share)(struct ranks *, size_t bytes);

    /* Only MPI has these. gather() with parts of different sizes, bytes[rank] at offsets[rank]; each is in its place
     * already. A reduction: TYPE_*, OP_*; sums, and integers. Ends all ranks now, with this exit code. After end() a
     * rank may end by itself. */
    void (*gather_parts)(struct ranks *, void *all, const int *bytes, const int *offsets);
    void (*all_reduce)(struct ranks *, void *value, int type, int op);
    void (*stop)(struct ranks *, int status);
    void (*end)(struct ranks *);
};

#define RANKS_GATHER_MAX 4096 /* bytes of one rank, of threads */

/* True on all ranks if right is true on all of them. Else the first of those that say no prints its message (one line,
 * no newline) to stderr, after who it is. */
bool ranks_agree(struct ranks *r, bool right, const char *message);

/* Before a rank ends all of them, after its message: a line that says who it is. */
void ranks_end_others(const struct ranks *r);

/* For ranks->polls, with so many ranks on this host. */
unsigned ranks_polls(int locals);

/* Runs work() as `size` ranks, threads of this process; returns the largest of their results. */
int ranks_run_threads(int size, int (*work)(struct ranks *, void *), void *context);

/* The same as one process of MPI. False with a line in message[RANKS_MESSAGE_MAX] if that is not possible. */
#define RANKS_MESSAGE_MAX 512
bool ranks_run_mpi(int (*work)(struct ranks *, void *), void *context, int *status, char *message);

/* Whether mpirun or srun started this process as one of several; and its rank, if so, else 0. */
bool ranks_launched(void);
int ranks_launched_rank(void);

/* What the module for MPI has: fills *r, or says what is wrong. */
#define RANKS_MODULE "multi_gpu_mpi.so" /* in the folder of the program */
#define RANKS_BEGIN  "ranks_mpi_begin"
typedef bool ranks_begin_function(struct ranks *r, char *message);

#endif
