/* Gathers the ranks' values on the host and combines them in the order of the ranks.
 * SPDX-License-Identifier: MIT */
#include "libreduction_mpi.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What each rank sends to the others. */
struct part {
    int status;
    int64_t n, index; /* index: in the rank's array, only for argmin and argmax */
    union number {
        float f;
        double d;
        int32_t i;
        int64_t l;
    } value;
};

struct lr_mpi {
    lr_handle *handle;
    MPI_Comm communicator;
    int size;
    struct part *parts;
};

/* The type of the value of elements of this type. */
static int type_of_values(int type)
{
    return type == LR_HALF || type == LR_BFLOAT16 ? LR_FLOAT : type;
}

static bool floating(int type)
{
    return type == LR_FLOAT || type == LR_DOUBLE;
}

static double as_double(int type, union number value)
{
    return type == LR_FLOAT ? (double)value.f : value.d;
}

static union number of_double(int type, double x)
{
    union number value = {.d = x};

    if (type == LR_FLOAT)
        value.f = (float)x;
    return value;
}

static int64_t as_whole(int type, union number value)
{
    return type == LR_INT32 ? (int64_t)value.i : value.l;
}

/* Tells all ranks about an error of one of them. MPI's own errors may not reach the others. */
static int exchange(lr_mpi *all, const struct part *mine)
{
    if (MPI_Allgather(mine, sizeof *mine, MPI_BYTE, all->parts, sizeof *mine, MPI_BYTE,
                      all->communicator) != MPI_SUCCESS)
        return LR_MPI;
    for (int k = 0; k < all->size && mine->status == LR_OK; k++)
        if (all->parts[k].status != LR_OK)
            return LR_OTHER_RANK;
    return mine->status;
}

/* ---- combining the values of two ranks -------------------------------------------------------------------------- */

static union number sum_of_all(const lr_mpi *all, int type)
{
    union number value = {.l = 0};
    double sum = 0;
    uint64_t whole = 0; /* wraps */

    for (int k = 0; k < all->size; k++) {
        if (floating(type))
            sum += as_double(type, all->parts[k].value);
        else
            whole += (uint64_t)as_whole(type, all->parts[k].value);
    }
    if (floating(type))
        return of_double(type, sum);
    if (type == LR_INT32)
        value.i = (int32_t)(uint32_t)whole;
    else
        value.l = (int64_t)whole;
    return value;
}

/* Overflows or underflows only if the norm does. */
static union number norm_of_all(const lr_mpi *all, int type)
{
    double largest = 0, sum = 0;

    for (int k = 0; k < all->size; k++) {
        double norm = as_double(type, all->parts[k].value);
        if (isnan(norm))
            return of_double(type, norm);
        largest = fmax(largest, norm);
    }
    if (largest == 0 || isinf(largest))
        return of_double(type, largest);
    for (int k = 0; k < all->size; k++) {
        double share = as_double(type, all->parts[k].value) / largest;
        sum += share * share;
    }
    return of_double(type, largest * sqrt(sum));
}

/* Whether a comes before b: NaN is first, and -0 below +0. */
static bool before(int type, bool min, union number a, union number b)
{
    if (!floating(type)) {
        int64_t u = as_whole(type, a), v = as_whole(type, b);
        return min ? u < v : u > v;
    }
    double u = as_double(type, a), v = as_double(type, b);
    if (isnan(u) || isnan(v))
        return isnan(u) && !isnan(v);
    if (u == 0 && v == 0)
        return min ? signbit(u) && !signbit(v) : signbit(v) && !signbit(u);
    return min ? u < v : u > v;
}

/* The best of the ranks that have elements, the first of equal ones; any rank if none has elements. */
static int extreme_of_all(const lr_mpi *all, int type, bool min)
{
    int best = 0;

    for (int k = 1; k < all->size; k++)
        if (all->parts[k].n > 0 && (all->parts[best].n == 0 ||
                                    before(type, min, all->parts[k].value, all->parts[best].value)))
            best = k;
    return best;
}

/* ---- the functions --------------------------------------------------------------------------------------------- */

enum what { SUM, MIN, MAX, ASUM, NRM2, DOT, ARGMIN, ARGMAX };

