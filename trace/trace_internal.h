/* Declarations shared by the files of the trace. */
#ifndef TRACE_INTERNAL_H
#define TRACE_INTERNAL_H

#include "platform/cpu/internal.h"
#include "trace.h"

extern const struct trace_tool trace_races, trace_explain, trace_events;

/* Where the static __shared__ variables of the calling worker are: at an offset from the address of
 * hip_cpu_current that symbols.c finds in the program's symbol table. */
void trace_fixed_shared(uintptr_t *start, size_t *bytes);
/* Where the program is loaded: addresses in its file count from there. */
uintptr_t trace_load_base(void);

/* No more lookups of places: the program ends. */
void trace_places_end(void);

/* The expression of the source that the instruction before this address belongs to. */
struct trace_expression {
    uint64_t
        id; /* line, column and inlined call; 0: not known, or of a compiler that copies structs as a whole */
    bool
        is_argument; /* on the lines that declare the innermost inlined function: an argument is copied */
};
struct trace_expression trace_expression_of(uintptr_t code);

/* Fills in who the current thread is. */
void trace_describe(struct trace_who *who);

/* The memory space of this address, or -1 if no other thread can access it. */
int trace_space_of(uintptr_t address);

/* The block that the calling worker runs. */
uint64_t trace_block_now(void);

/* A launch begins: the first block takes the first turn. */
void trace_turns_begin(void);

/* The current block lets others run where blocks take turns: it reads what they hand over, perhaps until it changes. */
void trace_turn_yield(void);

/* A store to global memory is about to happen. */
void trace_see_store(const struct trace_who *who, uintptr_t address, size_t size);

/* An access to memory that is neither the thread's nor the device's. Ends the program if a GPU could not make it. */
#define TRACE_OWN        -1
#define TRACE_NOT_DEVICE -2
void trace_check_host_access(uintptr_t address, bool write, void *code);
/* Whether the address belongs to a thread-local variable of the program; the last static __shared__ variable that begins
 * before it. */
bool trace_is_local(uintptr_t address);
bool trace_shared_before(uintptr_t address, struct trace_variable *v);

/* Fills in who, space and place, and passes the access to the tool. */
void trace_see_access(uintptr_t address, size_t size, bool write, bool is_volatile, void *code);

extern const struct trace_tool *trace_tool;

/* A run in which no kernel was launched shows nothing: the exit code that is "unproven" elsewhere, and the message. */
#define EXIT_NOTHING_SEEN 4
extern const char trace_no_kernel[];
/* With which the program ends, apart from what a tool finds. */
extern int trace_status;

/* The program ends by a fault: the tool saw a part of what it would have done. */
extern bool trace_stopped;

/* memcpy() and the like are callbacks, too (callbacks.c). These are for the memory of the device. */
void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int byte, size_t size);

/* Ends the program if there was no memory. */
void *trace_check_alloc(void *memory);

#endif
