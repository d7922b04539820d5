/* Only the C library may make system calls: one from the program's own code ends the process. So an exercise cannot open
 * the closed pages, not even by machine code in an array.
 * SPDX-License-Identifier: MIT */
#include "runner.h"

#if defined(ON_CPU) && defined(__linux__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

extern char __executable_start, etext;

#define LOAD(field)              BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(test, value, yes, no) BPF_JUMP(BPF_JMP | test | BPF_K, (uint32_t)(value), yes, no)
#define RETURN(what)             BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE(call)             IF(BPF_JEQ, __NR_##call, 0, 1), RETURN(SECCOMP_RET_KILL_PROCESS)
#define INSTRUCTION(half)                                                                          \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                                                             \
             offsetof(struct seccomp_data, instruction_pointer) + 4 * (half))

/* If the kernel lacks such filters, or the program crosses a 4 GiB boundary, only the source is checked. An exercise may
 * find the C library's calls by their addresses: those that start a process or write a file end it, too. */
void confine(void)
{
    uint64_t start = (uintptr_t)&__executable_start, end = (uintptr_t)&etext;
    struct sock_filter code[] = {
        INSTRUCTION(1),
        IF(BPF_JEQ, start >> 32, 0, 4),
        INSTRUCTION(0),
        IF(BPF_JGE, start, 0, 2),
        IF(BPF_JGE, end, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#ifdef __NR_fork
        REFUSE(fork),
        REFUSE(vfork),
#endif
        REFUSE(execve),
        REFUSE(execveat),
        REFUSE(socket),
        REFUSE(ptrace),
        REFUSE(process_vm_readv),
        REFUSE(process_vm_writev),
        REFUSE(setsid),
        IF(BPF_JEQ, __NR_clone3, 0, 1), /* without it the library takes clone() */
        RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        IF(BPF_JEQ, __NR_openat, 0, 2),
        LOAD(args[2]),
        IF(BPF_JSET, O_WRONLY | O_RDWR, 3, 4),
        IF(BPF_JEQ, __NR_clone, 0, 3),
        LOAD(args[0]),
        IF(BPF_JSET, CLONE_THREAD, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        RETURN(SECCOMP_RET_ALLOW),
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
