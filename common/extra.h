/* The arguments of prepare() and extras(). verdict/extras.h has the functions for them, which a variant includes in its
 * prelude.h; C++ sources include hip/hip_runtime.h first.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_EXTRA_H
#define REDUCTION_EXTRA_H

#include <stddef.h>

#include "pattern.h"

/* The input as the host sees it. In a variant input_at(in, i) is element i, see element.h. */
struct input_view {
    int type; /* TYPE_* */
    size_t n;
    const void *data;       /* n elements of the type; or NULL: */
    struct pattern pattern; /* the elements follow this pattern */
};

struct reference; /* verdict/reference.h */

/* A further result besides the one of finish(). */
struct extra {
    const char *name; /* one word, the name of a column */
    double value, reference;
    double error, bound; /* |value - reference|, and how large it may be */
    int outcome;         /* VERDICT_* */
};
#define EXTRAS_MAX 8

#endif
