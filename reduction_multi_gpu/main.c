/* One array over many GPUs: options, and who the ranks are. What a rank does is in rank.c.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "combine/choices.h"
#include "harness/device/device.h"
#include "harness/harness.h"
#include "harness/report/output.h"
#include "harness/threads.h"
#include "measure/rank.h"
#include "reduction.h"

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

/* What the command line of this process asks for. */
struct start {
    struct program *program;
    enum options_status asked;
    bool mpi;                          /* for a run by processes */
    char message[OPTIONS_MESSAGE_MAX]; /* of an error */
};

static void read_command_line(struct start *s, int argc, char **argv)
{
    struct options *o = s->program->o;

    s->asked = options_parse(o, s->program->own, argc, argv, s->message);
    if (s->asked != OPTIONS_RUN)
        return;
    s->mpi = o->option[RANKS] == RANKS_MPI || (o->option[RANKS] == RANKS_AUTO && ranks_launched());
    const char *why = conflict(o, s->mpi);
    if (why != NULL) {
        snprintf(s->message, sizeof s->message, "%s", why);
        s->asked = OPTIONS_ERROR;
        s->mpi = false;
    }
}

#define NOT_HERE (-1) /* of a run by threads, which MPI need not see */

/* A rank of MPI. Any of them may have a command line of its own, so they compare first what they are to do. */
static int start_rank(struct ranks *r, void *context)
{
    const struct start *s = context;
    int mine[] = {(int)s->asked, s->mpi}, all[2 * r->size];

    r->gather(r, mine, sizeof mine, all);
    if (!ranks_agree(r, s->asked != OPTIONS_ERROR, s->message) ||
        !ranks_agree(r, memcmp(mine, all, sizeof mine) == 0,
                     "asked for something else than rank 0: give all ranks the same options"))
        return EXIT_USAGE;
    if (s->mpi)
        return rank_run(r, s->program);
    if (s->asked == OPTIONS_RUN)
        return NOT_HERE;
    return r->rank == 0 ? harness_answer(s->program->own, s->asked, s->message) : EXIT_RIGHT;
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
    struct program program = {
        .o = &options,
        .report = &report,
        .plain = reduction_single_pass(),
        .fixed = reduction_reproducible(),
        .own = reduction_multi_gpu(),
        .peer = reduction_prim != NULL ? reduction_prim() : NULL,
    };
    struct start start = {.program = &program};
    int status = NOT_HERE;

    output_begin();
    read_command_line(&start, argc, argv);
    report = (struct rank_report){.out = stdout, .o = &options};
    threads_begin();
    if (ranks_launched() || start.mpi) {
        char reason[RANKS_MESSAGE_MAX];
        if (!ranks_run_mpi(start_rank, &start, &status, reason) && start.mpi) {
            if (ranks_launched_rank() == 0)
                fprintf(stderr, "%s\n", reason);
            return EXIT_USAGE;
        }
    }
    if (status == NOT_HERE && start.asked == OPTIONS_RUN)
        status = ranks_run_threads(threads_wanted(&options), rank_run, &program);
    else if (status == NOT_HERE)
        status = harness_answer(program.own, start.asked, start.message);
    input_free(&program.file);
    return status;
}
