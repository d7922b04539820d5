/* Checks one exercise; see checker.h. Exit codes: 0 solved, 1 not solved, 2 bad usage, 3 no check is possible. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "checker.h"
#include "exit_codes.h"

#define CASES     420
#define SAME_RUNS 200
#define N_MAX     16384

static struct {
    const char *name, *race;
    bool huge, quick;
    uint64_t seed;
    FILE *json;
} options;

/* What parent and children share. */
static struct {
    volatile uint64_t alive; /* counts what has been done */
    volatile size_t at;      /* the case in progress */
    struct shape shapes[CASES];
    struct record records[CASES];
    size_t count;

    /* One shape looked at closely. */
    struct shape shape;
    struct shares shares;
    int64_t counts[N_MAX];
    struct record record;
    unsigned different;
    struct scalar results[4];
    uint64_t element;
} * common;

static struct diagnosis found;
static const char *round_name;
static uint64_t round_end;

/* ---- progress ---- */

static void tell(void)
{
    static uint64_t shown;

    if (!isatty(STDOUT_FILENO) || common->alive == shown)
        return;
    shown = common->alive;
    printf("\r  %-44s %4llu of %llu", round_name, (unsigned long long)shown,
           (unsigned long long)round_end);
    fflush(stdout);
}

static void round_begin(const char *name, uint64_t end)
{
    round_name = name;
    round_end = end;
    common->alive = 0;
}

static void round_close(bool right)
{
    printf("%s  %-44s %4llu %-10s %s\n", isatty(STDOUT_FILENO) ? "\r\033[K" : "", round_name,
           (unsigned long long)common->alive, common->alive == 1 ? "run" : "runs",
           right ? "right" : "wrong");
    fflush(stdout);
}

/* ---- endings that are findings ---- */

static void diagnose_end(const struct end *end, const struct shape *s)
{
    const char *said = strncmp(end->said, "hip: ", 5) == 0 ? end->said + 5 : end->said;

    shape_text(found.where, s);
    if (end->how == TOO_LONG) {
        found.code = "hang";
        snprintf(found.what, TEXT_MAX, "it does not end");
        found.look = "loops whose end may never come, and threads that wait for others";
        return;
    }
    snprintf(found.what, TEXT_MAX, "%s", said);
    if (strstr(said, "barrier") != NULL || strstr(said, " wait at ") != NULL) {
        found.code = "barrier";
        found.look =
            "the conditions around __syncthreads(): all threads of a block have to reach it";
    } else if (strstr(said, "the end of") != NULL || strstr(said, "the start of") != NULL ||
               strstr(said, "null pointer") != NULL || strstr(said, "any allocation") != NULL) {
        found.code = "out_of_bounds";
        found.look = "the index in that line, and who is allowed to use it";
    } else {
        found.code = "crash";
        if (*said == '\0')
            snprintf(found.what, TEXT_MAX,
                     end->status < 0 ? "it is ended by signal %d" : "it exits with code %d",
                     end->status < 0 ? -end->status : end->status);
        found.look = "what it does in this case";
    }
}

static bool run_round(void (*work)(void *), const struct shape *s)
{
    struct end end = child_run(work, NULL, &common->alive, tell);

    if (end.how == ENDED)
        return true;
    diagnose_end(&end, s != NULL ? s : &common->shapes[common->at]);
    return false;
}

/* ---- round: many shapes ---- */

static void run_once(struct bed *b, struct record *r, enum pass run, bool late)
{
    r->expected[run] = bed_expected(b);
    observe_begin(late);
    r->got[run] = bed_run(b);
    r->seen = observe_end();
}

static void run_case(const struct shape *s, struct record *r)
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

/* The same input in three orders: a result that depends on it is a race. */
static void three_orders(void *argument)
{
    (void)argument;
    for (int order = 0; order < 3; order++) {
        struct shape s = common->shape;
        struct bed b;
        s.order = order;
        bed_open(&b, &s);
        bed_fill(&b, RANDOM, s.seed);
        common->results[order] = bed_run(&b);
        common->results[3] = bed_expected(&b);
        bed_close(&b);
        common->alive++;
    }
}

static void say_results(const struct shape *s, struct scalar got, struct scalar expected)
{
    char shape[TEXT_MAX], a[64], b[64];

    snprintf(found.where, TEXT_MAX, "%s: %s instead of %s", shape_text(shape, s),
             scalar_words(a, got), scalar_words(b, expected));
}

static enum pass first_wrong(const struct record *r)
{
    for (unsigned run = 0; run < r->runs; run++)
        if (!same(r->got[run], r->expected[run]))
            return (enum pass)run;
    return FIRST;
}

