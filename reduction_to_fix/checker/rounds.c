#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "checker.h"

#define SAME_RUNS 200

/* As late as HIP allows: a host that does not wait gets the old value. */
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
        common->shape = shape_here(late[k]);
        common->shape.seed = options.seed;
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

bool check_late(void)
{
    round_begin("a device as late as HIP allows", 4);
    bool ran = run_round(as_late_as_possible, 1, &common->shape);
    const struct record *r = &common->record;
    round_close(ran && r->runs == 0);
    if (!ran || r->runs == 0)
        return ran;
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

#ifdef ON_CPU
/* With the first block alone the result must not be complete. */
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
#endif

bool check_sharing(void)
{
#ifdef ON_CPU
    round_begin("whether the blocks share the work", 1);
    bool ran = run_round(first_block_alone, 1, &common->shape);
    bool alone = ran && same(common->results[0], common->results[1]);
    round_close(ran && !alone);
    if (!ran)
        return false;
    if (alone) {
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
        s = shape_here(s);
        bed_open(&b, &s);
        bed_fill(&b, RANDOM, options.seed);
        common->different += !same(bed_run(&b), bed_expected(&b));
        bed_close(&b);
        common->shape = s;
        common->alive++;
    }
}

bool check_same(void)
{
    round_begin("the same again and again, in any order", SAME_RUNS);
    bool ran = run_round(many_runs, SAME_RUNS, &common->shape);
    round_close(ran && common->different == 0);
    if (!ran || common->different == 0)
        return ran;
    found.code = "race";
    shape_text(found.where, &common->shape);
    snprintf(found.what, TEXT_MAX, "different results in %u of %d runs: a race", common->different,
             SAME_RUNS);
    found.look = "what one thread reads and another one writes";
    return false;
}

/* ---- a huge index space ---- */

#ifdef ON_CPU

/* All unwritten pages are one page of zeros. */
static int32_t *huge_open(size_t bytes)
{
    void *input = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (input == MAP_FAILED) {
        fprintf(
            stderr,
            "no address space for %zu bytes: the limits of this shell (ulimit -v) are too small\n",
            bytes);
        exit(3);
    }
    return input;
}

/* Only the pages that have to be are writable, so that data limits do not count all of them. */
static void set_element(int32_t *input, size_t i, int32_t value)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)&input[i] / page * page;

    mprotect((void *)at, page, PROT_READ | PROT_WRITE);
    input[i] = value;
}

#else

/* NULL: the device has not that much memory. */
static int32_t *huge_open(size_t bytes)
{
    size_t available, total;
    void *input;

    HIP_CHECK(hipMemGetInfo(&available, &total));
    if (available < bytes + bytes / 8)
        return NULL;
    HIP_CHECK(hipMalloc(&input, bytes));
    HIP_CHECK(hipMemset(input, 0, bytes));
    return (int32_t *)input;
}

static void set_element(int32_t *input, size_t i, int32_t value)
{
    HIP_CHECK(hipMemcpy(&input[i], &value, sizeof value, hipMemcpyHostToDevice));
}

#endif

/* Element `hot` of an array larger than memory on the CPU, where only the blocks around the element run. */
static void one_of_many(void *argument)
{
    const struct shape *s = &common->shape;
    const struct variant_entry *entry = &exercise_variant()->entry[s->type][s->op];
    size_t bytes = s->n * type_size(s->type), hot = common->element;
    struct reduction r = {.n = s->n,
                          .block = s->block,
                          .arch = "check",
                          .warp_size = s->warp,
                          .compute_units = 2,
                          .threads_per_unit = 1024};
    struct scalar got = {.type = s->type};
    int32_t *input = huge_open(bytes);

    (void)argument;
    common->fits = input != NULL;
    if (input == NULL) {
        common->alive++;
        return;
    }
    set_element(input, hot, 12345);
#ifdef ON_CPU
    for (unsigned shift = 31; shift < 34; shift++) /* where a truncated index would point */
        if (hot >= (size_t)1 << shift)
            set_element(input, hot - ((size_t)1 << shift), 777);
#endif
    observe_order(s->warp, s->order, s->seed);
    HIP_CHECK(hipStreamCreate(&r.stream));
    entry->plan(&r);
    HIP_CHECK(hipMalloc(&r.workspace, r.workspace_bytes + 1));
    HIP_CHECK(hipHostMalloc(&r.host, r.host_bytes + 1, 0));
    HIP_CHECK(hipMemset(r.workspace, 0, r.workspace_bytes + 1));
    size_t each = (s->n + r.grid - 1) / r.grid; /* elements of a block */
    common->at = r.grid;
    if (each <= (size_t)64 * 1024) {
        observe_window(hot / each, 1);
        entry->launch(&r, input);
        entry->finish(&r, &got.as);
    }
    common->results[0] = got;
    common->alive++;
}

bool check_huge(void)
{
    static const unsigned shifts[] = {30, 31, 32, 33};

    if (!options.huge)
        return true;
    round_begin("an element of 2^30, 2^31, 2^32, 2^33", 4);
    for (size_t k = 0; k < sizeof shifts / sizeof shifts[0]; k++) {
        size_t hot = ((size_t)1 << shifts[k]) + 1234567 + options.seed % 1000;
        struct shape s = {TYPE_INT, OP_SUM, hot + 10000, 1024, 0, 64, 0, options.seed};
        common->shape = s;
        common->element = hot;
        bool ran = run_round(one_of_many, k + 1, &s);
        if (ran && !common->fits) { /* the check on the CPU decides */
            common->alive--;
            break;
        }
        bool few = ran && s.n / common->at > (size_t)64 * 1024;
        if (ran && !few && common->results[0].as.i == 12345)
            continue;
        round_close(false);
        if (!ran)
            return false;
        shape_text(found.where, &s);
        if (few) {
            found.code = "shape";
            snprintf(found.what, TEXT_MAX, "plan() takes %zu blocks for %zu elements",
                     (size_t)common->at, s.n);
            found.look = "plan(): it was right";
            return false;
        }
        found.code = "index";
        if (common->results[0].as.i == 0)
            snprintf(found.what, TEXT_MAX, "element %zu (2^%u + %zu) is missing", hot, shifts[k],
                     hot - ((size_t)1 << shifts[k]));
        else if (common->results[0].as.i % 777 == 0)
            snprintf(
                found.what, TEXT_MAX,
                "in the place of element %zu (2^%u + %zu) another one counts, 2^%u or so before it",
                hot, shifts[k], hot - ((size_t)1 << shifts[k]), shifts[k]);
        else
            snprintf(found.what, TEXT_MAX, "element %zu counts wrongly", hot);
        found.look =
            "how many bits each step of the index has, the products too, before they are assigned";
        return false;
    }
    round_close(true);
    return true;
}
