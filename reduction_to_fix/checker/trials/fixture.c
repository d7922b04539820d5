/* One reduction in the runner, with its input and right result here.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../checker.h"

bool fill_special(const struct trial *s, struct scalar *value)
{
    bool floating = s->type == TYPE_FLOAT || s->type == TYPE_DOUBLE, sum = s->op == OP_SUM;
    bool obvious = s->seed == settings.seed; /* trials that have each type and operation three times */
    uint64_t r = mix(s->seed, s->n + 7 * s->block + (uint64_t)s->type),
             kind = obvious ? s->warp == 32 && s->n > 1 : r >> 8 & 1;
    bool highest = obvious ? s->n == 1 : r >> 9 & 1; /* for sums: the highest value or the lowest */

    if (task == SOFTMAX || s->n == 0 || (!obvious && r % 3 > 0))
        return false;
    if (kind == 0 && floating && task_adds())
        *value = real(s->type, (double)NAN);
    else if (kind == 0 && !(floating && sum)) /* an extreme of the type */
        *value = identity(s->type, s->op == OP_MAX || (sum && highest) ? OP_MIN : OP_MAX);
    else if (floating && (obvious || r >> 10 & 1)) /* the better one of two zeros */
        *value = real(s->type, s->op == OP_MIN ? -0.0 : 0.0);
    else
        *value = whole(s->type, floating || r >> 10 & 1 ? 1 - (int)(r >> 10 & 2) : 0);
    return true;
}

/* here: the value that fill_special() chose; elsewhere a worse one. */
static struct scalar special_value(const struct trial *s, struct scalar special, bool here, uint64_t bits)
{
    int64_t step = s->op == OP_SUM ? -2 /* not a special value */
                                   : (int64_t)(1 + bits % 1000) * (s->op == OP_MIN ? 1 : -1);

    if (here)
        return special;
    if (s->type == TYPE_INT)
        return whole(s->type, s->op == OP_SUM ? step : special.as.i + step);
    if (s->type == TYPE_LONG)
        return whole(s->type, s->op == OP_SUM ? step : special.as.l + step);
    double value = s->type == TYPE_FLOAT ? (double)special.as.f : special.as.d;
    if (value == 0 && s->op != OP_SUM && (s->seed == settings.seed || bits >> 20 & 1))
        return real(s->type, task == ARGMAX && bits >> 21 & 1 ? value : -copysign(0, value));
    return real(s->type, (isfinite(value) ? value : 0) + (double)step);
}

/* Integers use all their bits, since sums wrap. Floating-point numbers are multiples of 1/64, so that sums of up to 2^14 of
 * them are exact in any order. Doubles have more bits than a float can hold. */
static struct scalar fill_value(const struct trial *s, enum fill fill, uint64_t seed, size_t i)
{
    uint64_t bits = mix(seed, i);
    bool floating = s->type == TYPE_FLOAT || s->type == TYPE_DOUBLE;

    if (fill == ZEROS)
        return whole(s->type, 0);
    /* In every other trial all elements are the identity of max or min, the extreme of the type. */
    if ((fill == NEGATIVE || fill == POSITIVE) && (s->n + s->warp / 32) % 2 != 0)
        return identity(s->type, fill == NEGATIVE ? OP_MAX : OP_MIN);
    if (fill == NEGATIVE || fill == POSITIVE) { /* for argmax also large and close to each other */
        int64_t far = task == ARGMAX && s->type == TYPE_LONG ? (int64_t)1 << 60 : 0;
        return whole(s->type, (far + 1 + (int64_t)(bits % 1000)) * (fill == NEGATIVE ? -1 : 1));
    }
    struct scalar special;
    if (fill == OTHER && fill_special(s, &special)) {
        /* Once: two of the lowest integer add up to 0. */
        bool once = s->op != OP_SUM || s->n == 1 || same(special, identity(s->type, OP_MAX));
        /* Obvious ones: near the end, after others of the same thread, or before them. */
        bool first = floating && s->order == 1;
        size_t near = seed % (s->n / 4 + 1), place = s->seed != settings.seed ? seed % s->n
                                                     : first                  ? near
                                                                              : s->n - 1 - near;
        return special_value(s, special, once ? i == place : bits >> 12 & 1, bits);
    }
    if (fill == RANDOM && s->type == TYPE_LONG) /* readable numbers */
        return whole(s->type, (int64_t)(bits % 2000003) - 1000001);
    if (task == SOFTMAX) /* exp() of some elements overflows or is 0, but not of the differences */
        return real(s->type, (double)((int64_t)(mix(seed, s->n) % 3) - 1) * (s->n % 2 == 0 ? 900 : 3e7) +
                                 (double)(bits % 2047) / 64);
    if (floating) {
        uint64_t range = s->type == TYPE_FLOAT ? 2047 : (1u << 31) - 1;
        double value = ((double)(bits % range) - (double)(range / 2)) / 64;
        return real(s->type, value);
    }
    return whole(s->type, (int64_t)bits);
}