/* Looks at the simplest wrong case from nearby. */
static void diagnose_wrong(void)
{
    size_t i = judge_smallest(common->shapes, common->records, common->count);
    const struct record *r = &common->records[i];
    struct shape *s = &common->shape;
    struct end end;

    *s = common->shapes[i];
    judge_common(common->shapes, common->records, common->count, found.when);
    say_results(s, r->got[first_wrong(r)], r->expected[first_wrong(r)]);
    if (judge_record(s, r, &found))
        return;

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
    if (code != NULL && (strcmp(code, "one_thread") == 0 || strcmp(code, "tail") == 0 ||
                         strcmp(code, "double") == 0 || strcmp(code, "nothing") == 0))
        return;
#ifdef ON_CPU
    round_begin("the same in another order of threads", 3);
    end = child_run(three_orders, NULL, &common->alive, tell);
    const struct scalar *results = common->results;
    bool differ =
        end.how == ENDED && (!same(results[0], results[1]) || !same(results[0], results[2]));
    round_close(!differ);
    if (differ) {
        bool right[3];
        for (int k = 0; k < 3; k++)
            right[k] = same(results[k], results[3]);
        found.code = "race";
        snprintf(found.what, TEXT_MAX,
                 "the result depends on the order in which threads run (%s forward, %s in "
                 "reverse): a race",
                 right[0] ? "right" : "wrong", right[1] ? "right" : "wrong");
        found.look =
            "what one thread reads and another one writes: what makes the second wait for the "
            "first?";
        return;
    }
#endif
    if (code == NULL) {
        found.code = "wrong";
        snprintf(
            found.what, TEXT_MAX,
            "each element counts when all others are 0, and together they give another result");
        found.look = "what happens to a value that is not 0 on its way";
    }
}

/* ---- rounds for what looks right ---- */

/* As late as HIP allows: who does not wait gets what was there before. */
static void as_late_as_possible(void *argument)
{
    static const struct shape late[] = {{TYPE_LONG, OP_SUM, 1000, 64, 0, 64, 0, 0},
                                        {TYPE_DOUBLE, OP_MAX, 4096, 128, 3, 32, 0, 0},
                                        {TYPE_INT, OP_SUM, 1, 256, 1, 64, 0, 0},
                                        {TYPE_LONG, OP_SUM, 0, 256, 0, 32, 0, 0}};

    (void)argument;
    for (size_t k = 0; k < sizeof late / sizeof late[0]; k++) {
        struct bed b;
        memset(&common->record, 0, sizeof common->record);
        common->shape = late[k];
        common->shape.seed = options.seed;
#ifndef ON_CPU
        common->shape.warp = common->shapes[0].warp;
#endif
        bed_open(&b, &common->shape);
        bed_fill(&b, RANDOM, options.seed);
        run_once(&b, &common->record, FIRST, true);
        run_once(&b, &common->record, SECOND, true);
        bed_fill(&b, OTHER, mix(options.seed, 9));
        run_once(&b, &common->record, CHANGED, true);
        common->record.runs = CHANGED + 1;
        bed_close(&b);
        common->alive++;
        for (unsigned run = 0; run < common->record.runs; run++)
            if (!same(common->record.got[run], common->record.expected[run]))
                return;
    }
    common->record.runs = 0;
}

static bool check_late(void)
{
    round_begin("a device as late as HIP allows", 4);
    if (!run_round(as_late_as_possible, &common->shape))
        return false;
    const struct record *r = &common->record;
    if (r->runs == 0)
        return true;
    enum pass run = first_wrong(r);
    say_results(&common->shape, r->got[run], r->expected[run]);
    found.code = "late";
    snprintf(found.what, TEXT_MAX,
             "finish() takes the result before it is there: nobody waits for the device, and %s",
             run == FIRST ? "its time is that of the launch alone"
                          : "what it returns is the result of the run before");
    found.look = "what has to happen on r->stream before the host may read what the device wrote";
    return false;
}

/* With nothing but the first block the result must not be complete. */
static void first_block_alone(void *argument)
{
    struct bed b;

    (void)argument;
    common->shape = (struct shape){TYPE_LONG, OP_SUM, 10007, 64, 0, 64, 0, options.seed};
    bed_open(&b, &common->shape);
    bed_fill(&b, RANDOM, options.seed);
    common->results[0] = bed_expected(&b);
    observe_window(0, 1);
    common->results[1] = bed_run(&b);
    observe_window(0, 0);
    bed_close(&b);
    common->alive++;
}

static bool check_sharing(void)
{
#ifdef ON_CPU
    round_begin("whether the blocks share the work", 1);
    if (!run_round(first_block_alone, &common->shape))
        return false;
    if (same(common->results[0], common->results[1])) {
        found.code = "one_block";
        shape_text(found.where, &common->shape);
        snprintf(found.what, TEXT_MAX,
                 "the first block does all of the work: the others could stay away");
        found.look = "which elements a block takes";
        return false;
    }
#endif
    return true;
}

static void many_runs(void *argument)
{
    (void)argument;
    common->different = 0;
    for (unsigned k = 0; k < SAME_RUNS; k++) {
        struct shape s = {TYPE_LONG,           OP_SUM, 1000, 128, 5, k % 2 == 0 ? 64 : 32, 2,
                          mix(options.seed, k)};
        struct bed b;
#ifndef ON_CPU
        s.warp = common->shapes[0].warp;
#endif
        bed_open(&b, &s);
        bed_fill(&b, RANDOM, options.seed);
        common->different += !same(bed_run(&b), bed_expected(&b));
        bed_close(&b);
        common->shape = s;
        common->alive++;
    }
}

