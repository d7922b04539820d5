/* Declarations shared by the files of the trace.
 * SPDX-License-Identifier: MIT */
#ifndef TRACE_INTERNAL_H
#define TRACE_INTERNAL_H

#include <pthread.h>

#include "trace.h"
#include "weak.h"

/* The traced run. It is global because the callbacks of the compiler and of the runtime pass no pointer of ours. Tools
 * keep their own state, which is passed to them. */
struct trace_run {
    const struct trace_tool *tool;       /* NULL: none */
    void *state;                         /* of the tool */
    struct weak *weak;                   /* NULL: the memory of the host */
    const struct hip_cpu_launch *launch; /* in progress, as trace_launch */
    pthread_t worker;                    /* whose block runs */
    bool is_on;                          /* accesses are examined: not in kernels of the harness */
    bool is_repeat;                      /* the launch runs again */
    bool is_trial;                       /* in a process of its own, whose end says nothing */
    uint64_t only[3];                    /* blocks that run again; */
    unsigned only_count;                 /* 0: all */
    bool is_unaligned;                   /* the compiler knows that this access may be */
    bool watches_host;                   /* the tool wants to see accesses of the host */
    bool has_ended;                      /* exit() can be called while a fault ends the program */
    bool host_registered;                /* the program has made memory of the host known to the device */
    uint32_t memory;                     /* another number when an allocation has ended */
};
extern struct trace_run trace_run;

/* Calls the tool's function for an event, if it has one; not while a launch is repeated. */
#define TRACE_NOTIFY(event, ...)                                                                                       \
    do {                                                                                                               \
        if (trace_notifies(event))                                                                                     \
            trace_run.tool->event(trace_run.state, __VA_ARGS__);                                                       \
    } while (0)
#define trace_notifies(event) (trace_run.tool && trace_run.tool->event && !trace_run.is_repeat)

/* The block that the calling worker runs. */
struct trace_here {
    uint64_t block;
    unsigned epoch, warp_shift;
    const struct hip_cpu_thread *first; /* of its threads */
    uintptr_t fixed;                    /* its static __shared__ variables */
    size_t fixed_bytes, fixed_apart;    /* 0: the runtime's own lie between them */
    uintptr_t shared;                   /* dynamic shared memory */
    size_t shared_bytes;
    unsigned meeting[THREADS_MAX];
    /* return address of the barrier or warp operation that each thread waits at */
    void *code[THREADS_MAX];
    /* what it exchanges there, and what the running thread is about to */
    struct trace_scalar scalar[THREADS_MAX], exchanged;
};
extern __thread struct trace_here trace_here;

/* Returns memory; ends the program if it is NULL. */
void *trace_check_alloc(void *memory);
/* Makes room for an element behind `count` others of an array; `first`: how many it has room for at least. */
#define TRACE_ONE_MORE(array, count, room, first)                                                                      \
    do {                                                                                                               \
        if ((count) >= (room)) {                                                                                       \
            (room) = (room) > 0 ? 2 * (room) : (first);                                                                \
            (array) = trace_check_alloc(realloc(array, (room) * sizeof *(array)));                                     \
        }                                                                                                              \
    } while (0)

/* Where a table of 2^bits entries has a page: arrays of a kernel often lie a power of two apart. */
static inline size_t trace_slot_of(uintptr_t page, unsigned bits)
{
    return page * 0x9e3779b97f4a7c15ull >> (64 - bits);
}

/* What is known of a code address: each is looked up once. */
struct trace_site {
    uintptr_t code;
    const struct trace_place *place; /* NULL: nobody has asked yet */
    uint64_t expression;
    bool is_c;
    /* The allocation that it accessed last, while `memory` is that of trace_run. */
    uint32_t memory;
    uintptr_t begin;
    size_t bytes;
};
struct trace_site *trace_find_site(uintptr_t code);
#define TRACE_SITES 1024
extern struct trace_site *trace_sites[TRACE_SITES]; /* the latest, by code */
static inline struct trace_site *trace_site_of(uintptr_t code)
{
    struct trace_site *s = trace_sites[(code ^ code >> 10) % TRACE_SITES];
    return s && s->code == code ? s : trace_find_site(code);
}

/* places.c: the expression of the source that the instruction before this address belongs to: its line, column and inlined
 * call; 0: unknown, or of a compiler that copies structs as a whole. */
uint64_t trace_expression_of(uintptr_t code);

/* Whether that instruction belongs to the runtime or the trace, which are C; kernels are C++. */
bool trace_is_of_runtime(uintptr_t code);

/* allocations.c */
void trace_allocated(const void *start, size_t bytes, bool host);
void trace_freed(const void *start);
/* The same within a launch. */
void trace_add_allocation(const void *start, size_t bytes, bool host);
void trace_remove_allocation(const void *start);
/* Held during a launch, which looks up allocations without it: other host threads that allocate wait for its end. */
void trace_allocations_lock(void);
bool trace_allocations_trylock(void);
void trace_allocations_unlock(void);

/* Who the current thread is. */
static inline void trace_describe(struct trace_who *who)
{
    unsigned thread = (unsigned)(hip_cpu_current - trace_here.first);

    who->block = trace_here.block;
    who->thread = thread;
    who->warp = thread >> trace_here.warp_shift;
    who->lane = hip_cpu_current->lane;
    who->epoch = trace_here.epoch;
    who->meeting = trace_here.meeting[thread];
}

