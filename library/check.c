/* What the host can tell about arguments.
 * SPDX-License-Identifier: MIT */
#include "handle.h"

#include <stdint.h>

size_t element_bytes(int type)
{
    static const size_t sizes[] = {sizeof(float), sizeof(double), sizeof(int32_t), sizeof(int64_t)};

    return type >= 0 && type < TYPE_COUNT ? sizes[type] : 0;
}

int check_array(const void *x, size_t n, size_t size)
{
    if (n == 0)
        return LR_OK;
    if (x == NULL)
        return LR_NULL;
    if ((uintptr_t)x % size != 0)
        return LR_MISALIGNED;
    return n > (SIZE_MAX - (uintptr_t)x) / size ? LR_TOO_LARGE : LR_OK;
}

int check_result(const void *result, size_t size, size_t alignment, const void *x, size_t bytes)
{
    uintptr_t to = (uintptr_t)result, from = (uintptr_t)x;

    if (result == NULL)
        return LR_NULL;
    if (to % alignment != 0)
        return LR_MISALIGNED;
    return to < from + bytes && from < to + size ? LR_OVERLAP : LR_OK;
}
