#include <stdio.h>
#include <string.h>

#include "checker.h"

/* ---- round: many shapes ---- */

void run_once(struct bed *b, struct record *r, enum pass run, bool late)
{
    r->expected[run] = bed_expected(b);
    observe_begin(late);
    r->got[run] = bed_run(b);
    r->seen = observe_end();
}

void run_case(const struct shape *s, struct record *r)
{
    struct bed b;

    bed_open(&b, s);
    bed_fill(&b, RANDOM, s->seed);
    run_once(&b, r, FIRST, false);
    run_once(&b, r, SECOND, false);
    r->changed = bed_changed(&b);
    if (r->changed < s->n) {
        r->runs = SECOND + 1;
    } else {
        bed_fill(&b, OTHER, mix(s->seed, 1));
        run_once(&b, r, CHANGED, false);
        r->runs = CHANGED + 1;
    }
    if (s->op != OP_SUM && r->runs > CHANGED) {
        bed_reset(&b);
        bed_fill(&b, NEGATIVE, s->seed);
        run_once(&b, r, BELOW, false);
        bed_fill(&b, POSITIVE, s->seed);
        bed_reset(&b);
        run_once(&b, r, ABOVE, false);
        r->runs = ABOVE + 1;
    }
    r->planned_grid = b.r.grid;
    r->planned_block = b.r.block;
    bed_close(&b);
    r->done = true;
}

static void many_shapes(void *argument)
{
    (void)argument;
    for (size_t i = 0; i < common->count; i++) {
        common->at = i;
        run_case(&common->shapes[i], &common->records[i]);
        common->alive++;
    }
}

/* ---- round: each element of one shape ---- */

/* How often does each element count? With all others zero (for min and max: with all others worse). */
static void each_element(void *argument)
{
    const struct shape *s = &common->shape;
    struct shares *shares = &common->shares;
    int64_t value = s->type == TYPE_LONG || s->type == TYPE_INT
                        ? (int64_t)(mix(s->seed, 77) % 100000) * 2 + 100001 /* odd */
                        : 513;
    bool sum = s->op == OP_SUM;
    struct scalar rest = whole(s->type, 0),
                  hot = whole(s->type, sum || s->op == OP_MAX ? value : -value);
    struct bed b;

    (void)argument;
    bed_open(&b, s);
    bed_fill(&b, ZEROS, 0);
    shares->block = b.r.block;
    shares->grid = b.r.grid;
    shares->base = bed_run(&b);
    shares->whole = !sum || same(shares->base, rest);
    for (size_t i = 0; i < s->n; i++) {
        bed_reset(&b);
        bed_set(&b, i, hot);
        struct scalar got = bed_run(&b);
        bed_set(&b, i, rest);
        if (!sum) {
            common->counts[i] = same(got, hot);
        } else {
            double times = s->type == TYPE_FLOAT    ? (double)got.as.f / 513
                           : s->type == TYPE_DOUBLE ? got.as.d / 513
                           : s->type == TYPE_INT    ? (double)got.as.i / (double)value
                                                    : (double)got.as.l / (double)value;
            common->counts[i] = (int64_t)times;
            shares->whole &= (double)(int64_t)times == times;
        }
        common->alive++;
    }
    bed_close(&b);
}

void say_results(const struct shape *s, struct scalar got, struct scalar expected)
{
    char shape[TEXT_MAX], a[64], b[64];

    snprintf(found.where, TEXT_MAX, "%s: %s instead of %s", shape_text(shape, s),
             scalar_words(a, got), scalar_words(b, expected));
}

enum pass first_wrong(const struct record *r)
{
    for (unsigned run = 0; run < r->runs; run++)
        if (!same(r->got[run], r->expected[run]))
            return (enum pass)run;
    return FIRST;
}

/* Examines the simplest wrong case. */
static void diagnose_wrong(void)
{
    size_t i = judge_smallest(common->shapes, common->records, common->count);
    const struct record *r = &common->records[i];
    struct shape *s = &common->shape;
    struct end end;

    *s = common->shapes[i];
    judge_common(common->shapes, common->records, common->count, found.when);
    say_results(s, r->got[first_wrong(r)], r->expected[first_wrong(r)]);
    if (repeat_as_it_runs())
        return;
    if (judge_record(s, r, &found)) {
        if (strcmp(found.code, "no_reset") == 0)
            repeat_in_orders(); /* a reset that comes too late is a race */
        return;
    }

    round_begin("each element on its own", s->n);
    end = child_run(each_element, NULL, &common->alive, tell);
    common->shares.n = common->alive < s->n ? 0 : s->n;
    common->shares.warp = s->warp;
    common->shares.count = common->counts;
    round_close(false);
    if (end.how != ENDED)
        common->shares.n = 0;
    const char *code =
        common->shares.n > 0 ? pattern_describe(&common->shares, found.what, &found.look) : NULL;
    found.code = code;
    if (code != NULL &&
        strncmp(found.when + strcspn(found.when, ":"), ": right with warps", 18) == 0) {
        static char both[2 * TEXT_MAX];
        const char *sizes = strchr(found.when, ':') + 2;
        snprintf(both, sizeof both, "%s: %s", sizes, found.what);
        snprintf(found.what, TEXT_MAX, "%.*s", TEXT_MAX - 1, both);
        found.code = s->warp == 64 ? "warp64" : "warp32";
        return;
    }
    if (code != NULL && (strcmp(code, "one_thread") == 0 || strcmp(code, "tail") == 0 ||
                         strcmp(code, "double") == 0 || strcmp(code, "nothing") == 0))
        return;
    if (repeat_in_orders())
        return;
    if (code == NULL) {
        found.code = "wrong";
        snprintf(
            found.what, TEXT_MAX,
            "each element counts when all others are 0, and together they give another result");
        found.look = "what happens to a value that is not 0 on its way";
    }
}

bool check_shapes(void)
{
    round_begin("sizes, blocks, grids, types, operations, warps", common->count);
    bool right = run_round(many_shapes, common->count, NULL);

    for (size_t i = 0; right && i < common->count; i++)
        right = record_right(&common->shapes[i], &common->records[i]);
    round_close(right);
    if (!right && found.code == NULL)
        diagnose_wrong();
    return right;
}
