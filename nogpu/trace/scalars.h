/* Numbers of the program as text.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRACE_SCALARS_H
#define HIP_CPU_TRACE_SCALARS_H

#include <stddef.h>

#include "hip_cpu/runtime.h"

struct trace_scalar {
    enum hip_cpu_scalar_kind kind;
    unsigned bytes; /* of one */
};

/* The value of a floating-point number; NaN: it is none. */
double trace_scalar_number(struct trace_scalar s, const void *at);
/* "256"; several with a space between them where `bytes` holds several; "": a type that has no such text. */
void trace_scalar_text(struct trace_scalar s, const void *at, unsigned bytes, char *text, size_t size);

#endif
