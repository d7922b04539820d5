/* What a kernel does, one event after the other: the stream that all tools work on.
 *
 * A build with TRACE=1 compiles the kernels with -fsanitize=thread but does not link that runtime: the
 * callbacks are ours (callbacks.c). They and the runtime's (nogpu/runtime/observer.h) produce the events below,
 * which go to the one tool that HIP_CPU_TRACE names. Without that variable the program runs as usual.
 *
 * Order. Only one block runs at any time: the blocks of a launch run one after the other, in the order of
 * the schedule, or they take turns (block_scheduler.c). Tools need no locks, and a run can be repeated.
 * Between warp operations and barriers the lanes of a warp run one after the other: accesses belong to one
 * instruction of the warp if warp, place, meeting and epoch are the same and each lane makes its k-th
 * access there.
 *
 * A new tool is one struct trace_tool with the functions it needs, entered in the list in dispatch.c.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRACE_H
#define HIP_CPU_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "../runtime/observer.h"
#include "symbols.h"

/* ---- places in the source ---- */

/* A line with the calls inlined around it. Code addresses with the same frames are one place, because a host
 * compiler duplicates code, which a compiler for GPUs must not. */
struct trace_place {
    unsigned number;                   /* 1, 2, 3 ... in the order of their first access */
    unsigned count;                    /* frames */
    const struct symbols_frame *frame; /* the innermost first */
    /* The frame that counts: the innermost one outside of the headers of this project and of the system.
     * The line of an inlined combine() is the line of the variant that called it. */
    const char *file;
    const char *function;
    unsigned line;
    unsigned column; /* 0 if unknown: clang counts behind the preprocessor, which replaced macros */
};

/* Its column, also where macros that were replaced may have moved it. */
unsigned trace_column(const struct trace_place *p);
/* The place of the instruction before this address, never NULL. */
const struct trace_place *trace_place_of(uintptr_t code);
/* Whether a file is a header of the CPU platform. */
bool trace_is_platform(const char *file);
/* The place with this number. */
const struct trace_place *trace_place_number(unsigned number);
/* Line of a file without the white space around it, and how much was before it (unless NULL); "" if it cannot be read. */
const char *trace_source_line(const char *file, unsigned line, unsigned *indent);

/* ---- events ---- */

struct trace_who {
    uint64_t block;              /* in the grid, x fastest */
    unsigned thread, warp, lane; /* in the block, x fastest */
    unsigned epoch;              /* barriers that the block has passed */
    unsigned meeting;            /* warp operations that the lane has taken part in */
};

enum trace_space { TRACE_GLOBAL = HIP_CPU_GLOBAL, TRACE_SHARED = HIP_CPU_SHARED };

/* A load or a store. What a GPU keeps in registers (local variables, threadIdx) makes no access. */
struct trace_access {
    struct trace_who who;
    uintptr_t address;
    unsigned size;
    enum trace_space space;
    bool write;
    bool is_volatile;
    uintptr_t code; /* behind the call of the callback */
    const struct trace_place *place;
};

/* As HIP numbers them. */
enum trace_scope {
    TRACE_SCOPE_THREAD = 1,
    TRACE_SCOPE_WARP,
    TRACE_SCOPE_BLOCK,
    TRACE_SCOPE_DEVICE,
    TRACE_SCOPE_SYSTEM
};

/* An atomic operation, before it takes place: a load, a store, or both. word_load() and word_store() too. */
struct trace_atomic {
    struct trace_who who;
    uintptr_t address;
    unsigned size;
    enum trace_space space;
    bool reads, writes;
    bool updates;  /* reads, and writes unless a comparison fails */
    bool adds_one; /* to an integer */
    int order;     /* __ATOMIC_RELAXED ... __ATOMIC_SEQ_CST */
    enum trace_scope scope;
    const struct trace_place *place;
};

struct trace_fence {
    struct trace_who who;
    enum trace_scope scope;
    int order; /* as of an atomic operation */
    const struct trace_place *place;
};

