/* What the source calls the code and the variables of the running program: its DWARF, read by elfutils' libdw, and its
 * symbol table. Addresses are those of the running program; texts stay valid. One thread at a time.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRACE_SYMBOLS_H
#define HIP_CPU_TRACE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scalars.h"

/* Before any of the others: reads the program's file. Needs 160 KiB of stack, the others 16. */
void symbols_open(void);

/* ---- code ---- */

struct symbols_frame {
    const char *function;  /* "reduce_block", without parameters and namespaces; "?" if unknown */
    const char *file;      /* as the compiler was given it, "reduction_shfl/shfl.hip"; "?" if unknown */
    unsigned line, column; /* 0 if unknown */
};

#define SYMBOLS_FRAMES 32

/* An instruction with the calls inlined around it. */
struct symbols_code {
    unsigned count;                             /* at least 1 */
    struct symbols_frame frame[SYMBOLS_FRAMES]; /* the innermost first */
    uint64_t call;     /* the innermost inlined call: a number for each in the program; 0: none */
    bool by_clang;     /* and not by GCC */
    bool is_c;         /* and not C++ */
    bool is_parameter; /* on the line of a struct parameter of the innermost inlined call */
};
void symbols_of_code(uintptr_t address, struct symbols_code *code);

/* Where the machine code of a function is; a compiler may take it apart. False: no more parts. */
bool symbols_function_range(uintptr_t function, unsigned index, uintptr_t *low, uintptr_t *high);

/* The name of parameter `index` of the function that begins at this address; NULL: unknown. */
const char *symbols_parameter(uintptr_t function, unsigned index);

/* ---- variables ---- */

struct symbols_variable {
    const char *name; /* "last", without namespaces */
    uintptr_t begin;  /* in this thread */
    size_t bytes;
    const char *symbol; /* "_ZZN10double_sum...E4last", as the linker knows it */
};
/* The variable that holds this address: a static __shared__ one, which is thread-local here, or any that is not
 * thread-local. False: none. */
bool symbols_variable_at(uintptr_t address, struct symbols_variable *v);
/* The last static __shared__ variable that begins before the address. */
bool symbols_shared_before(uintptr_t address, struct symbols_variable *v);
/* The static __shared__ variables of this name in functions of this one: a template has one for each type. 0: none, or more
 * than `max`. */
unsigned symbols_shared_arrays(const char *function, const char *name, struct symbols_variable *array, unsigned max);
/* Where all static __shared__ variables of this thread lie. */
void symbols_shared_range(uintptr_t *begin, size_t *bytes);
/* Whether it is the byte by which the compiler knows that a static __shared__ variable has been constructed. */
bool symbols_is_guard(uintptr_t address);
/* Whether the address belongs to a thread-local variable of the program: a static __shared__ one, or the runtime's. */
bool symbols_is_thread_local(uintptr_t address);

/* ---- types ---- */

/* What of the variable at this address an access of `bytes` bytes touches: "[2][5].x", or "" for all of it. False: its
 * type is unknown. */
bool symbols_part(uintptr_t address, size_t bytes, char *text, size_t size);
/* The same for what parameter `index` of a function points to, at this offset. */
bool symbols_pointed_part(uintptr_t function, unsigned index, size_t offset, size_t bytes, char *text, size_t size);
/* The number of at most `bytes` bytes that lies at this address of a variable; unknown: a struct, or none. */
struct trace_scalar symbols_scalar(uintptr_t address, size_t bytes);
/* The same for what parameter `index` of a function points to, at this offset. */
struct trace_scalar symbols_pointed_scalar(uintptr_t function, unsigned index, size_t offset, size_t bytes);

#endif
