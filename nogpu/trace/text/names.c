/* Names of elements: of variables, and of what the kernel's parameters point to.
 * SPDX-License-Identifier: MIT */
#include "names.h"

#include <stdio.h>

#include "../trace_internal.h"

void trace_parameter_name(unsigned index, char *name, size_t size)
{
    const char *found = symbols_parameter(trace_launch->function, index);

    if (found)
        snprintf(name, size, "%s", found);
    else
        snprintf(name, size, "argument %u", index + 1);
}

static void print_bytes(char *text, size_t size, size_t offset, unsigned bytes, const char *of)
{
    if (bytes == 1)
        snprintf(text, size, "byte %zu of %s", offset, of);
    else
        snprintf(text, size, "bytes %zu-%zu of %s", offset, offset + bytes - 1, of);
}

static void name_element(struct trace_name *n, const char *name, size_t offset, size_t element, bool is_struct)
{
    if (element <= 1 || (is_struct && offset % element != 0) || (is_struct && offset >= element))
        snprintf(n->element, sizeof n->element, "%s, byte %zu", name, offset);
    else
        snprintf(n->element, sizeof n->element, "%s[%zu]", name, offset / element);
}

static void name_variable(struct trace_name *n, uintptr_t address, unsigned size)
{
    struct symbols_variable v;
    char part[sizeof n->element / 2];

    if (!symbols_variable_at(address, &v)) {
        snprintf(n->element, sizeof n->element, "a variable");
        return;
    }
    size_t offset = address - v.begin;
    if (symbols_part(address, size, part, sizeof part))
        snprintf(n->element, sizeof n->element, "%s%s", v.name, part);
    else
        name_element(n, v.name, offset, size, offset % size != 0);
}

/* ---- arguments ---- */

/* The argument of the launch that points to this element of the allocation; NULL: none does. */
static const struct hip_cpu_argument *argument_at(const struct trace_allocation *a, uintptr_t address)
{
    const struct hip_cpu_argument *best = NULL;

    for (unsigned i = 0; i < trace_launch->arguments; i++) {
        const struct hip_cpu_argument *g = &trace_launch->argument[i];
        uintptr_t p = (uintptr_t)g->pointer;
        if (p >= a->start && p <= address && (!best || p >= (uintptr_t)best->pointer))
            best = g;
    }
    return best;
}

/* The same of an address; NULL: it is in no allocation. */
static const struct hip_cpu_argument *argument_of(enum trace_space space, uintptr_t address)
{
    const struct trace_allocation *a = space == TRACE_GLOBAL ? trace_allocation_of(address) : NULL;
    return a ? argument_at(a, address) : NULL;
}

static bool is_dynamic(enum trace_space space, uintptr_t address)
{
    const struct hip_cpu_block *block = hip_cpu_block();
    return space == TRACE_SHARED && address - (uintptr_t)block->shared < block->shared_bytes;
}

size_t trace_align_at(uintptr_t address)
{
    const struct hip_cpu_argument *argument = argument_of(TRACE_GLOBAL, address);
    return argument ? argument->align : 0;
}

size_t trace_element_at(enum trace_space space, uintptr_t address, uintptr_t *element)
{
    uintptr_t begin = (uintptr_t)hip_cpu_block()->shared;
    size_t bytes = trace_launch->shared_element;

    if (space == TRACE_GLOBAL) {
        const struct hip_cpu_argument *argument = argument_of(space, address);
        begin = argument ? (uintptr_t)argument->pointer : 0;
        bytes = argument ? argument->bytes : 0;
    } else if (address - begin >= trace_launch->shared_bytes) {
        return 0;
    }
    if (bytes < 2)
        return 0;
    *element = address - (address - begin) % bytes;
    return bytes;
}

static void name_global(struct trace_name *n, uintptr_t address, unsigned size)
{
    const struct trace_allocation *a = trace_allocation_of(address);
    char name[80], of[100], part[80];

    if (!a) { /* a __device__ variable */
        name_variable(n, address, size);
        snprintf(n->where, sizeof n->where, "a variable of the program");
        return;
    }
    const struct hip_cpu_argument *best = argument_at(a, address);
    snprintf(of, sizeof of, "an allocation of %zu bytes", a->bytes);
    print_bytes(n->where, sizeof n->where, address - a->start, size, of);
    if (!best) {
        snprintf(n->element, sizeof n->element, "global memory");
        return;
    }
    unsigned index = (unsigned)(best - trace_launch->argument);
    size_t offset = address - (uintptr_t)best->pointer;
    trace_parameter_name(index, name, sizeof name);
    if (symbols_pointed_part(trace_launch->function, index, offset, size, part, sizeof part))
        snprintf(n->element, sizeof n->element, "%s%s", name, part);
    else if (best->bytes == 1 && size == 1)
        snprintf(n->element, sizeof n->element, "%s[%zu]", name, offset);
    else
        name_element(n, name, offset, best->bytes, best->align > 0);
}

static void name_shared(struct trace_name *n, uintptr_t address, unsigned size)
{
    const struct hip_cpu_block *block = hip_cpu_block();
    size_t offset = address - (uintptr_t)block->shared;

    if (offset < block->shared_bytes) {
        size_t element = trace_launch->shared_element ? trace_launch->shared_element : size;
        bool whole = offset % element == 0 || element > size; /* a field of a struct */
        name_element(n, trace_launch->shared_name, offset, element, !whole);
        print_bytes(n->where, sizeof n->where, offset, size, "dynamic shared memory");
        return;
    }
    name_variable(n, address, size);
    snprintf(n->where, sizeof n->where, "a static __shared__ variable");
}

/* Without a launch there are no parameters. */
static void name_for_host(struct trace_name *n, uintptr_t address, unsigned size)
{
    const struct trace_allocation *a = trace_allocation_of(address);
    struct symbols_variable v;
    char of[100];

    if (!a && symbols_variable_at(address, &v)) {
        name_global(n, address, size);
        return;
    }
    snprintf(n->element, sizeof n->element, a ? "memory of the device" : "memory of the host");
    snprintf(n->where, sizeof n->where, "an array or a local variable");
    if (!a)
        return;
    snprintf(of, sizeof of, "an allocation of %zu bytes", a->bytes);
    print_bytes(n->where, sizeof n->where, address - a->start, size, of);
}

void trace_name_of(enum trace_space space, uintptr_t address, unsigned size, struct trace_name *n)
{
    if (!trace_launch)
        name_for_host(n, address, size);
    else if (space == TRACE_SHARED)
        name_shared(n, address, size);
    else
        name_global(n, address, size);
}

struct trace_scalar trace_scalar_at(enum trace_space space, uintptr_t address, unsigned size)
{
    const struct hip_cpu_argument *g = argument_of(space, address);

    if (is_dynamic(space, address))
        return (struct trace_scalar){trace_launch->shared_kind, (unsigned)trace_launch->shared_element};
    if (g)
        return symbols_pointed_scalar(trace_launch->function, (unsigned)(g - trace_launch->argument),
                                      address - (uintptr_t)g->pointer, size);
    return symbols_scalar(address, size);
}

uintptr_t trace_array_of(enum trace_space space, uintptr_t address)
{
    const struct hip_cpu_argument *argument = argument_of(space, address);
    struct symbols_variable v;

    if (is_dynamic(space, address))
        return 1;
    if (argument)
        return 2 + (uintptr_t)(argument - trace_launch->argument);
    return symbols_variable_at(address, &v) ? (uintptr_t)v.name : 0;
}
