/* SPDX-License-Identifier: MIT */
#include "../task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../checker.h"

enum task task;

static const char *const names[TASKS] = {"reduce", "argmax", "rows", "histogram", "softmax"};

bool task_choose(const char *name)
{
    for (task = REDUCE; task < TASKS; task++)
        if (strcmp(name, names[task]) == 0)
            return true;
    return false;
}

size_t task_columns(const struct trial *s)
{
    static const size_t columns[] = {1, 2, 100, 32, 257, 33, 1000, 64, 31, 2049};
    uint64_t r = mix(s->seed, s->n + s->block);

    if (task != ROWS && task != SOFTMAX)
        return 0;
    if (s->n >= 100000 && s->n < (size_t)1 << 24 && r % 3 == 0)
        return 65536 + r % 60000;
    if (s->n >= (size_t)1 << 24) /* to have fewer results */
        return task == ROWS ? 4000 + r % 8000 : 20000 + r % 40000;
    if (s->n >= 100000)
        return 1000 + r % (r % 2 == 0 ? 3000 : 60000);
    /* Not too many rows: each may have its own block, with many barriers in softmax. */
    size_t most = task == SOFTMAX ? 4000 : 20000;
    for (unsigned k = 0; k < 10; k++)
        if ((s->n / columns[(r + k) % 10] + 1) * s->block < most)
            return columns[(r + k) % 10];
    return 2049;
}

size_t task_rows(const struct trial *s) { return s->columns > 0 ? s->n / s->columns + (s->n % s->columns != 0) : 0; }

static struct scalar element(const struct trial *s, const char *values, size_t i)
{
    struct scalar v = {.type = s->type};

    memcpy(&v.as, values + i * type_size(s->type), type_size(s->type));
    return v;
}

static void put(char *outputs, size_t i, struct scalar v)
{
    memcpy(outputs + i * type_size(v.type), &v.as, type_size(v.type));
}

static double to_real(struct scalar v) { return v.type == TYPE_FLOAT ? (double)v.as.f : v.as.d; }

static bool close_to(double a, double b, double relative)
{
    return a == b || fabs(a - b) <= relative * fmax(fabs(a), fabs(b)) + 1e-30;
}

bool same(struct scalar a, struct scalar b)
{
    /* exp() and sums of its values round. The bound is far above that, and far below a lost element. */
    if (task == SOFTMAX)
        return close_to(to_real(a), to_real(b), a.type == TYPE_FLOAT ? 1e-3 : 1e-9);
    return is_same(a, b);
}

/* Whether element i is at least as good as another one. */
static bool is_as_good(const struct trial *s, const char *values, size_t i, size_t other)
{
    struct scalar a = element(s, values, i), b = element(s, values, other);

    return s->op == OP_MIN ? !is_less(b, a) : !is_less(a, b);
}

static size_t place_of_best(const struct trial *s, const char *values)
{
    size_t at = 0;

    for (size_t i = 1; i < s->n; i++)
        if (!is_as_good(s, values, at, i))
            at = i;
    return at;
}

bool task_ties(const struct trial *s, const char *values, struct scalar place)
{
    size_t i = task == ARGMAX ? place_of_best(s, values) + 1 : s->n;

    while (i < s->n && !same(place, whole(s->type, (int64_t)i)))
        i++;
    return i < s->n && is_as_good(s, values, i, place_of_best(s, values));
}

static unsigned bin_of(struct scalar v) { return (unsigned)(v.type == TYPE_INT ? (int64_t)v.as.i : v.as.l) % BINS; }

static size_t count_bins(const struct trial *s, const char *values, size_t count[BINS])
{
    size_t most = 0;

    memset(count, 0, BINS * sizeof *count);
    for (size_t i = 0; i < s->n; i++)
        count[bin_of(element(s, values, i))]++;
    for (unsigned b = 0; b < BINS; b++)
        most = count[b] > most ? count[b] : most;
    return most;
}

/* One row: fills outputs unless that is NULL, and returns 1 / sum. */
static double softmax(const struct trial *s, const char *values, size_t begin, size_t end, char *outputs)
{
    double most = -(double)INFINITY, sum = 0;

    for (size_t i = begin; i < end; i++)
        most = fmax(most, to_real(element(s, values, i)));
    for (size_t i = begin; i < end; i++)
        sum += exp(to_real(element(s, values, i)) - most);
    for (size_t i = begin; i < end && outputs != NULL; i++)
        put(outputs, i, real(s->type, exp(to_real(element(s, values, i)) - most) / sum));
    return 1 / sum;
}

static size_t end_of_row(const struct trial *s, size_t row)
{
    return row + 1 < task_rows(s) ? (row + 1) * s->columns : s->n;
}

static struct scalar reduce(const struct trial *s, const char *values, size_t begin, size_t end)
{
    struct scalar result = identity(s->type, s->op);

    for (size_t i = begin; i < end; i++)
        result = combine_two(result, element(s, values, i), s->op);
    return result;
}

struct scalar task_expected(const struct trial *s, const char *values)
{
    size_t count[BINS];
    double sum = 0;

    switch (task) {
    case ARGMAX:
        return whole(s->type, s->n > 0 ? (int64_t)place_of_best(s, values) : -1);
    case HISTOGRAM:
        return whole(s->type, (int64_t)count_bins(s, values, count));
    case SOFTMAX:
        for (size_t row = 0; row < task_rows(s); row++)
            sum += softmax(s, values, row * s->columns, end_of_row(s, row), NULL);
        return real(s->type, sum);
    default:
        return reduce(s, values, 0, s->n);
    }
}

size_t task_outputs(const struct trial *s)
{
    return task == ROWS ? task_rows(s) : task == HISTOGRAM ? BINS : task == SOFTMAX ? s->n : 0;
}

void task_output(const struct trial *s, const char *values, char *outputs)
{
    size_t count[BINS];

    if (task == HISTOGRAM) {
        count_bins(s, values, count);
        for (unsigned b = 0; b < BINS; b++)
            put(outputs, b, whole(s->type, (int64_t)count[b]));
        return;
    }
    for (size_t row = 0; row < task_rows(s); row++) {
        size_t begin = row * s->columns, end = end_of_row(s, row);
        if (task == SOFTMAX)
            softmax(s, values, begin, end, outputs);
        else
            put(outputs, row, reduce(s, values, begin, end));
    }
}

bool task_shows_in_output(void) { return task == HISTOGRAM || task == SOFTMAX; }

bool task_adds(void) { return task == REDUCE || task == ROWS; }

size_t task_for_host(const struct trial *s, uint64_t grid)
{
    return task == ARGMAX ? 2 * grid : task == ROWS ? task_rows(s) : task == SOFTMAX ? 2 * task_rows(s) : 0;
}

unsigned task_words(void) { return task == ARGMAX ? 4 : 1; }

unsigned task_reads(void) { return task == SOFTMAX ? 3 : task == HISTOGRAM ? 2 : 1; }

const char *task_item(void) { return task == ROWS ? "row" : task == HISTOGRAM ? "bin" : "element"; }
