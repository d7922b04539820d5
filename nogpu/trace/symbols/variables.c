/* Variables with a fixed place: which one an address belongs to.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

struct description *symbols_description_of(const struct variable *v)
{
    for (size_t i = 0; i < symbols_program.descriptions; i++)
        if (symbols_program.description[i].value == v->value &&
            symbols_program.description[i].is_thread_local == v->is_shared)
            return &symbols_program.description[i];
    return NULL;
}

/* "double_sum::reduce(double const*)::last" to "last". */
static const char *plain_name(const char *mangled)
{
    int status;
    char *demangled = __cxa_demangle(mangled, symbols_program.demangled, &symbols_program.demangled_bytes, &status);
    char *colons;

    if (!demangled)
        return mangled;
    symbols_program.demangled = demangled;
    while ((colons = strstr(demangled, "::")))
        demangled = colons + 2;
    return demangled;
}

uintptr_t symbols_begin_of(const struct variable *v)
{
    return (v->is_shared ? symbols_program.thread_local_begin : symbols_program.base) + v->value;
}

static void take_variable(const struct variable *from, struct symbols_variable *v)
{
    struct description *d = symbols_description_of(from);
    const char *name = d ? dwarf_diename(&d->die) : NULL;

    *v = (struct symbols_variable){name ? name : plain_name(from->name), symbols_begin_of(from), from->bytes,
                                   from->name};
}

const struct variable *symbols_find_variable(uintptr_t address)
{
    symbols_thread_local_begin();
    for (size_t i = 0; i < symbols_program.variables; i++)
        if (address - symbols_begin_of(&symbols_program.variable[i]) < symbols_program.variable[i].bytes)
            return &symbols_program.variable[i];
    return NULL;
}

bool symbols_variable_at(uintptr_t address, struct symbols_variable *v)
{
    const struct variable *found = symbols_find_variable(address);
    if (found)
        take_variable(found, v);
    return found != NULL;
}

bool symbols_shared_before(uintptr_t address, struct symbols_variable *v)
{
    const struct variable *best = NULL;
    uintptr_t offset = address - symbols_thread_local_begin();

    for (size_t i = 0; i < symbols_program.variables; i++)
        if (symbols_program.variable[i].is_shared && symbols_program.variable[i].value < offset &&
            (!best || symbols_program.variable[i].value > best->value))
            best = &symbols_program.variable[i];
    if (best)
        take_variable(best, v);
    return best != NULL;
}

/* Whether a variable of this mangled name stands in a function of this name, which may be "rows<float>". */
static bool is_in_function(const char *mangled, const char *function)
{
    char name[100];
    size_t length = strcspn(function, "<");

    return strncmp(mangled, "_ZZ", 3) == 0 && length > 0 &&
           snprintf(name, sizeof name, "%zu%.*s", length, (int)length, function) < (int)sizeof name &&
           strstr(mangled, name);
}

unsigned symbols_shared_arrays(const char *function, const char *name, struct symbols_variable *array, unsigned max)
{
    unsigned count = 0;

    symbols_thread_local_begin();
    for (size_t i = 0; i < symbols_program.variables; i++) {
        const struct variable *v = &symbols_program.variable[i];
        struct symbols_variable found;
        if (!v->is_shared || !is_in_function(v->name, function))
            continue;
        take_variable(v, &found);
        if (strcmp(found.name, name) != 0)
            continue;
        if (count == max)
            return 0;
        array[count++] = found;
    }
    return count;
}

void symbols_shared_range(uintptr_t *begin, size_t *bytes)
{
    *begin = symbols_thread_local_begin() + symbols_program.shared_low;
    *bytes = symbols_program.shared_high - symbols_program.shared_low;
}

bool symbols_is_guard(uintptr_t address)
{
    uintptr_t begin = symbols_program.guards > 0 ? symbols_thread_local_begin() : 0;

    for (size_t i = 0; i < symbols_program.guards; i++)
        if (address == begin + symbols_program.guard[i])
            return true;
    return false;
}

bool symbols_is_thread_local(uintptr_t address)
{
    return address - symbols_thread_local_begin() < symbols_program.thread_local_bytes;
}
