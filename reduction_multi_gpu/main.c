/* One array over many GPUs: options, and who the ranks are. What a rank does is in rank.c.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "choices.h"
#include "device_facts.h"
#include "harness/device/device.h"
#include "harness/report/output.h"
#include "reduction.h"
#include "harness/threads.h"

#define DEFAULT_N (DEVICE_IS_GPU ? (size_t)256 << 20 : (size_t)1 << 20)

/* The variants whose kernels the ranks use, and the one of this folder. */
const struct variant *reduction_single_pass(void);
const struct variant *reduction_reproducible(void);
const struct variant *reduction_multi_gpu(void);
/* The vendor's library does not compile for every target. */
__attribute__((weak)) const struct variant *reduction_prim(void);

/* Usage errors that one rank alone has to mention. */
static int wrong(const char *message)
{
    if (ranks_launched_rank() == 0)
        fprintf(stderr, "%s\n", message);
    return EXIT_USAGE;
}

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
    char message[OPTIONS_MESSAGE_MAX > RANKS_MESSAGE_MAX ? OPTIONS_MESSAGE_MAX : RANKS_MESSAGE_MAX];
    struct program program = {
        .o = &options,
        .report = &report,
        .plain = reduction_single_pass(),
        .fixed = reduction_reproducible(),
        .own = reduction_multi_gpu(),
        .peer = reduction_prim != NULL ? reduction_prim() : NULL,
    };
    bool first = ranks_launched_rank() == 0;
    int status = EXIT_RIGHT;

    output_begin();
    switch (options_parse(&options, program.own, argc, argv, message)) {
    case OPTIONS_HELP:
        if (first)
            options_help(stdout, program.own);
        output_check(stdout);
        return EXIT_RIGHT;
    case OPTIONS_VERSION:
        if (first)
            printf("%s %s (%s)\n", program.own->name, REDUCTION_VERSION, device_kind());
        output_check(stdout);
        return EXIT_RIGHT;
    case OPTIONS_ERROR:
        return wrong(message);
    case OPTIONS_RUN:
        break;
    }
    if (options.list_devices) {
        device_list(stdout);
        output_check(stdout);
        return EXIT_RIGHT;
    }
    bool mpi = options.option[RANKS] == RANKS_MPI ||
               (options.option[RANKS] == RANKS_AUTO && ranks_launched());
    const char *why = conflict(&options, mpi);
    if (why != NULL)
        return wrong(why);
    if (options.size_count == 0 && options.input == NULL)
        options.sizes[options.size_count++] = DEFAULT_N;
    if (past_the_end(&options, message))
        return wrong(message);

    report = (struct rank_report){.out = stdout, .o = &options};
    threads_begin();
    if (!mpi)
        status = ranks_run_threads(threads_wanted(&options), rank_run, &program);
    else if (!ranks_run_mpi(rank_run, &program, &status, message))
        return wrong(message);
    input_free(&program.file);
    return status;
}
