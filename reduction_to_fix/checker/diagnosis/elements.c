/* One case alone: which elements count, and up to which one.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "../checker.h"

size_t hot_element(const struct trial *s, unsigned k)
{
    /* The last one, powers of two, the elements before them, and others. */
    if (k > 0 && s->n <= (size_t)1 << 17)
        k += 12;
    size_t i = k == 0 ? s->n - 1 : k < 12 ? ((size_t)1 << (17 + k / 2)) - k % 2 : mix(s->seed, k) % s->n;
    return i < s->n ? i : s->n - 1 - k;
}

/* A sum of powers of two shows which are missing. For min and max each element is better than those before it. */
struct scalar hot_value(const struct trial *s, unsigned k)
{
    if (s->op == OP_SUM && task_adds())
        return whole(s->type, s->type == TYPE_LONG || s->type == TYPE_DOUBLE ? (int64_t)1 << k : (int64_t)1 << k % 18);
    return whole(s->type, (s->op == OP_MIN ? -1 : 1) * (int64_t)(k + 1));
}

/* ---- up to which element they count ---- */

static struct {
    struct trial trial;
    struct scalar got, expected;
} alone;

static void once_more(void *argument)
{
    struct fixture f;

    (void)argument;
    fixture_open(&f, &alone.trial, false);
    fixture_fill(&f, RANDOM, alone.trial.seed);
    alone.got = fixture_run(&f, RUN_LAUNCH | RUN_FINISH);
    alone.expected = fixture_expected(&f);
    fixture_close(&f);
}

bool ends_when_seen(const struct trial *s)
{
    alone.trial = *s;
    return session_run(TOOL_RACES, 0, once_more, NULL);
}

static bool counts_alone(struct fixture *f, size_t i)
{
    const struct trial *s = &f->trial;
    struct scalar value = hot_value(s, 3);

    fixture_set(f, i, value);
    return same(fixture_run(f, RUN_LAUNCH | RUN_FINISH), task == ARGMAX ? whole(s->type, (int64_t)i) : value);
}

static struct {
    struct trial trial;
    bool windows;
    size_t first, lost; /* the first of a missing tail; one that does not count; n: none */
} end;

static bool counts(size_t i)
{
    struct fixture f;

    fixture_open(&f, &end.trial, true);
    bool right = end.windows ? window_has(&f, i, NULL) : counts_alone(&f, i);
    fixture_close(&f);
    return right;
}

/* Bisects between an element that counts and one that does not. */
static void find_end(void *argument)
{
    size_t n = end.trial.n, right = 0, wrong = n - 1;

    (void)argument;
    end.first = end.lost = n;
    if (n < 2 || !counts(0))
        return;
    for (unsigned k = 0; k < HOT && end.lost == n; k += end.windows ? HOT / 2 : 1)
        if (!counts(hot_element(&end.trial, k)))
            end.lost = hot_element(&end.trial, k);
    if (end.lost != n - 1)
        return;
    while (wrong - right > 1) {
        size_t middle = right + (wrong - right) / 2;
        if (counts(middle))
            right = middle;
        else
            wrong = middle;
        round_step();
    }
    if (!counts(wrong + (n - 1 - wrong) / 3))
        end.first = wrong;
}

bool some_missing(const struct trial *s, bool windows, size_t *first)
{
    struct diagnosis before = found;

    end.trial = *s;
    end.windows = windows;
    round_begin("where it begins to be wrong", 30);
    bool ran = session_run(windows ? TOOL_WORK : NO_TOOL, 0, find_end, NULL) && end.lost < s->n;
    found = before;
    round_close(false);
    *first = ran ? end.first : s->n;
    if (!ran)
        return false;
    if (*found.where == '\0')
        trial_text(found.where, s);
    found.code = *first < s->n ? "tail" : "lost";
    if (*first < s->n)
        snprintf(found.what, TEXT_MAX, "elements from %zu on are missing, %zu of %zu", *first, s->n - *first, s->n);
    else
        snprintf(found.what, TEXT_MAX, "of %zu elements, element %zu does not count once", s->n, end.lost);
    found.look = "where the loop over the elements ends, and which thread takes that element";
    return true;
}

/* Wrong with many elements: which ones? */
void say_large(const struct trial *s)
{
    size_t first;

    if (some_missing(s, false, &first))
        return;
    found.code = "large";
    if (s->n > N_MAX)
        snprintf(found.what, TEXT_MAX, "right for few elements, and wrong for %zu", s->n);
    else
        snprintf(found.what, TEXT_MAX, "right in hundreds of cases, and wrong in this one");
    found.look = "what depends on n, on the block or on the number of blocks";
}

bool wrong_alone(const struct trial *s)
{
    alone.trial = *s;
    if (!session_run(NO_TOOL, 0, once_more, NULL))
        return true;
    if (same(alone.got, alone.expected))
        return false;
    say_results(s, alone.got, alone.expected);
    say_large(s);
    return true;
}
