/* What the source calls the memory at an address.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRACE_NAMES_H
#define HIP_CPU_TRACE_NAMES_H

#include "../trace.h"

struct trace_name {
    char element[160]; /* "partials[3]" */
    char where[160];   /* "bytes 24-31 of an allocation of 64 bytes" */
};

/* While a launch is in progress, on the worker that accessed the memory; else of global memory, and the host's. */
void trace_name_of(enum trace_space space, uintptr_t address, unsigned size, struct trace_name *n);

/* What number of at most `size` bytes lies there. */
struct trace_scalar trace_scalar_at(enum trace_space space, uintptr_t address, unsigned size);

/* The array that it belongs to, as a number; 0: none that an argument or a variable names. */
uintptr_t trace_array_of(enum trace_space space, uintptr_t address);

/* The name of parameter `index` of the kernel, "argument 3" if it has none. */
void trace_parameter_name(unsigned index, char *name, size_t size);

#endif
