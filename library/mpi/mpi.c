/* Combines the ranks' values on the host by MPI_Allreduce with an operation of our own. Nothing in it rounds, so that all ranks
 * get the same bits, however many there are and in which order MPI combines them: a sum is a whole number of 2^-1074.
 * SPDX-License-Identifier: MIT */
#include "libreduction_mpi.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum what { SUM, MIN, MAX, ASUM, NRM2, DOT, ARGMIN, ARGMAX };

/* 32 bits each, from 2^-1074 on, with their sign: 2^31 ranks can be added without a carry. */
#define LIMBS 67
enum { PLUS_INFINITY = 1, MINUS_INFINITY = 2, NOT_A_NUMBER = 4 };

union number {
    float f;
    double d;
    int32_t i;
    int64_t l;
};

/* What each rank sends to the others. */
struct part {
    int32_t status;       /* an error of any of the ranks */
    int32_t what, type;   /* what: -1 where ranks call different functions or types */
    int32_t infinities;   /* of a sum */
    int64_t n, index;     /* index: in the arrays of these ranks, for argmin and argmax */
    union number value;   /* the extreme, or what the rank has */
    int64_t limbs[LIMBS]; /* a sum; of integers the first one */
};

struct lr_mpi {
    lr_handle *handle;
    MPI_Comm communicator;
    MPI_Datatype part;
    MPI_Op operation;
};

/* The type of the value of elements of this type. */
static int type_of_values(int type) { return type == LR_HALF || type == LR_BFLOAT16 ? LR_FLOAT : type; }

static bool floating(int type) { return type == LR_FLOAT || type == LR_DOUBLE; }

static double as_double(int type, union number value) { return type == LR_FLOAT ? (double)value.f : value.d; }

static union number of_double(int type, double x)
{
    union number value = {.d = x};

    if (type == LR_FLOAT)
        value.f = (float)x;
    return value;
}

static int64_t as_whole(int type, union number value) { return type == LR_INT32 ? (int64_t)value.i : value.l; }

/* ---- exact sums of doubles ---- */

static void add_number(struct part *p, double x)
{
    int exponent;

    if (isnan(x) || isinf(x)) {
        p->infinities |= isnan(x) ? NOT_A_NUMBER : x > 0 ? PLUS_INFINITY : MINUS_INFINITY;
        return;
    }
    double digits = frexp(fabs(x), &exponent); /* at least 1/2 */
    int place = exponent - 53 + 1074;
    uint64_t bits = (uint64_t)ldexp(digits, 53);
    if (place < 0) { /* a subnormal number has zeros there */
        bits >>= -place;
        place = 0;
    }
    int64_t *limb = p->limbs + place / 32, sign = x < 0 ? -1 : 1;
    uint64_t low = (bits & UINT32_MAX) << place % 32, high = bits >> 32 << place % 32;
    limb[0] += sign * (int64_t)(low & UINT32_MAX);
    limb[1] += sign * (int64_t)((low >> 32) + (high & UINT32_MAX));
    limb[2] += sign * (int64_t)(high >> 32);
}

/* Leaves 32 bits in each limb but the last, which has the sign. */
static void carry(int64_t *limbs)
{
    for (int k = 0; k < LIMBS - 1; k++) {
        int64_t low = limbs[k] & UINT32_MAX;
        limbs[k + 1] += (limbs[k] - low) / ((int64_t)1 << 32);
        limbs[k] = low;
    }
}

