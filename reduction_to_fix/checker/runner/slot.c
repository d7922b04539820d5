/* Slots; see slot.h.
 * SPDX-License-Identifier: MIT */
#include "slot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exit_codes.h"
#include "harness/device/device.h"
#include "values/scalar.h"

/* Shared by all slots. */
static struct device device;
static size_t margin;

const struct device *slots_device(size_t margin_bytes)
{
    margin = margin_bytes;
    device_open(&device, 0);
    return &device;
}

void slot_surround(const struct slot *s, int byte)
{
    if (margin == 0)
        return;
    HIP_CHECK(hipMemset(s->memory, byte, margin));
    HIP_CHECK(hipMemset((char *)s->input + s->bytes, byte, margin));
    HIP_CHECK(hipDeviceSynchronize());
}

#ifdef ON_CPU
#define MAPPED_BYTES ((size_t)1 << 20) /* else copying its zeros takes most of the time */

/* Zeros, more than memory holds. Neither kind counts against limits (ulimit -d): read-only, and all pages are one; or
 * shared, and pages take memory when they are used. */
static void *map_zeros(size_t bytes, bool read_only)
{
    void *zeros = mmap(NULL, bytes, read_only ? PROT_READ : PROT_READ | PROT_WRITE,
                       (read_only ? MAP_PRIVATE : MAP_SHARED) | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (zeros == MAP_FAILED) {
        fprintf(stderr,
                "no address space for %zu bytes: the limits of this shell (ulimit -v) are too "
                "small\n",
                bytes);
        exit(EXIT_DEVICE);
    }
    madvise(zeros, bytes, MADV_NOHUGEPAGE);
    observe_memory(zeros, bytes, read_only);
    return zeros;
}

static void unmap_zeros(void *zeros, size_t bytes)
{
    observe_forget(zeros);
    munmap(zeros, bytes);
}
#endif

static bool open_sparse(struct slot *s)
{
#ifdef ON_CPU
    s->memory = map_zeros(s->bytes, true);
#else
    size_t available, total;

    HIP_CHECK(hipMemGetInfo(&available, &total));
    if (available < s->bytes + s->bytes / 8)
        return false;
    HIP_CHECK(hipMalloc((void **)&s->memory, s->bytes));
    HIP_CHECK(hipMemset(s->memory, 0, s->bytes));
#endif
    s->input = s->memory;
    return true;
}

static void close_sparse(const struct slot *s)
{
#ifdef ON_CPU
    unmap_zeros(s->memory, s->bytes);
#else
    HIP_CHECK(hipFree(s->memory));
#endif
}

void slot_set(const struct slot *s, uint64_t index, uint64_t bits)
{
    size_t size = type_size(s->trial.type);
    char *to = (char *)s->input + index * size;

    if (index >= s->trial.n)
        return;
#ifdef ON_CPU
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)to / page * page;
    if (s->sparse)
        mprotect((void *)at, page, PROT_READ | PROT_WRITE);
    memcpy(to, &bits, size);
    if (s->sparse)
        mprotect((void *)at, page, PROT_READ);
#else
    HIP_CHECK(hipMemcpy(to, &bits, size, hipMemcpyHostToDevice));
#endif
}

/* ---- the exercise ---- */

void slot_plan(struct slot *s)
{
#ifdef ON_CPU /* an exercise must work the same for all architectures */
    const char *const archs[] = {device.arch, "gfx90a", "sm_90"};
    const unsigned units[] = {device.compute_units, 104, 132}; /* of an MI210, an H200 */
#else
    const char *const archs[] = {device.arch, device.arch, device.arch};
    const unsigned units[] = {device.compute_units, device.compute_units, device.compute_units};
#endif
    struct reduction *r = s->r;
    hipStream_t stream = r->stream;

    memset(r, 0, sizeof *r);
    r->n = s->trial.n;
    r->block = s->trial.block;
    r->grid = s->trial.grid;
    r->arch = archs[s->trial.seed % 3];
    r->warp_size = s->trial.warp;
    r->compute_units = s->trial.n <= 16384 ? units[s->trial.seed % 3] : device.compute_units;
    r->threads_per_unit = device.threads_per_unit;
    r->stream = stream;
    r->option[0] = (long)s->trial.columns;
    (void)hipGetLastError();
    observe_hide(s->trial.seed % 4 == 0);
    int64_t before = observe_bytes();
    observe_enter();
    s->entry->plan(r);
    observe_leave();
    s->planned = observe_bytes() - before;
    if (s->workspace_most > 0 && r->workspace_bytes > s->workspace_most)
        return;
#ifdef ON_CPU
    s->mapped = s->sparse && r->workspace_bytes > MAPPED_BYTES;
    if (s->mapped)
        r->workspace = map_zeros(r->workspace_bytes, false);
#endif
    if (!s->mapped)
        HIP_CHECK(hipMalloc(&r->workspace, r->workspace_bytes > 0 ? r->workspace_bytes : 1));
    HIP_CHECK(hipHostMalloc(&r->host, r->host_bytes > 0 ? r->host_bytes : 1, 0));
#ifdef ON_CPU
    if (s->sparse) /* they hold zeros, and a window of blocks uses few of their pages */
        return;
#endif
    memset(r->host, 0, r->host_bytes);
    HIP_CHECK(hipMemset(r->workspace, 0, r->workspace_bytes > 0 ? r->workspace_bytes : 1));
    HIP_CHECK(hipDeviceSynchronize());
}

void slot_unplan(struct slot *s)
{
    HIP_CHECK(hipHostFree(s->r->host));
#ifdef ON_CPU
    if (s->mapped)
        unmap_zeros(s->r->workspace, s->r->workspace_bytes);
#endif
    if (!s->mapped)
        HIP_CHECK(hipFree(s->r->workspace));
    s->mapped = false;
    int64_t before = observe_bytes();
    observe_enter();
    s->entry->release(s->r);
    observe_leave();
    s->kept += s->planned + observe_bytes() - before;
}

bool slot_open(struct slot *s, const struct request *q)
{
    memset(s, 0, sizeof *s);
    s->trial = q->trial;
    s->sparse = q->sparse;
    s->workspace_most = q->workspace_most;
    s->entry = &linked_variant()->entry[q->trial.type][q->trial.op];
    s->bytes = q->trial.n * type_size(q->trial.type);
    observe_order(s->trial.warp, s->trial.order, s->trial.seed);
    if (!s->sparse) {
        HIP_CHECK(hipMalloc((void **)&s->memory, (s->bytes > 0 ? s->bytes : 1) + 2 * margin));
        s->input = s->memory + margin;
        slot_surround(s, 0x41);
    } else if (!open_sparse(s)) {
        return false;
    }
    s->r = calloc(1, sizeof *s->r);
    HIP_CHECK(s->r != NULL ? hipSuccess : hipErrorOutOfMemory);
    HIP_CHECK(hipStreamCreate(&s->r->stream));
    slot_plan(s);
    return s->open = true;
}

void slot_close(struct slot *s)
{
    if (!s->open)
        return;
    slot_unplan(s);
    if (s->sparse)
        close_sparse(s);
    else
        HIP_CHECK(hipFree(s->memory));
    HIP_CHECK(hipStreamDestroy(s->r->stream));
    free(s->r);
    s->open = false;
}