/* Computed once for each input. */
static struct scalar result_of(struct fixture *f)
{
    if (!f->known)
        f->expected = task_expected(&f->trial, f->values);
    f->known = true;
    return f->expected;
}

struct scalar fixture_expected(struct fixture *f) { return f->item > 0 ? f->item_expected : result_of(f); }

static size_t bytes_of(const struct fixture *f) { return f->sparse ? 0 : f->trial.n * type_size(f->trial.type); }

static void ask(struct fixture *f, struct request *q, const void *payload, void *back)
{
    size_t outputs = q->outputs * type_size(f->trial.type);

    f->last = *session_ask(q, payload, back, back == NULL ? 0 : outputs > 0 ? outputs : bytes_of(f), &f->trial);
}

static void prepare(struct fixture *f, const struct trial *s, bool sparse)
{
    memset(f, 0, sizeof *f);
    f->trial = *s;
    f->sparse = sparse;
    f->values = calloc(1, bytes_of(f) + 1);
    if (f->values == NULL)
        abort();
}

void fixture_begin(struct fixture *f, const struct trial *s)
{
    prepare(f, s, false);
    f->begin = true;
}

void fixture_open(struct fixture *f, const struct trial *s, bool sparse)
{
    struct request q = {.kind = ASK_OPEN, .trial = *s, .sparse = sparse};

    if (sparse && !settings.huge && task != SOFTMAX)
        q.workspace_most = workspace_most(s);
    prepare(f, s, sparse);
    ask(f, &q, NULL, NULL);
}

void fixture_close(struct fixture *f)
{
    struct request q = {.kind = ASK_CLOSE};

    if (!f->ended)
        ask(f, &q, NULL, NULL);
    free(f->values);
}

void fixture_reset(struct fixture *f) { f->reset = f->launched; }

void fixture_fill(struct fixture *f, enum fill fill, uint64_t seed)
{
    size_t size = type_size(f->trial.type);

    f->known = false;
    for (size_t i = 0; i < f->trial.n; i++) {
        struct scalar value = fill_value(&f->trial, fill, seed, i);
        memcpy(f->values + i * size, &value.as, size);
    }
    f->written = true;
}

void fixture_surround(struct fixture *f, int byte)
{
    struct request q = {.kind = ASK_SURROUND, .byte = byte};

    ask(f, &q, NULL, NULL);
}

void fixture_set(struct fixture *f, size_t i, struct scalar value)
{
    size_t size = type_size(f->trial.type);
    uint64_t bits = 0;

    f->known = false;
    memcpy(&bits, &value.as, size);
    if (!f->sparse)
        memcpy(f->values + i * size, &value.as, size);
    if (f->next.sets == SETS_MAX)
        fixture_run(f, 0);
    f->next.set[f->next.sets].index = i;
    f->next.set[f->next.sets++].bits = bits;
}

/* In sums, 0 equals -0. */
static struct scalar one_zero(struct scalar v, int op)
{
    struct scalar zero = whole(v.type, 0);

