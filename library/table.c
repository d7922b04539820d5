/* The functions by their numbers. A function has a line here, its enumerator in the header, and kernels: a file in functions/,
 * which others may have, too.
 * SPDX-License-Identifier: MIT */
#include "function.h"
#include "handle.h"

/* Number, name, kernels, what a result is, whether it has two arrays, whether it has an index. */
#define FUNCTIONS(ROW)                                                                                                 \
    ROW(SUM, sum, sum, VALUE, 0, 0, "the sum")                                                                         \
    ROW(SUM_BINNED, sum_binned, sum_binned, VALUE, 0, 0, "the sum, in any order of the elements")                      \
    ROW(PROD, prod, prod, VALUE, 0, 0, "the product")                                                                  \
    ROW(MIN, min, argmin, VALUE, 0, 0, "the smallest element")                                                         \
    ROW(MAX, max, argmax, VALUE, 0, 0, "the largest element")                                                          \
    ROW(ARGMIN, argmin, argmin, VALUE, 0, 1, "the smallest element and its first index")                               \
    ROW(ARGMAX, argmax, argmax, VALUE, 0, 1, "the largest element and its first index")                                \
    ROW(ASUM, asum, asum, VALUE, 0, 0, "the sum of magnitudes")                                                        \
    ROW(AMAX, amax, iamax, VALUE, 0, 0, "the largest magnitude")                                                       \
    ROW(IAMAX, iamax, iamax, VALUE, 0, 1, "the largest magnitude and its first index")                                 \
    ROW(NRM2, nrm2, nrm2, VALUE, 0, 0, "the Euclidean norm")                                                           \
    ROW(SUMSQ, sumsq, sumsq, VALUE, 0, 0, "the sum of squares")                                                        \
    ROW(DOT, dot, dot, VALUE, 1, 0, "the sum of products of two arrays")                                               \
    ROW(MEAN, mean, mean, DOUBLE, 0, 0, "the mean, a double")                                                          \
    ROW(MOMENTS, moments, moments, MOMENTS, 0, 0, "count, mean, variance, minimum and maximum")                        \
    ROW(ANY, any, count, COUNT, 0, 0, "1 if any element is not 0")                                                     \
    ROW(ALL, all, count, COUNT, 0, 0, "1 if no element is 0")                                                          \
    ROW(COUNT, count, count, COUNT, 0, 0, "how many elements are not 0")                                               \
    ROW(LOGSUMEXP, logsumexp, logsumexp, VALUE, 0, 0, "the logarithm of the sum of exponentials")                      \
    ROW(NANSUM, nansum, nansum, VALUE, 0, 0, "the sum of the elements that are not NaN")                               \
    ROW(NANMIN, nanmin, nanargmin, VALUE, 0, 0, "the smallest element that is not NaN")                                \
    ROW(NANMAX, nanmax, nanargmax, VALUE, 0, 0, "the largest element that is not NaN")                                 \
    ROW(NANMEAN, nanmean, nanmean, DOUBLE, 0, 0, "the mean of the elements that are not NaN, a double")                \
    ROW(NANARGMIN, nanargmin, nanargmin, VALUE, 0, 1, "the smallest element that is not NaN, and its first index")     \
    ROW(NANARGMAX, nanargmax, nanargmax, VALUE, 0, 1, "the largest element that is not NaN, and its first index")

#define DECLARE(number, name, whose, result, two, finds, words) const struct kernels *lr_kernels_##whose(void);
FUNCTIONS(DECLARE)

#define DEFINE(number, name, whose, result, two, finds, words)                                                         \
    [LR_OP_##number] = {#name, words, lr_kernels_##whose, RESULT_##result, two, finds},
static const struct function functions[] = {FUNCTIONS(DEFINE)};

#define ONE(...) +1
_Static_assert(LR_FUNCTION_COUNT == FUNCTIONS(ONE), "a function of the header has no line here");

const struct function *lr_function(int function)
{
    return function >= 0 && function < LR_FUNCTION_COUNT ? &functions[function] : NULL;
}

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

    if (f == NULL || type < 0 || type >= LR_TYPE_COUNT || f->kernels()[type].lines == NULL)
        return -1;
    switch (f->result) {
    case RESULT_DOUBLE:
        return LR_DOUBLE;
    case RESULT_COUNT:
        return LR_INT64;
    case RESULT_MOMENTS:
        return LR_MOMENTS_STRUCT;
    case RESULT_VALUE:
        break;
    }
    switch (type) {
    case LR_HALF:
    case LR_BFLOAT16:
        return LR_FLOAT;
    case LR_UINT8:
    case LR_INT8:
    case LR_UINT32:
    case LR_BOOL:
        return LR_INT64;
    case LR_COMPLEX_FLOAT:
    case LR_COMPLEX_DOUBLE: /* norms are real */
        return f->kernels()[type].result_bytes == element_bytes(type) ? type : type - LR_COMPLEX_FLOAT + LR_FLOAT;
    default:
        return type;
    }
}

int lr_finds(int function)
{
    const struct function *f = lr_function(function);

    return f != NULL && f->finds;
}
