#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "choices.h"
#include "collective.h"
#include "combine.h"
#include "harness/device.h"
#include "harness/data/init.h"
#include "reduction.h"
#include "share.h"
#include "harness/timing.h"
#include "harness/verdict/verify.h"

/* Memory that stays free when rank 0 takes a second array, all elements, to compare one device with many. */
#define RESERVE ((size_t)1 << 30)

/* A reduction of an array on this rank's device. */
struct job {
    const struct variant_entry *entry; /* NULL: there is none */
    struct reduction r;
    void *d_array;
    char *d_input;
};

struct bench {
    struct ranks *ranks;
    const struct program *p;
    const struct options *o;
    struct device device;
    hipStream_t stream;
    int method, how;
    int sharers; /* ranks on this rank's device */
    struct collective collective;
    void *d_evict;
    size_t evict_bytes;

    /* for one number of elements */
    size_t n;
    struct share share;
    struct job part, whole, peer, fold; /* fold: combine_values() of multi_gpu.hip */
    struct combine combine;
    void *own_host; /* where the words of part go when rank 0 works alone */
    char *d_values; /* one of every rank, and the result */
    char *h_value;
    size_t chain;
    struct reference reference;
};

/* What one run of everything gave on one rank. */
struct sample {
    double total, own, combination, whole, part, peer;
    struct scalar value, whole_value, peer_value;
};

/* ---------------------------------------------------------------------------------- the device */

static int device_number(const struct bench *b, int count)
{
    int first = b->o->device, wanted = first + b->ranks->local;

    return wanted < count ? wanted : first + b->ranks->local % (count - first);
}

/* Each rank has a device of its own, unless --share was given. */
static bool choose_device(struct bench *b)
{
    struct place {
        char host[64], bus[32];
    } mine, all[b->ranks->size];
    struct ranks *r = b->ranks;
    char message[256] = "";
    int count = device_count(), other = 0;
    bool there = b->o->device < count;

    memset(&mine, 0, sizeof mine);
    if (there) {
        device_open(&b->device, device_number(b, count));
        gethostname(mine.host, sizeof mine.host - 1);
        HIP_CHECK(hipDeviceGetPCIBusId(mine.bus, sizeof mine.bus, b->device.index));
    }
    snprintf(message, sizeof message, "--device %d: there %s %d here; --list-devices shows %s",
             b->o->device, count == 1 ? "is" : "are", count, count == 1 ? "it" : "them");
    if (!ranks_agree(r, there, message))
        return false;
    r->gather(r, &mine, sizeof mine, all);
    while (memcmp(&all[other], &mine, sizeof mine) != 0)
        other++;
    for (int k = 0; k < r->size; k++)
        b->sharers += memcmp(&all[k], &mine, sizeof mine) == 0;
    snprintf(
        message, sizeof message,
        "device %d of %s is that of rank %d, too: start one rank for each device, or give --share",
        b->device.index, mine.host, other);
    return ranks_agree(r, other == r->rank || b->o->option[SHARE] != 0, message);
}

/* The reference is computed by all cores; those of a host are divided among its ranks. */
static void choose_threads(const struct ranks *r)
{
#ifdef _OPENMP
    int cores = omp_get_num_procs(), all = (int)sysconf(_SC_NPROCESSORS_ONLN);

    if (cores == all && r->locals > 1)
        omp_set_num_threads(cores / r->locals > 0 ? cores / r->locals : 1);
#else
    (void)r;
#endif
}

/* ------------------------------------------------------------------------------------- planning */

static struct reduction planned(const struct bench *b, const struct variant_entry *entry, size_t n,
                                const long *option)
{
    struct reduction r = {
        .n = n,
        .grid = b->o->grid,
        .block = b->o->block,
        .arch = b->device.arch,
        .warp_size = b->device.warp_size,
        .compute_units = b->device.compute_units,
        .threads_per_unit = b->device.threads_per_unit,
        .stream = b->stream,
    };

    memcpy(r.option, option, sizeof r.option);
    entry->plan(&r);
    return r;
}

/* The options of single_pass (result) and of reproducible (method, folds). */
static const long in_words[VARIANT_OPTIONS_MAX] = {1};
static const long on_device[VARIANT_OPTIONS_MAX] = {0};

