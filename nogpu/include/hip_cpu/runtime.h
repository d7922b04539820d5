/* The interface between kernels compiled for the CPU and the runtime, and settings for checkers. This is not part of HIP;
 * programs do not use it.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_RUNTIME_H
#define HIP_CPU_RUNTIME_H

#include <stdbool.h>

#include "hip_cpu/api/api.h"
#include "hip_cpu/api/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a block may run as loops over its threads, and whether it does: then no variable says which thread does what. */
enum hip_cpu_as_loops { HIP_CPU_NO_LOOPS_HERE, HIP_CPU_LOOPS_OFFERED, HIP_CPU_LOOPS_RUN };

/* The block that a worker runs. */
struct hip_cpu_block {
    uint3 index;
    dim3 size;    /* of the block, in threads */
    dim3 grid;    /* in blocks */
    void *shared; /* dynamic shared memory */
    size_t shared_bytes;
    const char *kernel; /* its name in the launch */
    enum hip_cpu_as_loops loops;
};

/* A fast way to access variables of a worker. libreduction cannot use it: a program may load it when the space for such
 * variables has already been allocated. */
#ifdef LIBRARY
#define HIP_CPU_HERE
#else
#define HIP_CPU_HERE __attribute__((tls_model("initial-exec")))
#endif

/* What names the running thread does not change while a function runs, and for compilers a constant is no access. */
#if defined HIP_CPU_TRACE && defined __cplusplus
#define HIP_CPU_UNSEEN const
#else
#define HIP_CPU_UNSEEN
#endif

/* The running GPU thread, a coroutine; NULL outside of kernels. Tools that record accesses find the thread here. */
struct hip_cpu_thread {
    uint3 index;
    unsigned lane; /* in its warp */
    struct hip_cpu_block *block;
    void *context; /* where it resumes; NULL: not started or returned */
};

/* Coroutines never move to another worker, so a compiler may keep the address of this variable; its
 * value changes only inside the functions below. */
extern __thread struct hip_cpu_thread *HIP_CPU_UNSEEN hip_cpu_current HIP_CPU_HERE;

/* The threads of a block run one after the other on the same stack, up to this one, until one has to wait. NULL: one has. */
extern __thread struct hip_cpu_thread *hip_cpu_straight HIP_CPU_HERE;

/* The position of the running thread, under the names that kernels use. These are variables, not macros, because host
 * code has locals of these names. */
extern __thread HIP_CPU_UNSEEN uint3 threadIdx HIP_CPU_HERE;
extern __thread HIP_CPU_UNSEEN uint3 blockIdx HIP_CPU_HERE;
extern __thread HIP_CPU_UNSEEN dim3 blockDim HIP_CPU_HERE;
extern __thread HIP_CPU_UNSEEN dim3 gridDim HIP_CPU_HERE;

/* Lanes per warp, 32 or 64: HIP_CPU_WARP_SIZE, read before main(); built with -DHIP_CPU_WARP_SIZE=64 it is a constant,
 * as in older ROCm, and the environment must not say otherwise. */
#ifdef HIP_CPU_WARP_SIZE
static const int warpSize = HIP_CPU_WARP_SIZE;
extern const int hip_cpu_built_warp_size __attribute__((weak));
const int hip_cpu_built_warp_size = HIP_CPU_WARP_SIZE;
#else
extern const int warpSize;
#endif

/* A barrier or warp operation is identified by its place in the source. The code address does not show
 * which lanes are at the same operation: host compilers duplicate calls (jump threading, unrolling), which
 * compilers for GPUs must not do. */
enum hip_cpu_barrier_op {
    HIP_CPU_SYNCTHREADS,
    HIP_CPU_SYNCTHREADS_COUNT,
    HIP_CPU_SYNCTHREADS_AND,
    HIP_CPU_SYNCTHREADS_OR,
    HIP_CPU_SYNC_GRID
};
/* Waits for all threads of the block, or of the grid. Returns the operation's result for the predicates of
 * the block's threads. */
