/* HIP_CPU_TRACE=memory: accesses outside of allocations, to freed memory and to bytes that nothing has written, misaligned
 * ones, wrong pointers, wrong frees, leaks, and failed calls that the program ignores.
 *
 * Every allocation has pages around it that nobody else has, and freed ones are not used again, so whatever a pointer misses
 * is known. The program goes on after a finding.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../text/names.h"
#include "../trace_internal.h"
#include "memory.h"

#define NULL_BYTES      65536
#define HOST_NEAR       ((uintptr_t)1 << 24)
#define SHARED_AHEAD    65536 /* bytes around dynamic shared memory, which are its own */
#define VARIABLE_BEHIND 64    /* bytes after a variable: an alignment */

struct memory {
    struct blocks *blocks;
    struct found *found;
    char **note;
    unsigned notes, launches, allocations;
    unsigned long long threads, accesses;
    char names[512];
};

/* ---- texts ---- */

const char *hip_cpu_cuda_name(hipError_t error);

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

static struct event_place place_now(uintptr_t code)
{
    return (struct event_place){code ? trace_place_of(code) : NULL, hip_cpu_current ? trace_launch->kernel : NULL};
}

static char *thread_text(const struct trace_who *who)
{
    return trace_thread_text(who->block, trace_launch->grid, who->warp, who->lane, trace_launch->warp_size,
                             trace_launch->block);
}

static void add_side(struct finding_shown *f, struct event_place at, const char *what)
{
    if (at.place)
        f->side[f->sides++] = trace_side(at.place, at.kernel ? finding_text("kernel %s %s", at.kernel, what)
                                                             : finding_text("the host %s", what));
}

static char *block_text(const struct block *b)
{
    return finding_text("%s of %zu byte%s", b->registered ? "registered memory" : "an allocation", b->bytes,
                        plural(b->bytes));
}

/* Whether an argument may lead to an address: into the same block or, of memory that is not the device's, to one near it. */
static bool leads_to(const struct memory *m, const struct hip_cpu_argument *g, const struct block *b, uintptr_t address)
{
    uintptr_t p = (uintptr_t)g->pointer;

    if (b)
        return p && p - b->start <= b->bytes;
    b = p ? blocks_near(m->blocks, p) : NULL;
    return p ? address - p < HOST_NEAR && (!b || b->registered) : g->bytes > 1 && address < NULL_BYTES;
}

/* "x[-3]: ": the argument of the kernel that leads to this address; "" if there is none, or several null pointers. */
static const char *element_text(const struct memory *m, const struct block *b, uintptr_t address)
{
    const struct hip_cpu_argument *best = NULL;
    char name[80];

    for (unsigned i = 0; trace_launch && i < trace_launch->arguments; i++) {
        const struct hip_cpu_argument *g = &trace_launch->argument[i];
        uintptr_t p = (uintptr_t)g->pointer;
        if (!leads_to(m, g, b, address))
            continue;
        if (best && !p)
            return "";
        if (!best || (p <= address && p > (uintptr_t)best->pointer))
            best = g;
    }
    if (!best)
        return "";
    long offset = (long)(address - (uintptr_t)best->pointer), element = (long)best->bytes;
    trace_parameter_name((unsigned)(best - trace_launch->argument), name, sizeof name);
    if (element <= 1)
        return finding_text("%s, byte %ld: ", name, offset);
    long index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
    return finding_text("%s[%ld]: ", name, index);
}

/* "4 bytes after the end of": where the access is, relative to the block. */
static char *position_text(const struct block *b, uintptr_t address, size_t size)
{
    uintptr_t end = b->start + b->bytes;

    if (address + size <= b->start)
        return finding_text("%zu byte%s before", (size_t)(b->start - address), plural(b->start - address));
    if (address < b->start)
        return finding_text("in part before");
    if (address < end)
        return finding_text(address + size > end ? "in part after the end of" : "inside");
    return address == end ? finding_text("directly after the end of")
                          : finding_text("%zu byte%s after the end of", (size_t)(address - end), plural(address - end));
}