static int what_it_has(const struct bench *b)
{
    const struct options *o = b->o;

    if (b->method == METHOD_TREE)
        return HAS_UNITS;
    return b->method == METHOD_BINNED && o->op == OP_SUM && type_is_floating(o->type) ? HAS_BINS
                                                                                      : HAS_VALUE;
}

static void plan_all(struct bench *b)
{
    const struct options *o = b->o;
    const struct program *p = b->p;
    const struct variant_entry *plain = &p->plain->entry[o->type][o->op];
    const struct variant_entry *fixed = &p->fixed->entry[o->type][o->op];
    const struct variant_entry *own = &p->own->entry[o->type][o->op];
    long option[VARIANT_OPTIONS_MAX] = {b->method == METHOD_BINNED, o->option[FOLDS]};
    long part[VARIANT_OPTIONS_MAX] = {
        [METHOD] = METHOD_TREE, [FIRST_UNIT] = b->share.first_unit, [UNITS] = b->share.units};

    if (b->method == METHOD_PLAIN) {
        const long *result = b->how == COMBINE_RCCL ? on_device : in_words;
        b->part = (struct job){.entry = plain, .r = planned(b, plain, b->share.n, result)};
        b->whole = (struct job){.entry = plain, .r = planned(b, plain, b->n, in_words)};
    } else {
        b->whole = (struct job){.entry = fixed, .r = planned(b, fixed, b->n, option)};
        if (b->method == METHOD_TREE)
            b->part = (struct job){.entry = own, .r = planned(b, own, b->n, part)};
        else
            b->part = (struct job){.entry = fixed, .r = planned(b, fixed, b->share.n, option)};
    }
    b->peer = (struct job){.entry = NULL};
    if (o->option[PEER]) {
        const struct variant_entry *peer = &p->peer->entry[o->type][o->op];
        b->peer = (struct job){.entry = peer, .r = planned(b, peer, b->share.n, on_device)};
    }
    b->fold = (struct job){.entry = own, .r = planned(b, own, (size_t)b->ranks->size, on_device)};

    /* The longest chain of any rank, and one more addition for each other rank; the other methods have the tree
     * of the whole. */
    size_t chains[b->ranks->size], chain = b->part.r.chain;
    b->ranks->gather(b->ranks, &chain, sizeof chain, chains);
    for (int k = 0; k < b->ranks->size; k++)
        chain = chains[k] > chain ? chains[k] : chain;
    b->chain = b->method == METHOD_PLAIN ? chain + (size_t)b->ranks->size - 1 : b->whole.r.chain;
}

/* ---------------------------------------------------------------------------------------- memory */

static size_t array_bytes(const struct bench *b, size_t n)
{
    return (n + b->o->offset) * type_size(b->o->type);
}

/* Before anything is allocated, on all ranks. Decides, too, whether rank 0 has room for the whole array. */
static bool check_memory(struct bench *b)
{
    char message[320], need_text[BYTES_TEXT_MAX], have_text[BYTES_TEXT_MAX];
    size_t available, all;
    size_t need = array_bytes(b, b->share.n) + b->part.r.workspace_bytes +
                  (b->peer.entry != NULL ? b->peer.r.workspace_bytes : 0);
    size_t more = array_bytes(b, b->n) + b->whole.r.workspace_bytes;

    HIP_CHECK(hipMemGetInfo(&available, &all));
    size_t each = available / (size_t)b->sharers;
    snprintf(
        message, sizeof message,
        "its share of %zu elements needs %zu bytes (%s) on the device, and %zu (%s) are free%s: "
        "give a smaller --size, or more ranks",
        b->n, need, bytes_text(need_text, (double)need), each, bytes_text(have_text, (double)each),
        b->sharers > 1 ? " for each that shares it" : "");
    if (!ranks_agree(b->ranks, need <= each, message))
        return false;
    /* One rank has it all already. */
    bool room = available > need * (size_t)b->sharers + RESERVE &&
                more <= available - need * (size_t)b->sharers - RESERVE;
    if (b->ranks->rank != 0 || b->ranks->size == 1 || !room) {
        b->whole.entry->release(&b->whole.r);
        b->whole.entry = NULL;
    }
    return true;
}

