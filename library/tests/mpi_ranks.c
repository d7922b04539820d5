/* libreduction_mpi, as installed and built for the CPU: every function over the ranks that mpirun started, with arrays of
 * different lengths, one of them empty; and errors of one rank.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libreduction_mpi.h>
#include "values/narrow.h"

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

/* Element k, converted to a type. */
static void store(void *to, int type, size_t k, double value)
{
    if (type == LR_FLOAT)
        ((float *)to)[k] = (float)value;
    else if (type == LR_DOUBLE)
        ((double *)to)[k] = value;
    else if (type == LR_INT32)
        ((int32_t *)to)[k] = (int32_t)value;
    else if (type == LR_INT64)
        ((int64_t *)to)[k] = (int64_t)value;
    else
        ((uint16_t *)to)[k] = narrow_of(type, (float)value);
}

static double value_of(int type, const void *value)
{
    switch (type) {
    case LR_DOUBLE:
        return *(const double *)value;
    case LR_INT32:
        return *(const int32_t *)value;
    case LR_INT64:
        return (double)*(const int64_t *)value;
    default: /* of two bytes, too */
        return (double)*(const float *)value;
    }
}

/* Whole numbers: no order of additions rounds. */
static void check_type(int type)
{
    double sum = 0, sizes = 0, squares = 0, value;
    int64_t least = 0, most = 0, index;
    void *a = malloc(MOST * sizeof(double)); /* this rank's elements */

    require(a != NULL, "memory", type);
    for (size_t k = 0; k < n; k++)
        store(a, type, k, mine[k]);
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
    free(a);
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
    static const struct {
        const char *what;
        double of_rank[4], sum[4]; /* of one to four ranks */
    } cases[] = {
        {"a sum that overflows on the way",
         {0x1p1023, 0x1p1023, -0x1p1023, -0x1p1023},
         {0x1p1023, INFINITY, 0x1p1023, 0}},
        {"a sum that cancels", {1, 0x1p-1074, -1, -1}, {1, 1, 0x1p-1074, -1}},
        {"a sum of the smallest",
         {0x3p-1074, 0x3p-1074, 0x3p-1074, 0x3p-1074},
         {0x3p-1074, 0x6p-1074, 0x9p-1074, 0xcp-1074}},
        {"a sum that rounds", {1, 0x1p-53, 0x1p-53, 0x1p-53}, {1, 1, 1 + 0x1p-52, 1 + 0x1p-51}},
        {"a sum just above the middle of two numbers", {1, 0x1p-53, 0x1p-1074, 0}, {1, 1, 1 + 0x1p-52, 1 + 0x1p-52}},
        {"a sum of infinities", {INFINITY, -INFINITY, -INFINITY, -INFINITY}, {INFINITY, NAN, NAN, NAN}},
    };
    double value;

    for (size_t k = 0; k < sizeof cases / sizeof *cases && size <= 4; k++) {
        double wanted = cases[k].sum[size - 1];
        require(lr_mpi_sum(all, LR_DOUBLE, &cases[k].of_rank[rank], 1, &value, NULL) == LR_OK &&
                    (isnan(wanted) ? isnan(value) : value == wanted),
                cases[k].what, 1);
    }
}

/* A mistake on one rank is an error on all of them, and the next call is right. */
static void check_errors(lr_handle *handle)
{
    bool last = rank == size - 1;
    double value;
    lr_mpi *other;
    int status, others = size > 1 ? LR_OTHER_RANK : LR_OK, differ = size > 1 ? LR_RANKS : LR_OK;

    status = lr_mpi_sum(all, LR_DOUBLE, last ? NULL : mine, 3, &value, NULL);
    require(status == (last ? LR_NULL : others), "a NULL", 1);
    status = lr_mpi_sum(all, last ? 99 : LR_DOUBLE, mine, 3, &value, NULL);
    require(status == (last ? LR_TYPE : others), "no type", 1);
    status = lr_mpi_max(all, LR_DOUBLE, mine, 3, last ? NULL : &value, NULL);
    require(status == (last ? LR_NULL : others), "no result", 1);
    require(lr_mpi_sum(all, last ? LR_FLOAT : LR_DOUBLE, mine, 3, &value, NULL) == differ, "two types", 1);
    require((last ? lr_mpi_min : lr_mpi_sum)(all, LR_DOUBLE, mine, 3, &value, NULL) == differ, "two functions", 1);
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
