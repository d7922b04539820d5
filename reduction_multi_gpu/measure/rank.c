/* What a rank does, from its device to its part of the report.
 * SPDX-License-Identifier: MIT */
#include "rank.h"

#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "device_facts.h"
#include "harness/array.h"
#include "state.h"

#define DEFAULT_N (DEVICE_IS_GPU ? (size_t)256 << 20 : (size_t)1 << 20)

static int device_number(const struct measurement *m, int count)
{
    int first = m->o->device, wanted = first + m->ranks->local;

    return wanted < count ? wanted : first + m->ranks->local % (count - first);
}

/* Each rank has a device of its own, unless --share was given. */
static bool choose_device(struct measurement *m)
{
    struct place {
        char host[64], bus[32];
    } mine, all[m->ranks->size];
    struct ranks *r = m->ranks;
    char message[256] = "";
    int count = device_count(), other = 0;
    bool there = m->o->device < count;

    memset(&mine, 0, sizeof mine);
    if (there) {
        device_open(&m->device, device_number(m, count));
        gethostname(mine.host, sizeof mine.host - 1);
        HIP_CHECK(hipDeviceGetPCIBusId(mine.bus, sizeof mine.bus, m->device.index));
    }
    snprintf(message, sizeof message, "--device %d: there %s %d here; --list-devices shows %s",
             m->o->device, count == 1 ? "is" : "are", count, count == 1 ? "it" : "them");
    if (!ranks_agree(r, there, message))
        return false;
    r->gather(r, &mine, sizeof mine, all);
    while (memcmp(&all[other], &mine, sizeof mine) != 0)
        other++;
    for (int k = 0; k < r->size; k++)
        m->sharers += memcmp(&all[k], &mine, sizeof mine) == 0;
    m->first_here = other == r->rank;
    snprintf(
        message, sizeof message,
        "device %d of %s is that of rank %d, too: start one rank for each device, or give --share",
        m->device.index, mine.host, other);
    return ranks_agree(r, m->first_here || m->o->option[SHARE] != 0, message);
}

