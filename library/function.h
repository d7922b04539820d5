/* A function of the library: what the host knows about a file in functions/, which has its row and its kernels.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_FUNCTION_H
#define LIBRARY_FUNCTION_H

#include "checks.h"
#include "libreduction.h"
#include "reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STATES_BLOCK                                                                               \
    512 /* threads of a block, at most; 4 blocks per compute unit, or 64, with HALVES_MAX words each */
#define HALVES_MAX  14
#define LINES_BLOCK 256

/* One launch. */
struct call {
    struct reduction
        r; /* from the handle: n elements in all, a workspace, the stream, the results */
    const void *x, *y;
    int64_t *index;        /* NULL: not wanted */
    struct lr_lines lines; /* and of these lines ... */
    size_t first, count;   /* ... count from the first one on */
    unsigned *tickets;     /* zero between launches */
    void *partials;
};

/* The kernels for one type of elements. NULL: the function does not take it. */
struct kernels {
    void (*all)(const struct call *c);   /* one line, of contiguous elements */
    void (*lines)(const struct call *c); /* any lines */
    size_t result_bytes;
};

struct function {
    const char *name;
    const char *words; /* what it computes */
    bool uses_y, finds;
    bool of_doubles; /* the result is a double, whatever the elements are */
    bool counts;     /* it is an int64_t */
    struct kernels kernels[LR_TYPE_COUNT];
};

/* NULL: there is no such function. */
const struct function *lr_function(int function);

/* A whole call by these kernels. place: see handle.h. */
struct lr_handle;
int lr_function_reduce(struct lr_handle *h, int function, int type, int place, const void *x,
                       const void *y, const struct lr_lines *lines, void *results, int64_t *index,
                       lr_stream stream);

/* half and bfloat16, for functions of functions.c. */
int lr_narrow_reduce(struct lr_handle *h, int function, int type, int place, const void *x,
                     size_t n, void *result, lr_stream stream);

#ifdef __cplusplus
}
#endif

static inline bool is_whole_array(const struct lr_lines *l)
{
    return l->lines == 1 && l->step == 1 && l->offsets == NULL;
}

#endif
