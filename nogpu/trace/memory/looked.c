/* Whether a program uses what a call returned: the next instruction reads the register, as compilers arrange it, or the
 * function returns it. Where that cannot be seen it counts as used.
 * SPDX-License-Identifier: MIT */
#include "../trace_internal.h"
#include "memory.h"

bool memory_uses_result(uintptr_t code)
{
#if defined(__x86_64__)
    const unsigned char *at = (const unsigned char *)code;
    bool extends = false;

    if ((at[0] & 0xf0) == 0x40) { /* REX: R, another register than eax */
        extends = at[0] & 4;
        at++;
    }
    unsigned reg = at[1] >> 3 & 7, mod = at[1] >> 6, rm = at[1] & 7;
    switch (at[0]) {
    case 0x85: /* test, cmp, mov from eax */
    case 0x39:
    case 0x89:
        return reg == 0 && !extends;
    case 0x8b: /* mov, cmp, movsxd to another register */
    case 0x3b:
    case 0x63:
        return mod == 3 && rm == 0;
    case 0x83: /* cmp, add ... with a number, add rsp */
        return mod == 3 && (rm == 0 || rm == 4);
    case 0x81:
        return mod == 3 && rm == 4;
    case 0x3d: /* cmp with a number, cdqe, leave, return, pop */
    case 0x98:
    case 0xc9:
    case 0xc3:
        return true;
    default:
        return at[0] >= 0x58 && at[0] <= 0x5f;
    }
#else
    (void)code;
    return true;
#endif
}
