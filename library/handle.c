/* Checks a call's arguments, as far as the host can, and determines its status.
 * SPDX-License-Identifier: MIT */
#include "handle.h"

#include <stdint.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 42) /* no device has as many; what kernels count overflows beyond 2^42 on one unit */

size_t element_bytes(int type)
{
    static const size_t sizes[LR_TYPE_COUNT] = {4, 8, 4, 8, 2, 2, 1, 1, 4, 1, 8, 16};

    return type >= 0 && type < LR_TYPE_COUNT ? sizes[type] : 0;
}

size_t value_bytes(int type) { return type == LR_HALF || type == LR_BFLOAT16 ? sizeof(float) : element_bytes(type); }

static int check_span(const struct span *s)
{
    if (s->count == 0)
        return LR_OK;
    if (s->at == NULL)
        return LR_NULL;
    if ((uintptr_t)s->at % s->alignment != 0)
        return LR_MISALIGNED;
    return s->count > MOST_BYTES / s->size ? LR_TOO_LARGE : LR_OK;
}

static bool overlap(const struct span *a, const struct span *b)
{
    uintptr_t from = (uintptr_t)a->at, to = (uintptr_t)b->at;

    return a->count > 0 && b->count > 0 && to < from + a->count * a->size && from < to + b->count * b->size;
}

int check_call(const struct lr_handle *h, int type, unsigned types, const struct span *spans)
{
    if (h == NULL)
        return LR_NULL;
    if (element_bytes(type) == 0 || (types >> type & 1) == 0)
        return LR_TYPE;
    const size_t own_bytes = h->workspace_bytes + MATRIX_BYTES(h->compute_units);
    const struct span own = {h->workspace, own_bytes + (h->for_ranks ? 0 : RANKS_BYTES), 1, 1, true};
    for (const struct span *s = spans; s->size > 0; s++) {
        int status = check_span(s);
        if (status != LR_OK)
            return status;
        if (overlap(&own, s))
            return LR_OVERLAP;
        for (const struct span *before = spans; s->written && before < s; before++)
            if (overlap(before, s))
                return LR_OVERLAP;
    }
    return LR_OK;
}

/* Pageable host memory and memory of another device have no address on the current one. Where the runtime does not know
 * an address it reports an error, which is not the program's. */
static bool can_use(struct lr_handle *h, const void *at)
{
    hipPointerAttribute_t attributes;

    for (unsigned k = 0; k < KNOWN; k++)
        if (h->known[k] == at)
            return true;
    memset(&attributes, 0, sizeof attributes);
    hipError_t error = hipPointerGetAttributes(&attributes, at);
    if (error != hipSuccess)
        (void)hipGetLastError();
    if (error == hipErrorInvalidValue ||
        (error == hipSuccess && attributes.devicePointer == NULL && attributes.device != h->device))
        return false;
    h->known[h->next_known++ % KNOWN] = at;
    return true;
}

static bool can_use_all(struct lr_handle *h, const struct span *spans)
{
    for (const struct span *s = spans; h->own_memory && s != NULL && s->size > 0; s++)
        if (s->count > 0 && (!s->written || s->alignment > 1) && !can_use(h, s->at))
            return false;
    return true;
}

int handle_begin(struct lr_handle *h, const struct span *spans, lr_stream stream)
{
    if (h->has_stream && h->stream != (hipStream_t)stream)
        return LR_OTHER_STREAM;
    h->error = hipSuccess;
    errors_forget();
    h->current = h->device;
    HIP_CHECK(hipGetDevice(&h->current));
    if (h->current != h->device)
        HIP_CHECK(hipSetDevice(h->device));
    bool usable = errors_first() != hipSuccess || can_use_all(h, spans);
    if (usable && errors_first() == hipSuccess) {
        h->has_stream = true;
        h->stream = (hipStream_t)stream;
        return LR_OK;
    }
    int status = handle_end(h);
    return status != LR_OK ? status : LR_MEMORY;
}

int handle_end(struct lr_handle *h)
{
    if (h->current != h->device)
        HIP_CHECK(hipSetDevice(h->current));
    hipError_t error = errors_first();
    int status = errors_status(error);

    if (status != LR_OK) {
        (void)hipGetLastError();
        h->error = error;
        status = LR_RUNTIME;
    }
    return status;
}

int handle_wait(struct lr_handle *h)
{
    HIP_CHECK(hipStreamSynchronize(h->stream));
    return handle_end(h);
}

struct reduction handle_reduction(const struct lr_handle *h, size_t n)
{
    return (struct reduction){.n = n,
                              .arch = h->arch,
                              .warp_size = h->warp_size,
                              .compute_units = h->compute_units,
                              .threads_per_unit = h->threads_per_unit,
                              .stream = h->stream,
                              .overlap = h->overlap,
                              .input_ready = h->input_ready};
}