/* Rounded once. */
static double number_of(struct part p)
{
    int top = LIMBS - 1;

    if (p.infinities & NOT_A_NUMBER || p.infinities == (PLUS_INFINITY | MINUS_INFINITY))
        return NAN;
    if (p.infinities != 0)
        return p.infinities == PLUS_INFINITY ? INFINITY : -INFINITY;
    carry(p.limbs);
    double sign = p.limbs[top] < 0 ? -1 : 1;
    if (sign < 0) {
        for (int k = 0; k < LIMBS; k++)
            p.limbs[k] = -p.limbs[k];
        carry(p.limbs);
    }
    while (top > 2 && p.limbs[top] == 0)
        top--;
    uint64_t bits = (uint64_t)p.limbs[top] << 32 | (uint64_t)p.limbs[top - 1];
    uint64_t next = (uint64_t)p.limbs[top - 2];
    int exponent = 32 * (top - 1) - 1074;
    bool rest = false;
    for (; bits != 0 && bits >> 63 == 0; exponent--) {
        next <<= 1;
        bits = bits << 1 | (next >> 32 & 1);
        next &= UINT32_MAX;
    }
    for (int k = 0; k < top - 2; k++)
        rest = rest || p.limbs[k] != 0;
    /* The last of 64 bits says whether others follow: then rounding to 53 is right. A subnormal number needs none. */
    if (bits == 0)
        return ldexp((double)next, exponent - 32);
    return sign * ldexp((double)(bits | (rest || next != 0)), exponent);
}

/* ---- combining the values of ranks ---- */

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

/* The parts of ranks that follow each other: b = a and b. Of equal extremes the first; any value if no rank has elements. */
static void combine_two(const struct part *a, struct part *b)
{
    bool min = a->what == MIN || a->what == ARGMIN;

    if (a->what != b->what || a->type != b->type)
        b->what = -1;
    if (a->status != LR_OK)
        b->status = a->status;
    if (b->what >= 0 && b->status == LR_OK &&
        (b->n == 0 || (a->n > 0 && !before(type_of_values(a->type), min, b->value, a->value)))) {
        b->value = a->value;
        b->index = a->index;
    } else if (b->index >= 0) {
        b->index += a->n;
    }
    b->n += a->n;
    b->infinities |= a->infinities;
    for (int k = 0; k < LIMBS; k++) /* the first wraps, if it is an integer */
        b->limbs[k] = (int64_t)((uint64_t)b->limbs[k] + (uint64_t)a->limbs[k]);
}

static void combine(void *of_earlier, void *of_later, int *count, MPI_Datatype *type)
{
    const struct part *a = of_earlier;
    struct part *b = of_later;

    (void)type;
    for (int k = 0; k < *count; k++)
        combine_two(a + k, b + k);
}

/* An error of one rank is an error of all. MPI's own may not reach the others. */
static int exchange(lr_mpi *all, const struct part *mine, struct part *ours)
{
    if (MPI_Allreduce(mine, ours, 1, all->part, all->operation, all->communicator) != MPI_SUCCESS)
        return LR_MPI;
    if (mine->status != LR_OK)
        return mine->status;
    return ours->status != LR_OK ? LR_OTHER_RANK : ours->what < 0 ? LR_RANKS : LR_OK;
}

/* From the ranks' norms, the largest of which is ours->value. Overflows or underflows only if the norm does. */
static int norm_of_all(lr_mpi *all, const struct part *mine, struct part *ours)
{
    int type = type_of_values(mine->type);
    double largest = as_double(type, ours->value);
    struct part share = *mine;

    if (isnan(largest) || isinf(largest) || largest == 0)
        return LR_OK;
    double ratio = as_double(type, mine->value) / largest;
    add_number(&share, ratio * ratio);
    int status = exchange(all, &share, ours);
    ours->value = of_double(type, largest * sqrt(number_of(*ours)));
    return status;
}

/* ---- the functions ---- */

static int reduce_mine(lr_mpi *all, enum what what, int type, const void *x, const void *y, size_t n, struct part *mine,
                       lr_stream stream)
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