static inline bool trace_acquires(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static inline bool trace_releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* A barrier, when the last thread has arrived and none has left. */
struct trace_barrier {
    uint64_t block;
    unsigned epoch; /* that ends here */
    enum hip_cpu_barrier_op op;
    unsigned warps;
    const uint64_t *lanes; /* [warps]: those who waited */
    const struct trace_place *place;
};

/* A thread has arrived at its next barrier, and waits later. */
struct trace_arrival {
    struct trace_who who;
    bool grid;
};

/* A block goes on after a grid barrier; all blocks have arrived, each after its own trace_barrier. */
struct trace_grid_barrier {
    uint64_t block;
    unsigned number; /* 1, 2, 3 ... in this program */
};

/* A shuffle or a vote, when all lanes that take part have arrived and none has left. */
struct trace_meeting {
    uint64_t block;
    unsigned warp, epoch;
    enum hip_cpu_warp_op op;
    bool named;                 /* the lanes, by a mask */
    uint64_t lanes;             /* that take part */
    uint64_t left;              /* that the mask names, and that have returned without it */
    uint64_t absent;            /* lanes of a shuffle whose source does not take part */
    const unsigned *source;     /* [64]: lane that is read, valid for a shuffle's lanes */
    const uint64_t *value;      /* [64]: of each lane */
    struct trace_scalar scalar; /* what a value is */
    const unsigned *meeting;    /* [64]: number of this meeting for each lane, as in trace_who */
    const struct trace_place *place;
};

struct trace_launch {
    unsigned number; /* 1, 2, 3 ... in this program */
    const char *kernel;
    uintptr_t function;
    dim3 grid, block;
    uint64_t blocks;
    unsigned threads, warps, warp_size; /* of a block */
    size_t shared_bytes;                /* dynamic */
    bool cooperative;
    bool left_out;    /* HIP_CPU_KERNEL and HIP_CPU_LAUNCHES: what it does wrong is not reported */
    bool interleaved; /* not cooperative, and its blocks take turns nevertheless */
    unsigned arguments;
    const struct hip_cpu_argument *argument;
    /* What the kernel calls its dynamic shared memory, and bytes of an element; "shared" and 0: not known. */
    const char *shared_name;
    size_t shared_element;
    enum hip_cpu_scalar_kind shared_kind;
};

struct trace_block {
    uint64_t block;
    unsigned threads, warps;
    uintptr_t shared; /* dynamic shared memory */
    size_t shared_bytes;
    uintptr_t fixed; /* all static __shared__ variables of the program lie here */
    size_t fixed_bytes;
};

/* ---- the host ---- */

struct trace_stream {
    enum hip_cpu_stream_event what;
    const void *stream, *event; /* by which it is known */
};

/* A copy, a fill, or memory that begins or ends in the order of a stream, before it takes place: the work that was queued
 * last. */
struct trace_copy {
    enum { TRACE_COPY, TRACE_FILL, TRACE_ALLOCATION, TRACE_RELEASE } what;
    uintptr_t to, from; /* from: of a copy */
    size_t bytes;
    bool waits; /* the host, for its end */
    const struct trace_place *place;
};

/* An access by code of the host that is compiled for the trace, while trace_run.watches_host. */
struct trace_host_access {
    uintptr_t address;
    size_t size;
    bool write;
    bool is_atomic; /* or volatile */
    bool on_stream; /* by a function of the host that a stream calls */
    uintptr_t code;
};

/* Memory that begins or ends. */
struct trace_memory {
    enum {
        TRACE_ALLOCATED,
        TRACE_FREED,
        TRACE_NOT_FREED, /* hipFree(), or for the host hipHostFree(), of another address */
        TRACE_REGISTERED,
        TRACE_KERNEL_ALLOCATED, /* by malloc() in a kernel */
        TRACE_KERNEL_FREED      /* and by free(), of any address */
    } what;
    uintptr_t address;
    size_t bytes;
    bool host;      /* can access it, too */
    uintptr_t code; /* behind the call in the program; 0: unknown */
};

/* What would end the program, unless the tool says that it may go on. */
struct trace_fault {
    enum hip_cpu_fault fault;
    uintptr_t address; /* 0: unknown */
    const char *what, *file;
    unsigned line, column; /* column 0: unknown */
};

/* ---- tools ---- */

/* How the program ends. */
struct trace_end {
    int status;   /* its exit code */
    bool stopped; /* by a fault: the tool saw a part of what it would have done */
};

/* All functions but start() get what start() has returned; any may be NULL. */
struct trace_tool {
    const char *name; /* for HIP_CPU_TRACE */
    void *(*start)(bool weak_memory);
    void (*launch_begin)(void *, const struct trace_launch *);
    void (*launch_end)(void *, const struct trace_launch *);
    void (*block_begin)(void *, const struct trace_block *);
    void (*block_end)(void *, const struct trace_block *);
    void (*access)(void *, const struct trace_access *);
    /* An asynchronous copy is called, and will write this; when its thread waits for it, it makes accesses. */
    void (*copy_begins)(void *, const struct trace_access *);
    void (*atomic)(void *, const struct trace_atomic *);
    void (*fence)(void *, const struct trace_fence *);
    void (*arrival)(void *, const struct trace_arrival *);
    void (*barrier)(void *, const struct trace_barrier *);
    void (*grid_barrier)(void *, const struct trace_grid_barrier *);
    void (*meeting)(void *, const struct trace_meeting *);
    /* Returns the exit code that the program has if it would have been 0. */
    int (*finish)(void *, const struct trace_end *);

    void (*stream)(void *, const struct trace_stream *);
    void (*copy)(void *, const struct trace_copy *);
    void (*freed)(void *, uintptr_t start); /* before it */
    void (*host_access)(void *, const struct trace_host_access *);

    /* A tool that knows all memory: accesses outside of it do not end the program. stray() gets those of kernels, and returns
     * whether it has reported them. */
    bool goes_on;
    bool (*stray)(void *, const struct trace_access *);
    /* Whether it knows the address; matters for TRACE_KERNEL_FREED. */
    bool (*memory)(void *, const struct trace_memory *);
    bool (*fault)(void *, const struct trace_fault *);

    /* A tool that can repeat a launch: launch_again() returns whether it has to run once more, and while it does only the
     * three after it are called. Not with weak memory. */
    bool (*launch_again)(void *);
    void (*block_again)(void *);                                    /* a block begins */
    void (*store)(void *, uintptr_t address, size_t size);          /* to global memory, before it */
    void (*load)(void *, uintptr_t address, unsigned size);         /* of global memory */
    uint64_t (*absent_value)(void *, const struct trace_meeting *); /* what its absent lanes get */
};
extern const struct trace_tool trace_races, trace_memory_tool, trace_explain;

/* What the folders of a program's project mean. A program may define it; a folder ends with "/". */
struct trace_client {
    const char *helpers[4]; /* folders of headers: for an access in one, the caller's line counts */
    const char *muted;      /* a folder whose kernels are not examined */
    const char *prefix;     /* of programs' names, which reports leave out */
};
extern const struct trace_client trace_client __attribute__((weak));

/* The launch in progress; names and places are looked up for it. */
extern const struct trace_launch *trace_launch;

/* ---- memory ---- */

struct trace_allocation {
    uintptr_t start;
    size_t bytes;
    bool host; /* can access it, too */
};
/* The allocation of the device that holds this address, or NULL. */
const struct trace_allocation *trace_allocation_of(uintptr_t address);

/* The alignment of the structs of global memory that lie here, as the kernel's arguments show it; 0: not known, or no
 * structs. */
size_t trace_align_at(uintptr_t address);

/* Where the element begins that this address is in, of an array in global or dynamic shared memory, and its bytes; 0: not
 * known. */
size_t trace_element_at(enum trace_space space, uintptr_t address, uintptr_t *element);

#endif
