/* One array over many GPUs: options, and who the ranks are. What a rank does is in rank.c.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "combine/choices.h"
#include "device_facts.h"
#include "harness/device/device.h"
#include "harness/report/output.h"
#include "harness/threads.h"
#include "measure/rank.h"
#include "reduction.h"

#define DEFAULT_N (DEVICE_IS_GPU ? (size_t)256 << 20 : (size_t)1 << 20)

/* The variants whose kernels the ranks use, and the one of this folder. */
const struct variant *reduction_single_pass(void);
const struct variant *reduction_reproducible(void);
const struct variant *reduction_multi_gpu(void);
/* The vendor's library does not compile for every target. */
__attribute__((weak)) const struct variant *reduction_prim(void);

/* What cannot be, whoever the ranks are; NULL if all is well. */
static const char *conflict(const struct options *o, bool mpi)
{
    const long *option = o->option;

    if (option[PEER] && reduction_prim == NULL)
        return "--peer: the vendor's library did not compile for this target: build for another";
    if (mpi && option[GPUS] != 0)
        return "--gpus is for threads, and these ranks are processes: give their number to mpirun "
               "or srun";
    if (mpi && o->input != NULL && strcmp(o->input, "-") == 0)
        return "--input -: the standard input reaches one process: give a file that all of them "
               "see";
    return NULL;
}

static bool past_the_end(const struct options *o, char message[OPTIONS_MESSAGE_MAX])
{
    for (size_t i = 0; i < o->size_count; i++) {
        if (o->pattern.hot != PATTERN_HOT_LAST && o->pattern.hot >= o->sizes[i]) {
            snprintf(message, OPTIONS_MESSAGE_MAX,
                     "--pattern onehot:%llu: the index is past the end of %zu elements; give one "
                     "below --size",
                     (unsigned long long)o->pattern.hot, o->sizes[i]);
            return true;
        }
    }
    return false;
}

/* What the command line of this process asks for. */
enum wish { WISH_RUN, WISH_THREADS, WISH_HELP, WISH_VERSION, WISH_DEVICES, WISH_ERROR };
struct start {
    struct program *program;
    enum wish wish;
    const char *message; /* of an error */
};

static enum wish wish_of(struct options *o, const struct variant *v, int argc, char **argv,
                         char message[OPTIONS_MESSAGE_MAX])
{
    enum options_status status = options_parse(o, v, argc, argv, message);

    if (status != OPTIONS_RUN)
        return status == OPTIONS_HELP      ? WISH_HELP
               : status == OPTIONS_VERSION ? WISH_VERSION
                                           : WISH_ERROR;
    if (o->list_devices)
        return WISH_DEVICES;
    bool mpi =
        o->option[RANKS] == RANKS_MPI || (o->option[RANKS] == RANKS_AUTO && ranks_launched());
    const char *why = conflict(o, mpi);
    if (why != NULL)
        snprintf(message, OPTIONS_MESSAGE_MAX, "%s", why);
    if (o->size_count == 0 && o->input == NULL)
        o->sizes[o->size_count++] = DEFAULT_N;
    if (why != NULL || past_the_end(o, message))
        return WISH_ERROR;
    return mpi ? WISH_RUN : WISH_THREADS;
}

/* Everything but a run; the exit code. */
static int answer(const struct start *s)
{
    const struct variant *v = s->program->own;

    if (s->wish == WISH_HELP)
        options_help(stdout, v);
    else if (s->wish == WISH_VERSION)
        printf("%s %s (%s)\n", v->name, REDUCTION_VERSION, device_kind());
    else if (s->wish == WISH_DEVICES)
        device_list(stdout);
    else
        fprintf(stderr, "%s\n", s->message);
    output_check(stdout);
    return s->wish == WISH_ERROR ? EXIT_USAGE : EXIT_RIGHT;
}

#define NOT_HERE (-1) /* of a run by threads, which MPI need not see */

/* A rank of MPI. Any of them may have a command line of its own, so they compare first what they are to do. */
static int start_rank(struct ranks *r, void *context)
{
    const struct start *s = context;
    enum wish all[r->size];

    r->gather(r, &s->wish, sizeof s->wish, all);
    if (!ranks_agree(r, s->wish != WISH_ERROR, s->message) ||
        !ranks_agree(r, s->wish == all[0],
                     "asked for something else than rank 0: give all ranks the same options"))
        return EXIT_USAGE;
    if (s->wish == WISH_RUN)
        return rank_run(r, s->program);
    if (s->wish == WISH_THREADS)
        return NOT_HERE;
    return r->rank == 0 ? answer(s) : EXIT_RIGHT;
}

/* How many threads: --gpus, or one for each device from --device on. */
static int threads_wanted(const struct options *o)
{
    int count = device_count(), wanted = (int)o->option[GPUS];

    if (wanted == 0)
        return count > o->device ? count - o->device : 1;
    return wanted;
}

int main(int argc, char **argv)
{
    static struct options options;
    static struct rank_report report;
    char message[OPTIONS_MESSAGE_MAX];
    struct program program = {
        .o = &options,
        .report = &report,
        .plain = reduction_single_pass(),
        .fixed = reduction_reproducible(),
        .own = reduction_multi_gpu(),
        .peer = reduction_prim != NULL ? reduction_prim() : NULL,
    };
    struct start start = {.program = &program, .message = message};
    int status = NOT_HERE;

    output_begin();
    start.wish = wish_of(&options, program.own, argc, argv, message);
    report = (struct rank_report){.out = stdout, .o = &options};
    threads_begin();
    if (ranks_launched() || start.wish == WISH_RUN) {
        char reason[RANKS_MESSAGE_MAX];
        if (!ranks_run_mpi(start_rank, &start, &status, reason) && start.wish == WISH_RUN) {
            if (ranks_launched_rank() == 0)
                fprintf(stderr, "%s\n", reason);
            return EXIT_USAGE;
        }
    }
    if (status == NOT_HERE && start.wish == WISH_THREADS)
        status = ranks_run_threads(threads_wanted(&options), rank_run, &program);
    else if (status == NOT_HERE)
        status = answer(&start);
    input_free(&program.file);
    return status;
}
