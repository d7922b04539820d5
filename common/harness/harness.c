/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "harness/device/device.h"
#include "device_facts.h"
#include "harness/array.h"
#include "harness/device/init.h"
#include "harness/options/options.h"
#include "harness/report/output.h"
#include "reduction.h"
#include "harness/report/report.h"
#include "values/scalar.h"
#include "threads.h"
#include "harness/timing/timing.h"
#include "verdict/extras.h"
#include "verdict/verify.h"

/* Defaults that give a first result within seconds. */
#define DEFAULT_N     (DEVICE_IS_GPU ? (size_t)128 << 20 : (size_t)1 << 20)
#define CEILING_BYTES (DEVICE_IS_GPU ? (size_t)1 << 30 : (size_t)64 << 20)

/* The variant and its input on the device. */
struct measurement {
    const struct variant *variant;
    const struct options *o;
    const struct variant_entry *entry;
    struct device device;
    struct input file;                   /* for --input */
    struct reduction planned[SIZES_MAX]; /* one for each size ... */
    struct reduction *r;                 /* ... and the one that is measured */
    void *workspace, *host;              /* shared by all sizes, as large as the largest one needs */
    hipStream_t stream;
    void *d_array; /* the whole allocation */
    char *d_input; /* where the input starts in it: --offset elements later */
    void *d_evict; /* for --cold */
    size_t evict_bytes;
    hipEvent_t start, stop;

    struct input_view view;
    struct reference reference;
    struct scalar value; /* the last result, or the first of the worst ones */
    struct verdict verdict;
    struct extra extra[EXTRAS_MAX]; /* likewise */
    size_t extra_count;
    size_t runs, wrong_runs, extras_run, extras_next; /* extras: judged after this one, and next */
    bool idled;                                       /* the device, while the host judged extras */
    bool launches_wrong;                              /* and said so */
};

/* Further results take as long as their references, so they are judged after runs 1, 4, 16, 64 and so on, and after the
 * last one by each of the two clocks (where that run woke the device, after the timed one that follows). The worst count. */
static void judge_extras(struct measurement *m)
{
    struct extra now[EXTRAS_MAX];

    if (m->extras_run == m->runs)
        return;
    size_t count = m->entry->extras(m->r, &m->view, now);
    for (size_t i = 0; i < count; i++)
        if (m->extras_run == 0 || now[i].outcome > m->extra[i].outcome || m->extra[i].outcome == VERDICT_OK)
            m->extra[i] = now[i];
    m->extra_count = count;
    m->extras_run = m->runs;
    m->idled = count > 0;
}

/* Records and judges the result of one run; every run is judged, because the next result may differ. */
static void judge(struct measurement *m, struct scalar value)
{
    struct verdict verdict = verify_check(value, &m->reference, m->r->chain);

    if (verdict.outcome > m->verdict.outcome || m->verdict.outcome == VERDICT_OK) {
        m->value = value;
        m->verdict = verdict;
    }
    m->wrong_runs += verdict.outcome == VERDICT_FAIL;
    m->runs++;
}

/* After a timed run, so that none is between this and the run that wakes the device. */
static void judge_extras_if_due(struct measurement *m)
{
    if (m->runs < m->extras_next)
        return;
    judge_extras(m);
    m->extras_next *= 4;
}

static void evict(struct measurement *m)
{
    if (m->d_evict != NULL)
        HIP_CHECK(hipMemsetAsync(m->d_evict, 0, m->evict_bytes, m->stream));
}

/* A run that leaves no result must not pass by the one before it. The first two runs are left alone, so that a result which
 * is never reset shows as twice its value; after them the two patterns alternate, and no value equals both. */
static void poison(const struct measurement *m)
{
    const struct reduction *r = m->r;
    int pattern = m->runs % 2 == 0 ? 0xff : 0x7e; /* of floating-point numbers: NaN, or huge */
    void *result = (void *)m->entry->device_result(r);

    if (m->runs < 2)
        return;
    memset(r->host, pattern, r->host_bytes);
    if (result != NULL)
        HIP_CHECK(hipMemsetAsync(result, pattern, type_size(type_of_result(m->o->type)), m->stream));
    HIP_CHECK(hipStreamSynchronize(m->stream));
}

/* From the input on the device to the value on the host. */
static double run_once(struct measurement *m)
{
    struct scalar value = {.type = type_of_result(m->o->type)};

    poison(m);
    evict(m);
    HIP_CHECK(hipStreamSynchronize(m->stream));
    double start = timing_now();
    m->entry->launch(m->r, m->d_input);
    m->entry->finish(m->r, &value.as);
    double seconds = timing_now() - start;
    judge(m, value);
    return seconds;
}

/* The clocks of a GPU fall while it has nothing to do. */
static void wake(struct measurement *m)
{
    if (DEVICE_IS_GPU && m->idled)
        run_once(m);
    m->idled = false;
}