void hip_cpu_syncthreads(const char *file, int line);
int hip_cpu_barrier(enum hip_cpu_barrier_op op, int predicate, const char *file, int line);
/* The thread does not wait yet: its next barrier is this one. What it does until then comes neither behind what others did
 * before the barrier nor before what they do behind it. */
void hip_cpu_arrives(enum hip_cpu_barrier_op op);

/* In other people's kernels, return; becomes return hip_cpu_returns();. A thread that ends this way counts as arrived at
 * every barrier, as on GPUs; a thread that reaches the end of the kernel without passing a barrier does not. */
void hip_cpu_returns(void);
/* The same in a macro, which a kernel may use or another function: this one. */
void hip_cpu_returns_from(const char *function);
/* And this stands behind the { of each: a kernel that the host calls as a function is refused. */
void hip_cpu_called(const char *kernel) __attribute__((noreturn));
static inline void hip_cpu_enters(const char *kernel)
{
    if (!hip_cpu_current)
        hip_cpu_called(kernel);
}
/* And if it has __launch_bounds__(...): whether this block has more threads; then nothing runs, and the launch fails. */
int hip_cpu_exceeds(const char *kernel, unsigned most, ...);

/* Threads are not preempted: what a loop calls that waits for another thread. looks: a count of its own, which begins with 0
 * and ends the program if no thread of the block can end the loop; NULL: others may. */
void hip_cpu_pause(unsigned *looks, const char *file, int line);

/* Whether an address is of the block's shared memory, or of the thread's own variables. */
bool hip_cpu_is_shared(const void *address);
bool hip_cpu_is_local(const void *address);

/* Whether the running kernel was started as a cooperative one. */
int hip_cpu_is_cooperative(void);

/* X(operation, its name behind the two underscores of HIP) */
#define HIP_CPU_WARP_OPS(X)                                                                                            \
    X(HIP_CPU_SHFL, "shfl")                                                                                            \
    X(HIP_CPU_SHFL_UP, "shfl_up")                                                                                      \
    X(HIP_CPU_SHFL_DOWN, "shfl_down")                                                                                  \
    X(HIP_CPU_SHFL_XOR, "shfl_xor")                                                                                    \
    X(HIP_CPU_ANY, "any")                                                                                              \
    X(HIP_CPU_ALL, "all")                                                                                              \
    X(HIP_CPU_BALLOT, "ballot")                                                                                        \
    X(HIP_CPU_ACTIVE, "activemask")                                                                                    \
    X(HIP_CPU_SYNCWARP, "syncwarp")                                                                                    \
    X(HIP_CPU_MATCH_ANY, "match_any")                                                                                  \
    X(HIP_CPU_MATCH_ALL, "match_all")                                                                                  \
    X(HIP_CPU_REDUCE_ADD, "reduce_add")                                                                                \
    X(HIP_CPU_REDUCE_MIN, "reduce_min")                                                                                \
    X(HIP_CPU_REDUCE_MAX, "reduce_max")                                                                                \
    X(HIP_CPU_REDUCE_AND, "reduce_and")                                                                                \
    X(HIP_CPU_REDUCE_OR, "reduce_or")                                                                                  \
    X(HIP_CPU_REDUCE_XOR, "reduce_xor")
#define HIP_CPU_WARP_OP(op, name) op,
enum hip_cpu_warp_op { HIP_CPU_WARP_OPS(HIP_CPU_WARP_OP) };
/* The lane that a shuffle reads: lanes form sections of `width`, and a lane whose source is outside its section reads
 * itself. */
static inline unsigned hip_cpu_source(enum hip_cpu_warp_op op, unsigned lane, unsigned operand, int width)
{
    unsigned size = (unsigned)width, begin = lane & ~(size - 1), place = lane - begin;

    switch (op) {
    case HIP_CPU_SHFL:
        return begin + (operand & (size - 1));
    case HIP_CPU_SHFL_UP:
        return operand <= place ? lane - operand : lane;
    case HIP_CPU_SHFL_DOWN:
        return operand < size - place ? lane + operand : lane;
    default: /* xor: lower sections can be reached, higher ones not */
        return (lane ^ operand) < begin + size ? lane ^ operand : lane;
    }
}
/* What a shuffle returns to a lane whose source lane does not take part: a large integer, and as a
 * floating-point number a NaN, in 4 and in 8 bytes. */
