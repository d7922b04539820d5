/* RCCL or NCCL, found when the program runs: collective operations on the devices, in the order of a stream.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_COLLECTIVE_H
#define MULTI_GPU_COLLECTIVE_H

#include <stdbool.h>

#include <hip/hip_runtime_api.h>

#include "../ranks/ranks.h"

struct collective {
    void *communicator;
};

#define COLLECTIVE_MESSAGE_MAX 512
/* Loads the library; false with a line in message if that is not possible. Once in a process. */
bool collective_load(char *message);

/* Joins all ranks, each with its current device. */
bool collective_begin(struct collective *c, struct ranks *r, char *message);
void collective_end(struct collective *c);

/* Whether the library has this operation: minimum and maximum of floating-point numbers need not propagate NaN there. */
bool collective_has(int type, int op);
/* to[k] = the reduction of from[k] of every rank, on the devices, for `count` values */
void collective_reduce(struct collective *c, const void *from, void *to, size_t count, int type,
                       int op, hipStream_t stream);
/* to[count * rank ...] = the `count` values of every rank */
void collective_gather(struct collective *c, const void *from, void *to, size_t count, int type,
                       hipStream_t stream);

#endif