static int reduce_mine(lr_mpi *all, enum what what, int type, const void *x, const void *y,
                       size_t n, struct part *mine, lr_stream stream)
{
    lr_handle *h = all->handle;
    void *value = &mine->value;

    switch (what) {
    case SUM:
        return lr_sum_value(h, type, x, n, value, stream);
    case MIN:
        return lr_min_value(h, type, x, n, value, stream);
    case MAX:
        return lr_max_value(h, type, x, n, value, stream);
    case ASUM:
        return lr_asum_value(h, type, x, n, value, stream);
    case NRM2:
        return lr_nrm2_value(h, type, x, n, value, stream);
    case DOT:
        return lr_dot_value(h, type, x, y, n, value, stream);
    case ARGMIN:
        return lr_argmin_value(h, type, x, n, value, &mine->index, stream);
    default:
        return lr_argmax_value(h, type, x, n, value, &mine->index, stream);
    }
}

static int reduce(lr_mpi *all, enum what what, int type, const void *x, const void *y, size_t n,
                  void *value, int64_t *index, lr_stream stream)
{
    bool finds = what == ARGMIN || what == ARGMAX, min = what == MIN || what == ARGMIN;
    struct part mine;

    if (all == NULL)
        return LR_NULL;
    memset(&mine, 0, sizeof mine);
    mine.n = (int64_t)n;
    mine.status = (finds ? (void *)index : value) == NULL
                      ? LR_NULL
                      : reduce_mine(all, what, type, x, y, n, &mine, stream);
    int status = exchange(all, &mine);
    if (status != LR_OK)
        return status;
    type = type_of_values(type);

    union number result;
    if (what == MIN || what == MAX || finds) {
        int best = extreme_of_all(all, type, min);
        result = all->parts[best].value;
        if (finds) {
            *index = all->parts[best].index;
            for (int k = 0; k < best; k++)
                *index += all->parts[k].n;
        }
    } else {
        result = what == NRM2 ? norm_of_all(all, type) : sum_of_all(all, type);
    }
    if (value != NULL)
        memcpy(value, &result, type == LR_FLOAT || type == LR_INT32 ? 4 : 8);
    return LR_OK;
}

int lr_mpi_create(lr_mpi **to, lr_handle *handle, MPI_Comm communicator)
{
    lr_mpi *all = calloc(1, sizeof *all);
    int mine = to == NULL || handle == NULL ? LR_NULL : all == NULL ? LR_NO_MEMORY : LR_OK;
    int worst = LR_OK, size = 0;

    if (to != NULL)
        *to = NULL;
    if (MPI_Comm_size(communicator, &size) != MPI_SUCCESS)
        mine = LR_MPI;
    if (mine == LR_OK && (all->parts = calloc((size_t)size, sizeof *all->parts)) == NULL)
        mine = LR_NO_MEMORY;
    if (MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, communicator) != MPI_SUCCESS)
        worst = mine = LR_MPI;
    if (worst == LR_OK && MPI_Comm_dup(communicator, &all->communicator) != MPI_SUCCESS)
        worst = mine = LR_MPI;
    if (worst != LR_OK) {
        if (all != NULL)
            free(all->parts);
        free(all);
        return mine != LR_OK ? mine : LR_OTHER_RANK;
    }
    all->handle = handle;
    all->size = size;
    *to = all;
    return LR_OK;
}

int lr_mpi_create_f(lr_mpi **to, lr_handle *handle, MPI_Fint communicator)
{
    return lr_mpi_create(to, handle, MPI_Comm_f2c(communicator));
}

int lr_mpi_destroy(lr_mpi *all)
{
    if (all == NULL)
        return LR_OK;
    int error = MPI_Comm_free(&all->communicator);
    free(all->parts);
    free(all);
    return error == MPI_SUCCESS ? LR_OK : LR_MPI;
}

#define FUNCTION(name, what)                                                                       \
    int lr_mpi_##name(lr_mpi *all, int type, const void *x, size_t n, void *value,                 \
                      lr_stream stream)                                                            \
    {                                                                                              \
        return reduce(all, what, type, x, NULL, n, value, NULL, stream);                           \
    }
#define PLACE(name, what)                                                                          \
    int lr_mpi_##name(lr_mpi *all, int type, const void *x, size_t n, void *value, int64_t *index, \
                      lr_stream stream)                                                            \
    {                                                                                              \
        return reduce(all, what, type, x, NULL, n, value, index, stream);                          \
    }

FUNCTION(sum, SUM)
FUNCTION(min, MIN)
FUNCTION(max, MAX)
FUNCTION(asum, ASUM)
FUNCTION(nrm2, NRM2)
PLACE(argmin, ARGMIN)
PLACE(argmax, ARGMAX)

int lr_mpi_dot(lr_mpi *all, int type, const void *x, const void *y, size_t n, void *value,
               lr_stream stream)
{
    return reduce(all, DOT, type, x, y, n, value, NULL, stream);
}
