/* What the runtime's own files share. */
#ifndef HIP_CPU_INTERNAL_H
#define HIP_CPU_INTERNAL_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "hip/hip_cpu.h"

#define WARP_MAX          64
#define THREADS_MAX       1024 /* per block */
#define WARPS_MAX         (THREADS_MAX / 32)
#define SHARED_BYTES_MAX  ((size_t)64 << 10)
#define GRID_X_MAX        2147483647u
#define GRID_YZ_MAX       65535u
#define EXIT_USAGE        2
#define EXIT_DEVICE_FAULT 3

#if defined(__SANITIZE_ADDRESS__)
#define HIP_CPU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HIP_CPU_ASAN 1
#endif
#endif

#ifdef HIP_CPU_ASAN /* its frames have red zones */
#define STACK_BYTES ((size_t)512 << 10)
#else
#define STACK_BYTES ((size_t)128 << 10)
#endif

/* config.c: the environment, read before main(). */
enum schedule { SCHEDULE_FORWARD, SCHEDULE_REVERSE, SCHEDULE_RANDOM };

struct hip_cpu_config {
    unsigned workers;
    enum schedule schedule;
    uint64_t seed;       /* of SCHEDULE_RANDOM */
    bool strict_barrier; /* all threads of a block must reach the same barrier */
    bool visible;        /* there is a device */
};
extern struct hip_cpu_config hip_cpu_config;

/* A well mixed number from any two. */
static inline uint64_t hip_cpu_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a + (b + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* coroutine.c: stacks and the switch between them. */
struct stack {
    void *context; /* where its coroutine goes on; private to coroutine.c */
    char *bottom;  /* lowest usable byte */
    size_t bytes;
};
/* A new stack; the first switch to it calls entry(), which never returns. False: out of memory.
 * Stacks of different index begin at different offsets in their page, to spread over the cache. */
bool hip_cpu_stack_create(struct stack *stack, unsigned index, void (*entry)(void));
/* Makes the calling thread's own stack something to switch back to. */
void hip_cpu_stack_adopt(struct stack *stack);
/* Goes on where `to` was left; returns when something switches back to `from`. */
void hip_cpu_stack_switch(struct stack *from, struct stack *to);
/* The first thing that an entry() does. */
void hip_cpu_stack_entered(void);

/* block.c: the threads of one block. */
struct thread {
    struct hip_cpu_thread public;
    struct worker *worker;
    struct warp *warp;
    uint64_t bit;        /* of its lane */
    struct stack *stack; /* NULL: not started or returned */
    const char *file;    /* where it waits */
    int line;
};

/* Every lane that has not returned and does not run is in one of the three masks. */
struct warp {
    uint64_t ready;   /* can run: not started yet, or what it waited for has come */
    uint64_t waiting; /* at a barrier */
    uint64_t meeting; /* at a warp operation */
    struct thread *threads;
    struct {
        const void *address; /* in the kernel */
        enum hip_cpu_warp_op op;
        unsigned source; /* lane to read from */
    } at[WARP_MAX];
    uint64_t value[WARP_MAX]; /* given to the operation, and its result */
};

/* One pthread and all that a block needs. Everything is kept from block to block. */
struct worker {
    struct hip_cpu_block block;
    const struct run *run;
    unsigned threads_count, warps_count;
    uint64_t ready_warps; /* that may have something to do */
    uint64_t random;      /* state of the schedule */

    struct thread *arrived; /* the first at the barrier that is being waited for */
    enum hip_cpu_barrier_op op;
    bool mixed;            /* another thread waits at another barrier */
    unsigned true_count;   /* predicates */
    unsigned result_count; /* of the last barrier */
    unsigned result_of;    /* so many threads */

    struct stack own;
    struct stack *idle[THREADS_MAX]; /* stacks whose coroutine waits for a thread to run */
    unsigned idle_count, stacks_count;
    struct stack stacks[THREADS_MAX];
    struct warp warps[WARPS_MAX];
    struct thread threads[THREADS_MAX];

    char *shared_end; /* directly behind it is an inaccessible page */
    sem_t wake;
};

/* The worker that the calling pthread is, or NULL. */
extern __thread struct worker *hip_cpu_worker __attribute__((tls_model("initial-exec")));

/* Sets a worker up for the shape of a launch. */
void hip_cpu_block_shape(struct worker *worker, const struct run *run);
/* Runs one block to its end. */
void hip_cpu_block_run(struct worker *worker, uint64_t index);

/* launch.c: a launch in progress. */
struct run {
    const struct hip_cpu_launch *launch;
    uint64_t blocks;
};
/* Waits until every block of the cooperative launch is here. */
void hip_cpu_grid_barrier(const struct thread *thread);
/* A block of a cooperative launch has ended. */
void hip_cpu_grid_leave(void);

/* memory.c */
/* Pages that end at an inaccessible one, with such a page before them too. Returns NULL if there is no
 * memory; bytes is a multiple of the page size. */
char *hip_cpu_map_guarded(size_t bytes);
/* What the address has to do with the memory of the device, for an error message. */
void hip_cpu_describe_address(const void *address, char *text, size_t size);
void hip_cpu_poison(void *from, size_t bytes);

/* fault.c */
void hip_cpu_catch_faults(void);
/* The calling pthread takes its signals on a stack of its own, so that it can report an overflow. */
void hip_cpu_signal_stack(void);
/* "hip: kernel k, block (1,0,0), thread (2,0,0)" of the current thread. */
void hip_cpu_describe_thread(char *text, size_t size);

/* device.c: keeps the error for hipGetLastError() and returns it. */
hipError_t hip_cpu_error(hipError_t error);

#endif