    return op == OP_SUM && !is_nan(v) && !is_less(v, zero) && !is_less(zero, v) ? zero : v;
}

/* Asks for the outputs; if one is wrong, returns it as the result. */
static struct scalar run_outputs(struct fixture *f, struct scalar result)
{
    struct request q = {.kind = ASK_OUTPUT, .outputs = task_outputs(&f->trial)};
    size_t size = type_size(f->trial.type);
    char *got = calloc(q.outputs + 1, size), *expected = calloc(q.outputs + 1, size);
    struct reply last = f->last;

    if (got == NULL || expected == NULL)
        abort();
    ask(f, &q, NULL, got);
    f->last = last;
    task_output(&f->trial, f->values, expected);
    for (size_t i = 0; i < q.outputs && f->item == 0; i++) {
        struct scalar a = {.type = result.type}, b = a;
        memcpy(&a.as, got + i * size, size);
        memcpy(&b.as, expected + i * size, size);
        if (same(one_zero(a, f->trial.op), b))
            continue;
        f->item = i + 1;
        f->item_expected = b;
        result = a;
    }
    free(got);
    free(expected);
    return result;
}

struct scalar fixture_run(struct fixture *f, unsigned flags)
{
    struct scalar result = {.type = f->trial.type};

    f->item = 0;
    if (task_outputs(&f->trial) > 0) /* they are asked for */
        flags &= ~(unsigned)RUN_END;
    f->next.kind = ASK_RUN;
    f->next.flags = flags | (f->reset ? RUN_RESET : 0) | (f->begin ? RUN_BEGIN : 0);
    f->next.trial = f->trial;
    f->next.count = f->written ? bytes_of(f) : 0;
    f->launched |= (flags & RUN_LAUNCH) != 0;
    f->ended = (flags & RUN_END) != 0;
    ask(f, &f->next, f->values, NULL);
    memset(&f->next, 0, sizeof f->next);
    f->reset = f->begin = f->written = false;
    memcpy(&result.as, &f->last.bits, sizeof result.as);
    result = one_zero(result, f->trial.op);
    bool finished = (flags & RUN_FINISH) != 0 && !f->sparse && task_outputs(&f->trial) > 0;
    if (finished && same(result, result_of(f)))
        return run_outputs(f, result);
    return result;
}

struct scalar fixture_output(struct fixture *f, size_t i)
{
    struct request q = {.kind = ASK_OUTPUT, .outputs = 1, .first_output = i};
    struct scalar output = {.type = f->trial.type};
    struct reply last = f->last;

    ask(f, &q, NULL, &output.as);
    f->last = last;
    return output;
}

struct scalar fixture_run_window(struct fixture *f, uint64_t block, uint64_t look_for)
{
    f->next.look_for = settings.traced ? look_for : 0;
    f->next.window_first = block;
    f->next.window_count = 1;
    return fixture_run(f, RUN_LAUNCH | RUN_FINISH);
}

bool fixture_holds(struct fixture *f, struct scalar value)
{
    struct request q = {.kind = ASK_FIND};

    memcpy(&q.set[0].bits, &value.as, type_size(f->trial.type));
    ask(f, &q, NULL, NULL);
    return f->last.found;
}

unsigned fixture_places(struct fixture *f, size_t element)
{
    struct request q = {.kind = ASK_PLACES};

    q.set[0].index = element;
    ask(f, &q, NULL, NULL);
    return f->last.places;
}

uint64_t fixture_heap(struct fixture *f)
{
    struct request q = {.kind = ASK_HEAP};

    ask(f, &q, NULL, NULL);
    return f->last.heap;
}

size_t fixture_changed(struct fixture *f)
{
    struct request q = {.kind = ASK_READ};
    size_t size = type_size(f->trial.type), n = f->trial.n, i = 0;
    char *back = malloc(bytes_of(f) + 1);

    if (back == NULL)
        abort();
    ask(f, &q, NULL, back);
    while (i < n && memcmp(back + i * size, f->values + i * size, size) == 0)
        i++;
    free(back);
    return i;
}