/* So many that each rank of which `takes_part` is true has one that no other of its host has. */
static int count_turns(struct ranks *r, bool takes_part)
{
    int all[r->size], mine = takes_part ? r->local + 1 : 0, most = 0;

    r->gather(r, &mine, sizeof mine, all);
    for (int k = 0; k < r->size; k++)
        most = all[k] > most ? all[k] : most;
    return most;
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

static void begin_combination(struct measurement *m)
{
    struct task task = {
        .ranks = m->ranks,
        .collective = &m->collective,
        .own = &combinations[m->o->type][m->o->op],
        .type = m->o->type,
        .op = m->o->op,
        .payload = payload_kind(m),
        .how = m->how,
        .folds = m->o->option[FOLDS] == 0 ? 2 : 3,
        .share = m->share,
        .stream = m->stream,
    };

    combine_begin(&m->combine, &task);
    task.payload = PAYLOAD_VALUE;
    task.how = COMBINE_RCCL;
    if (m->peer.entry != NULL)
        combine_begin(&m->peers, &task);
}

static void end_combination(struct measurement *m)
{
    m->combine.way->end(&m->combine);
    if (m->peer.entry != NULL)
        m->peers.way->end(&m->peers);
}

/* One number of elements; the verdict of rank 0 on all ranks, or the exit code of an error. */
static int run_size(struct measurement *m, size_t n)
{
    const struct options *o = m->o;
    struct ranks *r = m->ranks;
    struct rank_result result = {.n = n, .verdict.outcome = VERDICT_OK};

    m->n = n;
    m->share = share_of(n, o->type, m->method, r->rank, r->size);
    plan_all(m);
    if (!check_memory(m))
        return EXIT_DEVICE;
    allocate_all(m);
    fill_all(m);
    begin_combination(m);

    measure(m, &result);
    result.share = m->share.n;
    result.reference = &m->reference;
    if (r->rank == 0)
        rank_report_row(m->p->report, &result);

    end_combination(m);
    free_all(m);
    return EXIT_RIGHT;
}

/* What must be alike on all ranks. Processes have a command line each, and perhaps a file on a disk of their own. */
static uint64_t task_of(const struct program *p)
{
    const struct options *o = p->o;
    const uint64_t fields[] = {
        (uint64_t)o->type, (uint64_t)o->op,  o->grid,         o->block,
        o->iterations,     o->warmup,        o->warmup_given, o->offset,
        o->cold,           o->input != NULL, o->pattern.seed, (uint64_t)o->pattern.kind,
        o->pattern.hot,    o->size_count,    p->file.n,
    };
    uint64_t hash = 0;

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        hash = pattern_hash(hash, fields[i]);
    for (size_t i = 0; i < o->size_count; i++)
        hash = pattern_hash(hash, o->sizes[i]);
    for (size_t i = 0; i < VARIANT_OPTIONS_MAX; i++)
        hash = pattern_hash(hash, (uint64_t)o->option[i]);
    return hash;
}

static bool same_task(struct measurement *m)
{
    struct ranks *r = m->ranks;
    uint64_t mine = task_of(m->p), all[r->size];

    r->gather(r, &mine, sizeof mine, all);
    return ranks_agree(
        r, mine == all[0],
        "its options, or type and length of its --input, are not those of rank 0: give "
        "all the same command line and the same file");
}

/* The file of --input, once in each process, and what the options leave open. False after a message. */
static bool read_input(struct measurement *m, struct program *p)
{
    char message[INPUT_MESSAGE_MAX] = "";
    bool right = true;

    if (m->ranks->mpi || m->ranks->rank == 0)
        right = array_open(p->o, DEFAULT_N, &p->file, message);
    if (m->ranks->rank == 0 && p->file.warning[0] != '\0')
        fprintf(stderr, "%s\n", p->file.warning);
    return ranks_agree(m->ranks, right, message);
}

/* RCCL or NCCL, where it is asked for. */
static bool begin_collective(struct measurement *m)
{
    struct ranks *r = m->ranks;
    char message[COLLECTIVE_MESSAGE_MAX] = "";

    if (m->how != COMBINE_RCCL && !m->o->option[PEER])
        return true;
    bool right = !(r->mpi || r->rank == 0) || collective_load(message);
    return ranks_agree(r, right, message) &&
           ranks_agree(r, collective_begin(&m->collective, r, message), message);
}

/* Whether the ranks can combine as the options say; m->how. */
static bool choose_combination(struct measurement *m)
{
    struct ranks *r = m->ranks;
    bool one_host = r->locals == r->size;

    m->how = (int)m->o->option[COMBINE];
    if (m->how == COMBINE_AUTO)
        m->how = one_host ? COMBINE_DIRECT : COMBINE_MPI;
    return ranks_agree(r, r->mpi || m->how != COMBINE_MPI,
                       "--combine mpi: these ranks are threads; start it with mpirun or "
                       "srun, or give --combine direct") &&
           ranks_agree(r, one_host || m->how != COMBINE_DIRECT,
                       "--combine direct is for the ranks of one host, and there are "
                       "more: give --combine mpi");
}

static void begin_report(const struct measurement *m)
{
    static const char *const names[] = {"", "mpi", "rccl", "direct"};
    struct rank_report *report = m->p->report;

    report->ranks = m->ranks;
    report->device = &m->device;
    report->how = names[m->how];
    report->note = m->p->file.note;
    rank_report_begin(report);
}

static int end_report(struct rank_report *report)
{
    rank_report_end(report);
    return report->wrong > 0 ? EXIT_WRONG : report->unproven > 0 ? EXIT_UNPROVEN : EXIT_RIGHT;
}

/* All sizes, with the report of rank 0: its exit code, on all ranks. */
static int run_sizes(struct measurement *m)
{
    struct ranks *r = m->ranks;
    int status = EXIT_RIGHT, all[r->size];

    if (r->rank == 0)
        begin_report(m);
    for (size_t i = 0; i < m->o->size_count && status == EXIT_RIGHT; i++)
        status = run_size(m, m->o->sizes[i]);
    if (status != EXIT_RIGHT)
        return status;
    if (r->rank == 0)
        status = end_report(m->p->report);
    r->gather(r, &status, sizeof status, all);
    return all[0];
}

int rank_run(struct ranks *ranks, void *context)
{
    struct program *p = context;
    struct measurement m = {.ranks = ranks, .p = p, .o = p->o, .method = (int)p->o->option[METHOD]};

    if (!choose_combination(&m) || !choose_device(&m))
        return EXIT_USAGE;
    m.turns = count_turns(ranks, true);
    m.whole_turns = count_turns(ranks, m.first_here);
    choose_threads(ranks);
    if (!read_input(&m, p) || !same_task(&m))
        return EXIT_USAGE;
    if (!begin_collective(&m))
        return EXIT_DEVICE;

    HIP_CHECK(hipStreamCreate(&m.stream));
    if (m.o->cold) {
        m.evict_bytes = device_evict_bytes(&m.device);
        HIP_CHECK(hipMalloc(&m.d_evict, m.evict_bytes));
    }
    int status = run_sizes(&m);
    if (m.d_evict != NULL)
        HIP_CHECK(hipFree(m.d_evict));
    if (m.collective.communicator != NULL)
        collective_end(&m.collective);
    HIP_CHECK(hipStreamDestroy(m.stream));
    return status;
}