/* An access, by a thread of a kernel (who) or by the host. */
struct touch {
    uintptr_t address;
    size_t size;
    bool write;
    const struct trace_who *who; /* NULL: the host */
    const struct trace_place *place;
    bool copies; /* to the host, by a call of HIP */
};

static const char *reads(const struct touch *t) { return t->write ? "writes" : "reads"; }

static const char *by_text(const struct touch *t)
{
    return t->who ? finding_text("kernel %s", trace_launch->kernel) : t->copies ? "a copy" : "the host";
}

static struct finding_shown *report(struct memory *m, enum memory_kind kind, const struct block *b,
                                    const struct touch *t)
{
    struct finding_shown *f = found_shown(found_add(&m->found, kind, b, t->place->file, t->place->line));
    if (f->times > 1)
        return NULL;
    f->side[0] = trace_side(t->place, finding_text("%s %s it", t->who ? thread_text(t->who) : by_text(t), reads(t)));
    return f;
}

static void report_outside(struct memory *m, const struct block *b, const struct touch *t)
{
    struct finding_shown *f = report(m, b->freed ? USE_AFTER_FREE : OUT_OF_BOUNDS, b, t);

    if (!f)
        return;
    const char *by = by_text(t);
    const char *what =
        finding_text("%s%s %s %zu byte%s", element_text(m, b, t->address), by, reads(t), t->size, plural(t->size));
    if (b->freed) {
        f->head = t->address - b->start < b->bytes ? finding_text("%s at byte %zu of %s that has been freed", what,
                                                                  (size_t)(t->address - b->start), block_text(b))
                                                   : finding_text("%s, %s %s that has been freed", what,
                                                                  position_text(b, t->address, t->size), block_text(b));
        f->hint = "free it after the last kernel or copy that uses it";
        add_side(f, b->freed_at, "has freed it");
    } else {
        f->head = finding_text("%s, %s %s", what, position_text(b, t->address, t->size), block_text(b));
        f->hint = "the index against the size of the allocation, and the number of threads against "
                  "the number of elements";
        add_side(f, b->allocated_at, "has allocated it");
    }
}

/* ---- unwritten bytes ---- */

/* A compiler may copy a struct with the bytes between its members, which nothing writes. */
static bool is_padding(const struct block *b, const struct touch *t, uintptr_t hole, uintptr_t end)
{
    size_t bytes = end - hole, wide = bytes >= 4 ? 8 : bytes >= 2 ? 4 : 2;

    return bytes < t->size && bytes < 8 && end % wide == 0 && b->widest > bytes;
}

static void check_written(struct memory *m, const struct block *b, const struct touch *t)
{
    uintptr_t end = t->address + t->size, hole = t->address, after;

    for (;; hole = after) {
        hole = block_next(b, hole, end, false);
        if (hole == end)
            return;
        after = block_next(b, hole, end, true);
        if (!is_padding(b, t, hole, after))
            break;
    }
    struct finding_shown *f = report(m, UNINITIALISED, b, t);
    if (!f)
        return;
    size_t bytes = after - hole;
    f->head =
        finding_text("%s%s reads %zu byte%s that nothing has written, at byte %zu of %s", element_text(m, b, hole),
                     by_text(t), bytes, plural(bytes), (size_t)(hole - b->start), block_text(b));
    f->hint = "hipMemset(), a copy, or a kernel that writes all elements, before this";
    add_side(f, b->allocated_at, "has allocated it");
}

/* ---- kernels ---- */

static void touch_block(struct memory *m, struct block *b, const struct touch *t, bool changes)
{
    if (b->freed || t->address + t->size > b->start + b->bytes) {
        report_outside(m, b, t);
        return;
    }
    if (!t->write || changes)
        check_written(m, b, t);
    if (t->write) {
        block_wrote(b, t->address, t->size);
        if (t->size > b->widest)
            b->widest = (unsigned char)(t->size < 16 ? t->size : 16);
    }
}

