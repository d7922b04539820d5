/* A function of the library: its row in table.c, and its kernels, from a file in functions/.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_FUNCTION_H
#define LIBRARY_FUNCTION_H

#include "checks.h"
#include "libreduction.h"
#include "reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/* threads of a block, at most; 4 blocks per compute unit, or 64, with HALVES_MAX words each */
#define STATES_BLOCK   512
#define HALVES_MAX     14
#define LINES_BLOCK    256
#define LINES_RESIDENT 3 /* such blocks on a compute unit, all at once */

/* One launch. */
struct call {
    /* from the handle: n elements in all, a workspace, the stream, the results */
    struct reduction r;
    const void *x, *y;
    int64_t *index;        /* NULL: not wanted */
    int function;          /* LR_OP_ */
    struct lr_lines lines; /* and of these lines ... */
    size_t first, count;   /* ... count from the first one on */
    unsigned *tickets;     /* zero between launches */
    void *partials;
};

/* The kernels for one type of elements. lines NULL: the function does not take it. */
struct kernels {
    void (*all)(const struct call *c);   /* one line, of contiguous elements; NULL: by lines() */
    void (*lines)(const struct call *c); /* any lines */
    size_t result_bytes;
};

/* What a result is: a value as from lr_sum(), or always a double, an int64_t, or moments. */
enum result { RESULT_VALUE, RESULT_DOUBLE, RESULT_COUNT, RESULT_MOMENTS };

struct function {
    const char *name;
    const char *words;                      /* what it computes */
    const struct kernels *(*kernels)(void); /* by type */
    enum result result;
    bool uses_y, finds;
};

/* NULL: there is no such function. */
const struct function *lr_function(int function);

/* A whole call by these kernels. place: see handle.h. */
struct lr_handle;
int lr_function_reduce(struct lr_handle *h, int function, int type, int place, const void *x, const void *y,
                       const struct lr_lines *lines, void *results, int64_t *index, lr_stream stream);

/* half and bfloat16, for functions of functions.c. */
int lr_narrow_reduce(struct lr_handle *h, int function, int type, int place, const void *x, size_t n, void *result,
                     lr_stream stream);

#ifdef __cplusplus
}
#endif

static inline bool is_whole_array(const struct lr_lines *l)
{
    return l->lines == 1 && l->step == 1 && l->offsets == NULL && l->length_at == NULL;
}

#endif
