/* libreduction_mpi, as installed and built for the CPU: every function over the ranks that mpirun started, with arrays of
 * different lengths, one of them empty; and errors of one rank.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libreduction_mpi.h>

#define MOST  5000 /* elements of a rank */
#define RANKS 8    /* at most: then the sum of all squares is below 2^24, and a float */

static int rank, size;
static lr_mpi *all;
static double x[RANKS * MOST], *mine; /* elements of all ranks; the start of this rank's */
static size_t n, total;

static void require(int condition, const char *what, int type)
{
    if (condition)
        return;
    printf("rank %d of %d: %s of type %d is wrong\n", rank, size, what, type);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static size_t length_of(int k) { return k == 1 ? 0 : k == 0 ? 3 : 1999 + (size_t)k % 4 * 1000; }

static int type_of_values(int type) { return type == LR_HALF || type == LR_BFLOAT16 ? LR_FLOAT : type; }

/* A whole number below 256 in two bytes. */
static uint16_t narrow(int type, double x)
{
    float size = (float)fabs(x);
    uint32_t bits;
    uint16_t half = 0;
    int exponent;

    memcpy(&bits, &size, sizeof bits);
    if (size != 0) {
        double digits = frexp(size, &exponent);
        half = (uint16_t)((exponent + 14) << 10 | ((int)(digits * 2048) & 1023));
    }
    return (uint16_t)((type == LR_HALF ? half : bits >> 16) | (x < 0 ? 0x8000 : 0));
}

/* This rank's elements, converted to a type. */
static void *as_type(int type)
{
    static union {
        float f[MOST];
        double d[MOST];
        int32_t i[MOST];
        int64_t l[MOST];
        uint16_t narrow[MOST];
    } to;

    for (size_t k = 0; k < n; k++) {
        if (type == LR_FLOAT)
            to.f[k] = (float)mine[k];
        else if (type == LR_DOUBLE)
            to.d[k] = mine[k];
        else if (type == LR_INT32)
            to.i[k] = (int32_t)mine[k];
        else if (type == LR_INT64)
            to.l[k] = (int64_t)mine[k];
        else
            to.narrow[k] = narrow(type, mine[k]);
    }
    return &to;
}

static double value_of(int of_elements, const void *value)
{
    int type = type_of_values(of_elements);

    return type == LR_FLOAT    ? (double)*(const float *)value
           : type == LR_DOUBLE ? *(const double *)value
           : type == LR_INT32  ? *(const int32_t *)value
                               : (double)*(const int64_t *)value;
}

/* Whole numbers: no order of additions rounds. */
static void check_type(int type)
{
    double sum = 0, sizes = 0, squares = 0, value;
    int64_t least = 0, most = 0, index;
    const void *a = as_type(type);

    for (size_t k = 0; k < total; k++) {
        sum += x[k];
        sizes += fabs(x[k]);
        squares += x[k] * x[k];
        least = x[k] < x[least] ? (int64_t)k : least;
        most = x[k] > x[most] ? (int64_t)k : most;
    }
    require(lr_mpi_sum(all, type, a, n, &value, NULL) == LR_OK && value_of(type, &value) == sum, "sum", type);
    require(lr_mpi_dot(all, type, a, a, n, &value, NULL) == LR_OK && value_of(type, &value) == squares, "dot", type);
    require(lr_mpi_min(all, type, a, n, &value, NULL) == LR_OK && value_of(type, &value) == x[least], "min", type);
    require(lr_mpi_max(all, type, a, n, &value, NULL) == LR_OK && value_of(type, &value) == x[most], "max", type);
    require(lr_mpi_argmin(all, type, a, n, &value, &index, NULL) == LR_OK && index == least &&
                value_of(type, &value) == x[least],
            "argmin", type);
    require(lr_mpi_argmax(all, type, a, n, NULL, &index, NULL) == LR_OK && index == most, "argmax", type);
    int wanted = type == LR_INT32 || type == LR_INT64 ? LR_TYPE : LR_OK;
    require(lr_mpi_asum(all, type, a, n, &value, NULL) == wanted &&
                (wanted != LR_OK || value_of(type, &value) == sizes),
            "asum", type);
    require(lr_mpi_nrm2(all, type, a, n, &value, NULL) == wanted &&
                (wanted != LR_OK ||
                 fabs(value_of(type, &value) - sqrt(squares)) < (type == LR_DOUBLE ? 1e-14 : 1e-6) * sqrt(squares)),
            "nrm2", type);
}

/* NaN and zeros of both signs on different ranks, sums that wrap, norms that must not overflow. */
static void check_special(void)
{
    double last = rank == size - 1, value, zero = rank == 0 ? 0.0 : -0.0;
    int64_t index, big = INT64_MAX;
    double large = 0x1p1000, a = last != 0 ? NAN : 1;

    require(lr_mpi_max(all, LR_DOUBLE, &a, 1, &value, NULL) == LR_OK && isnan(value), "NaN", 1);
    require(lr_mpi_argmin(all, LR_DOUBLE, &a, 1, &value, &index, NULL) == LR_OK && index == size - 1,
            "the place of NaN", 1);
    require(lr_mpi_argmax(all, LR_DOUBLE, &zero, 1, &value, &index, NULL) == LR_OK && index == 0 && !signbit(value),
            "the larger zero", 1);
    require(lr_mpi_min(all, LR_DOUBLE, &zero, 1, &value, NULL) == LR_OK && (signbit(value) != 0) == (size > 1),
            "the smaller zero", 1);
    require(lr_mpi_nrm2(all, LR_DOUBLE, &large, 1, &value, NULL) == LR_OK && fabs(value / large - sqrt(size)) < 1e-14,
            "a large norm", 1);
    require(lr_mpi_sum(all, LR_INT64, &big, 1, &value, NULL) == LR_OK, "a sum that wraps", 3);
    int64_t sum;
    memcpy(&sum, &value, sizeof sum);
    require((uint64_t)sum == (uint64_t)size * (uint64_t)INT64_MAX, "a sum that wraps", 3);
    require(lr_mpi_argmin(all, LR_INT32, NULL, 0, NULL, &index, NULL) == LR_OK && index == -1, "nothing", 2);
    require(lr_mpi_max(all, LR_INT32, NULL, 0, &value, NULL) == LR_OK && value_of(LR_INT32, &value) == INT32_MIN,
            "the maximum of nothing", 2);
}

/* Sums that cancel or overflow on the way: the right value, rounded once, in every order of the ranks. */
static void check_exact(void)
{
    double huge = rank == 0 ? 0x1p1023 : rank == 1 ? 0x1p1023 : -0x1p1023, value;
    double tiny = rank == 0 ? 1 : rank == 1 ? 0x1p-1074 : -1, least = 3 * 0x1p-1074;
    double above = rank == 0 ? 1 : rank == 1 ? 0x1p-53 : rank == 2 ? 0x1p-1074 : 0;
    double even = rank == 0 ? 1 : 0x1p-53, infinite = rank == 0 ? INFINITY : -INFINITY;

    require(lr_mpi_sum(all, LR_DOUBLE, &huge, 1, &value, NULL) == LR_OK && value == (size == 1 || size == 3 ? 0x1p1023
                                                                                     : size == 2            ? INFINITY
                                                                                                            : value),
            "a sum that overflows on the way", 1);
    require(lr_mpi_sum(all, LR_DOUBLE, &tiny, 1, &value, NULL) == LR_OK && value == (size < 3    ? 1
                                                                                     : size == 3 ? 0x1p-1074
                                                                                                 : value),
            "a sum that cancels", 1);
    require(lr_mpi_sum(all, LR_DOUBLE, &least, 1, &value, NULL) == LR_OK && value == size * least,
            "a sum of the smallest", 1);
    require(lr_mpi_sum(all, LR_DOUBLE, &even, 1, &value, NULL) == LR_OK &&
                value == (size < 3 ? 1 : 1 + (size - 1) / 2 * 0x1p-52 + ((size - 1) % 4 == 3 ? 0x1p-52 : 0)),
            "a sum that rounds", 1);
    require(lr_mpi_sum(all, LR_DOUBLE, &above, 1, &value, NULL) == LR_OK && value == (size < 3 ? 1 : 1 + 0x1p-52),
            "a sum just above the middle of two numbers", 1);
    require(lr_mpi_sum(all, LR_DOUBLE, &infinite, 1, &value, NULL) == LR_OK &&
                (size == 1 ? isinf(value) : isnan(value)) != 0,
            "a sum of infinities", 1);
}

/* A mistake on one rank is an error on all of them, and the next call is right. */
static void check_errors(lr_handle *handle)
{
    bool last = rank == size - 1;
    double value;
    lr_mpi *other;
    int others = size > 1 ? LR_OTHER_RANK : LR_OK;

    int status = lr_mpi_sum(all, LR_DOUBLE, last ? NULL : mine, 3, &value, NULL);
    require(status == (last ? LR_NULL : others), "a NULL", 1);
    status = lr_mpi_sum(all, last ? 99 : LR_DOUBLE, mine, 3, &value, NULL);
    require(status == (last ? LR_TYPE : others), "no type", 1);
    status = lr_mpi_max(all, LR_DOUBLE, mine, 3, last ? NULL : &value, NULL);
    require(status == (last ? LR_NULL : others), "no result", 1);
    int differ = size > 1 ? LR_RANKS : LR_OK;
    status = lr_mpi_sum(all, last ? LR_FLOAT : LR_DOUBLE, mine, 3, &value, NULL);
    require(status == differ, "two types", 1);
    status =
        last ? lr_mpi_min(all, LR_DOUBLE, mine, 3, &value, NULL) : lr_mpi_sum(all, LR_DOUBLE, mine, 3, &value, NULL);
    require(status == differ, "two functions", 1);
    status = lr_mpi_create(&other, last ? NULL : handle, MPI_COMM_WORLD);
    require(status == (last ? LR_NULL : others) && other == NULL, "no handle", 1);
    require(lr_mpi_sum(NULL, LR_DOUBLE, mine, 3, &value, NULL) == LR_NULL, "nothing", 1);
    require(lr_mpi_destroy(NULL) == LR_OK, "destroy", 1);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    status = lr_mpi_create(&other, handle, MPI_COMM_NULL);
    require(status == LR_MPI && other == NULL, "no communicator", 1);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    lr_handle *handle;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    require(size <= RANKS, "the number of ranks", 0);
    for (int k = 0; k < size; k++) {
        if (k == rank) {
            mine = x + total;
            n = length_of(k);
        }
        total += length_of(k);
    }
    for (size_t k = 0; k < total; k++)
        x[k] = (double)((7919 * k + 3) % 1013 % 51) - 25;
    require(lr_create(&handle, 0) == LR_OK, "lr_create", 0);
    require(lr_mpi_create(&all, handle, MPI_COMM_WORLD) == LR_OK, "lr_mpi_create", 0);
    for (int type = LR_FLOAT; type <= LR_BFLOAT16; type++)
        check_type(type);
    check_special();
    check_exact();
    check_errors(handle);
    check_type(LR_INT64);
    require(lr_mpi_destroy(all) == LR_OK && lr_destroy(handle) == LR_OK, "destroy", 0);
    if (rank == 0)
        printf("all right with %d\n", size);
    MPI_Finalize();
    return 0;
}