/* The last one that begins before an address that belongs to none, if it is near. */
static bool find_before(uintptr_t address, struct symbols_variable *v)
{
    size_t back = 1;

    if (!trace_is_variable(address))
        return false;
    while (back < VARIABLE_BEHIND && !symbols_variable_at(address - back, v))
        back++;
    return back < VARIABLE_BEHIND;
}

/* Variables of the device: an access that leaves the one it begins in, or lands behind it where no other is. */
static void touch_variable(struct memory *m, const struct touch *t)
{
    struct symbols_variable v;
    bool inside = symbols_variable_at(t->address, &v);

    if (inside ? t->address + t->size <= v.begin + v.bytes : !find_before(t->address, &v))
        return;
    struct finding_shown *f = report(m, OUT_OF_BOUNDS, NULL, t);
    if (!f)
        return;
    f->head = finding_text("%s: %s %s %zu bytes %s the end of the variable of %zu bytes", v.name, by_text(t), reads(t),
                           t->size, inside ? "in part after" : "after", v.bytes);
    f->hint = "the index against the size of the array";
}

static void touch(struct memory *m, const struct touch *t, enum trace_space space, bool changes)
{
    m->accesses++;
    if (space != TRACE_GLOBAL)
        return;
    struct block *b = blocks_at(m->blocks, t->address);
    if (b)
        touch_block(m, b, t, changes);
    else
        touch_variable(m, t);
}

static void see_access(void *tool, const struct trace_access *a)
{
    const struct memory *m = tool;
    struct touch t = {a->address, a->size, a->write, &a->who, a->place, false};
    touch(tool, &t, a->space, false);
    /* GCC checks the alignment of all accesses, clang (which gives no columns) not of a vector that it copies as one number. */
    if (a->size <= 8 && a->address % a->size != 0 && !trace_run.is_unaligned && !a->place->column) {
        struct finding_shown *f = report(tool, MISALIGNED, NULL, &t);
        if (f) {
            f->head = finding_text("%skernel %s %s %zu bytes at an address that is no multiple of %zu",
                                   element_text(m, blocks_at(m->blocks, t.address), t.address), trace_launch->kernel,
                                   reads(&t), t.size, t.size);
            f->hint = "give a vector an address that is a multiple of its size";
        }
    }
}

static void see_atomic(void *tool, const struct trace_atomic *a)
{
    struct touch t = {a->address, a->size, a->writes, &a->who, a->place, false};
    touch(tool, &t, a->space, a->reads);
}

static bool stray_shared(struct memory *m, const struct touch *t)
{
    const struct hip_cpu_block *block = hip_cpu_block();
    uintptr_t start = (uintptr_t)block->shared, end = start + block->shared_bytes;

    if (t->address - (start - SHARED_AHEAD) >= end + SHARED_AHEAD - (start - SHARED_AHEAD))
        return false;
    struct finding_shown *f = report(m, OUT_OF_BOUNDS, NULL, t);
    if (!f)
        return true;
    struct block shared = {.start = start, .bytes = block->shared_bytes};
    f->head = finding_text("%s: %s %s %zu byte%s, %s dynamic shared memory of %zu bytes", trace_launch->shared_name,
                           by_text(t), reads(t), t->size, plural(t->size), position_text(&shared, t->address, t->size),
                           block->shared_bytes);
    f->hint = "the index, or the size given to the launch";
    return true;
}

