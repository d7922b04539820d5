/* System calls are the C library's: one that the program's own code makes ends the process. So nothing in an exercise, as
 * machine code in an array, opens the pages that are closed to it.
 * SPDX-License-Identifier: MIT */
#include "runner.h"

#if defined(ON_CPU) && defined(__linux__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

extern char __executable_start, etext;

/* Half of the calling instruction's address. */
#define ADDRESS(half)                                                                              \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                                                             \
             offsetof(struct seccomp_data, instruction_pointer) + 4 * (half))

/* Where the kernel has no such filters, or the program lies across 4 GiB, nothing but the source is looked at. */
void confine(void)
{
    uint64_t start = (uintptr_t)&__executable_start, end = (uintptr_t)&etext;
    struct sock_filter code[] = {
        ADDRESS(1),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(start >> 32), 0, 4),
        ADDRESS(0),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)start, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)end, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};

    if (start >> 32 == end >> 32 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

void confine(void)
{
}

#endif
