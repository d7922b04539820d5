/* Declarations shared by the files of the runtime.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_INTERNAL_H
#define HIP_CPU_INTERNAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "observer.h"

#define THREADS_PER_UNIT 4096 /* reported to programs that fill the device with a grid */
#define WORKERS_MAX      1024 /* of a cooperative launch: one for each block */
#define UNIT_BLOCKS_MAX  32   /* of it on a multiprocessor, */
#define UNIT_THREADS_MAX 2048 /* and their threads: each has a stack */
#define SHARED_BYTES_MAX ((size_t)(hip_cpu_config.cuda ? 163 : 64) << 10) /* an A100's */
/* without hipFuncSetAttribute() */
#define SHARED_BYTES_UNASKED                                                                                           \
    (hip_cpu_config.shared_memory > 0 ? hip_cpu_config.shared_memory : (size_t)(hip_cpu_config.cuda ? 48 : 64) << 10)
#define SHARED_PAGES ((size_t)192 << 10) /* that it fits in: whole ones, of up to 64 KiB */
#define GRID_X_MAX   2147483647u
#define GRID_YZ_MAX  65535u
#define BLOCK_Z_MAX  (hip_cpu_config.cuda ? 64 : THREADS_MAX)

#if defined(__SANITIZE_ADDRESS__)
#define HIP_CPU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HIP_CPU_ASAN 1
#endif
#endif

#ifdef HIP_CPU_ASAN /* its frames have red zones */
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define STACK_BYTES ((size_t)512 << 10)
#else
#define STACK_BYTES ((size_t)128 << 10)
#endif
#define STACK_GUARD ((size_t)64 << 10) /* more than the local arrays of a function take */

/* The runtime of libreduction does not end or change its program: a wrong word in the environment hides the device, faults
 * are the program's own, and so is memory, as its callers have no HIP to allocate by. */
#ifdef LIBRARY
#define IN_LIBRARY true
#else
#define IN_LIBRARY false
#endif

#define DEVICES_MAX 16

/* config.c: the environment, read before main(). */
struct hip_cpu_config {
    unsigned workers;
    size_t device_memory; /* bytes of an emulated small device; 0: the host's */
    size_t shared_memory; /* bytes for a launch that asked for nothing; 0: as the headers' GPUs have */
    enum hip_cpu_schedule schedule;
    uint64_t seed;          /* of HIP_CPU_RANDOM */
    bool strict_barrier;    /* all threads of a block must reach the same barrier, */
    bool may_return;        /* or return before it (hip_cpu_returns()) */
    unsigned devices;       /* that the program finds, all the same memory and cores */
    bool cuda;              /* it has CUDA's headers */
    const char *fail;       /* the call that fails, or "any"; NULL: none */
    char fail_text[128];    /* it is in here */
    uint64_t fail_at;       /* which of these calls, counted from 1 */
    bool fail_on;           /* and all after it */
    _Atomic uint64_t calls; /* of these so far, by all host threads */
    /* Not from the environment: hip_cpu_set_window(), hip_cpu_set_zeros(). */
    uint64_t window_first, window_count;
    bool zeros;
};
extern struct hip_cpu_config hip_cpu_config;

/* Reports an event to the observer, if there is one. Plain builds do not even test for one. */
#ifdef HIP_CPU_TRACE
#define OBSERVER hip_cpu_observer
#else
#define OBSERVER ((const struct hip_cpu_observer *)NULL)
#endif
/* In a function that kernels call: the code behind that call. */
#define CALLER __builtin_return_address(0)
#define OBSERVE(event, ...)                                                                                            \
    do {                                                                                                               \
        if (OBSERVER)                                                                                                  \
            OBSERVER->event(__VA_ARGS__);                                                                              \
    } while (0)

/* coroutine.c: stacks and the switch between them. A context is where a coroutine resumes. */
struct stack {
    void *top;
    char *bottom; /* lowest usable byte */
    size_t bytes;
    void *parked;           /* of the portable switch */
    void (*function)(void); /* likewise */
};
/* A new stack, number `index` of an array. False: out of memory. Stacks of different index begin at different offsets in
 * their page, to spread over the cache. An array is destroyed from its first stack to its last one. */