static double run_total(void *context)
{
    struct measurement *m = context;

    wake(m);
    double seconds = run_once(m);
    judge_extras_if_due(m);
    return seconds;
}

/* Where the runtime counts launches: those between the events must be all of them, and as many as plan() says. */
static void check_launches(struct measurement *m, unsigned long long launched, unsigned long long all)
{
    unsigned planned = m->r->launches;

    if (m->launches_wrong || (launched == all && (launched == planned || planned == 0)))
        return;
    m->launches_wrong = all > 0;
    if (m->launches_wrong)
        fprintf(stderr,
                "%s: launch() starts %llu kernels, finish() %llu, and plan() says %u: start all of "
                "them in launch(), and set r->launches to their number\n",
                m->variant->name, launched, all - launched, planned);
}

/* By the device's clock. The host does not wait between the eviction and the launches, so the eviction
 * hides its launch overhead. */
static double run_kernel(void *context)
{
    struct measurement *m = context;
    struct scalar value = {.type = type_of_result(m->o->type)};
    float milliseconds;

    wake(m);
    poison(m);
    evict(m);
    unsigned long long before = device_launches();
    HIP_CHECK(hipEventRecord(m->start, m->stream));
    m->entry->launch(m->r, m->d_input);
    HIP_CHECK(hipEventRecord(m->stop, m->stream));
    unsigned long long launched = device_launches() - before;
    m->entry->finish(m->r, &value.as);
    check_launches(m, launched, device_launches() - before);
    HIP_CHECK(hipEventSynchronize(m->stop));
    HIP_CHECK(hipEventElapsedTime(&milliseconds, m->start, m->stop));
    judge(m, value);
    judge_extras_if_due(m);
    return 1e-3 * milliseconds;
}

/* The variant's plan for n elements. */
static void plan(const struct measurement *m, size_t n, struct reduction *r)
{
    const struct options *o = m->o;

    *r = device_reduction(&m->device, n, o->grid, o->block);
    memcpy(r->option, o->option, sizeof r->option);
    memcpy(r->text, o->text, sizeof r->text);
    m->entry->plan(r);
}

/* Allocates once for all sizes, after checking that there is enough memory. */
static void allocate(struct measurement *m)
{
    const struct options *o = m->o;
    size_t largest = 0, workspace = 0, host = 0;

    for (size_t i = 0; i < o->size_count; i++) {
        const struct reduction *r = &m->planned[i];
        plan(m, o->sizes[i], &m->planned[i]);
        largest = r->n > largest ? r->n : largest;
        workspace = r->workspace_bytes > workspace ? r->workspace_bytes : workspace;
        host = r->host_bytes > host ? r->host_bytes : host;
    }
    m->evict_bytes = o->cold ? device_evict_bytes(&m->device) : 0;

    size_t array = (largest + o->offset) * type_size(o->type);
    device_check_memory(largest, o->grid, array + m->evict_bytes, workspace, host);
    /* Never 0 bytes: the result of that differs between runtimes. */
    HIP_CHECK(hipMalloc(&m->d_array, array > 0 ? array : 1));
    HIP_CHECK(hipMalloc(&m->workspace, workspace > 0 ? workspace : 1));
    HIP_CHECK(hipHostMalloc(&m->host, host > 0 ? host : 1, 0));
    if (o->cold)
        HIP_CHECK(hipMalloc(&m->d_evict, m->evict_bytes));
    m->d_input = (char *)m->d_array + o->offset * type_size(o->type);
    HIP_CHECK(hipStreamCreate(&m->stream));
    HIP_CHECK(hipEventCreate(&m->start));
    HIP_CHECK(hipEventCreate(&m->stop));
}

static void release(struct measurement *m)
{
    for (size_t i = 0; i < m->o->size_count; i++)
        m->entry->release(&m->planned[i]);
    HIP_CHECK(hipEventDestroy(m->stop));
    HIP_CHECK(hipEventDestroy(m->start));
    HIP_CHECK(hipStreamDestroy(m->stream));
    if (m->d_evict != NULL)
        HIP_CHECK(hipFree(m->d_evict));
    HIP_CHECK(hipHostFree(m->host));
    HIP_CHECK(hipFree(m->workspace));
    HIP_CHECK(hipFree(m->d_array));
    input_free(&m->file);
}

/* The best speed of a plain read kernel on a buffer that fits into no cache. */
static double read_ceiling(void)
{
    size_t bytes = CEILING_BYTES, available, all;
    void *buffer;
    hipStream_t stream;

    HIP_CHECK(hipMemGetInfo(&available, &all));
    if (bytes > available / 2)
        bytes = available / 2;
    HIP_CHECK(hipMalloc(&buffer, bytes));
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipMemsetAsync(buffer, 0, bytes, stream));
    double ceiling = init_read_ceiling(buffer, bytes, stream);
    HIP_CHECK(hipStreamDestroy(stream));
    HIP_CHECK(hipFree(buffer));
    return ceiling;
}

