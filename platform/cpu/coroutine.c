/* Coroutines with stacks of their own.
 *
 * On x86-64 a dozen instructions switch. Elsewhere a coroutine starts with makecontext and switches
 * with _setjmp and _longjmp, which unlike swapcontext make no system call.
 */
#undef _FORTIFY_SOURCE /* its longjmp refuses to go to another stack */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "internal.h"

/* A guard splits a mapping, and a process may have 65530 of those. */
#define GUARDS_MAX 20000

#if defined(__x86_64__) && !defined(HIP_CPU_PORTABLE_SWITCH)

/* Saves what a callee must save, and the stack pointer in *from; takes the same from `to`. */
__asm__(".text\n"
        ".p2align 4\n"
        ".globl hip_cpu_switch\n"
        ".hidden hip_cpu_switch\n"
        ".type hip_cpu_switch, @function\n"
        "hip_cpu_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size hip_cpu_switch, . - hip_cpu_switch\n");

static void prepare(struct stack *stack, size_t used, void (*entry)(void))
{
    /* Six registers, the address that ret takes, and the one that entry() would return to. */
    uintptr_t *top = (uintptr_t *)(stack->bottom + stack->bytes - used);
    *--top = 0;
    *--top = (uintptr_t)entry;
    stack->context = top - 6;
}

#else

static __thread struct stack *starting;
static __thread void (*starting_entry)(void);
static __thread ucontext_t starter;

static void start(void)
{
    struct stack *stack = starting;
    void (*entry)(void) = starting_entry;
    jmp_buf here;

    stack->context = &here; /* on this stack, where it stays valid */
    if (_setjmp(here) == 0)
        setcontext(&starter);
    entry();
}

static void prepare(struct stack *stack, size_t used, void (*entry)(void))
{
    static __thread ucontext_t context;

    getcontext(&context);
    context.uc_stack.ss_sp = stack->bottom;
    context.uc_stack.ss_size = stack->bytes - used;
    context.uc_link = NULL;
    makecontext(&context, start, 0);
    starting = stack;
    starting_entry = entry;
    swapcontext(&starter, &context);
}

void hip_cpu_switch(void **from, void *to)
{
    jmp_buf here;

    *from = &here;
    if (_setjmp(here) == 0)
        _longjmp(*(jmp_buf *)to, 1);
}

#endif

bool hip_cpu_stack_create(struct stack *stack, unsigned index, void (*entry)(void))
{
    static atomic_uint guards;

    char *memory = mmap(NULL, STACK_GUARD + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    if (atomic_fetch_add(&guards, 1) < GUARDS_MAX)
        mprotect(memory, STACK_GUARD, PROT_NONE); /* without it an overflow is not seen, no more */
    stack->bottom = memory + STACK_GUARD;
    stack->bytes = STACK_BYTES;
    prepare(stack, index % 16 * 256, entry);
    return true;
}

void hip_cpu_stack_destroy(struct stack *stack)
{
    munmap(stack->bottom - STACK_GUARD, STACK_GUARD + STACK_BYTES);
}