bool hip_cpu_stack_create(struct stack *stack, unsigned index);
void hip_cpu_stack_destroy(struct stack *stack, unsigned index);
/* valgrind.c. Under valgrind kernels are coroutines, one block at a time, so that each thread has its errors. */
extern bool hip_cpu_valgrind __attribute__((visibility("hidden")));
void hip_cpu_announce_stack(const char *bottom, const char *end);
enum hip_cpu_announced { HIP_CPU_OUTSIDE, HIP_CPU_UNWRITTEN, HIP_CPU_WRITTEN }; /* as valgrind's */
void hip_cpu_announce_memory(const void *start, size_t bytes, enum hip_cpu_announced kind);
/* Before another thread runs: whether the current one has done what valgrind reports. */
void hip_cpu_name_finder(void);
/* Resumes the context `to`; returns when the context left in *from is resumed. */
void hip_cpu_switch(void **from, void *to);
/* The same, but calls function() on an unused stack. function() must not return. */
void hip_cpu_start(void **from, struct stack *stack, void (*function)(void));
/* Resumes the context `to` and abandons everything on the stack in use. */
void hip_cpu_leave(const void *to) __attribute__((noreturn));

/* block.c: the threads of one block. What a barrier needs of them is in hip_cpu_thread, and the rest here: as little as
 * possible has to fit into the L1 cache. */
struct thread {
    struct warp *warp;
    const char *file; /* where it waits, if `apart` has it */
    int line;
    unsigned stack; /* index of the stack it is on, unless it runs with others (hip_cpu_straight) */
};
_Static_assert(sizeof(struct hip_cpu_thread) == 32, "two in a cache line");

/* Every lane that has not returned and is not running is in one of ready, waiting and meeting. */
struct warp {
    uint64_t ready;   /* can run: not started yet, or its wait is over */
    uint64_t waiting; /* at a barrier */
    /* those of `waiting` that say themselves where: the others wait where the worker says */
    uint64_t apart;
    uint64_t meeting; /* at a warp operation */
    uint64_t votes;   /* those of `meeting` whose predicate is true */
    struct hip_cpu_thread *threads;
    struct thread *details; /* of the same threads */
    uint64_t left;          /* returned before the end of the kernel */
    unsigned first;         /* the lane that arrived first */
    bool mixed;             /* lanes wait at different places, or for a mask */
    uint64_t masked;        /* those of `meeting` that wait for the lanes of a mask */

    uint64_t group, group_votes; /* of the last operation; valid until all of them have run */
    uint64_t result[WARP_MAX];   /* of the last operation that gives values */
    struct {
        uint64_t value;
        enum hip_cpu_warp_op op;
        unsigned source; /* lane to read from */
        uint64_t mask;   /* valid if it is one of `masked` */
    } at[WARP_MAX];
};

/* A pthread, of the pool or the host's, and all that a block needs. Everything is reused by the next block. */
struct worker {
    struct hip_cpu_block block;
    const struct run *run;
    unsigned threads_count, warps_count;
    int warp_size;        /* the threads are set up for this one */
    uint64_t last_lanes;  /* of the last warp */
    uint64_t ready_warps; /* warps that may have a lane to run */
    struct warp *warp;    /* of the thread that runs */
    uint64_t random;      /* state of the schedule */

    /* The barrier at which the first thread waits. */
    const char *file;
    int line; /* 0: no thread waits */
    enum hip_cpu_barrier_op op;
    bool mixed;          /* another thread waits at another barrier */
    unsigned predicates; /* how many are true */
    unsigned result;     /* how many were true at the last barrier, */
    unsigned result_of;  /* and of how many threads */

    /* As long as the threads of the block run in the order of their numbers, and do the same, the masks of the warps say
     * nothing (block.c): those before the current one have returned or, if line is not 0, wait there; the others up to
     * this one can run. NULL: the masks say it. */
    struct hip_cpu_thread *sweep;
    bool in_order;         /* the schedule allows it */
    bool waits;            /* a thread of this launch has waited: the others will, too */
    unsigned first_stack;  /* of the threads up to hip_cpu_straight */
    bool looks, last_look; /* at the threads of this launch one by one, after a fault in loops; and there was none */

    void *context;              /* where the pthread resumes when the block has ended */
    struct stack own;           /* its stack */
    unsigned idle[THREADS_MAX]; /* unused stacks */
    unsigned idle_count, stacks_count;
    struct stack stacks[THREADS_MAX];
    struct warp warps[WARPS_MAX];
    _Alignas(64) struct hip_cpu_thread threads[THREADS_MAX + 1]; /* one to look ahead at */
    struct thread details[THREADS_MAX];

