/* Apart from matrix.c, because libreduction needs it alone.
 * SPDX-License-Identifier: MIT */
#include "matrix.h"

#include "reduction.h"

struct matrix matrix_of(const struct reduction *r)
{
    size_t columns = min_size((size_t)r->option[WIDTH], r->n > 0 ? r->n : 1);
    size_t stride = columns + (r->n > 0 ? (size_t)r->option[PADDING] : 0), rows = ceil_div(r->n, stride);

    return (struct matrix){r->n, rows > 0 ? rows : 1, columns, stride};
}
