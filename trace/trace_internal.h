/* Declarations shared by the files of the trace. */
#ifndef TRACE_INTERNAL_H
#define TRACE_INTERNAL_H

#include "platform/cpu/internal.h"
#include "trace.h"

extern const struct trace_tool trace_races, trace_explain, trace_events;

/* The expression of the source that the instruction before this address belongs to: its line, column and inlined call; 0:
 * unknown, or of a compiler that copies structs as a whole. */
uint64_t trace_expression_of(uintptr_t code);

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