    char *shared_end; /* an inaccessible page follows directly */
    /* The static __shared__ variables, once a tool has found them. */
    uintptr_t fixed;
    size_t fixed_bytes;
    bool fixed_known;
    sem_t wake;
};

/* The worker that the calling pthread is, or NULL. */
extern __thread struct worker *hip_cpu_worker HIP_CPU_HERE;

/* The number of a thread in its block, and what is not in hip_cpu_thread. */
static inline unsigned number_of(const struct hip_cpu_thread *thread)
{
    return (unsigned)(thread - hip_cpu_worker->threads);
}
static inline struct thread *details_of(const struct hip_cpu_thread *thread)
{
    return &hip_cpu_worker->details[number_of(thread)];
}
/* The stack of the current thread. */
static inline const struct stack *current_stack(void)
{
    const struct worker *w = hip_cpu_worker;
    return &w->stacks[hip_cpu_straight ? w->first_stack : details_of(hip_cpu_current)->stack];
}

/* Prepares a worker for the blocks of a launch. */
void hip_cpu_block_prepare(struct worker *worker, const struct run *run);
/* Runs one block to its end. */
void hip_cpu_block_run(struct worker *worker, uint64_t index);
/* copies.c: a block begins; those that wait are of another one. */
void hip_cpu_copies_drop(void);
/* lanes.c: the lanes that wait at the same warp operation as this one; those of its mask that have not returned. */
uint64_t hip_cpu_lanes_with(const struct warp *warp, unsigned lane);
uint64_t hip_cpu_lanes_expected(const struct warp *warp, unsigned lane);
/* meeting.c: no thread can run. False: all have returned. Otherwise all wait at a barrier and are released. */
bool hip_cpu_release_barrier(struct worker *w);
/* All lanes of the warp wait or have returned, some of them at warp operations: those of one operation become ready. */
void hip_cpu_complete_meeting(struct warp *warp);

static inline bool hip_cpu_same_place(const char *file_a, int line_a, const char *file_b, int line_b)
{
    return line_a == line_b && (file_a == file_b || strcmp(file_a, file_b) == 0);
}

/* deadlock.c */
/* Faults of a kernel; both name who waits where. */
__attribute__((noreturn)) void hip_cpu_report_divergence(const struct warp *warp);
__attribute__((noreturn)) void hip_cpu_report_barrier(const struct worker *w);

/* workers.c: a launch in progress. */
struct run {
    const struct hip_cpu_launch *launch;
    uint64_t first, blocks; /* that run: all, or those of hip_cpu_set_window() */
    uint64_t seed;          /* HIP_CPU_RANDOM: of this launch */
};
/* Threads of the host that run blocks, besides the one that launches. */
unsigned hip_cpu_workers(void);
/* kernel.c: blocks of a cooperative launch that a multiprocessor takes; 0: none fits. */
unsigned hip_cpu_blocks_per_unit(size_t threads, size_t shared_bytes);
/* grid.c: the barrier of a cooperative launch, which begins; until every block has arrived; a block has ended. */
void hip_cpu_grid_begin(void);
void hip_cpu_grid_barrier(const char *file, int line);
void hip_cpu_grid_leave(void);

/* heap.c */
/* Pages that end at an inaccessible one, with such a page before them too. Returns NULL if there is no
 * memory; bytes is a multiple of the page size. */
char *hip_cpu_map_guarded(size_t bytes);
void hip_cpu_unmap_guarded(char *start, size_t bytes);
void hip_cpu_poison(void *from, size_t bytes);
/* Whether all bytes belong to this side and to one allocation; host memory that no call of HIP allocated
 * always passes. */
enum side { SIDE_ANY, SIDE_HOST, SIDE_DEVICE };
bool hip_cpu_is_inside(const void *pointer, size_t bytes, enum side side);

/* fault.c */
void hip_cpu_catch_faults(void);
/* The calling pthread takes its signals on a stack of its own, so that it can report an overflow. */
void hip_cpu_signal_stack(void);
/* beyond.c: ends the program if the block wrote past its static __shared__ variables. */
void hip_cpu_check_beyond(const struct hip_cpu_block *block);
/* fatal.c: called, if there is one, before a fault is reported; block.c sets it. In loops no one knows whose the fault is: then this does not
 * return, and the block runs once more as coroutines, one of which fails again and can tell. */
extern void (*hip_cpu_look_closer)(void);
/* fatal.c: "hip: kernel k, block (1,0,0), thread (2,0,0)" of the current thread; "hip: host code" if there is none. */
void hip_cpu_describe_thread(char *text, size_t size);