static bool see_stray(void *tool, const struct trace_access *a)
{
    struct memory *m = tool;
    struct touch t = {a->address, a->size, a->write, &a->who, a->place, false};
    const struct block *b = blocks_near(m->blocks, a->address);
    struct finding_shown *f;

    m->accesses++;
    if (b && b->registered && blocks_at(m->blocks, a->address))
        return true;
    if (b && !b->registered) {
        report_outside(m, b, &t);
        return true;
    }
    if (stray_shared(m, &t))
        return true;
    if (symbols_is_thread_local(a->address))
        return false; /* static shared arrays, which others look at */
    if (a->address < NULL_BYTES) {
        f = report(m, NULL_POINTER, NULL, &t);
        if (f) {
            f->head = finding_text("%skernel %s %s %zu bytes at address 0x%lx", element_text(m, NULL, t.address),
                                   trace_launch->kernel, reads(&t), t.size, (unsigned long)t.address);
            f->hint = "what hipMalloc() returned, and whether the pointer was set";
        }
        return true;
    }
    f = report(m, HOST_POINTER, NULL, &t);
    if (f) {
        f->head = finding_text("%skernel %s %s %zu byte%s of host memory (address 0x%lx), which a GPU cannot reach",
                               element_text(m, NULL, t.address), trace_launch->kernel, reads(&t), t.size,
                               plural(t.size), (unsigned long)t.address);
        f->hint = "allocate it with hipMalloc(), and copy with hipMemcpy()";
    }
    return true;
}

static bool see_fault(void *tool, const struct trace_fault *e)
{
    struct memory *m = tool;
    struct trace_who who;
    struct found *added;

    if (e->fault == HIP_CPU_OTHER_FAULT)
        return false;
    trace_describe(&who);
    added = found_add(&m->found, e->fault == HIP_CPU_MISALIGNED ? MISALIGNED : OUT_OF_BOUNDS, NULL, e->file, e->line);
    struct finding_shown *f = found_shown(added);
    if (f->times > 1 && e->column == 0) /* it is told again when it ends the program */
        f->times--;
    else if (f->times == 1) {
        f->side[0] = trace_side_at(e->file, e->line, e->column, thread_text(&who));
        f->head = e->fault == HIP_CPU_MISALIGNED
                      ? finding_text("%skernel %s %s", element_text(m, blocks_at(m->blocks, e->address), e->address),
                                     trace_launch->kernel, strchr(e->what, ':') + 2)
                      : finding_text("kernel %s: %s", trace_launch->kernel, e->what);
        if (e->fault == HIP_CPU_OUT_OF_BOUNDS)
            f->hint = "the index against the size of the array";
    }
    return true;
}

/* ---- the host ---- */

static void see_host(void *tool, const struct trace_host_access *a)
{
    struct memory *m = tool;
    struct block *b = blocks_near(m->blocks, a->address);

    if (!b || b->registered || b->in_kernel)
        return;
    struct touch t = {a->address, a->size, a->write, NULL, trace_place_of(a->code), false};
    bool inside = t.address - b->start < b->bytes && t.address + t.size <= b->start + b->bytes;
    if (b->freed || (b->host && !inside)) {
        report_outside(m, b, &t);
    } else if (b->host) {
        if (a->write)
            block_wrote(b, a->address, a->size);
    } else {
        struct finding_shown *f = report(m, DEVICE_POINTER, b, &t);
        if (!f)
            return;
        f->head = finding_text("the host %s %zu byte%s of device memory (byte %ld of %s), which only "
                               "kernels and copies can reach",
                               reads(&t), t.size, plural(t.size), (long)(t.address - b->start), block_text(b));
        f->hint = "copy it with hipMemcpy(), or allocate it with hipMallocManaged()";
        add_side(f, b->allocated_at, "has allocated it");
    }
}

/* Unwritten bytes stay so in the copy; a copy to the host reads them. */
static void see_copy(void *tool, const struct trace_copy *c)
{
    struct memory *m = tool;
    struct block *to = blocks_at(m->blocks, c->to);
    struct block *from = c->what == TRACE_COPY ? blocks_at(m->blocks, c->from) : NULL;
    struct touch t = {c->from, c->bytes, false, NULL, c->place, true};

    if ((c->what != TRACE_COPY && c->what != TRACE_FILL) || (from && from->freed))
        return;
    if (from && (!to || to->host) && !from->host) {
        check_written(m, from, &t);
        from = NULL;
    }
    if (!to || to->freed)
        return;
    if (!from) {
        block_wrote(to, c->to, c->bytes);
        return;
    }
    for (uintptr_t at = c->from, end = c->from + c->bytes, next; at < end; at = next) {
        at = block_next(from, at, end, true);
        next = block_next(from, at, end, false);
        if (at < end)
            block_wrote(to, c->to + (at - c->from), next - at);
    }
}