static void job_allocate(struct bench *b, struct job *j, size_t n, const struct job *same_input)
{
    size_t workspace = j->r.workspace_bytes, array = array_bytes(b, n);

    if (j->entry == NULL)
        return;
    HIP_CHECK(hipMalloc(&j->r.workspace, workspace > 0 ? workspace : 1));
    HIP_CHECK(hipMemsetAsync(j->r.workspace, 0, workspace > 0 ? workspace : 1, b->stream));
    HIP_CHECK(hipHostMalloc(&j->r.host, j->r.host_bytes > 0 ? j->r.host_bytes : 1, 0));
    if (same_input == NULL)
        HIP_CHECK(hipMalloc(&j->d_array, array > 0 ? array : 1));
    j->d_input = same_input != NULL ? same_input->d_input
                                    : (char *)j->d_array + b->o->offset * type_size(b->o->type);
}

static void job_free(struct job *j)
{
    if (j->entry == NULL)
        return;
    HIP_CHECK(hipFree(j->r.workspace));
    HIP_CHECK(hipHostFree(j->r.host));
    if (j->d_array != NULL)
        HIP_CHECK(hipFree(j->d_array));
    j->entry->release(&j->r);
}

/* ----------------------------------------------------------------------------------------- input */

/* Elements first ... first + n - 1 to the device; what they should reduce to. */
static struct reference fill(struct bench *b, void *d_to, size_t first, size_t n, bool refer)
{
    const struct options *o = b->o;
    const char *label = b->ranks->rank == 0 ? "reference" : NULL;
    size_t size = type_size(o->type);
    struct reference none = {.n = 0};

    if (o->input != NULL) {
        const char *from = (const char *)b->p->file.data + first * size;
        if (n > 0)
            HIP_CHECK(hipMemcpy(d_to, from, n * size, hipMemcpyHostToDevice));
        return refer ? verify_array(o->type, o->op, from, n, label) : none;
    }
    struct pattern pattern = pattern_for(&o->pattern, o->op, b->n);
    init_fill(d_to, o->type, &pattern, first, n, b->stream);
    return refer ? verify_pattern(o->type, o->op, &pattern, first, n, label) : none;
}

static void fill_all(struct bench *b)
{
    const struct options *o = b->o;
    struct ranks *r = b->ranks;
    struct reference parts[SIDE_BY_SIDE + 1], *all = calloc((size_t)r->size, sizeof *all);
    char *to = b->part.d_input;
    size_t count = 0;

    HIP_CHECK(all != NULL ? hipSuccess : hipErrorOutOfMemory);
    for (size_t k = 0; k < b->share.run_count; k++) {
        parts[count++] = fill(b, to, b->share.runs[k].first, b->share.runs[k].n, true);
        to += b->share.runs[k].n * type_size(o->type);
    }
    if (count == 0) /* a rank without elements */
        parts[count++] = fill(b, to, 0, 0, true);
    if (b->whole.entry != NULL)
        fill(b, b->whole.d_input, 0, b->n, false);
    struct reference mine = verify_join(parts, count);
    r->gather(r, &mine, sizeof mine, all);
    b->reference = verify_join(all, (size_t)r->size);
    free(all);
    if (what_it_has(b) == HAS_BINS) /* its bound is what counts, see reproducible.hip */
        b->p->fixed->entry[o->type][o->op].prepare(
            &(struct reduction){.option = {1, o->option[FOLDS]}}, NULL, &b->reference);
    HIP_CHECK(hipStreamSynchronize(b->stream));
}

/* ------------------------------------------------------------------------------------------ runs */

static void ready(struct bench *b)
{
    if (b->d_evict != NULL)
        HIP_CHECK(hipMemsetAsync(b->d_evict, 0, b->evict_bytes, b->stream));
    HIP_CHECK(hipStreamSynchronize(b->stream));
    b->ranks->barrier(b->ranks);
}

/* The values of all ranks on every device, and one copy: where the job leaves its result. */
static struct scalar by_collective(struct bench *b, const void *from)
{
    struct scalar value = {.type = b->o->type};
    size_t bytes = type_size(value.type);
    char *d_result = b->d_values + bytes * (size_t)b->ranks->size;

    if (collective_has(b->o->type, b->o->op)) {
        collective_reduce(&b->collective, from, d_result, value.type, b->o->op, b->stream);
    } else {
        collective_gather(&b->collective, from, b->d_values, value.type, b->stream);
        b->fold.r.workspace = d_result;
        b->fold.entry->launch(&b->fold.r, b->d_values);
    }
    HIP_CHECK(hipMemcpyAsync(b->h_value, d_result, bytes, hipMemcpyDeviceToHost, b->stream));
    HIP_CHECK(hipStreamSynchronize(b->stream));
    memcpy(&value.as, b->h_value, bytes);
    return value;
}

