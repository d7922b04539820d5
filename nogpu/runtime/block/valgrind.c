/* Tells valgrind about the stack of a coroutine, which it would take for one that has grown or shrunk: its request is a
 * sequence of instructions that does nothing elsewhere (valgrind.h: VALGRIND_STACK_REGISTER).
 * SPDX-License-Identifier: MIT */
#include "../internal.h"

void hip_cpu_announce_stack(const char *bottom, const char *end)
{
#if defined(__x86_64__)
    enum { STACK_REGISTER = 0x1501 };
    volatile uint64_t request[6] = {STACK_REGISTER, (uintptr_t)bottom, (uintptr_t)end};
    uint64_t number = 0;

    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; "
                     "xchgq %%rbx, %%rbx"
                     : "+d"(number)
                     : "a"(request)
                     : "cc", "memory");
    (void)number;
#else
    (void)bottom, (void)end;
#endif
}
