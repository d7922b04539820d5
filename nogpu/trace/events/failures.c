/* Calls of HIP and launches that failed, and whose error nothing has looked at.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../trace_internal.h"

#define FAILURES_MAX 64

static struct {
    struct trace_failure failure[FAILURES_MAX];
    unsigned count;
    char launch[sizeof(((struct trace_failure *)0)->launch)]; /* that is refused just now */
    uintptr_t known;
} all;

#if defined(__x86_64__)
/* The bytes of an instruction that may stand between the call and what looks at eax; 0: it is none. It takes the arguments
 * from the stack, sets another register to a number, or branches by one, which clang may put first. */
static unsigned looks_away(const unsigned char *at)
{
    unsigned prefix = at[0] == 0x41 || at[0] == 0x45, reg = at[prefix] & 7;

    if (at[0] == 0x48 && (at[1] == 0x83 || at[1] == 0x81) && at[2] == 0xc4) /* add rsp */
        return at[1] == 0x83 ? 4 : 7;
    if ((at[prefix] & 0xf8) == 0x58 && (reg > 0 || at[0] == 0x41)) /* pop */
        return prefix + 1;
    if ((at[prefix] & 0xf8) == 0xb8 && (reg > 0 || at[0] == 0x41)) /* mov */
        return prefix + 5;
    reg = at[prefix + 1] & 7;
    if (at[prefix] == 0x85 && at[prefix + 1] >= 0xc0 && (at[0] == 0x45 || (reg > 0 && at[prefix + 1] >> 3 & 7)))
        return prefix + 2; /* test of others */
    if ((at[0] & 0xf0) == 0x70 || (at[0] == 0x0f && (at[1] & 0xf0) == 0x80))
        return at[0] == 0x0f ? 6 : 2; /* and what jumps by it */
    return at[prefix] == 0x31 && at[prefix + 1] == (0xc0 | reg * 9) && (reg > 0 || prefix)
               ? prefix + 2 /* xor with itself */
               : 0;
}
#endif

/* Whether the program uses what a call returned: the next instruction reads the register, as compilers arrange it, or the
 * function returns it. Where that cannot be seen it counts as used. */
static bool uses_result(uintptr_t code)
{
#if defined(__x86_64__)
    const unsigned char *at = (const unsigned char *)code;
    bool extends = false;

    for (unsigned bytes = looks_away(at); bytes > 0; bytes = looks_away(at))
        at += bytes;
    if ((at[0] & 0xf0) == 0x40) { /* REX: R, another register than eax */
        extends = at[0] & 4;
        at++;
    }
    unsigned reg = at[1] >> 3 & 7, mod = at[1] >> 6, rm = at[1] & 7;
    bool from = reg == 0 && !extends, other = mod == 3 && rm == 0;
    switch (at[0]) {
    case 0x89: /* mov */
        return from;
    case 0x8b: /* mov, movsxd */
    case 0x63:
        return other;
    case 0x01: /* add, or, cmp, test */
    case 0x03:
    case 0x09:
    case 0x0b:
    case 0x39:
    case 0x3b:
    case 0x85:
        return from || other;
    case 0xf7: /* neg, test */
    case 0x83: /* cmp, add ... with a number */
        return other;
    case 0x3d: /* cmp with a number, cdqe, leave, return */
    case 0x98:
    case 0xc9:
    case 0xc3:
        return true;
    default:
        return false;
    }
#else
    (void)code;
    return true;
#endif
}

void trace_failure_launch(const struct hip_cpu_launch *launch)
{
    dim3 g = launch->grid, b = launch->block;

    snprintf(all.launch, sizeof all.launch, "kernel %s, grid (%u,%u,%u), block (%u,%u,%u)", launch->kernel, g.x, g.y,
             g.z, b.x, b.y, b.z);
}

/* Of several at one place the last one. */
static void add(uintptr_t code, hipError_t error)
{
    struct trace_failure *f = all.count > 0 ? &all.failure[all.count - 1] : NULL;

    if (!f || f->code != code) {
        if (all.count == FAILURES_MAX)
            return;
        f = &all.failure[all.count++];
    }
    *f = (struct trace_failure){.code = code, .error = error};
    __real_memcpy(f->launch, all.launch, sizeof f->launch);
}

void trace_failure_add(hipError_t error)
{
    trace_allocations_lock();
    uintptr_t code = trace_caller();
    bool is_known = code == all.known;

    all.known = 0;
    if (code != 0 && !is_known && error != hipErrorNotSupported && (*all.launch || !uses_result(code)))
        add(code, error);
    *all.launch = '\0';
    trace_allocations_unlock();
}

void trace_failure_known(uintptr_t code) { all.known = code; }

void trace_failure_returned(void)
{
    if (all.count > 0 && uses_result(all.failure[all.count - 1].code))
        all.count--;
}

void trace_failures_read(void) { all.count = 0; }

const struct trace_failure *trace_failure_number(unsigned i) { return i < all.count ? &all.failure[i] : NULL; }
