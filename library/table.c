/* The functions by their numbers. A function has a file in functions/ and a line here, and its enumerator in the header.
 * SPDX-License-Identifier: MIT */
#include "function.h"

#define FUNCTIONS(ROW)                                                                             \
    ROW(SUM, sum)                                                                                  \
    ROW(PROD, prod)                                                                                \
    ROW(MIN, min)                                                                                  \
    ROW(MAX, max)                                                                                  \
    ROW(ARGMIN, argmin)                                                                            \
    ROW(ARGMAX, argmax)                                                                            \
    ROW(ASUM, asum)                                                                                \
    ROW(AMAX, amax)                                                                                \
    ROW(IAMAX, iamax)                                                                              \
    ROW(NRM2, nrm2)                                                                                \
    ROW(SUMSQ, sumsq)                                                                              \
    ROW(DOT, dot)                                                                                  \
    ROW(MEAN, mean)                                                                                \
    ROW(MOMENTS, moments)                                                                          \
    ROW(ANY, any)                                                                                  \
    ROW(ALL, all)                                                                                  \
    ROW(COUNT, count)                                                                              \
    ROW(LOGSUMEXP, logsumexp)                                                                      \
    ROW(NANSUM, nansum)                                                                            \
    ROW(NANMIN, nanmin)                                                                            \
    ROW(NANMAX, nanmax)                                                                            \
    ROW(NANMEAN, nanmean)                                                                          \
    ROW(NANARGMIN, nanargmin)                                                                      \
    ROW(NANARGMAX, nanargmax)

#define DECLARE(NUMBER, name) const struct function *lr_function_##name(void);
FUNCTIONS(DECLARE)

#define CASE(NUMBER, name)                                                                         \
    case LR_OP_##NUMBER:                                                                           \
        return lr_function_##name();

const struct function *lr_function(int function)
{
    switch (function) {
        FUNCTIONS(CASE)
    default:
        return NULL;
    }
}

#define ONE(NUMBER, name) +1
_Static_assert(LR_FUNCTION_COUNT == FUNCTIONS(ONE), "a function of the header has no line here");

const char *lr_function_name(int function)
{
    const struct function *f = lr_function(function);

    return f == NULL ? NULL : f->name;
}

const char *lr_function_text(int function)
{
    const struct function *f = lr_function(function);

    return f == NULL ? NULL : f->words;
}

int lr_result_type(int function, int type)
{
    const struct function *f = lr_function(function);

    if (f == NULL || type < 0 || type >= LR_TYPE_COUNT || f->kernels[type].all == NULL)
        return -1;
    if (f->kernels[type].result_bytes == sizeof(struct lr_moments_t))
        return LR_MOMENTS_STRUCT;
    if (f->of_doubles || f->counts)
        return f->counts ? LR_INT64 : LR_DOUBLE;
    switch (type) {
    case LR_FLOAT:
    case LR_HALF:
    case LR_BFLOAT16:
        return LR_FLOAT;
    case LR_DOUBLE:
        return LR_DOUBLE;
    case LR_INT32:
        return LR_INT32;
    default:
        return LR_INT64;
    }
}

int lr_finds(int function)
{
    const struct function *f = lr_function(function);

    return f != NULL && f->finds;
}
