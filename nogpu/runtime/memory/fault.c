/* Signals of faults in kernels: one line that says which thread did what, and exit code 3.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../internal.h"

#define SIGNAL_STACK_BYTES ((size_t)64 << 10)
#define OVERFLOW_BYTES     ((size_t)64 << 10)

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
#define SIGNALS (sizeof signals / sizeof *signals)
/* Handlers belong to the process. */
static struct {
    pthread_once_t once;
    struct sigaction previous[SIGNALS];
} handlers = {.once = PTHREAD_ONCE_INIT};

/* "reads", "writes", or both where the processor does not report which. */
static const char *access_kind(const void *context)
{
#if defined(__x86_64__) && defined(REG_ERR)
    const ucontext_t *c = context;
    return c->uc_mcontext.gregs[REG_ERR] & 2 ? "writes" : "reads";
#else
    (void)context;
    return "reads or writes";
#endif
}

/* Whether the processor has not said which address it was: it is none, or that of an instruction for aligned vectors. */
static bool is_nowhere(int signal, const siginfo_t *info)
{
#if defined(__x86_64__) && defined(SI_KERNEL)
    return signal == SIGSEGV && info->si_code == SI_KERNEL;
#else
    return signal == SIGBUS && info->si_code == BUS_ADRALN;
#endif
}

/* Whether the address is below the stack of the current thread, in its guard. */
static bool is_overflow(const char *address)
{
    if (!hip_cpu_current)
        return false;
    const struct stack *stack = current_stack();
    return address < stack->bottom && address >= stack->bottom - STACK_GUARD;
}

/* Whether the address is beyond the end of the dynamic shared memory. */
static bool is_behind_shared(const char *address)
{
    return hip_cpu_worker && address >= hip_cpu_worker->shared_end &&
           address < hip_cpu_worker->shared_end + OVERFLOW_BYTES;
}

static void pass_on(int signal, bool sent)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        if (signals[i] == signal)
            sigaction(signal, &handlers.previous[i], NULL);
    }
    if (sent)
        raise(signal); /* otherwise the instruction faults again */
}

static void handle(int signal, siginfo_t *info, void *context)
{
    char who[512], where[256], line[1024];
    enum hip_cpu_fault fault = HIP_CPU_OTHER_FAULT;
    const char *address = info->si_addr;
    bool sent = info->si_code <= 0 && signal != SIGABRT; /* by kill(), which abort() uses, too */

    where[0] = '\0';
    if (signal != SIGABRT)
        hip_cpu_describe_address(address, where, sizeof where);
    if (sent || (!hip_cpu_current && !strstr(where, "allocation of"))) {
        if (!sent)
            OBSERVE(finish); /* an assert() of the host: report what was found so far */
        pass_on(signal, sent);
        return;
    }
    hip_cpu_describe_thread(who, sizeof who);
    if (signal == SIGFPE)
        snprintf(line, sizeof line, "%s: integer division by zero, or of the lowest number by -1: check the divisor\n",
                 who);
    else if (signal == SIGABRT)
        snprintf(line, sizeof line, "%s: an assert() failed, or abort() was called\n", who);
    else if (is_nowhere(signal, info))
        snprintf(line, sizeof line,
                 "%s: reads or writes a vector at an address that is no multiple of its size, or an "
                 "address that cannot be: check the pointer; make race names the line\n",
                 who);
    else if (is_overflow(address))
        snprintf(line, sizeof line,
                 "%s: stack overflow: a thread has %zu KiB for its local variables and calls: "
                 "use smaller local arrays or less recursion\n",
                 who, STACK_BYTES >> 10);
    else if (is_behind_shared(address)) {
        fault = HIP_CPU_OUT_OF_BOUNDS;
        snprintf(line, sizeof line,
                 "%s: %s %zu bytes past the end of dynamic shared memory of %zu bytes: check the "
                 "index or the size given to the launch\n",
                 who, access_kind(context),
                 (size_t)(address - ((char *)hip_cpu_worker->block.shared + hip_cpu_worker->block.shared_bytes)),
                 hip_cpu_worker->block.shared_bytes);
    } else if (strstr(where, " of a freed")) {
        snprintf(line, sizeof line, "%s: %s %s: free it after the last kernel that uses it\n", who,
                 access_kind(context), where);
    } else {
        fault = HIP_CPU_OUT_OF_BOUNDS;
        snprintf(line, sizeof line, "%s: %s %s: check the index against the size\n", who, access_kind(context), where);
    }
    hip_cpu_begin_fault(fault);
    /* What the program has said so far, unless another thread is saying more. */
    if (ftrylockfile(stdout) == 0)
        fflush_unlocked(stdout);
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
    hip_cpu_end_fatal();
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &handlers.previous[i]);
}

void hip_cpu_catch_faults(void)
{
    if (!IN_LIBRARY)
        pthread_once(&handlers.once, install);
}

void hip_cpu_signal_stack(void)
{
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE))
        return; /* the host has one */
    stack.ss_flags = 0;
    stack.ss_size = SIGNAL_STACK_BYTES;
    stack.ss_sp = mmap(NULL, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp != MAP_FAILED)
        sigaltstack(&stack, NULL);
}