/* Streams, and their work, which is numbered in the order of the calls. */
struct hip_cpu_stream {
    struct hip_cpu_stream *next; /* of those that there are */
    unsigned flags;
    int priority;
    struct hip_cpu_capture *capture; /* the last one; NULL: none so far */
    struct hip_cpu_node *last;       /* of it: the next one comes behind it; NULL: behind none */
};
/* Work that is kept: until its stream comes to it, or in a graph. It is a copy. */
#define HIP_CPU_WORK_ALIGN 64
struct hip_cpu_node {
    struct hip_cpu_node *next;
    hipError_t (*run)(const void *work);
    size_t bytes;
    uint64_t number;                   /* in the queue; in a graph it has none, */
    hipStream_t stream;                /* and this is its branch; NULL: the first */
    const struct hip_cpu_node *origin; /* it is a copy of */
    struct hip_cpu_node *copy;         /* the latest one */
    bool is_followed;                  /* by another one of its branch */
    struct hip_cpu_graph *graph;       /* which has it */
    _Alignas(HIP_CPU_WORK_ALIGN) char work[];
};
/* What a stream keeps for a graph, and streams that wait for its events: they share it. It stays when it has ended, since any
 * of them may ask. */
struct hip_cpu_graph {
    /* They run in this order; one without `run` is where branches meet. */
    struct hip_cpu_node *first;
    struct hip_cpu_edge {
        struct hip_cpu_node *from, *to;
    } * edge;
    size_t edges;
    struct hip_cpu_stream *branch; /* for a tool that observes; NULL: not known yet */
    size_t branches;
};
/* graph.c: copies of its nodes, behind the others. */
hipError_t hip_cpu_append_all(struct hip_cpu_graph *to, const struct hip_cpu_graph *from);
struct hip_cpu_capture {
    struct hip_cpu_graph *graph; /* NULL: it has ended */
    bool is_invalid;             /* something was called that no graph can keep */
    hipStream_t origin;
    hipStreamCaptureMode mode;
    pthread_t thread;    /* that began it */
    atomic_uint holders; /* streams and events: it goes with the last one */
};
/* work.c: *holder has this capture from now on, or none. */
void hip_cpu_hold(struct hip_cpu_capture **holder, struct hip_cpu_capture *capture);
/* work.c: at the end of a list, which begins with NULL. NULL: no memory. */
struct hip_cpu_node *hip_cpu_append(struct hip_cpu_node **list, hipError_t (*run)(const void *work), const void *work,
                                    size_t bytes);
bool hip_cpu_add_edge(struct hip_cpu_graph *graph, struct hip_cpu_node *from, struct hip_cpu_node *to);
/* The error of a call that waits for a stream which captures: the capture is worth nothing any more. */
hipError_t hip_cpu_invalidate(struct hip_cpu_capture *capture);
/* capture.c: whether this thread may call what might wait for the device; what waits for all of it; what uses the stream,
 * where NULL waits for others. If not, what captures has failed. */
hipError_t hip_cpu_may_wait(void);
hipError_t hip_cpu_may_wait_for_all(void);
hipError_t hip_cpu_may_use(hipStream_t stream);
/* list.c: invalidates the captures of such streams; whether there are any. Whether a capture's first stream waits for what
 * all others have added. */
