/* What a handle holds, and how calls begin and end. The functions themselves are in other files.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_HANDLE_H
#define LIBRARY_HANDLE_H

#include "checks.h"
#include "libreduction.h"
#include "reduction.h"

/* The functions that variants compute; each has a plan for each type. */
enum { FUNCTION_SUM, FUNCTION_MIN, FUNCTION_MAX, FUNCTION_ASUM, FUNCTION_TREE, FUNCTION_BINNED, FUNCTION_COUNT };

enum place { ON_DEVICE, ON_HOST, PLACE_COUNT };

#define KNOWN 8

struct lr_handle {
    int device, current; /* current: of the thread, before a call */
    char arch[32];
    unsigned warp_size, compute_units, threads_per_unit;
    bool overlap; /* the device supports programmatic launches, and the library has code for them */
    bool input_ready;
    bool has_stream;
    bool own_workspace;
    bool for_ranks;           /* the result of this call goes to nccl.c, behind the workspace */
    bool own_memory;          /* the device cannot read all host memory */
    const void *known[KNOWN]; /* addresses of former calls that it can read */
    unsigned next_known;
    hipStream_t stream;
    hipError_t error; /* of the last call that ended with LR_RUNTIME */
    char *workspace;  /* zero between launches; all functions of the handle share it */
    size_t workspace_bytes;
    char *matrix;         /* after it: for matrices and segments; zero at first is what KEPT_BYTES says */
    void *host;           /* pinned and mapped, HOST_BYTES: kernels send values there */
    void *host_on_device; /* its address on the device */
    struct reduction plan[FUNCTION_COUNT][TYPE_ALL][PLACE_COUNT];
};

#define HOST_BYTES ((size_t)16384)

/* Bytes of workspace on a device with this many compute units. It begins with tickets, for rows and columns that several
 * blocks share, which are zero between launches, and the queue of segments, which is zero at first; then come those that
 * any call may overwrite. */
#define TICKETS_BYTES(units) ((size_t)(units)*256)
#define LR_QUEUE_BYTES       ((size_t)65536)
#define KEPT_BYTES(units)    (TICKETS_BYTES(units) + LR_QUEUE_BYTES)
#define MATRIX_BYTES(units)  (KEPT_BYTES(units) + (size_t)(units)*65536 + 65536)
#define RANKS_BYTES          256 /* behind that, for nccl.c */

/* Types that a function accepts, one bit each. */
#define TYPES_FLOATING (1u << LR_FLOAT | 1u << LR_DOUBLE)
#define TYPES_WIDE     (TYPES_FLOATING | 1u << LR_INT32 | 1u << LR_INT64)
#define TYPES_NARROW   (1u << LR_HALF | 1u << LR_BFLOAT16)
#define TYPES_ALL      (TYPES_WIDE | TYPES_NARROW)

/* An argument of a call: `count` values of `size` bytes, which it reads or writes. */
struct span {
    const void *at;
    size_t count, size, alignment;
    bool written;
};
/* An array; a result on the device; a result on the host, which need not be aligned. */
#define READ(at, count, size)                                                                                          \
    {                                                                                                                  \
        at, count, size, size, false                                                                                   \
    }
#define WRITTEN(at, count, size, place)                                                                                \
    {                                                                                                                  \
        at, count, size, (place) == ON_HOST ? 1 : (size), true                                                         \
    }

/* LR_OK or the first error, checking the handle, then the type, then the spans in their order. A written span must not
 * overlap any span before it, and no span the workspace. A span of size 0 is absent; the last one has size 0, too. */
int check_call(const struct lr_handle *h, int type, unsigned types, const struct span *spans);

/* Checks the stream, makes the handle's device the current one until handle_end(), checks that it can use the spans' memory, and
 * remembers the stream. spans may be NULL. */
int handle_begin(struct lr_handle *h, const struct span *spans, lr_stream stream);
/* LR_OK, or an error that the runtime has reported since handle_begin(). */
int handle_end(struct lr_handle *h);
/* The same, after waiting for the stream. */
int handle_wait(struct lr_handle *h);
/* Fills in what the handle knows about a reduction of n elements, for a variant's plan(). */
struct reduction handle_reduction(const struct lr_handle *h, size_t n);

/* Bytes of an element, 0 if there is no such type; and of a value of such elements. */
size_t element_bytes(int type);
size_t value_bytes(int type);

/* This thread's first error since errors_forget(), as kept by lr_check(). */
void errors_forget(void);
hipError_t errors_first(void);
/* LR_*. */
int errors_status(hipError_t error);

#endif
