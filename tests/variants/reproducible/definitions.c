/* SPDX-License-Identifier: MIT */
#include "definitions.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "reduction_reproducible/binned_value.h"
#include "suite.h"
#include "types.h"

#define GROUP   32
#define COLUMNS 512
#define ROWS    8

/* Sum of values[0 .. count) as a balanced tree over `width` places, a power of two; the places after count are 0. */
static double tree_of(const double *values, size_t count, size_t width, bool is_float)
{
    double copy[1024];

    for (size_t i = 0; i < width; i++)
        copy[i] = i < count ? values[i] : 0;
    for (; width > 1; width /= 2)
        for (size_t i = 0; i < width / 2; i++) {
            copy[i] += copy[i + width / 2];
            if (is_float)
                copy[i] = (double)(float)copy[i];
        }
    return copy[0];
}

/* The values of columns: trees of GROUP neighbours, and a tree of those. */
static double tree_of_columns(const double *columns, size_t count, bool is_float)
{
    double groups[COLUMNS / GROUP] = {0};

    for (size_t g = 0; g * GROUP < count; g++)
        groups[g] = tree_of(columns + g * GROUP, GROUP, GROUP, is_float);
    return tree_of(groups, COLUMNS / GROUP, COLUMNS / GROUP, is_float);
}

double definition_tree(int type, const void *data, size_t n)
{
    bool is_float = type == TYPE_FLOAT;
    size_t lanes = is_float ? 4 : 2, vectors = (n + lanes - 1) / lanes, columns = COLUMNS;
    size_t wanted = vectors <= 4096 ? 1 : vectors <= 32768 ? 8 : 64;

    vectors += vectors == 0;
    if (vectors <= wanted * COLUMNS * ROWS)
        columns = (vectors + wanted * GROUP * ROWS - 1) / (wanted * GROUP * ROWS) * GROUP;
    size_t round = columns * ROWS, rounds = (vectors + round * 528 - 1) / (round * 528);
    size_t units = (vectors + round * rounds - 1) / (round * rounds);
    double *unit_sums = calloc(units + 1, sizeof *unit_sums);
    ck_assert(unit_sums != NULL);

    for (size_t unit = 0; unit < units; unit++) {
        double column_sums[COLUMNS] = {0};
        for (size_t c = 0; c < columns; c++) {
            double lane_sums[4] = {0};
            for (size_t r = 0; r < rounds; r++) {
                size_t tile = rounds <= 16 ? r * units + unit : unit * rounds + r;
                for (size_t u = 0; u < ROWS; u++)
                    for (size_t k = 0; k < lanes; k++) {
                        size_t i = (tile * round + c / GROUP * GROUP * ROWS + u * GROUP + c % GROUP) * lanes + k;
                        if (i >= n)
                            continue;
                        lane_sums[k] += is_float ? (double)((const float *)data)[i] : ((const double *)data)[i];
                        if (is_float)
                            lane_sums[k] = (double)(float)lane_sums[k];
                    }
            }
            column_sums[c] = lane_sums[0];
            for (size_t k = 1; k < lanes; k++) {
                column_sums[c] += lane_sums[k];
                if (is_float)
                    column_sums[c] = (double)(float)column_sums[c];
            }
        }
        unit_sums[unit] = tree_of_columns(column_sums, columns, is_float);
    }
    double result = unit_sums[0];
    if (units > 1) {
        double columns_of_units[COLUMNS] = {0};
        for (size_t unit = 0; unit < units; unit++) {
            double *c = &columns_of_units[unit % COLUMNS];
            *c += unit_sums[unit];
            if (is_float)
                *c = (double)(float)*c;
        }
        result = tree_of_columns(columns_of_units, units < COLUMNS ? units : COLUMNS, is_float);
    }
    free(unit_sums);
    return result;
}

__extension__ typedef __int128 wide_t;

double definition_binned(int type, const void *data, size_t n, unsigned folds)
{
    int least = type == TYPE_FLOAT ? LEAST_FLOAT : LEAST_DOUBLE, top = (int)folds - 1;
    struct binned total = {0, 0, {0, 0, 0}, {0, 0, 0}};
    wide_t bins[FOLDS_MAX] = {0};

    for (size_t i = 0; i < n; i++) {
        double x = type == TYPE_FLOAT ? (double)((const float *)data)[i] : ((const double *)data)[i];
        int exponent; /* 2^(exponent - 1) <= |x| < 2^exponent */
        if (x == 0)
            continue;
        frexp(x, &exponent);
        /* the lowest bin with |x| < 2^(least - 1 + WIDTH (bin + 1)); not below the type's normal numbers */
        int smallest = type == TYPE_FLOAT ? -126 : -1022;
        int bin = ((exponent > smallest ? exponent : smallest) - least) / BIN_WIDTH;
        top = bin > top ? bin : top;
    }
    for (size_t i = 0; i < n; i++) {
        double x = type == TYPE_FLOAT ? (double)((const float *)data)[i] : ((const double *)data)[i];
        for (unsigned k = 0; k < folds; k++) {
            double grids = ldexp(x, -(least + BIN_WIDTH * (top - (int)k))); /* exact unless it vanishes */
            double slice = round(grids);                                    /* halves away from 0 */
            if (fabs(grids) < 0x1p-900)
                slice = 0;
            bins[k] += (wide_t)slice;
            x -= ldexp(slice, least + BIN_WIDTH * (top - (int)k));
        }
    }
    total.top = top;
    for (unsigned k = 0; k < folds; k++) {
        total.high[k] = (int64_t)(bins[k] >> 50);
        total.low[k] = (int64_t)(bins[k] & (((wide_t)1 << 50) - 1));
    }
    return binned_value(&total, folds, least);
}