/* ---- allocations and frees ---- */

static void see_free_refused(struct memory *m, const struct trace_memory *e)
{
    const struct block *b = blocks_at(m->blocks, e->address);
    struct event_place here = place_now(e->code);
    const char *name = e->what == TRACE_KERNEL_FREED ? "free()"
                       : memory_of_cuda()            ? (e->host ? "cudaFreeHost()" : "cudaFree()")
                       : e->host                     ? "hipHostFree()"
                                                     : "hipFree()";

    if (!here.place)
        return;
    trace_failure_known(e->code);
    bool twice = b && b->freed && b->start == e->address;
    struct finding_shown *f =
        found_shown(found_add(&m->found, twice ? DOUBLE_FREE : INVALID_FREE, b, here.place->file, here.place->line));
    if (f->times > 1)
        return;
    f->sides = 0;
    add_side(f, here, twice ? "frees it again" : "frees it");
    if (twice) {
        f->head = finding_text("%s gets %s that has been freed", name, block_text(b));
        f->hint = "set the pointer to NULL after it is freed";
        add_side(f, b->freed_at, "has freed it");
        return;
    }
    if (!b)
        f->head =
            finding_text("%s gets an address that no allocation begins at: 0x%lx", name, (unsigned long)e->address);
    else if (b->start == e->address)
        f->head = finding_text("%s gets %s of another kind of memory", name, block_text(b));
    else
        f->head = finding_text("%s gets byte %zu of %s", name, (size_t)(e->address - b->start), block_text(b));
    f->hint = "free what the allocation returned, by the function that belongs to it";
    if (b)
        add_side(f, b->allocated_at, "has allocated it");
}

static bool see_memory(void *tool, const struct trace_memory *e)
{
    struct memory *m = tool;
    struct block *b = blocks_at(m->blocks, e->address);

    switch (e->what) {
    case TRACE_ALLOCATED:
    case TRACE_REGISTERED:
    case TRACE_KERNEL_ALLOCATED:
        b = blocks_add(m->blocks, e->address, e->bytes);
        b->host = e->host;
        b->registered = e->what == TRACE_REGISTERED;
        b->in_kernel = e->what == TRACE_KERNEL_ALLOCATED;
        b->allocated_at = place_now(e->code);
        b->code = e->code;
        b->left_out = hip_cpu_current && trace_launch->left_out;
        m->allocations++;
        return true;
    case TRACE_KERNEL_FREED:
        if (!b)
            return false;
        if (!b->in_kernel || b->freed || b->start != e->address) {
            see_free_refused(m, e);
            return true;
        }
        __attribute__((fallthrough));
    case TRACE_FREED:
        if (b) {
            b->freed = true;
            b->freed_at = place_now(e->code);
        }
        return true;
    case TRACE_NOT_FREED:
        see_free_refused(m, e);
        return true;
    }
    return true;
}

/* ---- launches, and the end ---- */

static void see_launch(void *tool, const struct trace_launch *l)
{
    struct memory *m = tool;
    char name[128];

    if (l->left_out)
        return;
    m->launches++;
    m->threads += l->blocks * l->threads;
    snprintf(name, sizeof name, " %s,", l->kernel);
    if (!strstr(m->names, name)) {
        size_t used = strlen(m->names);
        snprintf(m->names + used, sizeof m->names - used, "%s", name);
    }
}

static void *start(UNUSED bool weak_memory)
{
    struct memory *m = trace_check_alloc(calloc(1, sizeof *m));

    m->blocks = blocks_create();
    trace_run.watches_host = true;
    return m;
}

/* A call that has allocated more than once lost the address; so has a kernel that ends. What main() holds until the program
 * ends does no harm: a note, unless HIP_CPU_LEAKS=all. */