bool hip_cpu_spoil(bool (*is_spoilt)(const struct hip_cpu_stream *stream));
bool hip_cpu_all_joined(hipStream_t origin);
/* Whether the stream keeps its work for a graph; keeps some; keeps it behind a node that another stream has kept, too. */
bool hip_cpu_captures(hipStream_t stream);
hipError_t hip_cpu_capture_behind(hipStream_t stream, struct hip_cpu_capture *capture, struct hip_cpu_node *last);
hipError_t hip_cpu_capture(hipStream_t stream, hipError_t (*run)(const void *work), const void *work, size_t bytes);
/* queue.c: does run(work), now or when the stream comes to it, with a copy of its bytes. */
hipError_t hip_cpu_on_stream(hipStream_t stream, hipError_t (*run)(const void *work), const void *work, size_t bytes);
/* What nodes of a graph run: a copy, a fill, a function of the host, where memory begins and ends, an event. */
hipError_t hip_cpu_do_copy(const void *work);
hipError_t hip_cpu_do_fill(const void *work);
hipError_t hip_cpu_do_call(const void *work);
hipError_t hip_cpu_do_begin(const void *work);
hipError_t hip_cpu_do_end(const void *work);
hipError_t hip_cpu_do_record(const void *work);
hipError_t hip_cpu_do_wait(const void *work);
hipError_t hip_cpu_do_nothing(const void *work);
/* event.c: the same now. pool.c: keeps for a graph where an allocation begins or ends. */
hipError_t hip_cpu_record(hipEvent_t event, hipStream_t stream);
hipError_t hip_cpu_meet(hipEvent_t event, hipStream_t stream);
hipError_t hip_cpu_keep_memory(hipStream_t keeper, void *pointer, bool begins);
/* nodes.c: a stream that captures for this graph; a kernel on it; whether the graph has this node. */
hipStream_t hip_cpu_keeper_of(struct hip_cpu_graph *graph);
hipError_t hip_cpu_keep_kernel(struct hip_cpu_graph *graph, const hipKernelNodeParams *kernel);
bool hip_cpu_has_node(const struct hip_cpu_graph *graph, const struct hip_cpu_node *node);
/* copy.c: rows of elements of 1, 2 or 4 bytes. */
hipError_t hip_cpu_fill_elements(const hipMemsetParams *fill, hipStream_t stream);
/* The number of the latest work. */
uint64_t hip_cpu_queued(void);
/* Until the work of this stream up to a number is done, or all work of all; returns the first error of late work. */
#define HIP_CPU_FOREVER UINT64_MAX
hipError_t hip_cpu_wait_for(hipStream_t stream, uint64_t upto);
hipError_t hip_cpu_wait(void);
/* hipErrorNotReady or, when the host has asked again, as hip_cpu_wait_for(). */
hipError_t hip_cpu_query(hipStream_t stream, uint64_t upto);
bool hip_cpu_is_pending(hipStream_t stream, uint64_t upto);

/* queue.c: work that waits until a stream has done its own up to a number. */
struct hip_cpu_point {
    hipStream_t stream;
    uint64_t number;
};
hipError_t hip_cpu_do_meet(const void *point);
/* For work on a stream that is not over before this is true of it. Other streams go on. */
void hip_cpu_wait_until(hipStream_t stream, bool (*is_over)(const void *work), const void *work);

/* late.c: a kernel begins. */
void hip_cpu_late_begin(void);

/* memory.c: hipMalloc(), which a capture allows. */
hipError_t hip_cpu_allocate(void **pointer, size_t bytes);
const char *hip_cpu_cuda_name(hipError_t error);
/* launch/kernel.c: so much dynamic shared memory the kernel may have; NULL: it may be any. */
size_t hip_cpu_shared_limit(const void *kernel);
/* call.c: keeps the error for hipGetLastError() and returns it. */
hipError_t hip_cpu_error(hipError_t error);
/* Bytes of an element of an array. */
size_t hip_cpu_element(const hipChannelFormatDesc *desc);
/* array.c: whether it belongs to a texture or surface object, which kernels read. */
bool hip_cpu_is_texture(const void *address);
/* The call of HIP that this stands in returns the error if the condition holds. */
#define REFUSE_IF(condition, error)                                                                                    \
    do {                                                                                                               \
        if (condition)                                                                                                 \
            return hip_cpu_error(error);                                                                               \
    } while (0)
/* Waits for the work that a call has put on the stream, unless it has failed. */
hipError_t hip_cpu_finish(hipError_t error, hipStream_t stream);
/* Returns the error of a call that has failed. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        hipError_t tried = (call);                                                                                     \
        REFUSE_IF(tried != hipSuccess, tried);                                                                         \
    } while (0)
/* hipSuccess if there is such a device. */
hipError_t hip_cpu_check_device(int device);
/* device.c: that of the calling thread. */
int hip_cpu_device(void);
/* Whether this call of a runtime function, or this "launch", shall fail. */
bool hip_cpu_fails(const char *call);
/* How a call of HIP begins: the error if it shall fail, or if there is no device. */
hipError_t hip_cpu_enter(const char *call);
/* list.c: the same, with a stream. It is none if it was made up, or has been destroyed: hipErrorInvalidHandle. */
hipError_t hip_cpu_enter_stream(const char *call, hipStream_t stream);
bool hip_cpu_is_stream(hipStream_t stream);
void hip_cpu_list_stream(hipStream_t stream);
void hip_cpu_unlist_stream(hipStream_t stream);
/* Captures for a graph whose nodes are added by hand (nodes.c), and is always there. */
extern __thread struct hip_cpu_stream hip_cpu_keeper;

#endif