#define HIP_CPU_POISON 0x7ff77ff77ff77ff7ull
/* operand: source lane, distance or lane mask; width: a power of two up to warpSize. */
uint64_t hip_cpu_shuffle(enum hip_cpu_warp_op op, uint64_t bits, unsigned operand, int width, const char *file,
                         int line);
uint64_t hip_cpu_vote(enum hip_cpu_warp_op op, int predicate, const char *file, int line);
/* Among the lanes of `mask` alone, wherever in the source they call it; lanes that have returned do not count. */
uint64_t hip_cpu_shuffle_mask(uint64_t mask, enum hip_cpu_warp_op op, uint64_t bits, unsigned operand, int width,
                              const char *file, int line);
/* value: a predicate; of matches, what is compared; of reductions, a number, extended with its sign. */
uint64_t hip_cpu_vote_mask(uint64_t mask, enum hip_cpu_warp_op op, uint64_t value, const char *file, int line);

/* ---- in builds with HIP_CPU_TRACE, for tools that observe kernels (observer.h) ---- */

/* How the bytes of a scalar are read. */
enum hip_cpu_scalar_kind {
    HIP_CPU_KIND_UNKNOWN,
    HIP_CPU_KIND_FLOAT,
    HIP_CPU_KIND_HALF,
    HIP_CPU_KIND_BFLOAT16,
    HIP_CPU_KIND_SIGNED,
    HIP_CPU_KIND_UNSIGNED,
    HIP_CPU_KIND_POINTER
};
/* The dynamic shared memory; its name in the kernel, and what an element is. */
void *hip_cpu_dynamic_shared(const char *name, size_t bytes, enum hip_cpu_scalar_kind kind);
/* What this thread's next warp operation exchanges. */
void hip_cpu_exchanges(size_t bytes, enum hip_cpu_scalar_kind kind);
/* Scopes of a fence: a block, the device, the system. */
void hip_cpu_fence(int scope);
/* The scope of this thread's next atomic operation or fence of the language, a __HIP_MEMORY_SCOPE_: the compiler does
 * not pass it on. Without it an operation counts for the device and a fence for the system. */
void hip_cpu_scope(int scope);
/* Reads 4 or 8 bytes unobserved, where an atomic operation is a loop here: the kernel itself has no such access. */
void hip_cpu_look(const void *address, void *value, size_t bytes);

/* An asynchronous copy of a kernel: part `part` of `parts`, which have a unit each in turn. */
struct hip_cpu_pending {
    void *to;
    const void *from;
    size_t bytes, part, parts;
    void *code; /* behind the call */
    unsigned thread, batch;
};
/* Its unit, of the bits of both addresses and the number of bytes. */
#define HIP_CPU_COPY_UNIT(bits) ((bits) % 8 == 0 ? 8 : (bits) % 4 == 0 ? 4 : 1)
/* The current thread's copy waits. It closes its batch. The oldest copy, if more than `left` closed batches wait; 0: none. */
void hip_cpu_copy_later(void *to, const void *from, size_t bytes, size_t part, size_t parts);
void hip_cpu_copy_commit(void);
int hip_cpu_copy_next(unsigned left, struct hip_cpu_pending *copy);
/* An argument of a launch, to give arrays their names. */
struct hip_cpu_argument {
    const void *pointer; /* NULL: not a pointer */
    size_t bytes;        /* of what it points to; 1: unknown */
    size_t align;        /* of a struct; 0: it points to no struct */
};

/* ---- launches ---- */

/* A kernel with its arguments: body(arguments) runs it for the current thread, all(arguments) for those up to
 * hip_cpu_straight. */
