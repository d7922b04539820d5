/* The functions that the compiler calls (-fsanitize=thread) for every load and store of a kernel, and in place
 * of every atomic operation. Host code in the same files calls them, too.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "../trace_internal.h"

#define CODE __builtin_return_address(0)
/* Compilers emit calls of these names; libtsan is not linked. race/report/coverage.c recognizes the functions by their
 * section. */
#define CALLBACK __attribute__((visibility("default"), section("trace_callbacks")))

static inline void see(const void *address, size_t size, bool write, bool is_volatile, void *code)
{
    if (hip_cpu_current) {
        if (trace_run.is_on && size > 0)
            trace_see_access((uintptr_t)address, size, write, is_volatile, code);
    } else if (trace_run.watches_host) {
        trace_see_host((uintptr_t)address, size, write, is_volatile, false, code);
    }
}

#define DEFINE_ACCESS(name, size, reads, writes, is_volatile, unaligned)                                               \
    CALLBACK void __tsan_##name##size(void *a)                                                                         \
    {                                                                                                                  \
        if (unaligned)                                                                                                 \
            trace_run.is_unaligned = true;                                                                             \
        if (reads)                                                                                                     \
            see(a, size, false, is_volatile, CODE);                                                                    \
        if (writes)                                                                                                    \
            see(a, size, true, is_volatile, CODE);                                                                     \
        if (unaligned)                                                                                                 \
            trace_run.is_unaligned = false;                                                                            \
    }
