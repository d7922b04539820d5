/* The running program, as its file describes it: read once, by symbols_open().
 *
 * Kernels call this on their own small stacks and while their accesses are being observed. Therefore symbols_open()
 * reads all line tables, which takes the most stack, and nothing here calls memset() or memcpy(), which are callbacks
 * of the trace (callbacks.c); those of libdw, a shared library, are not.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_SYMBOLS_PROGRAM_H
#define TRACE_SYMBOLS_PROGRAM_H

#include "../symbols.h"
#include "dwarf.h"

/* Addresses [low, high) of a compilation unit or a function; one may have several of them. Tables of our own, because
 * clang writes no .debug_aranges. */
struct range {
    uintptr_t low, high; /* in the file */
    Dwarf_Die die;
};
struct ranges {
    struct range *range;
    size_t count, room;
};
/* Variables as the symbol table has them: not every compiler says in DWARF where thread-local ones lie. */
struct variable {
    uintptr_t value; /* address in the file, or offset in the thread-local segment */
    size_t bytes;
    const char *name; /* mangled */
    bool is_shared;   /* static __shared__, which is thread-local here */
};

/* The entries of DWARF that describe variables with a fixed place. */
struct description {
    uintptr_t value;
    bool is_thread_local;
    Dwarf_Die die;
};

/* The only program, so it is global. */
struct symbols_program {
    uintptr_t base; /* where it is loaded */
    size_t thread_local_bytes;
    uintptr_t thread_local_begin; /* of the thread that asked last */

    struct ranges units, functions;
    struct variable *variable;
    size_t variables;
    uintptr_t shared_low, shared_high; /* values between which the shared ones lie */
    uintptr_t *guard;                  /* values of bytes that say whether a shared one was constructed */
    size_t guards;
    struct description *description;
    size_t descriptions, descriptions_room;

    char *demangled; /* the last name; room for the next */
    size_t demangled_bytes;
};
extern struct symbols_program symbols_program;

/* Where the thread-local variables of the calling thread begin. */
uintptr_t symbols_thread_local_begin(void);

/* code.c: parameter `index` of a function as it is declared. */
bool symbols_find_parameter(uintptr_t function, unsigned index, Dwarf_Die *found);

/* variables.c: the variable that holds an address; what DWARF says of it; where it begins in this thread. */
const struct variable *symbols_find_variable(uintptr_t address);
struct description *symbols_description_of(const struct variable *v);
uintptr_t symbols_begin_of(const struct variable *v);

#endif
