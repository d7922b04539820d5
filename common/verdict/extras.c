/* SPDX-License-Identifier: MIT */
#include "extras.h"

#include <math.h>

struct reference reference_shown(const struct input_view *in, int op, size_t first, size_t n, const char *label)
{
    if (in->data == NULL)
        return reference_of_pattern(in->type, op, &in->pattern, first, n, label);
    return reference_of_array(in->type, op, (const char *)in->data + first * type_size(in->type), n, label);
}

struct reference reference_of_input(const struct input_view *in, int op, size_t first, size_t n)
{
    return reference_shown(in, op, first, n, NULL);
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

#define MANY_PARTS 4096

struct many {
    size_t count, parts, wrong[MANY_PARTS], unproven[MANY_PARTS];
    double worst[MANY_PARTS]; /* error / bound */
    struct verdict (*verdict_of)(void *context, size_t k);
    void *context;
};

static void judge_part(void *context, size_t part)
{
    struct many *m = context;

    for (size_t k = m->count * part / m->parts; k < m->count * (part + 1) / m->parts; k++) {
        struct verdict v = m->verdict_of(m->context, k);
        m->wrong[part] += v.outcome == VERDICT_FAIL;
        m->unproven[part] += v.outcome == VERDICT_UNPROVEN;
        if (v.error > 0 && !(v.error <= m->worst[part] * v.bound))
            m->worst[part] = v.error / v.bound;
    }
}

size_t extra_many(const char *const names[3], size_t count, struct verdict (*verdict_of)(void *context, size_t k),
                  void *context, struct extra out[EXTRAS_MAX])
{
    struct many m = {.count = count, .verdict_of = verdict_of, .context = context};
    size_t wrong = 0, unproven = 0;
    double worst = 0;

    m.parts = count < MANY_PARTS ? count : MANY_PARTS;
    if (m.parts < 64) { /* few and long: all cores work on each */
        for (size_t part = 0; part < m.parts; part++)
            judge_part(&m, part);
    } else {
        extra_parallel(m.parts, judge_part, &m);
    }
    for (size_t part = 0; part < m.parts; part++) {
        wrong += m.wrong[part];
        unproven += m.unproven[part];
        worst = m.worst[part] > worst ? m.worst[part] : worst;
    }
    out[0] = extra_check(names[0], (double)count, (double)count, 0);
    out[1] = extra_check(names[1], (double)wrong, 0, 0);
    /* Where a bound means nothing, neither does the largest error / bound. */
    out[2] = extra_check(names[2], worst, 0, unproven > 0 ? INFINITY : 1);
    return 3;
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
    s->terms(s->context, extra_begin(s->count, part), extra_begin(s->count, part + 1), &s->part[part]);
}

struct precise extra_sum(size_t count, void (*terms)(void *context, size_t begin, size_t end, struct precise *sum),
                         void *context)
{
    struct summation s = {.count = count, .terms = terms, .context = context};
    struct precise all = precise_nothing;

    extra_parallel(EXTRA_PARTS, sum_part, &s);
    for (size_t part = 0; part < EXTRA_PARTS; part++)
        precise_merge(&all, &s.part[part]);
    return all;
}
