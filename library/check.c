/* What the host can tell about arguments.
 * SPDX-License-Identifier: MIT */
#include "handle.h"

#include <stdint.h>

size_t element_bytes(int type)
{
    static const size_t sizes[] = {4, 8, 4, 8, 2, 2};

    return type >= 0 && type <= LR_BFLOAT16 ? sizes[type] : 0;
}

size_t value_bytes(int type)
{
    return type == LR_HALF || type == LR_BFLOAT16 ? sizeof(float) : element_bytes(type);
}

static int check_span(const struct span *s)
{
    if (s->count == 0 && !s->written)
        return LR_OK;
    if (s->at == NULL)
        return LR_NULL;
    if ((uintptr_t)s->at % s->alignment != 0)
        return LR_MISALIGNED;
    return s->count > (SIZE_MAX - (uintptr_t)s->at) / s->size ? LR_TOO_LARGE : LR_OK;
}

static bool overlap(const struct span *a, const struct span *b)
{
    uintptr_t from = (uintptr_t)a->at, to = (uintptr_t)b->at;

    return to < from + a->count * a->size && from < to + b->count * b->size;
}

int check_call(const struct lr_handle *h, int type, unsigned types, const struct span *spans)
{
    if (h == NULL)
        return LR_NULL;
    if (element_bytes(type) == 0 || (types >> type & 1) == 0)
        return LR_TYPE;
    for (const struct span *s = spans; s->size > 0; s++) {
        int status = check_span(s);
        if (status != LR_OK)
            return status;
        for (const struct span *before = spans; s->written && before < s; before++)
            if (overlap(before, s))
                return LR_OVERLAP;
    }
    return LR_OK;
}