/* Puts the input on the device and computes what its reduction should be. */
static void fill(struct measurement *m, size_t n)
{
    const struct options *o = m->o;

    m->view = array_view(o, &m->file, n);
    array_to_device(&m->view, m->d_input, 0, n, m->stream);
    m->reference = reference_shown(&m->view, o->op, 0, n, "reference");
}

static void measure(struct measurement *m, struct reduction *r, struct report *report)
{
    const struct options *o = m->o;
    struct timed total = {run_total, m}, kernel = {run_kernel, m};
    struct report_result result = {.r = r, .reference = &m->reference};

    m->r = r;
    r->workspace = m->workspace;
    r->host = m->host;
    r->stream = m->stream;
    fill(m, r->n);
    if (r->workspace_bytes > 0)
        HIP_CHECK(hipMemsetAsync(r->workspace, 0, r->workspace_bytes, m->stream));
    m->entry->prepare(r, &m->view, &m->reference);
    HIP_CHECK(hipStreamSynchronize(m->stream));

    m->runs = m->wrong_runs = m->extras_run = m->extra_count = 0;
    m->extras_next = 1;
    m->idled = false;
    m->verdict = (struct verdict){.outcome = VERDICT_OK};
    result.warmup = timing_warm_up(total, o->warmup_given, o->warmup);
    result.total = timing_sample(total, o->iterations);
    judge_extras(m);
    result.kernel = timing_sample(kernel, o->iterations);
    judge_extras(m);
    result.value = m->value;
    result.verdict = m->verdict;
    result.runs = m->runs;
    result.wrong_runs = m->wrong_runs;
    result.extra_count = m->extra_count;
    memcpy(result.extra, m->extra, sizeof result.extra);
    report_row(report, &result);
}

/* Options that have no effect, and how a file was interpreted: lines for the table. */
static void make_notes(const struct measurement *m, const struct variant *variant, struct report *report)
{
    static char taken[INPUT_NOTE_MAX + 16], shape[160], operation[160];
    const struct options *o = m->o;
    bool grid = o->grid != 0 && m->planned[0].grid == 0, block = o->block != 0 && m->planned[0].block == 0;
    size_t count = 0;

    if (m->file.note[0] != '\0') {
        snprintf(taken, sizeof taken, "the input is %s", m->file.note);
        report->notes[count++] = taken;
    }
    if (grid || block) {
        snprintf(shape, sizeof shape, "%s%s%s no effect here: %s chooses for itself", grid ? "--grid" : "",
                 grid && block ? " and " : "",
                 grid && block ? "--block have"
                 : block       ? "--block has"
                               : " has",
                 variant->name);
        report->notes[count++] = shape;
    }
    if (o->op_given && variant->own_operation) {
        snprintf(operation, sizeof operation, "--op has no effect here: %s has an operation of its own", variant->name);
        report->notes[count++] = operation;
    }
}

int harness_answer(const struct variant *variant, enum options_status asked, const char *message)
{
    if (asked == OPTIONS_HELP)
        options_help(stdout, variant);
    else if (asked == OPTIONS_VERSION)
        printf("%s %s (%s)\n", variant->name, REDUCTION_VERSION, device_kind());
    else if (asked == OPTIONS_DEVICES)
        device_list(stdout);
    else
        fprintf(stderr, "%s\n", message);
    output_check(stdout);
    return asked == OPTIONS_ERROR ? EXIT_USAGE : EXIT_RIGHT;
}

int harness_run(const struct variant *variant, int argc, char **argv)
{
    /* Not on the stack, whose limit is checked below. */
    static struct options options;
    static struct measurement m;
    char message[OPTIONS_MESSAGE_MAX];
    struct report report = {.out = stdout, .variant = variant, .device = &m.device, .options = &options};

    m.variant = variant;
    m.o = &options;
    output_begin();
    enum options_status asked = options_parse(&options, variant, argc, argv, message);
    if (asked != OPTIONS_RUN)
        return harness_answer(variant, asked, message);
    threads_begin();
    if (options.input == NULL && options.size_count == 0)
        report.default_n = DEFAULT_N;
    if (!array_open(&options, DEFAULT_N, &m.file, message))
        return harness_answer(variant, OPTIONS_ERROR, message);
    if (m.file.warning[0] != '\0')
        fprintf(stderr, "%s\n", m.file.warning);

    device_open(&m.device, options.device);
    m.entry = &variant->entry[options.type][options.op];
    allocate(&m);
    make_notes(&m, variant, &report);
    report.ceiling = options.ceiling > 0 ? options.ceiling : options.quiet ? 0 : read_ceiling();
    report_begin(&report);
    for (size_t i = 0; i < options.size_count; i++)
        measure(&m, &m.planned[i], &report);
    report_end(&report);
    release(&m);
    return report.wrong > 0 ? EXIT_WRONG : report.unproven > 0 ? EXIT_UNPROVEN : EXIT_RIGHT;
}