static bool is_lost(const struct memory *m, const struct block *leak)
{
    const char *all = hip_cpu_setting("HIP_CPU_LEAKS");
    const struct block *b;
    unsigned same = 0;

    for (size_t i = 0; (b = blocks_number(m->blocks, i)); i++)
        same += !b->freed && b->code == leak->code;
    return leak->in_kernel || same > 1 || (all && *all);
}

static void note_leak(struct memory *m, const struct block *b)
{
    const struct trace_place *p = b->allocated_at.place;

    m->note = trace_check_alloc(realloc(m->note, (m->notes + 1) * sizeof *m->note));
    m->note[m->notes++] = finding_text("leak: %s, at %s:%u in %s(), is not freed when the program ends "
                                       "(--leaks makes this a finding)",
                                       block_text(b), p->file, p->line, p->function);
}

static void find_leaks(struct memory *m)
{
    struct block *b;

    for (size_t i = 0; (b = blocks_number(m->blocks, i)); i++) {
        const struct trace_place *p = b->allocated_at.place;
        if (b->freed || b->registered || b->left_out || !p)
            continue;
        if (!is_lost(m, b)) {
            note_leak(m, b);
            continue;
        }
        struct finding_shown *f = found_shown(found_add(&m->found, LEAK, NULL, p->file, p->line));
        if (f->times > 1)
            continue;
        f->sides = 0;
        add_side(f, b->allocated_at, "has allocated it");
        if (b->allocated_at.kernel)
            f->kernel = b->allocated_at.kernel;
        f->head = finding_text("%s is never freed", block_text(b));
        f->hint = b->in_kernel ? "free() in a kernel"
                  : b->host    ? "hipHostFree(), or hipFree() of managed memory, before the program ends"
                               : "hipFree() before the program ends";
    }
}

static void find_unchecked(struct memory *m)
{
    const struct trace_failure *failure;

    for (unsigned i = 0; (failure = trace_failure_number(i)); i++) {
        const struct trace_place *p = trace_place_of(failure->code);
        bool is_launch = *failure->launch != '\0';
        struct finding_shown *f = found_shown(found_add(&m->found, UNCHECKED, NULL, p->file, p->line));
        if (f->times > 1)
            continue;
        f->side[0] = trace_side(p, is_launch ? "the host launches it" : "the host calls it");
        f->head = finding_text("%s fails and nothing looks at the error: %s (%s)",
                               is_launch ? finding_text("the launch of %s", failure->launch) : "a call",
                               memory_of_cuda() ? hip_cpu_cuda_name(failure->error) : hipGetErrorName(failure->error),
                               hipGetErrorString(failure->error));
        f->hint = !is_launch         ? "what the call returns"
                  : memory_of_cuda() ? "cudaGetLastError() after the launch"
                                     : "hipGetLastError() after the launch";
    }
}

static int finish(void *tool, const struct trace_end *end)
{
    struct memory *m = tool;

    find_unchecked(m);
    if (!end->stopped && end->status == 0)
        find_leaks(m);
    if (*m->names)
        m->names[strlen(m->names) - 1] = ':';
    char *clean = finding_text("%sin kernel%s%s %u launch%s, %llu threads, %llu accesses, %u "
                               "allocation%s",
                               end->stopped ? "the run stopped early; none found until then " : "none found ",
                               strchr(m->names, ',') ? "s" : "", m->names, m->launches, m->launches == 1 ? "" : "es",
                               m->threads, m->accesses, m->allocations, plural(m->allocations));
    int code = found_print(m->found, clean, end->stopped, m->launches > 0);
    for (unsigned i = 0; i < m->notes; i++) {
        if (found_is_merged())
            printf("\001note\n");
        finding_wrap(stdout, "note: ", "      ", m->note[i]);
    }
    return code;
}

const struct trace_tool trace_memory_tool = {
    .name = "memory",
    .start = start,
    .launch_begin = see_launch,
    .access = see_access,
    .atomic = see_atomic,
    .finish = finish,
    .copy = see_copy,
    .host_access = see_host,
    .goes_on = true,
    .stray = see_stray,
    .memory = see_memory,
    .fault = see_fault,
};