/* Where single_pass with --result device leaves the value: behind a counter of 4 bytes, aligned. */
static const char *result_of_part(const struct bench *b)
{
    return (const char *)b->part.r.workspace + type_size(b->o->type);
}

static const char *result_of_peer(const struct bench *b)
{
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)
    return b->peer.r.workspace;
#else
    return b->peer.r.host;
#endif
}

static void run_all(struct bench *b, struct sample *s)
{
    struct job *j = &b->part;
    double start;

    ready(b);
    if (b->how == COMBINE_RCCL) {
        start = timing_now();
        j->entry->launch(&j->r, j->d_input);
        s->value = by_collective(b, result_of_part(b));
        s->total = s->own = timing_now() - start;
        return;
    }
    start = timing_now();
    j->r.host = combine_target(&b->combine);
    j->entry->launch(&j->r, j->d_input);
    combine_receive(&b->combine, b->stream);
    s->own = timing_now() - start;
    s->value = combine_finish(&b->combine);
    s->total = timing_now() - start;
}

static void run_combination(struct bench *b, struct sample *s)
{
    b->ranks->barrier(b->ranks);
    double start = timing_now();
    if (b->how == COMBINE_RCCL)
        by_collective(b, result_of_part(b));
    else
        combine_again(&b->combine);
    s->combination = timing_now() - start;
}

/* One device with the same kernel: all elements, and what its share takes while the others rest. */
static void run_alone(struct bench *b, struct sample *s)
{
    ready(b);
    if (b->ranks->rank != 0)
        return;
    struct job *jobs[] = {&b->whole, &b->part};
    for (int k = 0; k < 2; k++) {
        struct job *j = jobs[k];
        bool units = k == 1 && b->method == METHOD_TREE;
        struct scalar value = {.type = b->o->type};
        if (j->entry == NULL)
            continue;
        if (k == 1)
            j->r.host = b->own_host;
        double start = timing_now();
        j->entry->launch(&j->r, j->d_input);
        if (units) /* finish() is that of the tree's top */
            HIP_CHECK(hipStreamSynchronize(b->stream));
        else
            j->entry->finish(&j->r, &value.as);
        double seconds = timing_now() - start;
        if (k == 0) {
            s->whole = seconds;
            s->whole_value = value;
        } else {
            s->part = seconds;
        }
    }
}

static void run_peer(struct bench *b, struct sample *s)
{
    struct job *j = &b->peer;

    if (j->entry == NULL)
        return;
    ready(b);
    double start = timing_now();
    j->entry->launch(&j->r, j->d_input);
    s->peer_value = by_collective(b, result_of_peer(b));
    s->peer = timing_now() - start;
}

/* --------------------------------------------------------------------------------- measurement */

/* One element for each sample. */
struct series {
    double *total, *first, *last, *combination, *whole, *part, *peer;
};

static void judge(struct bench *b, const struct sample *all, struct rank_row *row)
{
    size_t bytes = type_size(b->o->type);
    struct verdict verdict = verify_check(all[0].value, &b->reference, b->chain);

    if (verdict.outcome > row->verdict.outcome || row->verdict.outcome == VERDICT_OK) {
        row->value = all[0].value;
        row->verdict = verdict;
    }
    row->wrong_runs += verdict.outcome == VERDICT_FAIL;
    for (int k = 1; k < b->ranks->size; k++)
        if (memcmp(&all[k].value.as, &all[0].value.as, bytes) != 0) {
            row->unequal_runs++;
            break;
        }
    if (b->whole.entry != NULL) {
        row->wrong_runs +=
            verify_check(all[0].whole_value, &b->reference, b->whole.r.chain).outcome ==
            VERDICT_FAIL;
        if (b->method != METHOD_PLAIN &&
            memcmp(&all[0].whole_value.as, &all[0].value.as, bytes) != 0)
            row->unequal_runs++;
    }
    if (b->peer.entry != NULL)
        row->peer_wrong_runs +=
            verify_check(all[0].peer_value, &b->reference, b->peer.r.chain + (size_t)b->ranks->size)
                .outcome == VERDICT_FAIL;
}

