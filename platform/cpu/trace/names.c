/* Names of elements: parameters of the kernel from its source, variables from the program's symbols. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

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
static void parameter_name(unsigned index, char *name, size_t size)
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

/* ---- static __shared__ arrays and __device__ variables: from their declaration ---- */

struct declared {
    size_t element; /* bytes; 0: not known */
    bool is_struct;
    size_t
        inner; /* elements of a row of an array of two dimensions; 0: there is one, or not known */
};

static size_t bytes_of(const char *word, size_t length)
{
    static const struct {
        const char *type;
        size_t bytes;
    } scalars[] = {{"char", 1},     {"bool", 1},    {"short", 2},    {"int", 4},
                   {"unsigned", 4}, {"float", 4},   {"long", 8},     {"double", 8},
                   {"size_t", 8},   {"int8_t", 1},  {"uint8_t", 1},  {"int16_t", 2},
                   {"uint16_t", 2}, {"int32_t", 4}, {"uint32_t", 4}, {"int64_t", 8},
                   {"uint64_t", 8}, {"uint", 4},    {"uchar", 1},    {"ushort", 2}};

    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (strlen(scalars[i].type) == length && strncmp(word, scalars[i].type, length) == 0)
            return scalars[i].bytes;
    return 0;
}

/* Where `name` stands in the line as a word of its own; NULL: nowhere. */
static const char *find_word(const char *line, const char *name)
{
    size_t length = strlen(name);
    const char *at = line;

    while ((at = strstr(at, name)) != NULL) {
        bool begins = at == line || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !(isalnum((unsigned char)at[length]) || at[length] == '_'))
            return at;
        at += length;
    }
    return NULL;
}

static struct declared read_declaration(const char *line, const char *name)
{
    struct declared d = {0, false, 0};
    const char *end = find_word(line, name), *at = line;

    while (at < end) { /* unsigned char: the last but "unsigned" counts */
        size_t length =
            strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        size_t bytes = bytes_of(at, length);
        if (bytes > 0 && (d.element == 0 || d.element == 4))
            d.element = bytes;
        if (length > 0) /* T and value_t stand for numbers, Pair does not */
            d.is_struct = length > 1 && strncmp(at + length - 2, "_t", 2) != 0;
        at += length > 0 ? length : 1;
    }
    d.is_struct = d.is_struct && d.element == 0;
    at = strchr(end, '['); /* [rows][inner] */
    at = at && end + strlen(name) == at ? strchr(at, ']') : NULL;
    if (at && at[1] == '[' && strspn(at + 2, "0123456789") == strcspn(at + 2, "]") &&
        at[strcspn(at + 2, "]") + 3] != '[')
        d.inner = strtoul(at + 2, NULL, 10);
    return d;
}

/* From the source of the kernel. */
static struct declared declaration_of(const char *name)
{
    static char known[100];
    static struct declared d;
    static unsigned launch;
    char line[400];

    if (launch == trace_launch->number && strcmp(known, name) == 0)
        return d;
    const struct trace_place *place = trace_place_of(trace_launch->function + 1);
    FILE *source = fopen(place->frame[place->count - 1].file, "r");
    launch = trace_launch->number;
    snprintf(known, sizeof known, "%s", name);
    d = (struct declared){0, false, 0};
    while (source && d.element == 0 && !d.is_struct && fgets(line, sizeof line, source))
        if ((strstr(line, "__shared__") || strstr(line, "__device__")) && find_word(line, name))
            d = read_declaration(line, name);
    if (source)
        fclose(source);
    return d;
}

static void name_variable(struct trace_name *n, uintptr_t address, unsigned size)
{
    uintptr_t begin;
    size_t bytes;
    const char *name = trace_variable_at(address, &begin, &bytes);

    if (!name || bytes <= size) {
        snprintf(n->element, sizeof n->element, "%s", name ? name : "a variable");
        return;
    }
    struct declared d = declaration_of(name);
    size_t offset = address - begin, index = d.element ? offset / d.element : 0;
    if (d.is_struct)
        snprintf(n->element, sizeof n->element, "%s, byte %zu", name, offset);
    else if (d.element == 0)
        name_element(n, name, offset, size, offset % size != 0);
    else if (d.inner > 0)
        snprintf(n->element, sizeof n->element, "%s[%zu][%zu]", name, index / d.inner,
                 index % d.inner);
    else
        snprintf(n->element, sizeof n->element, "%s[%zu]", name, index);
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

static void name_global(struct trace_name *n, uintptr_t address, unsigned size)
{
    const struct trace_allocation *a = trace_allocation_of(address);
    char name[100], of[100];

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
    parameter_name((unsigned)(best - trace_launch->argument), name, sizeof name);
    if (best->bytes == 1 && size == 1)
        snprintf(n->element, sizeof n->element, "%s[%zu]", name,
                 (size_t)(address - (uintptr_t)best->pointer));
    else
        name_element(n, name, address - (uintptr_t)best->pointer, best->bytes, best->align > 0);
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
