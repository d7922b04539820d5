/* Names of elements: parameters of the kernel from its source, variables from the program's symbols. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_internal.h"
#include "types.h"

/* The parameters of the kernel, in parentheses, from its source. "" if they are not found there. */
static void read_parameters(char *text, size_t size)
{
    const struct trace_place *place = trace_place_of(trace_launch->function + 1);
    const struct trace_frame *frame = &place->frame[place->count - 1];
    char function[200]; /* of "void scatter<double>": scatter */
    size_t length, used = 0;
    int depth = 0;

    snprintf(function, sizeof function, "%.*s", (int)strcspn(frame->function, "<"),
             frame->function);
    const char *space = strrchr(function, ' '), *word = space ? space + 1 : function;
    length = strlen(word);

    text[0] = '\0';
    for (unsigned line = frame->line > 4 ? frame->line - 4 : 1; line < frame->line + 12; line++) {
        const char *at = trace_source_line(frame->file, line);
        if (depth == 0) {
            const char *name = strstr(at, word);
            while (name && (name[length] != '(' ||
                            (name > at && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))))
                name = strstr(name + 1, word);
            if (!name)
                continue;
            at = name + length;
        }
        for (; *at && used + 2 < size; at++) {
            depth += *at == '(';
            depth -= *at == ')';
            text[used++] = *at;
            text[used] = '\0';
            if (depth == 0)
                return;
        }
        text[used++] = ' ';
    }
    text[0] = '\0';
}

/* The name of parameter `index`: the last word before its comma. */
void trace_parameter_name(unsigned index, char *name, size_t size)
{
    static char text[600];
    static unsigned read; /* the launch whose parameters these are */
    unsigned comma = 0;
    int depth = 0;

    if (read != trace_launch->number)
        read_parameters(text, sizeof text);
    read = trace_launch->number;
    snprintf(name, size, "argument %u", index + 1);
    for (char *at = text, *word = NULL, *end = NULL; *at; at++) {
        depth += *at == '(' || *at == '[' || *at == '<';
        depth -= *at == ')' || *at == ']' || *at == '>';
        if (isalnum((unsigned char)*at) || *at == '_') {
            if (at != end)
                word = at;
            end = at + 1;
        }
        if ((*at == ',' && depth == 1) || (depth == 0 && *at == ')')) {
            if (comma++ == index && word) {
                snprintf(name, size, "%.*s", (int)(end - word), word);
                return;
            }
        }
    }
}

static void print_bytes(char *text, size_t size, size_t offset, unsigned bytes, const char *of)
{
    if (bytes == 1)
        snprintf(text, size, "byte %zu of %s", offset, of);
    else
        snprintf(text, size, "bytes %zu-%zu of %s", offset, offset + bytes - 1, of);
}

static void name_element(struct trace_name *n, const char *name, size_t offset, size_t element,
                         bool is_struct)
{
    if (element <= 1 || (is_struct && offset % element != 0) || (is_struct && offset >= element))
        snprintf(n->element, sizeof n->element, "%s, byte %zu", name, offset);
    else
        snprintf(n->element, sizeof n->element, "%s[%zu]", name, offset / element);
}

static void name_variable(struct trace_name *n, uintptr_t address, unsigned size)
{
    struct trace_variable v;
    char part[sizeof n->element / 2];

    if (!trace_variable_at(address, &v)) {
        snprintf(n->element, sizeof n->element, "a variable");
        return;
    }
    size_t offset = address - v.begin;
    if (types_of_variable(v.place, v.local_to_thread, offset, size, part, sizeof part))
        snprintf(n->element, sizeof n->element, "%s%s", v.name, part);
    else
        name_element(n, v.name, offset, size, offset % size != 0);
}

/* ---- arguments ---- */

/* The argument of the launch that points to this element of the allocation; NULL: none does. */
static const struct hip_cpu_argument *argument_at(const struct trace_allocation *a,
                                                  uintptr_t address)
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

size_t trace_align_at(uintptr_t address)
{
    const struct trace_allocation *a = trace_allocation_of(address);
    const struct hip_cpu_argument *argument = a ? argument_at(a, address) : NULL;
    return argument ? argument->align : 0;
}

size_t trace_element_at(enum trace_space space, uintptr_t address, uintptr_t *element)
{
    uintptr_t begin = (uintptr_t)hip_cpu_current->block->shared;
    size_t bytes = trace_shared_element;

    if (space == TRACE_GLOBAL) {
        const struct trace_allocation *a = trace_allocation_of(address);
        const struct hip_cpu_argument *argument = a ? argument_at(a, address) : NULL;
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
    if (types_of_argument(trace_launch->function - trace_load_base(), index, offset, size, part,
                          sizeof part))
        snprintf(n->element, sizeof n->element, "%s%s", name, part);
    else if (best->bytes == 1 && size == 1)
        snprintf(n->element, sizeof n->element, "%s[%zu]", name, offset);
    else
        name_element(n, name, offset, best->bytes, best->align > 0);
}

static void name_shared(struct trace_name *n, uintptr_t address, unsigned size)
{
    const struct hip_cpu_block *block = &hip_cpu_worker->block;
    size_t offset = address - (uintptr_t)block->shared;

    if (offset < block->shared_bytes) {
        size_t element = trace_shared_element ? trace_shared_element : size;
        bool whole = offset % element == 0 || element > size; /* a field of a struct */
        name_element(n, trace_shared_name, offset, element, !whole);
        print_bytes(n->where, sizeof n->where, offset, size, "dynamic shared memory");
        return;
    }
    name_variable(n, address, size);
    snprintf(n->where, sizeof n->where, "a static __shared__ variable");
}

void trace_name_of(enum trace_space space, uintptr_t address, unsigned size, struct trace_name *n)
{
    if (space == TRACE_SHARED)
        name_shared(n, address, size);
    else
        name_global(n, address, size);
}
