/* Coroutines with stacks of their own.
 *
 * On x86-64 a dozen instructions switch. Elsewhere a coroutine starts with makecontext and switches
 * with _setjmp and _longjmp, which unlike swapcontext make no system call.
 * SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE /* its longjmp refuses to switch stacks */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../internal.h"

/* A guard page splits a mapping, and Linux allows a process 65530 mappings. */
#define GUARDS_MAX 20000
/* So many stacks are mapped at once; those of a worker are contiguous. */
#define TOGETHER 16

#if defined(__x86_64__) && !defined(HIP_CPU_PORTABLE_SWITCH)

/* Saves what a callee must save on the stack, and the stack pointer in *from; takes the same from
 * `to`. hip_cpu_leave ends in a jump, because the processor would predict a return from somewhere
 * else. */
#define SAVE    "pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
#define RESTORE "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n"
#define FUNCTION(name, body)                                                                                           \
    __asm__(".text\n .p2align 4\n .globl " name "\n .hidden " name "\n .type " name ", @function\n" name ":\n" body    \
            ".size " name ", . - " name "\n")

FUNCTION("hip_cpu_switch", SAVE "movq %rsp, (%rdi)\n"
                                "movq %rsi, %rsp\n" RESTORE "ret\n");
FUNCTION("hip_cpu_leave", "movq %rdi, %rsp\n" RESTORE "popq %rcx\n"
                          "jmp *%rcx\n");
FUNCTION("hip_cpu_start", SAVE "movq %rsp, (%rdi)\n"
                               "movq (%rsi), %rsp\n" /* top of the stack */
                               "xorl %ebp, %ebp\n"
                               "call *%rdx\n"
                               "ud2\n");

static void prepare(struct stack *stack) { (void)stack; }

#else

static __thread struct stack *preparing;
static __thread ucontext_t preparer;

/* The bottom of every coroutine: waits at _setjmp for the first start and for all later ones. */
static void wait_for_start(void)
{
    struct stack *stack = preparing;
    jmp_buf here;

    stack->parked = &here;
    if (_setjmp(here) == 0)
        setcontext(&preparer);
    stack->function();
}

static void prepare(struct stack *stack)
{
    ucontext_t context;

    getcontext(&context);
    context.uc_stack.ss_sp = stack->bottom;
    context.uc_stack.ss_size = (size_t)((char *)stack->top - stack->bottom);
    context.uc_link = NULL;
    makecontext(&context, wait_for_start, 0);
    preparing = stack;
    swapcontext(&preparer, &context);
}

void hip_cpu_switch(void **from, void *to)
{
    jmp_buf here;

    *from = &here; /* on the stack that is left, where it stays valid */
    if (_setjmp(here) == 0)
        _longjmp(*(jmp_buf *)to, 1);
}

void hip_cpu_leave(const void *to) { _longjmp(*(jmp_buf *)(uintptr_t)to, 1); }

void hip_cpu_start(void **from, struct stack *stack, void (*function)(void))
{
    stack->function = function;
    hip_cpu_switch(from, stack->parked);
}

#endif

/* From one stack to the next one, an odd number of pages: a power of two would let the stacks of a block compete for a
 * few places in the TLB, and barriers take half as long again. */
static size_t distance(void) { return STACK_GUARD + STACK_BYTES + (size_t)sysconf(_SC_PAGESIZE); }

bool hip_cpu_stack_create(struct stack *stack, unsigned index)
{
    static atomic_uint guards; /* of the process, as the limit is */

    size_t each = distance();
    char *memory = index % TOGETHER > 0
                       ? stack[-1].bottom + STACK_BYTES
                       : mmap(NULL, TOGETHER * each, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    /* Without a guard overflows go unnoticed. */
    size_t guard = atomic_fetch_add(&guards, 1) < GUARDS_MAX ? each - STACK_BYTES : 0;
    if (mprotect(memory + guard, each - guard, PROT_READ | PROT_WRITE) != 0)
        return false;
    stack->bottom = memory + each - STACK_BYTES;
    stack->bytes = STACK_BYTES;
    stack->top = memory + each - (size_t)(index % 64) * 64;
    hip_cpu_announce_stack(stack->bottom, stack->bottom + STACK_BYTES);
    prepare(stack);
    return true;
}

void hip_cpu_stack_destroy(struct stack *stack, unsigned index)
{
    if (index % TOGETHER == 0)
        munmap(stack->bottom + STACK_BYTES - distance(), TOGETHER * distance());
}