static double most(const struct sample *all, int size, size_t which)
{
    double result = 0;

    for (int k = 0; k < size; k++) {
        double x = *(const double *)((const char *)&all[k] + which);
        result = x > result ? x : result;
    }
    return result;
}

/* All ranks run everything in turn, and all know all samples, so that they agree when it is enough. */
static void measure(struct bench *b, struct rank_row *row)
{
    const struct options *o = b->o;
    struct ranks *r = b->ranks;
    size_t room = o->iterations > 0 ? o->iterations : SAMPLES_DEFAULT_MAX, taken = 0;
    struct sample *all = calloc((size_t)r->size, sizeof *all);
    double *samples = calloc(7 * room, sizeof *samples), spent = 0, best = 0;
    unsigned calm = 0;
    bool warm = o->warmup_given && o->warmup == 0;

    HIP_CHECK(all != NULL && samples != NULL ? hipSuccess : hipErrorOutOfMemory);
    while (taken < room && (o->iterations > 0 || taken < SAMPLES_MIN || spent < SAMPLES_SECONDS)) {
        struct sample mine;
        memset(&mine, 0, sizeof mine);
        run_all(b, &mine);
        run_combination(b, &mine);
        run_alone(b, &mine);
        run_peer(b, &mine);
        r->gather(r, &mine, sizeof mine, all);
        judge(b, all, row);

        double total = most(all, r->size, offsetof(struct sample, total)), first = total;
        for (int k = 0; k < r->size; k++)
            first = all[k].own < first ? all[k].own : first;
        spent += total;
        if (!warm) {
            calm = row->warmup > 0 && total >= 0.98 * best ? calm + 1 : 0;
            best = row->warmup == 0 || total < best ? total : best;
            row->warmup++;
            warm = o->warmup_given ? row->warmup >= o->warmup
                                   : row->warmup >= WARMUP_MIN &&
                                         (calm >= WARMUP_CALM || spent > WARMUP_SECONDS);
            spent = warm ? 0 : spent;
            continue;
        }
        double *s = samples + taken++;
        s[0] = total;
        s[room] = first;
        s[2 * room] = most(all, r->size, offsetof(struct sample, own));
        s[3 * room] = most(all, r->size, offsetof(struct sample, combination));
        s[4 * room] = all[0].whole;
        s[5 * room] = all[0].part;
        s[6 * room] = most(all, r->size, offsetof(struct sample, peer));
    }
    row->total = stats_of(samples, taken);
    row->first = stats_of(samples + room, taken);
    row->last = stats_of(samples + 2 * room, taken);
    row->combination = stats_of(samples + 3 * room, taken);
    row->whole = stats_of(samples + 4 * room, b->whole.entry != NULL ? taken : 0);
    row->part = stats_of(samples + 5 * room, taken);
    row->peer = stats_of(samples + 6 * room, b->peer.entry != NULL ? taken : 0);
    free(samples);
    free(all);
}

/* One number of elements; the verdict of rank 0 on all ranks, or the exit code of an error. */
static int run_size(struct bench *b, size_t n)
{
    const struct options *o = b->o;
    struct ranks *r = b->ranks;
    size_t bytes = type_size(o->type) * (size_t)(r->size + 1);
    struct rank_row row = {.n = n, .verdict.outcome = VERDICT_OK};

    b->n = n;
    b->share = share_of(n, o->type, b->method, r->rank, r->size);
    plan_all(b);
    if (!check_memory(b))
        return EXIT_DEVICE;
    job_allocate(b, &b->part, b->share.n, NULL);
    job_allocate(b, &b->whole, n, NULL);
    job_allocate(b, &b->peer, b->share.n, &b->part);
    HIP_CHECK(hipMalloc((void **)&b->d_values, bytes));
    HIP_CHECK(hipHostMalloc((void **)&b->h_value, bytes, 0));
    b->own_host = b->part.r.host;
    fill_all(b);
    if (b->how != COMBINE_RCCL)
        combine_begin(&b->combine, r, b->fold.entry, o->type, o->op, what_it_has(b), b->how,
                      o->option[FOLDS] == 0 ? 2 : 3, &b->share);

    measure(b, &row);
    row.share = b->share.n;
    row.reference = &b->reference;
    if (r->rank == 0)
        rank_report_row(b->p->report, &row);

    if (b->how != COMBINE_RCCL)
        combine_end(&b->combine);
    b->part.r.host = b->own_host;
    b->fold.entry->release(&b->fold.r);
    HIP_CHECK(hipHostFree(b->h_value));
    HIP_CHECK(hipFree(b->d_values));
    job_free(&b->peer);
    job_free(&b->whole);
    job_free(&b->part);
    return EXIT_RIGHT;
}

