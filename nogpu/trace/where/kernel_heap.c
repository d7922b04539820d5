/* malloc() and free() of kernels, and new and delete, for a tool that knows all memory: it gets exact sizes, with bytes
 * around them that nobody else has, and no address twice. The linker redirects all of the program's calls to these.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "../trace_internal.h"

#define AROUND   ((size_t)64)
#define KEPT_MAX ((size_t)1 << 30) /* bytes of freed memory; then it is given back */

static size_t kept;

void *__real_malloc(size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void __wrap_free(void *memory);

/* The caller is a kernel, which a tool looks at that wants to know. */
static bool is_seen(void *code)
{
    return hip_cpu_current && trace_run.is_on && trace_run.tool && trace_run.tool->goes_on &&
           !trace_is_of_runtime((uintptr_t)code);
}

static void *take(size_t bytes, void *code)
{
    char *all = __real_malloc(bytes + 2 * AROUND);

    if (!all)
        return NULL;
    trace_add_allocation(all + AROUND, bytes, false);
    trace_run.tool->memory(trace_run.state, &(struct trace_memory){.what = TRACE_KERNEL_ALLOCATED,
                                                                   .address = (uintptr_t)all + AROUND,
                                                                   .bytes = bytes,
                                                                   .code = (uintptr_t)code});
    return all + AROUND;
}

/* False: the tool does not know it, so it is the library's. */
static bool give(void *memory, void *code)
{
    const struct trace_allocation *a = trace_allocation_of((uintptr_t)memory);
    bool is_block = a && a->start == (uintptr_t)memory;
    size_t bytes = is_block ? a->bytes : 0;

    bool is_known = trace_run.tool->memory(
        trace_run.state,
        &(struct trace_memory){.what = TRACE_KERNEL_FREED, .address = (uintptr_t)memory, .code = (uintptr_t)code});
    if (!is_block)
        return is_known;
    trace_remove_allocation(memory);
    kept += bytes;
    if (kept > KEPT_MAX)
        __real_free((char *)memory - AROUND);
    return true;
}

/* The names of new and delete in C++, as the linker knows them. */
#define DEFINE_TAKE(name, arguments, given)                                                                            \
    void *__real_##name arguments;                                                                                     \
    void *__wrap_##name arguments;                                                                                     \
    void *__wrap_##name arguments                                                                                      \
    {                                                                                                                  \
        void *code = __builtin_return_address(0);                                                                      \
        return is_seen(code) ? take(bytes, code) : __real_##name given;                                                \
    }
#define DEFINE_GIVE(name, arguments, given)                                                                            \
    void __real_##name arguments;                                                                                      \
    void __wrap_##name arguments;                                                                                      \
    void __wrap_##name arguments                                                                                       \
    {                                                                                                                  \
        void *code = __builtin_return_address(0);                                                                      \
        if (!memory || !is_seen(code) || !give(memory, code))                                                          \
            __real_##name given;                                                                                       \
    }
DEFINE_TAKE(malloc, (size_t bytes), (bytes))
DEFINE_TAKE(_Znwm, (size_t bytes), (bytes))
DEFINE_TAKE(_Znam, (size_t bytes), (bytes))
DEFINE_TAKE(_ZnwmRKSt9nothrow_t, (size_t bytes, const void *tag), (bytes, tag))
DEFINE_TAKE(_ZnamRKSt9nothrow_t, (size_t bytes, const void *tag), (bytes, tag))
DEFINE_GIVE(free, (void *memory), (memory))
DEFINE_GIVE(_ZdlPv, (void *memory), (memory))
DEFINE_GIVE(_ZdaPv, (void *memory), (memory))
DEFINE_GIVE(_ZdlPvm, (void *memory, size_t bytes), (memory, bytes))
DEFINE_GIVE(_ZdaPvm, (void *memory, size_t bytes), (memory, bytes))