#define DEFINE_ACCESSES(prefix, size, unaligned)                                                                       \
    DEFINE_ACCESS(prefix##read, size, true, false, false, unaligned)                                                   \
    DEFINE_ACCESS(prefix##write, size, false, true, false, unaligned)                                                  \
    DEFINE_ACCESS(prefix##read_write, size, true, true, false, unaligned)                                              \
    DEFINE_ACCESS(prefix##volatile_read, size, true, false, true, unaligned)                                           \
    DEFINE_ACCESS(prefix##volatile_write, size, false, true, true, unaligned)
#define DEFINE_SIZE(size)                                                                                              \
    DEFINE_ACCESSES(, size, false)                                                                                     \
    DEFINE_ACCESSES(unaligned_, size, true)
DEFINE_SIZE(1)
DEFINE_SIZE(2)
DEFINE_SIZE(4)
DEFINE_SIZE(8)
DEFINE_SIZE(16)

CALLBACK void __tsan_read_range(void *a, unsigned long size) { see(a, size, false, false, CODE); }
CALLBACK void __tsan_write_range(void *a, unsigned long size) { see(a, size, true, false, CODE); }

/* Copies: clang before 15 and GCC call the library's functions, newer compilers call functions of their own.
 * The linker redirects all of the program's calls to these. */
static void see_copy(void *to, const void *from, size_t size, void *code)
{
    see(from, size, false, false, code);
    see(to, size, true, false, code);
}

/* The linker also redirects the copies of the runtime and of the trace. */
static bool by_kernel(void *code)
{
    return hip_cpu_current && trace_run.is_on && !trace_is_of_runtime((uintptr_t)code);
}

static void see_host_copy(void *to, const void *from, size_t size, void *code)
{
    if (hip_cpu_current || !trace_run.watches_host)
        return;
    if (from)
        trace_see_host((uintptr_t)from, size, false, false, true, code);
    trace_see_host((uintptr_t)to, size, true, false, true, code);
}

#define DEFINE_COPY(name, plain)                                                                                       \
    CALLBACK void *name(void *to, const void *from, size_t size)                                                       \
    {                                                                                                                  \
        if (by_kernel(CODE))                                                                                           \
            see_copy(to, from, size, CODE);                                                                            \
        see_host_copy(to, from, size, CODE);                                                                           \
        return plain(to, from, size);                                                                                  \
    }
#define DEFINE_FILL(name)                                                                                              \
    CALLBACK void *name(void *to, int byte, size_t size)                                                               \
    {                                                                                                                  \
        if (by_kernel(CODE))                                                                                           \
            see(to, size, true, false, CODE);                                                                          \
        see_host_copy(to, NULL, size, CODE);                                                                           \
        return __real_memset(to, byte, size);                                                                          \
    }
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memset(void *to, int byte, size_t size);
DEFINE_COPY(__wrap_memcpy, __real_memcpy)
DEFINE_COPY(__wrap_memmove, __real_memmove)
DEFINE_FILL(__wrap_memset)
DEFINE_COPY(__tsan_memcpy, __real_memcpy)
DEFINE_COPY(__tsan_memmove, __real_memmove)
DEFINE_FILL(__tsan_memset)

CALLBACK void __tsan_init(void) {}
CALLBACK void __tsan_func_entry(void *code) { (void)code; }
CALLBACK void __tsan_func_exit(void) {}
CALLBACK void __tsan_vptr_read(void **a) { see(a, sizeof *a, false, false, CODE); }
CALLBACK void __tsan_vptr_update(void **a, void *value)
{
    (void)value;
    see(a, sizeof *a, true, false, CODE);
}

/* ---- atomics ---- */

/* The scope of this pthread's next atomic operation, which the compiler's callbacks do not pass. 0: not given. */
static __thread int said_scope;

void hip_cpu_scope(int scope) { said_scope = scope; }

static enum trace_scope take_scope(enum trace_scope usual)
{
    enum trace_scope scope = said_scope ? (enum trace_scope)said_scope : usual;
    said_scope = 0;
    return scope;
}

enum effect { READS = 1, WRITES = 2, UPDATES = 4, ADDS_ONE = 8 };

static void atomic(const volatile void *address, unsigned size, unsigned effects, int order, enum trace_scope scope,
                   void *code)
{
    bool reads = effects & READS, writes = effects & WRITES;

    if (!hip_cpu_current && trace_run.watches_host) {
        if (reads)
            trace_see_host((uintptr_t)address, size, false, true, false, code);
        if (writes)
            trace_see_host((uintptr_t)address, size, true, true, false, code);
    }
    if (!hip_cpu_current || !trace_run.is_on)
        return;
    enum hip_cpu_space space = trace_space_of((uintptr_t)address);
    trace_mark((uintptr_t)code);
    if (trace_notifies(atomic) && space != HIP_CPU_GLOBAL)
        trace_check_end((uintptr_t)address, code);
    if (space == HIP_CPU_HOST && !trace_see_stray((uintptr_t)address, size, writes, code))
        trace_check_host_access((uintptr_t)address, writes, code);
    if (space < 0)
        return;
    struct trace_atomic a;
    trace_describe(&a.who);
    a.address = (uintptr_t)address;
    a.size = size;
    a.space = (enum trace_space)space;
    a.reads = reads;
    a.writes = writes;
    a.updates = effects & UPDATES;
    a.adds_one = effects & ADDS_ONE;
    a.order = order;
    a.scope = scope;
    a.place = trace_place_of((uintptr_t)code);
    if (trace_run.weak && space == HIP_CPU_GLOBAL)
        weak_atomic(trace_run.weak, &a);
    else if (writes && space == HIP_CPU_GLOBAL)
        trace_see_store(&a.who, a.address, size);
    TRACE_NOTIFY(atomic, &a);
}

/* Called before an operation that reads: other threads may run here, so it returns the scope that was given. */
static enum trace_scope give_way(const volatile void *address, unsigned size, void *code)
{
    enum trace_scope scope = take_scope(TRACE_SCOPE_DEVICE);
    enum hip_cpu_space space =
        hip_cpu_current && trace_run.is_on ? trace_space_of((uintptr_t)address) : HIP_CPU_PRIVATE;
    if (space >= 0)
        trace_progress_read(hip_cpu_number(), (uintptr_t)address, size, (enum trace_space)space, true, code);
    return scope;
}

/* The same before an operation that only writes. */
static enum trace_scope give_way_to_store(const volatile void *address, unsigned size, void *code)
{
    enum trace_scope scope = take_scope(TRACE_SCOPE_DEVICE);
    enum hip_cpu_space space =
        hip_cpu_current && trace_run.is_on ? trace_space_of((uintptr_t)address) : HIP_CPU_PRIVATE;
    if (space >= 0) {
        trace_progress_store(hip_cpu_number(), (uintptr_t)address, size, code);
        trace_progress_yield((enum trace_space)space);
    }
    return scope;
}

#define DEFINE_CHANGE(bits, T, name, operation)                                                                        \
    CALLBACK T __tsan_atomic##bits##_##name(volatile T *a, T value, int order)                                         \
    {                                                                                                                  \
        enum trace_scope scope = give_way(a, bits / 8, CODE);                                                          \
        bool adds_one = strcmp(#name, "fetch_add") == 0 && value == 1;                                                 \
        atomic(a, bits / 8, READS | WRITES | UPDATES | (adds_one ? ADDS_ONE : 0), order, scope, CODE);                 \
        return operation(a, value, __ATOMIC_SEQ_CST);                                                                  \
    }
/* `then` follows the operation, which stores the value that it found to *expected if they differ. */
#define DEFINE_COMPARE(bits, R, name, T, type_of_expected, expected, then)                                             \
    CALLBACK R __tsan_atomic##bits##_compare_exchange_##name(volatile T *a, type_of_expected, T value, int order,      \
                                                             int failed)                                               \
    {                                                                                                                  \
        enum trace_scope scope = give_way(a, bits / 8, CODE);                                                          \
        bool equal = *a == *(expected);                                                                                \
        atomic(a, bits / 8, READS | UPDATES | (equal ? WRITES : 0), equal ? order : failed, scope, CODE);              \
        equal = __atomic_compare_exchange_n(a, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
        return then;                                                                                                   \
    }
#define DEFINE_ATOMICS(bits, T)                                                                                        \
    CALLBACK T __tsan_atomic##bits##_load(const volatile T *a, int order)                                              \
    {                                                                                                                  \
        enum trace_scope scope = give_way(a, bits / 8, CODE);                                                          \
        atomic(a, bits / 8, READS, order, scope, CODE);                                                                \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                                   \
    }                                                                                                                  \
    CALLBACK void __tsan_atomic##bits##_store(volatile T *a, T value, int order)                                       \
    {                                                                                                                  \
        enum trace_scope scope = give_way_to_store(a, bits / 8, CODE);                                                 \
        atomic(a, bits / 8, WRITES, order, scope, CODE);                                                               \
        __atomic_store_n(a, value, __ATOMIC_SEQ_CST);                                                                  \
    }                                                                                                                  \
    DEFINE_CHANGE(bits, T, exchange, __atomic_exchange_n)                                                              \
    DEFINE_CHANGE(bits, T, fetch_add, __atomic_fetch_add)                                                              \
    DEFINE_CHANGE(bits, T, fetch_sub, __atomic_fetch_sub)                                                              \
    DEFINE_CHANGE(bits, T, fetch_and, __atomic_fetch_and)                                                              \
    DEFINE_CHANGE(bits, T, fetch_or, __atomic_fetch_or)                                                                \
    DEFINE_CHANGE(bits, T, fetch_xor, __atomic_fetch_xor)                                                              \
    DEFINE_CHANGE(bits, T, fetch_nand, __atomic_fetch_nand)                                                            \
    DEFINE_COMPARE(bits, int, strong, T, T *expected, expected, equal)                                                 \
    DEFINE_COMPARE(bits, int, weak, T, T *expected, expected, equal)                                                   \
    DEFINE_COMPARE(bits, T, val, T, T expected, &expected, expected)
DEFINE_ATOMICS(8, uint8_t)
DEFINE_ATOMICS(16, uint16_t)
DEFINE_ATOMICS(32, uint32_t)
DEFINE_ATOMICS(64, uint64_t)

/* atomic_thread_fence() of C and C++. */
CALLBACK void __tsan_atomic_thread_fence(int order) { trace_see_fence(take_scope(TRACE_SCOPE_SYSTEM), order, CODE); }
CALLBACK void __tsan_atomic_signal_fence(int order) { (void)order; }
