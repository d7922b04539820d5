/* Values of ranks on their way into and out of NCCL, whose minimum and maximum know neither NaN nor -0.
 * SPDX-License-Identifier: MIT */
#include "library/checks.h"
#include "library/ranks.h"

static __device__ int64_t bits_of(double x)
{
    union {
        double x;
        int64_t bits;
    } u = {x};
    return u.bits;
}

/* The order of numbers, as integers: -0 is below +0, and NaN above all. */
static __device__ int64_t key_of(double x, bool min)
{
    int64_t bits = bits_of(min ? -x : x);
    return x != x ? INT64_MAX : bits < 0 ? bits ^ INT64_MAX : bits;
}

static __device__ double number_of(int64_t key, bool min)
{
    union {
        int64_t bits;
        double x;
    } u = {key < 0 ? key ^ INT64_MAX : key};
    return key == INT64_MAX ? (double)NAN : min ? -u.x : u.x;
}

static __device__ void store(void *result, int type, double re, double im)
{
    float *f = (float *)result;
    double *d = (double *)result;

    switch (type) {
    case LR_COMPLEX_FLOAT:
        f[1] = im == im ? (float)im : (float)NAN;
        f[0] = re == re ? (float)re : (float)NAN;
        break;
    case LR_FLOAT:
        f[0] = re == re ? (float)re : (float)NAN;
        break;
    case LR_COMPLEX_DOUBLE:
        d[1] = im == im ? im : (double)NAN;
        d[0] = re == re ? re : (double)NAN;
        break;
    case LR_DOUBLE:
        d[0] = re == re ? re : (double)NAN;
        break;
    }
}

/* type: of the value. One thread. */
__global__ void rank_step(enum rank_step step, int type, struct rank_words *w, void *result)
{
    bool single = type == LR_FLOAT || type == LR_COMPLEX_FLOAT;
    bool whole = type == LR_INT32 || type == LR_INT64;
    bool min = step == VALUE_TO_MIN || step == MIN_TO_VALUE;
    double re = single ? (double)w->value.f[0] : w->value.d[0];
    int64_t l = type == LR_INT32 ? w->value.i : w->value.l;

    switch (step) {
    case VALUE_TO_SUM:
        if (whole)
            w->word.l = l;
        else
            w->word.d[0] = re;
        if (type == LR_COMPLEX_FLOAT || type == LR_COMPLEX_DOUBLE)
            w->word.d[1] = single ? (double)w->value.f[1] : w->value.d[1];
        break;
    case VALUE_TO_MIN:
    case VALUE_TO_MAX:
        w->word.l = !whole ? key_of(re, min) : min ? ~l : l;
        break;
    case SUM_TO_VALUE:
    case MIN_TO_VALUE:
    case MAX_TO_VALUE:
        l = min ? ~w->word.l : w->word.l;
        if (type == LR_INT32)
            *(int32_t *)result = (int32_t)(uint32_t)(uint64_t)l;
        else if (type == LR_INT64)
            *(int64_t *)result = l;
        else if (step == SUM_TO_VALUE)
            store(result, type, w->word.d[0], w->word.d[1]);
        else
            store(result, type, number_of(w->word.l, min), 0);
        break;
    case NORM_TO_SQUARE: {
        double largest = number_of(w->word.l, false), share = re / largest;
        w->largest = largest;
        w->word.d[0] = largest > 0 && !isinf(largest) ? share * share : 1;
        break;
    }
    case SQUARES_TO_NORM: /* of 0, inf and NaN the largest is the norm */
        re = w->largest;
        store(result, type, re > 0 && !isinf(re) ? re * sqrt(w->word.d[0]) : re, 0);
        break;
    }
}

extern "C" void lr_rank_step(hipStream_t stream, enum rank_step step, int type, struct rank_words *w, void *result)
{
    hipLaunchKernelGGL(rank_step, dim3(1), dim3(1), 0, stream, step, type, w, result);
}
