/* What the runtime reports to a tool that observes kernels, and what the tool may ask. Programs include
 * hip_cpu/runtime.h; only the runtime's own files include internal.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_OBSERVER_H
#define HIP_CPU_OBSERVER_H

#include <stdbool.h>

#include "hip_cpu/runtime.h"

#define WARP_MAX          64
#define THREADS_MAX       1024 /* per block */
#define WARPS_MAX         (THREADS_MAX / 32)
#define EXIT_USAGE        2
#define EXIT_DEVICE_FAULT 3

/* A parameter that a function has for its type. */
#define UNUSED __attribute__((unused))

/* A hash of two numbers. */
static inline uint64_t hip_cpu_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a + (b + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* A setting that has a row in config.c: its text, NULL if it is not set. */
const char *hip_cpu_setting(const char *name);
/* Says which values the setting takes, and ends the program with EXIT_USAGE. */
void hip_cpu_reject(const char *name, const char *value) __attribute__((noreturn));

/* The order of blocks and threads (HIP_CPU_SCHEDULE), and the seed of a random one. */
enum hip_cpu_schedule hip_cpu_schedule(void);
uint64_t hip_cpu_seed(void);

/* The block of the calling worker, also where no thread of it runs. */
const struct hip_cpu_block *hip_cpu_block(void);

/* The current thread's number in its block: of a warp's size, whole warps before it and its lane. */
unsigned hip_cpu_number(void);
/* The thread of the calling worker's block with the number 0. */
const struct hip_cpu_thread *hip_cpu_threads(void);

/* The current thread lets another one of its block run, if one can. It stays ready. */
void hip_cpu_yield(void);

/* What a thread of the current block does. */
enum hip_cpu_state { HIP_CPU_READY, HIP_CPU_AT_BARRIER, HIP_CPU_AT_MEETING, HIP_CPU_RETURNED };
enum hip_cpu_state hip_cpu_state_of(unsigned thread);

/* Where an address lies, for the current thread. */
enum hip_cpu_space {
    HIP_CPU_GLOBAL, /* without a tool all that is none of the others */
    HIP_CPU_SHARED,
    HIP_CPU_PRIVATE = -1,  /* no other thread can reach it: its stack, textures */
    HIP_CPU_CONSTANT = -2, /* parameters of the kernel, and constants */
    HIP_CPU_OWN = -3,      /* variables of the runtime that kernels read, as threadIdx, and never write */
    HIP_CPU_HOST = -4
};
enum hip_cpu_space hip_cpu_space_of(const void *address);
bool hip_cpu_is_here(const void *address); /* HIP_CPU_OWN */
/* A tool has found the static __shared__ variables of the calling worker. Until then they are all thread-local ones. */
void hip_cpu_know_shared(uintptr_t begin, size_t bytes);

/* The asynchronous copy of the current block that has not taken place and will write here; NULL: none. */
const struct hip_cpu_pending *hip_cpu_pending_at(const void *address);
const char *hip_cpu_named(const char *text);

/* Where it is: "byte 8 of a freed allocation of 64 bytes". */
void hip_cpu_describe_address(const void *address, char *text, size_t size);

/* A fault of several workers at the same time is reported once: the first one returns, and the others wait here for the
 * end. */
void hip_cpu_begin_fatal(void);
/* The same; says what the fault is. */
void hip_cpu_begin_fault(enum hip_cpu_fault fault);
/* Calls finish() below and ends the program with EXIT_DEVICE_FAULT. */
void hip_cpu_end_fatal(void) __attribute__((noreturn));
/* One line on stderr between the two. */
void hip_cpu_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* A shuffle or a vote, when all lanes that take part have arrived and none has left. */
struct hip_cpu_meeting {
    unsigned warp;
    enum hip_cpu_warp_op op;
    bool named; /* by a mask: this one */
    uint64_t mask, lanes;
    unsigned source[WARP_MAX]; /* the lane that each lane reads; itself in a vote */
    uint64_t value[WARP_MAX];  /* of each lane: what others get of it in a shuffle */
    uint64_t *result;          /* [WARP_MAX]: of a shuffle; the observer may change them */
};

/* What orders the work on streams and the host: each names the stream, NULL is the default one, or the event. */
enum hip_cpu_stream_event {
    HIP_CPU_STREAM_CREATED,
    HIP_CPU_STREAM_CREATED_NON_BLOCKING,
    HIP_CPU_BRANCH_CREATED, /* of a graph: its nodes are work on a stream of its own */
    HIP_CPU_STREAM_DESTROYED,
    HIP_CPU_QUEUED,
    HIP_CPU_RECORDED, /* the event is behind the work of the stream */
    HIP_CPU_STREAM_WAITS,
    HIP_CPU_HOST_WAITED_EVENT,
    HIP_CPU_HOST_WAITED,
    HIP_CPU_HOST_WAITED_ALL,
    HIP_CPU_FUNCTION_BEGINS, /* of the host: the work that was queued last */
    HIP_CPU_FUNCTION_UNLOCKS, /* a mutex, which only the tool sees: a host thread that locks it later is ordered after this */
    HIP_CPU_FUNCTION_ENDS
};

/* None of these may be NULL. "Code" is the address behind the kernel's call. */
struct hip_cpu_observer {
    /* How many workers run the blocks, at most workers_max; `usual` is what the runtime would take. */
    unsigned workers_max;
    unsigned (*workers)(const struct hip_cpu_launch *launch, uint64_t blocks, unsigned usual);
    void (*launch_begin)(const struct hip_cpu_launch *launch);
    void (*launch_refused)(const struct hip_cpu_launch *launch, hipError_t error);
    void (*errors_read)(void);  /* the program has the error of a launch as the result of a call */
    bool (*launch_again)(void); /* all blocks have ended: whether they run once more */
    void (*launch_end)(void);
    bool (*block_wanted)(uint64_t block); /* while a launch runs again */

    /* A worker takes the block that is number `slot` in the order of the launch, and has run it. */
    void (*slot_begin)(unsigned slot);
    void (*slot_end)(void);
    void (*block_begin)(uint64_t block, unsigned threads, unsigned warps);
    void (*block_end)(void);

    /* The current thread calls a barrier or a warp operation. */
    void (*arrive)(void *code);
    /* It arrives at a barrier and waits there later: its next one. */
    void (*arrive_early)(bool grid);
    /* All threads have arrived and none has left; lanes[warps] are those who waited. */
    void (*barrier)(enum hip_cpu_barrier_op op, unsigned warps, const uint64_t *lanes);
    void (*meeting)(struct hip_cpu_meeting *meeting);
    /* The block arrives at a grid barrier, and goes on when all have arrived. */
    void (*grid_arrive)(bool last);
    void (*grid_resume)(void);
    void (*fence)(int scope, void *code);
    void (*copy_later)(const struct hip_cpu_pending *copy); /* before it waits */
    void (*dynamic_shared)(const char *name, size_t element_bytes, enum hip_cpu_scalar_kind kind);
    void (*exchanges)(size_t bytes, enum hip_cpu_scalar_kind kind); /* in the next warp operation */

    /* host: that the host can access, too. not_freed: hipFree(), or for the host hipHostFree(), got another address. */
    void (*allocated)(const void *start, size_t bytes, bool host);
    void (*freed)(const void *start);
    void (*not_freed)(const void *address, bool host);
    void (*host_registered)(const void *start, size_t bytes);
    /* Whether the tool reports accesses outside of allocations itself: then they do not end the program. */
    bool (*goes_on)(void);
    /* Whether it is global memory, a constant, or the host's. */
    enum hip_cpu_space (*memory_at)(uintptr_t address);

    /* A call of HIP failed; the program asks for the last error or its text: hipSuccess. */
    void (*failed)(hipError_t error);
    /* A thread does what ends the program. True: the tool reports it, and the thread may go on.
     * address: of the access; 0: not known. */
    bool (*fault)(enum hip_cpu_fault fault, uintptr_t address, const char *what, const char *file, unsigned line,
                  unsigned column);

    /* By the calling thread of the host. Work that is put on a stream is done next: a launch, a copy or a fill (from: NULL),
     * which is about to touch these bytes and which the host may wait for, memory that begins or ends there, a function of
     * the host. */
    void (*stream)(enum hip_cpu_stream_event what, hipStream_t stream, hipEvent_t event);
    void (*copied)(void *to, const void *from, size_t bytes, bool waits, void *code);
    void (*memory)(const void *start, size_t bytes, bool begins, void *code);

    /* The runtime ends the program after a fault. */
    void (*finish)(void);
};

/* NULL in a plain build: nothing observes. Set before main(). */
extern const struct hip_cpu_observer *hip_cpu_observer;

#endif
