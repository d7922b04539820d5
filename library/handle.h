/* What a handle holds, and how its functions begin and end. The functions are in files of their own.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_HANDLE_H
#define LIBRARY_HANDLE_H

#include "libreduction.h"
#include "reduction.h"

/* What is computed by a variant; each has a plan for each type. */
enum {
    FUNCTION_SUM,
    FUNCTION_MIN,
    FUNCTION_MAX,
    FUNCTION_ASUM,
    FUNCTION_TREE,
    FUNCTION_BINNED,
    FUNCTION_COUNT
};

enum place { ON_DEVICE, ON_HOST, PLACE_COUNT };

struct lr_handle {
    int device;
    char arch[32];
    unsigned warp_size, compute_units, threads_per_unit;
    bool overlap; /* the device has programmatic launches, and the library code for them */
    bool input_ready;
    bool has_stream;
    bool own_workspace;
    hipStream_t stream;
    hipError_t error; /* of the last call that ended with LR_RUNTIME */
    char *workspace;  /* zero between two launches; a handle's functions share it */
    size_t workspace_bytes;
    char *matrix;         /* behind it: of matrices and segments; only their tickets are zero */
    void *host;           /* pinned and mapped, HOST_BYTES: where kernels send values */
    void *host_on_device; /* the same, for kernels */
    struct reduction plan[FUNCTION_COUNT][TYPE_ALL][PLACE_COUNT];
};

#define HOST_BYTES ((size_t)16384)

/* The types that a function takes, a bit for each. */
#define TYPES_FLOATING (1u << LR_FLOAT | 1u << LR_DOUBLE)
#define TYPES_WIDE     (TYPES_FLOATING | 1u << LR_INT32 | 1u << LR_INT64)
#define TYPES_NARROW   (1u << LR_HALF | 1u << LR_BFLOAT16)
#define TYPES_ALL      (TYPES_WIDE | TYPES_NARROW)

/* An argument of a call: `count` values of `size` bytes that it reads, or that it writes. */
struct span {
    const void *at;
    size_t count, size, alignment;
    bool written;
};
/* An array. A result on the device; or anywhere on the host, where it need not be aligned. */
#define READ(at, count, size)                                                                      \
    {                                                                                              \
        at, count, size, size, false                                                               \
    }
#define WRITTEN(at, count, size, place)                                                            \
    {                                                                                              \
        at, count, size, (place) == ON_HOST ? 1 : (size), true                                     \
    }

/* LR_OK, or what is wrong: first with the handle, then with the type, then with the spans, in their order. What is written
 * must not overlap any span before it, and none the workspace. A span of size 0 is absent, and the last one has size 0, too. */
int check_call(const struct lr_handle *h, int type, unsigned types, const struct span *spans);

/* Checks the stream and remembers it. */
int handle_begin(struct lr_handle *h, lr_stream stream);
/* LR_OK, or what the runtime has reported since handle_begin(). */
int handle_end(struct lr_handle *h);
/* The same after the stream has been waited for. */
int handle_wait(struct lr_handle *h);
/* The reduction of n elements, as far as the handle knows it: what a variant plans with. */
struct reduction handle_reduction(const struct lr_handle *h, size_t n);

/* Bytes of an element; 0: no such type. And of the value of such elements. */
size_t element_bytes(int type);
size_t value_bytes(int type);

/* What HIP_CHECK calls in the library: the first error of this thread since errors_forget(). */
void errors_forget(void);
hipError_t errors_first(void);
/* LR_*. */
int errors_status(hipError_t error);

#endif
