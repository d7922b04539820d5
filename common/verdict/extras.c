/* SPDX-License-Identifier: MIT */
#include "extras.h"

#include <math.h>

struct reference reference_of_input(const struct input_view *in, int op, size_t first, size_t n)
{
    if (in->data == NULL)
        return reference_of_pattern(in->type, op, &in->pattern, first, n, NULL);
    return reference_of_array(in->type, op, (const char *)in->data + first * type_size(in->type), n,
                              NULL);
}

struct extra extra_check(const char *name, double value, double reference, double bound)
{
    struct extra x = {.name = name, .value = value, .reference = reference, .bound = bound};

    if (value == reference || (isnan(value) && isnan(reference)))
        x.error = 0;
    else if (isfinite(value) && isfinite(reference))
        x.error = fabs(value - reference);
    else
        x.error = INFINITY;
    x.outcome = !(x.error <= bound) ? VERDICT_FAIL : isinf(bound) ? VERDICT_UNPROVEN : VERDICT_OK;
    return x;
}

struct extra extra_judged(const char *name, double value, double reference, struct verdict verdict)
{
    return (struct extra){name, value, reference, verdict.error, verdict.bound, verdict.outcome};
}

double extra_gamma(double k)
{
    double ku = k * 0x1p-53;
    return ku < 1 ? ku / (1 - ku) : INFINITY;
}

void extra_parallel(size_t parts, void (*work)(void *context, size_t part), void *context)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
    for (size_t part = 0; part < parts; part++)
        work(context, part);
}

size_t extra_begin(size_t count, size_t part)
{
    size_t rest = count % EXTRA_PARTS;

    return count / EXTRA_PARTS * part + (part < rest ? part : rest);
}

struct summation {
    size_t count;
    void (*terms)(void *context, size_t begin, size_t end, struct precise *sum);
    void *context;
    struct precise part[EXTRA_PARTS];
};

static void sum_part(void *context, size_t part)
{
    struct summation *s = context;

    s->part[part] = precise_nothing;
    s->terms(s->context, extra_begin(s->count, part), extra_begin(s->count, part + 1),
             &s->part[part]);
}

struct precise
extra_sum(size_t count, void (*terms)(void *context, size_t begin, size_t end, struct precise *sum),
          void *context)
{
    struct summation s = {.count = count, .terms = terms, .context = context};
    struct precise all = precise_nothing;

    extra_parallel(EXTRA_PARTS, sum_part, &s);
    for (size_t part = 0; part < EXTRA_PARTS; part++)
        precise_merge(&all, &s.part[part]);
    return all;
}
