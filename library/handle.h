/* What a handle holds, and how its functions begin and end. The functions are in files of their own.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_HANDLE_H
#define LIBRARY_HANDLE_H

#include "libreduction.h"
#include "reduction.h"

/* What is computed by a variant; each has a plan for each type. */
enum function {
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
    char *moments; /* behind it: of lr_moments(), not zero; and of matrices */
    char *matrix;
    void *host;           /* pinned and mapped, HOST_BYTES: where kernels send values */
    void *host_on_device; /* the same, for kernels */
    struct reduction plan[FUNCTION_COUNT][TYPE_COUNT][PLACE_COUNT];
};

#define HOST_BYTES 256

/* Checks the stream and remembers it. */
int handle_begin(struct lr_handle *h, lr_stream stream);
/* LR_OK, or what the runtime has reported since handle_begin(). */
int handle_end(struct lr_handle *h);
/* Of an array and of a result: NULL, alignment, size; and whether the result lies in the array. */
int check_array(const void *x, size_t n, size_t size);
int check_result(const void *result, size_t size, size_t alignment, const void *x, size_t bytes);
/* Bytes of an element; 0: no such type. */
size_t element_bytes(int type);

/* What HIP_CHECK calls in the library: the first error of this thread since errors_forget(). */
void errors_forget(void);
hipError_t errors_first(void);

#endif