static int reduce(lr_mpi *all, enum what what, int type, const void *x, const void *y, size_t n, void *value,
                  int64_t *index, lr_stream stream)
{
    bool finds = what == ARGMIN || what == ARGMAX;
    bool adds = what == SUM || what == ASUM || what == DOT;
    struct part mine, ours;

    if (all == NULL)
        return LR_NULL;
    memset(&mine, 0, sizeof mine);
    mine.what = what;
    mine.type = type;
    mine.n = (int64_t)n;
    mine.status =
        (finds ? (void *)index : value) == NULL ? LR_NULL : reduce_mine(all, what, type, x, y, n, &mine, stream);
    int of_values = type_of_values(type);
    if (adds && mine.status == LR_OK && floating(of_values))
        add_number(&mine, as_double(of_values, mine.value));
    else if (adds)
        mine.limbs[0] = as_whole(of_values, mine.value);
    int status = exchange(all, &mine, &ours);
    if (status == LR_OK && what == NRM2)
        status = norm_of_all(all, &mine, &ours);
    if (status != LR_OK)
        return status;
    if (adds && floating(of_values))
        ours.value = of_double(of_values, number_of(ours));
    else if (adds && type == LR_INT32)
        ours.value.i = (int32_t)(uint32_t)(uint64_t)ours.limbs[0];
    else if (adds)
        ours.value.l = ours.limbs[0];
    if (finds)
        *index = ours.index;
    if (value != NULL)
        memcpy(value, &ours.value, of_values == LR_FLOAT || of_values == LR_INT32 ? 4 : 8);
    return LR_OK;
}

/* The communicator, and how its ranks' parts are combined. */
static int prepare(lr_mpi *all, MPI_Comm communicator)
{
    if (MPI_Comm_dup(communicator, &all->communicator) != MPI_SUCCESS)
        return LR_MPI;
    if (MPI_Type_contiguous(sizeof(struct part), MPI_BYTE, &all->part) != MPI_SUCCESS ||
        MPI_Type_commit(&all->part) != MPI_SUCCESS || MPI_Op_create(combine, 0, &all->operation) != MPI_SUCCESS)
        return LR_MPI;
    return LR_OK;
}

int lr_mpi_create(lr_mpi **to, lr_handle *handle, MPI_Comm communicator)
{
    lr_mpi *all = calloc(1, sizeof *all);
    int mine = to == NULL || handle == NULL ? LR_NULL : all == NULL ? LR_NO_MEMORY : LR_OK;
    int worst = LR_OK;

    if (to != NULL)
        *to = NULL;
    if (MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, communicator) != MPI_SUCCESS)
        worst = mine = LR_MPI;
    if (worst == LR_OK)
        worst = mine = prepare(all, communicator);
    if (worst != LR_OK) {
        free(all);
        return mine != LR_OK ? mine : LR_OTHER_RANK;
    }
    all->handle = handle;
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
    bool freed = MPI_Op_free(&all->operation) == MPI_SUCCESS;
    freed = MPI_Type_free(&all->part) == MPI_SUCCESS && freed;
    freed = MPI_Comm_free(&all->communicator) == MPI_SUCCESS && freed;
    free(all);
    return freed ? LR_OK : LR_MPI;
}

#define FUNCTION(name, what)                                                                                           \
    int lr_mpi_##name(lr_mpi *all, int type, const void *x, size_t n, void *value, lr_stream stream)                   \
    {                                                                                                                  \
        return reduce(all, what, type, x, NULL, n, value, NULL, stream);                                               \
    }
#define PLACE(name, what)                                                                                              \
    int lr_mpi_##name(lr_mpi *all, int type, const void *x, size_t n, void *value, int64_t *index, lr_stream stream)   \
    {                                                                                                                  \
        return reduce(all, what, type, x, NULL, n, value, index, stream);                                              \
    }

FUNCTION(sum, SUM)
FUNCTION(min, MIN)
FUNCTION(max, MAX)
FUNCTION(asum, ASUM)
FUNCTION(nrm2, NRM2)
PLACE(argmin, ARGMIN)
PLACE(argmax, ARGMAX)

int lr_mpi_dot(lr_mpi *all, int type, const void *x, const void *y, size_t n, void *value, lr_stream stream)
{
    return reduce(all, DOT, type, x, y, n, value, NULL, stream);
}