/* The input and what does not depend on n; an exit code after a message. */
static int prepare(struct bench *b, struct program *p)
{
    struct options *o = p->o;
    struct ranks *r = b->ranks;
    char message[INPUT_MESSAGE_MAX > COLLECTIVE_MESSAGE_MAX ? INPUT_MESSAGE_MAX
                                                            : COLLECTIVE_MESSAGE_MAX] = "";
    bool right = true;

    if (o->input != NULL && (r->mpi || r->rank == 0)) {
        right = input_read(o->input, o->type_given ? o->type : -1, &p->file, message);
        if (right) {
            o->type = p->file.type;
            if (o->size_count == 0)
                o->sizes[o->size_count++] = p->file.n;
            for (size_t i = 0; right && i < o->size_count; i++)
                right = o->sizes[i] <= p->file.n;
            if (!right)
                snprintf(
                    message, sizeof message,
                    "--size: %.200s has only %zu elements; leave out --size to use all of them",
                    o->input, p->file.n);
        }
    }
    if (!ranks_agree(r, right, message))
        return EXIT_USAGE;
    if (b->how == COMBINE_RCCL || o->option[PEER]) {
        right = !(r->mpi || r->rank == 0) || collective_load(message);
        if (!ranks_agree(r, right, message) ||
            !ranks_agree(r, collective_begin(&b->collective, r, message), message))
            return EXIT_DEVICE;
    }
    return EXIT_RIGHT;
}

int bench_rank(struct ranks *ranks, void *context)
{
    struct program *p = context;
    const struct options *o = p->o;
    struct bench b = {.ranks = ranks, .p = p, .o = o, .method = (int)o->option[METHOD]};
    int status = EXIT_RIGHT;

    b.how = o->option[COMBINE] != COMBINE_AUTO ? (int)o->option[COMBINE]
            : ranks->mpi                       ? COMBINE_MPI
                                               : COMBINE_DIRECT;
    bool right = ranks->mpi || b.how != COMBINE_MPI;
    if (!ranks_agree(ranks, right,
                     "--combine mpi: these ranks are threads; start it with mpirun or "
                     "srun, or give --combine direct"))
        return EXIT_USAGE;
    right = b.how != COMBINE_DIRECT || ranks->locals == ranks->size;
    if (!ranks_agree(ranks, right,
                     "--combine direct is for the ranks of one host, and there are "
                     "more: give --combine mpi"))
        return EXIT_USAGE;
    if (!choose_device(&b))
        return EXIT_USAGE;
    choose_threads(ranks);
    status = prepare(&b, p);
    if (status != EXIT_RIGHT)
        return status;
    HIP_CHECK(hipStreamCreate(&b.stream));
    if (o->cold) {
        b.evict_bytes = device_evict_bytes(&b.device);
        HIP_CHECK(hipMalloc(&b.d_evict, b.evict_bytes));
    }
    if (ranks->rank == 0) {
        static const char *const names[] = {"", "mpi", "rccl", "direct"};
        p->report->ranks = ranks;
        p->report->device = &b.device;
        p->report->how = names[b.how];
        p->report->note = p->file.note;
        rank_report_begin(p->report);
    }
    for (size_t i = 0; i < o->size_count && status == EXIT_RIGHT; i++)
        status = run_size(&b, o->sizes[i]);
    if (status == EXIT_RIGHT) {
        int all[ranks->size];
        if (ranks->rank == 0) {
            rank_report_end(p->report);
            status = p->report->wrong > 0      ? EXIT_WRONG
                     : p->report->unproven > 0 ? EXIT_UNPROVEN
                                               : EXIT_RIGHT;
        }
        ranks->gather(ranks, &status, sizeof status, all);
        status = all[0];
    }
    if (b.d_evict != NULL)
        HIP_CHECK(hipFree(b.d_evict));
    if (b.collective.communicator != NULL)
        collective_end(&b.collective);
    HIP_CHECK(hipStreamDestroy(b.stream));
    return status;
}
