/* The heap of the device: every allocation is a mapping of its own that ends at an inaccessible page.
 *
 *     | guard | slack | the allocation ... | slack of 0 to 15 bytes | guard |
 *
 * Fresh memory and the slack hold a pattern. hip_cpu_heap_return() checks that the slack still does, and makes the
 * mapping inaccessible; the latest ones stay reserved, so that a use after free cannot hit another allocation.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "heap.h"

#define GUARD_BYTES  ((size_t)1 << 20) /* reserved addresses cost nothing */
#define POISON_BYTES ((size_t)64 << 20)
#define SMALL_BYTES  ((size_t)1 << 20)
#define FREED_MAX    64
#define ALIGNMENT    ((size_t)16)
#define NEAR_BYTES   ((uint64_t)64 << 30)

struct allocation {
    struct allocation *next;
    char *pages; /* between the guards */
    size_t pages_bytes;
    char *start;
    size_t bytes;
    enum hip_cpu_kind kind;
    bool freed;
    bool kept; /* a graph may allocate it again */
};

#define HUGE_BYTES ((size_t)4 << 20) /* from here on large pages, of which processors remember more */

struct range {
    struct range *next;
    const char *start;
    size_t bytes;
};

/* The memory of the one device. */
static struct {
    pthread_mutex_t lock;
    struct range *known;            /* other memory that a copy may name */
    struct allocation *allocations; /* latest first */
    size_t allocated;               /* bytes */
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

char *hip_cpu_map_guarded(size_t bytes)
{
    char *all = mmap(NULL, bytes + 2 * GUARD_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    if (mprotect(all + GUARD_BYTES, bytes, PROT_READ | PROT_WRITE) != 0) {
        hip_cpu_unmap_guarded(all + GUARD_BYTES, bytes);
        return NULL;
    }
    if (bytes >= HUGE_BYTES)
        madvise(all + GUARD_BYTES, bytes, MADV_HUGEPAGE);
    return all + GUARD_BYTES;
}

void hip_cpu_unmap_guarded(char *start, size_t bytes) { munmap(start - GUARD_BYTES, bytes + 2 * GUARD_BYTES); }

void hip_cpu_poison(void *from, size_t bytes)
{
    uint64_t *words = from; /* 16-byte aligned */
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        words[i] = HIP_CPU_POISON;
}

/* Accesses around an allocation, and to freed ones, do not end the program: a tool reports them. */
static bool goes_on(void) { return OBSERVER && OBSERVER->goes_on(); }

static bool is_poison(const char *from, const char *to)
{
    static const uint64_t pattern = HIP_CPU_POISON;
    for (; from < to; from++) {
        if (*from != ((const char *)&pattern)[(uintptr_t)from % sizeof pattern])
            return false;
    }
    return true;
}

size_t hip_cpu_heap_total(void)
{
    size_t host = (size_t)sysconf(_SC_PHYS_PAGES) * page_bytes();
    size_t device = hip_cpu_config.device_memory;
    return device > 0 && device < host ? device : host;
}

/* Free physical memory, minus what is allocated but not touched yet. */
static size_t free_memory(void)
{
    size_t total = hip_cpu_heap_total(), kilobytes;
    size_t available = (size_t)sysconf(_SC_AVPHYS_PAGES) * page_bytes();
    char line[256];

    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemAvailable: %zu kB", &kilobytes) == 1)
            available = kilobytes << 10;
    }
    if (file)
        fclose(file);
    size_t rest = total > heap.allocated ? total - heap.allocated : 0;
    return available < rest ? available : rest;
}

size_t hip_cpu_heap_free(void)
{
    pthread_mutex_lock(&heap.lock);
    size_t bytes = free_memory();
    pthread_mutex_unlock(&heap.lock);
    return bytes;
}

/* Asks the system only for large ones: that takes microseconds, and programs allocate thousands of small ones. */
static bool is_free(size_t bytes)
{
    if (bytes > SMALL_BYTES)
        return bytes <= free_memory();
    return hip_cpu_config.device_memory == 0 || bytes + heap.allocated <= hip_cpu_heap_total();
}

static void poison_new(const struct allocation *a)
{
    if (hip_cpu_config.zeros) { /* only the slack, before and after */
        size_t slack = round_up(a->bytes, ALIGNMENT) - a->bytes;
        char *last = a->start + a->bytes + slack - ALIGNMENT;
        hip_cpu_poison(a->pages, (size_t)(a->start - a->pages));
        hip_cpu_poison(last, slack > 0 ? ALIGNMENT : 0);
        memset(last, 0, slack > 0 ? ALIGNMENT - slack : 0);
    } else if (a->pages_bytes <= POISON_BYTES) {
        hip_cpu_poison(a->pages, a->pages_bytes);
    } else { /* the beginning, and the page with the slack */
        hip_cpu_poison(a->pages, POISON_BYTES);
        hip_cpu_poison(a->pages + a->pages_bytes - page_bytes(), page_bytes());
    }
}

/* AddressSanitizer and valgrind report accesses to what surrounds an allocation on its pages, and valgrind the use of what
 * nothing has written. */
static void surround(const struct allocation *a, bool is_live)
{
#ifdef HIP_CPU_ASAN
    __asan_unpoison_memory_region(a->pages, a->pages_bytes);
    if (is_live) {
        char *end = a->start + a->bytes;
        __asan_poison_memory_region(a->pages, (size_t)(a->start - a->pages));
        __asan_poison_memory_region(end, (size_t)(a->pages + a->pages_bytes - end));
    }
#else
    if (!hip_cpu_valgrind)
        return;
    hip_cpu_announce_memory(a->pages, a->pages_bytes, is_live ? HIP_CPU_OUTSIDE : HIP_CPU_WRITTEN);
    if (is_live)
        hip_cpu_announce_memory(a->start, a->bytes, HIP_CPU_UNWRITTEN);
#endif
}

hipError_t hip_cpu_heap_take(void **pointer, size_t bytes, enum hip_cpu_kind kind)
{
    pthread_mutex_lock(&heap.lock);
    struct allocation *a = is_free(bytes) ? calloc(1, sizeof *a) : NULL;
    size_t slot = round_up(bytes, ALIGNMENT);
    if (a) {
        a->pages_bytes = round_up(slot, page_bytes());
        a->pages = hip_cpu_map_guarded(a->pages_bytes);
        if (a->pages && goes_on())
            mprotect(a->pages - GUARD_BYTES, a->pages_bytes + 2 * GUARD_BYTES, PROT_READ | PROT_WRITE);
    }
    if (!a || !a->pages) {
        pthread_mutex_unlock(&heap.lock);
        free(a);
        return hipErrorOutOfMemory;
    }
    a->bytes = bytes;
    a->kind = kind;
    a->start = a->pages + a->pages_bytes - slot;
    poison_new(a);
    surround(a, true);
    a->next = heap.allocations;
    heap.allocations = a;
    heap.allocated += bytes;
    pthread_mutex_unlock(&heap.lock);
    OBSERVE(allocated, a->start, bytes, kind != KIND_DEVICE);
    *pointer = a->start;
    return hipSuccess;
}

static void report_overrun(const struct allocation *a, const char *where)
{
    if (goes_on())
        return;
    hip_cpu_begin_fault(HIP_CPU_OUT_OF_BOUNDS);
    hip_cpu_fatal("hip: something wrote %s an allocation of %zu bytes (found by hipFree): check the "
                  "indices of the kernels that use it\n",
                  where, a->bytes);
}

/* Freed for good: no launch of a graph brings it back. */
static bool is_gone(const struct allocation *a) { return a->freed && !a->kept; }

/* Unmaps the oldest freed allocation if more than FREED_MAX are kept. */
static void trim_freed(void)
{
    struct allocation **oldest = NULL;
    unsigned count = 0;
    for (struct allocation **a = &heap.allocations; *a; a = &(*a)->next) {
        if (is_gone(*a)) {
            count++;
            oldest = a;
        }
    }
    if (count <= FREED_MAX || goes_on())
        return;
    struct allocation *gone = *oldest;
    hip_cpu_unmap_guarded(gone->pages, gone->pages_bytes);
    *oldest = gone->next;
    free(gone);
}

hipError_t hip_cpu_heap_return(void *pointer, bool host)
{
    pthread_mutex_lock(&heap.lock);
    struct allocation *a = heap.allocations;
    while (a && (a->start != pointer || a->freed || (host && a->kind == KIND_DEVICE)))
        a = a->next;
    if (!a) {
        pthread_mutex_unlock(&heap.lock);
        OBSERVE(not_freed, pointer, host);
        return hipErrorInvalidValue;
    }
    surround(a, false);
    if (!is_poison(a->pages, a->start))
        report_overrun(a, "before the start of");
    if (!is_poison(a->start + a->bytes, a->pages + a->pages_bytes))
        report_overrun(a, "past the end of");
    if (!host && a->kind == KIND_HOST && hip_cpu_config.cuda)
        OBSERVE(not_freed, pointer, host); /* cudaFree() takes none of cudaMallocHost() */
    OBSERVE(freed, pointer);
    a->freed = true;
    heap.allocated -= a->bytes;
    mmap(a->pages, a->pages_bytes, goes_on() ? PROT_READ | PROT_WRITE : PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    trim_freed();
    pthread_mutex_unlock(&heap.lock);
    return hipSuccess;
}

/* The linker names the ends of the section of __managed__ variables; NULL: the program has none. */
hipError_t hip_cpu_heap_again(void *pointer)
{
    hipError_t error = hipErrorInvalidValue;
    bool again = false;

    pthread_mutex_lock(&heap.lock);
    struct allocation *a = heap.allocations;
    while (a && a->start != pointer)
        a = a->next;
    if (a) {
        a->kept = true;
        again = a->freed && mprotect(a->pages, a->pages_bytes, PROT_READ | PROT_WRITE) == 0;
        error = again || !a->freed ? hipSuccess : hipErrorOutOfMemory;
    }
    if (again) {
        poison_new(a);
        surround(a, true);
        a->freed = false;
        heap.allocated += a->bytes;
    }
    pthread_mutex_unlock(&heap.lock);
    if (again)
        OBSERVE(allocated, pointer, a->bytes, a->kind != KIND_DEVICE);
    return error;
}

extern char __start_hip_managed[] __attribute__((weak)); /* NOLINT(bugprone-reserved-identifier) */
extern char __stop_hip_managed[] __attribute__((weak));  /* NOLINT(bugprone-reserved-identifier) */

static bool is_managed(const char *start, size_t bytes)
{
    const char *first = __start_hip_managed, *end = __stop_hip_managed;
    return first && start >= first && start < end && bytes <= (size_t)(end - start);
}

bool hip_cpu_heap_find(const void *address, struct hip_cpu_span *found)
{
    const char *at = address;

    pthread_mutex_lock(&heap.lock);
    const struct allocation *a = heap.allocations;
    while (a && (is_gone(a) || at < a->start || at >= a->start + a->bytes))
        a = a->next;
    if (a)
        *found = (struct hip_cpu_span){a->start, a->bytes, a->kind};
    pthread_mutex_unlock(&heap.lock);
    if (a || !is_managed(at, 1))
        return a;
    *found =
        (struct hip_cpu_span){__start_hip_managed, (size_t)(__stop_hip_managed - __start_hip_managed), KIND_MANAGED};
    return true;
}

/* Whether it is part of a variable of the device, or of memory that the host has registered. */
static bool is_known(const char *start, size_t bytes)
{
    for (const struct range *r = heap.known; r; r = r->next) {
        if (start >= r->start && start <= r->start + r->bytes && bytes <= (size_t)(r->start + r->bytes - start))
            return true;
    }
    return is_managed(start, bytes);
}

void hip_cpu_know_symbol(const void *start, size_t bytes)
{
    pthread_mutex_lock(&heap.lock);
    struct range *r = is_known(start, bytes) ? NULL : malloc(sizeof *r);
    if (r) {
        *r = (struct range){heap.known, start, bytes};
        heap.known = r;
    }
    pthread_mutex_unlock(&heap.lock);
}

bool hip_cpu_is_inside(const void *pointer, size_t bytes, enum side side)
{
    const char *start = pointer;

    pthread_mutex_lock(&heap.lock);
    const struct allocation *a = heap.allocations;
    while (a && (start < a->pages || start >= a->pages + a->pages_bytes + GUARD_BYTES))
        a = a->next;
    bool inside = a ? !is_gone(a) && start >= a->start && start <= a->start + a->bytes &&
                          bytes <= (size_t)(a->start + a->bytes - start) &&
                          (a->kind != KIND_DEVICE || side != SIDE_HOST)
                    : IN_LIBRARY || side != SIDE_DEVICE || is_known(start, bytes);
    pthread_mutex_unlock(&heap.lock);
    return inside;
}

/* ---- for error messages ---- */

void hip_cpu_describe_address(const void *address, char *text, size_t size)
{
    const char *at = address;
    const struct allocation *nearest = NULL;
    uint64_t distance = UINT64_MAX;
    bool after = false;

    if ((uintptr_t)at < 65536) {
        snprintf(text, size, "through a null pointer (address %p)", address);
        return;
    }
    /* Without the lock: the thread that holds it may be the one that faulted. */
    for (const struct allocation *a = heap.allocations; a; a = a->next) {
        if (at >= a->start && at < a->start + a->bytes) {
            snprintf(text, size, "byte %zu of %s of %zu bytes", (size_t)(at - a->start),
                     a->freed ? "a freed allocation" : "an allocation", a->bytes);
            return;
        }
        bool behind = at >= a->start;
        uint64_t d = behind ? (uint64_t)(at - (a->start + a->bytes)) : (uint64_t)(a->start - at);
        if (d < distance || (d == distance && nearest && nearest->freed)) {
            nearest = a;
            distance = d;
            after = behind;
        }
    }
    if (!nearest || distance > NEAR_BYTES)
        snprintf(text, size, "at address %p, which is not near any allocation", address);
    else if (after && distance == 0)
        snprintf(text, size, "right past the end of %s of %zu bytes",
                 nearest->freed ? "a freed allocation" : "an allocation", nearest->bytes);
    else
        snprintf(text, size, "%llu bytes %s %s of %zu bytes", (unsigned long long)distance,
                 after ? "past the end of" : "before the start of",
                 nearest->freed ? "a freed allocation" : "an allocation", nearest->bytes);
}
