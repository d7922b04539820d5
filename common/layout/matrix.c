/* SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <stdlib.h>
#include <string.h>

#include "reduction.h"

static size_t matrix_count(const struct matrix *m, int axis) { return axis == ROWS ? m->rows : m->columns; }

/* Elements of column k. */
static size_t height_of(const struct matrix *m, size_t k) { return k < m->n ? ceil_div(m->n - k, m->stride) : 0; }

static struct scalar element_of(const struct input_view *in, size_t i)
{
    if (in->data == NULL)
        return scalar_from_pattern(in->type, &in->pattern, i);
    return scalar_from_element(in->type, (const char *)in->data + i * type_size(in->type));
}

static struct reference of_column(const struct matrix *m, const struct input_view *in, int op, size_t k)
{
    size_t size = type_size(in->type), height = height_of(m, k);
    char *column = malloc(height > 0 ? height * size : 1);

    HIP_CHECK(column != NULL ? hipSuccess : hipErrorOutOfMemory);
    for (size_t row = 0; row < height; row++) {
        struct scalar x = element_of(in, row * m->stride + k);
        memcpy(column + row * size, &x.as, size);
    }
    struct reference reference = reference_of_array(in->type, op, column, height, NULL);
    free(column);
    return reference;
}

struct reference matrix_reference(const struct matrix *m, int axis, const struct input_view *in, int op, size_t k)
{
    size_t begin = k * m->stride;

    if (axis == COLUMNS)
        return of_column(m, in, op, k);
    return reference_of_input(in, op, begin, begin < m->n ? min_size(m->columns, m->n - begin) : 0);
}

struct check {
    const struct matrix *m;
    int axis, op;
    const struct input_view *in;
    const char *results;
    size_t chain;
};

static struct verdict judge(void *context, size_t k)
{
    const struct check *c = context;
    struct reference reference = matrix_reference(c->m, c->axis, c->in, c->op, k);
    struct scalar value = {.type = c->in->type};
    size_t size = type_size(c->in->type);

    memcpy(&value.as, c->results + k * size, size);
    return verify_check(value, &reference, min_size(c->chain, reference.n > 0 ? reference.n - 1 : 0));
}

size_t matrix_check(const struct matrix *m, int axis, const struct input_view *in, int op, const void *d_results,
                    size_t chain, struct extra out[EXTRAS_MAX])
{
    static const char *const rows[] = {"rows", "rows_wrong", "rows_worst"};
    static const char *const columns[] = {"columns", "columns_wrong", "columns_worst"};
    size_t count = matrix_count(m, axis), bytes = count * type_size(in->type);
    char *results = malloc(bytes);
    struct check c = {m, axis, op, in, results, chain};

    HIP_CHECK(results != NULL ? hipSuccess : hipErrorOutOfMemory);
    HIP_CHECK(hipMemcpy(results, d_results, bytes, hipMemcpyDeviceToHost));
    size_t extras = extra_many(axis == ROWS ? rows : columns, count, judge, &c, out);
    free(results);
    return extras;
}