static bool check_same(void)
{
    round_begin("the same again and again, in random orders", SAME_RUNS);
    if (!run_round(many_runs, &common->shape))
        return false;
    if (common->different == 0)
        return true;
    found.code = "race";
    shape_text(found.where, &common->shape);
    snprintf(found.what, TEXT_MAX, "different results in %u of %d runs: a race", common->different,
             SAME_RUNS);
    found.look = "what one thread reads and another one writes";
    return false;
}

/* ---- the verdict ---- */

static void json_text(const char *name, const char *text, const char *end)
{
    fprintf(options.json, "\"%s\": \"", name);
    for (; text != NULL && *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(options.json, "\\%c", *text);
        else if ((unsigned char)*text >= 0x20)
            putc(*text, options.json);
    fprintf(options.json, "\"%s", end);
}

static int verdict(bool right, double seconds)
{
    if (options.json != NULL) {
        fprintf(options.json, "{");
        json_text("exercise", options.name, ", ");
        json_text("verdict", right ? "solved" : "wrong", ", ");
        json_text("code", right ? "" : found.code, ", ");
        json_text("diagnosis", right ? "" : found.what, ", ");
        json_text("case", right ? "" : found.where, ", ");
        json_text("when", right ? "" : found.when, ", ");
        fprintf(options.json, "\"seed\": %llu, \"seconds\": %.2f}\n",
                (unsigned long long)options.seed, seconds);
        if (fclose(options.json) != 0) {
            fprintf(stderr, "the JSON file could not be written: look at where it goes\n");
            return EXIT_DEVICE;
        }
    }
    if (right) {
        printf("%s: SOLVED\n", options.name);
        return EXIT_RIGHT;
    }
    printf("\n%s: WRONG (%s)\n  %s.\n", options.name, found.code, found.what);
    if (found.where[0] != '\0')
        printf("  seen with   %s\n", found.where);
    if (found.when[0] != '\0')
        printf("              %s\n", found.when);
    printf("  look at     %s\n", found.look);
    return EXIT_WRONG;
}

static int usage(const char *program)
{
    fprintf(
        stderr,
        "usage: %s [--name NAME] [--seed SEED] [--race PROGRAM] [--huge] [--json FILE]: make check "
        "gives it what it needs\n",
        program);
    return EXIT_USAGE;
}

static bool parse(int argc, char **argv)
{
    static const struct option longs[] = {{"name", 1, NULL, 'n'}, {"seed", 1, NULL, 's'},
                                          {"race", 1, NULL, 'r'}, {"huge", 0, NULL, 'h'},
                                          {"json", 1, NULL, 'j'}, {NULL, 0, NULL, 0}};
    int letter;

    options.name = variant_get()->name;
    options.seed = mix((uint64_t)time(NULL), (uint64_t)getpid());
    while ((letter = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        switch (letter) {
        case 'n':
            options.name = optarg;
            break;
        case 's':
            options.seed = strtoull(optarg, NULL, 10);
            break;
        case 'r':
            options.race = optarg;
            break;
        case 'h':
            options.huge = true;
            break;
        case 'j':
            options.json = fopen(optarg, "w");
            if (options.json == NULL) {
                perror(optarg);
                return false;
            }
            break;
        default:
            return false;
        }
    }
    return optind == argc;
}

static void make_shapes(void *argument)
{
    (void)argument;
    common->count = shapes_make(common->shapes, CASES, options.seed);
}

int main(int argc, char **argv)
{
    struct timespec start, end;

    if (!parse(argc, argv))
        return usage(argv[0]);
    clock_gettime(CLOCK_MONOTONIC, &start);
    common = shared_memory(sizeof *common);
    struct end made = child_run(make_shapes, NULL, &common->alive, NULL); /* asks the device */
    if (made.how != ENDED) {
        fprintf(stderr, "%s\n", made.said);
        return made.status == EXIT_NO_DEVICE ? EXIT_NO_DEVICE : EXIT_DEVICE;
    }

    round_begin("sizes, blocks, grids, types, operations, warps", common->count);
    bool right = run_round(many_shapes, NULL);
    if (right) {
        for (size_t i = 0; i < common->count; i++)
            right &= record_right(&common->shapes[i], &common->records[i]);
        round_close(right);
        if (!right)
            diagnose_wrong();
    } else {
        round_close(false);
    }
    bool (*const rounds[])(void) = {check_late, check_sharing, check_same};
    for (size_t k = 0; right && k < sizeof rounds / sizeof rounds[0]; k++) {
        right = rounds[k]();
        round_close(right);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return verdict(right, (double)(end.tv_sec - start.tv_sec) +
                              1e-9 * (double)(end.tv_nsec - start.tv_nsec));
}