struct hip_cpu_launch {
    const char *kernel;
    void (*body)(const void *arguments), (*all)(const void *arguments);
    const void *arguments;
    size_t arguments_bytes; /* so that a tool can keep a launch for later */
    hipStream_t stream;
    dim3 grid, block;
    size_t shared_bytes;
    int cooperative;
    const void *function; /* NULL: only the compiler knows which instance of a template it is */
    /* With HIP_CPU_TRACE, else 0. */
    const struct hip_cpu_argument *argument;
    unsigned argument_count;
};
/* Of a launch from a kernel that begins when all others of its grid have ended. */
#define HIP_CPU_TAIL ((hipStream_t)3)
/* Runs it to completion; from a kernel, when the kernel's grid has ended. Errors are those of HIP's launches and are kept for hipGetLastError(). */
hipError_t hip_cpu_run(const struct hip_cpu_launch *launch);
/* The caller gets the error of a launch as the result of a call. */
hipError_t hip_cpu_told(hipError_t error);

/* Calls a kernel, given its address and those of its arguments. */
typedef hipError_t (*hip_cpu_caller)(const char *text, int cooperative, const void *kernel, dim3 grid, dim3 block,
                                     void **arguments, size_t shared_bytes, hipStream_t stream);
/* From now on hip_cpu_launch_noted() knows this kernel; the text, as it is written in the source, stays. */
void hip_cpu_note_kernel(const void *kernel, const char *text, hip_cpu_caller call);
hipError_t hip_cpu_launch_noted(const void *kernel, int cooperative, dim3 grid, dim3 block, void **arguments,
                                size_t shared_bytes, hipStream_t stream);

/* HIP_CPU_LATE=1: work on streams is done as late as HIP allows, words for the host arrive one by one, and
 * atomicCAS() may miss. Read before main(). */
extern bool hip_cpu_late;
/* The same from now on, without a time limit: no work is done until the host waits for it. false: completes all work and
 * returns to normal. */
hipError_t hip_cpu_set_late(bool late);
/* Then so many queries, or those within some 1.5 seconds, say "not ready"; 0: few. */
void hip_cpu_set_queries(unsigned most);
/* Before a kernel stores a word that the host polls for. */
void hip_cpu_late_word(void);
/* Whether an atomicCAS() fails spuriously: *older is then an earlier value, which a failed one may return. */
bool hip_cpu_late_cas(const void *address, uint64_t compare, uint64_t *older);
/* Records the value found by an atomicCAS() that did not fail in this way. */
void hip_cpu_late_found(const void *address, uint64_t value);

/* Ends the program with exit code 3 and one line: kernel, block, thread, and the fault. */
void hip_cpu_fail(const char *what, const char *file, int line) __attribute__((noreturn));

uint64_t hip_cpu_nanoseconds(void);

/* Kernels that this process has launched so far. */
uint64_t hip_cpu_launches(void);

/* ---- for checkers: how the next launches run, whatever the environment says ---- */

enum hip_cpu_schedule { HIP_CPU_FORWARD, HIP_CPU_REVERSE, HIP_CPU_RANDOM };
/* The order of blocks and threads; the seed of a random one. */
void hip_cpu_set_schedule(enum hip_cpu_schedule schedule, uint64_t seed);
/* 32 or 64. */
void hip_cpu_set_warp_size(unsigned lanes);
/* Only these blocks of a launch run, unless it is cooperative: for grids that are too large to run; count 0: all. */
void hip_cpu_set_window(uint64_t first_block, uint64_t count);
/* Fresh memory of the device holds zeros, and takes none of the host's until it is written to. */
void hip_cpu_set_zeros(bool zeros);
/* Told before a fault ends the program, perhaps in a signal handler. */
enum hip_cpu_fault { HIP_CPU_OTHER_FAULT, HIP_CPU_OUT_OF_BOUNDS, HIP_CPU_MISALIGNED };
void hip_cpu_set_at_fault(void (*tell)(enum hip_cpu_fault fault));

#ifdef __cplusplus
}
#endif

#endif