/* For the observer. */
enum hip_cpu_space trace_memory_at(uintptr_t address);
static inline enum hip_cpu_space trace_space_of(uintptr_t address) { return hip_cpu_space_of((const void *)address); }
/* Whether it is in the data of the program. */
bool trace_is_variable(uintptr_t address);

/* accesses.c: fills in who, space and place, and passes the access to the tool. */
void trace_see_access(uintptr_t address, size_t size, bool write, bool is_volatile, void *code);
/* An access to no memory of the device. True: the tool has reported it. */
bool trace_see_stray(uintptr_t address, size_t size, bool write, void *code);
/* A store to global memory is about to happen. */
void trace_see_store(const struct trace_who *who, uintptr_t address, size_t size);
void trace_see_fence(enum trace_scope scope, int order, void *code);

/* marks.c: which calls in kernels were executed, by return address; only after trace_mark_code(). */
void trace_mark_code(void);
bool trace_is_marked(uintptr_t code);
extern unsigned char *trace_marks; /* NULL: not wanted */
extern char __executable_start[], etext[];
static inline void trace_mark(uintptr_t code)
{
    uintptr_t at = code - (uintptr_t)__executable_start;
    if (trace_marks && at < (uintptr_t)(etext - __executable_start))
        trace_marks[at / 8] |= (unsigned char)(1 << at % 8);
}

/* host.c: an access by host code; copied: within a function of the C library. */
void trace_see_host(uintptr_t address, size_t size, bool write, bool is_atomic, bool copied, void *code);
/* For the observer. */
void trace_stream(enum hip_cpu_stream_event what, hipStream_t stream, hipEvent_t event);
void trace_copied(void *to, const void *from, size_t bytes, bool waits, void *code);
void trace_memory(const void *start, size_t bytes, bool begins, void *code);
/* Behind the call in the program that has led here; 0: unknown. */
uintptr_t trace_caller(void);
/* Passes it to the tool, by code of the host. */
void trace_notify_memory(struct trace_memory event);

/* host_access.c: an access to memory of the host. Ends the program if a GPU could not make it. */
void trace_check_host_access(uintptr_t address, bool write, void *code);
/* bounds.c: ends the program where an atomic operation gets the address behind the array that the source names. */
void trace_check_end(uintptr_t address, void *code);

/* block_scheduler.c: for the observer. */
/* blocks of a launch that take turns though it is not cooperative */
#define TRACE_INTERLEAVED_MAX 32
unsigned trace_workers(const struct hip_cpu_launch *launch, uint64_t blocks, unsigned usual);
void trace_slot_begin(unsigned slot);
void trace_slot_end(void);
void trace_grid_arrive(bool last);
void trace_grid_resume(void);
/* A launch begins: the first block takes the first turn. */
void trace_turns_begin(void);
bool trace_takes_turns(void);
/* The current block is about to read what other blocks hand over. Where blocks take turns, they run first: always if it
 * polls, else if the schedule says so. */
void trace_turn_yield(bool polls);
/* The next random number of this launch. */
uint64_t trace_draw(void);

/* progress.c: before a load, or an atomic operation that reads. hands_over: others may write it meanwhile. */
void trace_progress_read(unsigned thread, uintptr_t address, unsigned size, enum trace_space space, bool hands_over,
                         void *code);
/* In place of it, in a trial: whether the thread has read so little since the last barrier that nobody asks for loops. */
bool trace_progress_is_brief(void);
/* Before a store. */
void trace_progress_store(unsigned thread, uintptr_t address, unsigned size, void *code);
/* Before an atomic operation: other threads may run, if the schedule says so. */
void trace_progress_yield(enum trace_space space);
/* A thread waits; a block begins; the program begins. */
void trace_progress_arrive(unsigned thread);
void trace_progress_block(unsigned threads);
void trace_progress_start(void);

/* failures.c: calls that failed, until the program looks at an error. */
struct trace_failure {
    uintptr_t code; /* behind the call in the program */
    hipError_t error;
    char launch[200]; /* "kernel k, grid (1,1,1), block (64,1,1)"; "": another call */
};
/* The oldest is number 0; NULL: there is none. */
const struct trace_failure *trace_failure_number(unsigned i);
/* A launch is refused, which is then added. */
void trace_failure_launch(const struct hip_cpu_launch *launch);
void trace_failure_add(hipError_t error);
/* The tool has reported what fails here. */
void trace_failure_known(uintptr_t code);
/* The program has the last one as the result of a call; it asks for the last error. */
void trace_failure_returned(void);
void trace_failures_read(void);

/* The end of the program, once: the tool prints what it has found. Returns the exit code that it requests; 0: none. */
int trace_end(int status, bool stopped);
/* The program ends early. */
void trace_finish(void);

/* A run without a launch proves nothing: the exit code that means "unproven" elsewhere, and the message. */
#define EXIT_NOTHING_SEEN 4
#define TRACE_NO_KERNEL   "no launch recorded; check that it is reached, and what hipGetLastError() returns after it"

/* memcpy() and the like are callbacks, too (callbacks.c). These are for the memory of the device. */
void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int byte, size_t size);
/* host.c sees what the program gives back; this is for the lock of the trace. */
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);

#endif
