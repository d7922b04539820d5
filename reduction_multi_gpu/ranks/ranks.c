/* Who the ranks are: what the environment says, and the module for MPI.
 * SPDX-License-Identifier: MIT */
#include "ranks.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit_codes.h"

#define LOOKS_ALONE   10000000 /* some milliseconds */
#define LOOKS_CROWDED 2000

bool ranks_agree(struct ranks *r, bool right, const char *message)
{
    unsigned char mine = !right, all[r->size];
    int wrong = 0;

    r->gather(r, &mine, 1, all);
    while (wrong < r->size && all[wrong] == 0)
        wrong++;
    if (wrong == r->rank) {
        if (r->size > 1)
            fprintf(stderr, "rank %d of %d: ", r->rank, r->size);
        fprintf(stderr, "%s\n", message);
        fflush(stderr);
    }
    return wrong == r->size;
}

/* A rank that gives up its core comes back up to a microsecond late. With two cores for each rank, one of them for the
 * threads of the runtime, no rank waits for a core; else a word may be waiting for the rank that spins here. */
unsigned ranks_polls(int locals)
{
    return sysconf(_SC_NPROCESSORS_ONLN) >= 2L * locals ? LOOKS_ALONE : LOOKS_CROWDED;
}

static int whole(const char *name)
{
    const char *text = getenv(name);

    return text == NULL ? -1 : atoi(text);
}

/* The variables of Open MPI, of Hydra (MPICH, Intel MPI), of PALS (Cray) and of Slurm. In the shell of a batch job
 * Slurm sets some of its own, but not that of a step. */
static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                    "PALS_SIZE", "SLURM_STEP_NUM_TASKS"};
static const char *const numbers[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                      "PALS_RANKID", "SLURM_PROCID"};
#define LAUNCHERS (sizeof sizes / sizeof *sizes)

/* How many processes were started; 0: not by a launcher, or this one alone by srun. */
static int launched(void)
{
    for (size_t i = 0; i < LAUNCHERS; i++) {
        bool slurm = strncmp(sizes[i], "SLURM", 5) == 0;
        if (whole(sizes[i]) > (slurm ? 1 : 0))
            return whole(sizes[i]);
    }
    return 0;
}

bool ranks_launched(void)
{
    return launched() > 0;
}

int ranks_launched_rank(void)
{
    for (size_t i = 0; i < LAUNCHERS; i++)
        if (whole(sizes[i]) > 0 && whole(numbers[i]) >= 0)
            return whole(numbers[i]);
    return 0;
}

/* The module is loaded only when it is needed: the program starts where there is no MPI. */
static ranks_begin_function *load(char *message)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof RANKS_MODULE);

    path[length > 0 ? length : 0] = '\0';
    char *name = strrchr(path, '/');
    strcpy(name == NULL ? path : name + 1, RANKS_MODULE);
    if (access(path, R_OK) != 0) {
        snprintf(message, RANKS_MESSAGE_MAX,
                 "%.300s was not found: build with MPI (./install-deps.sh mpi, or module load an "
                 "MPI, or "
                 "make MPICC=...), or give --ranks threads",
                 path);
        return NULL;
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* Open MPI's parts look for its symbols */
    if (module == NULL) {
        snprintf(message, RANKS_MESSAGE_MAX,
                 "MPI cannot be loaded: %.300s: module load the MPI of the build", dlerror());
        return NULL;
    }
    void *symbol = dlsym(module, RANKS_BEGIN);
    ranks_begin_function *begin;
    memcpy(&begin, &symbol, sizeof begin); /* ISO C has no such conversion */
    if (begin == NULL)
        snprintf(message, RANKS_MESSAGE_MAX, "%.300s is of another program: build again", path);
    return begin;
}

void ranks_end_others(const struct ranks *r)
{
    char host[64] = "?";

    gethostname(host, sizeof host - 1);
    if (r->size > 1)
        fprintf(stderr, "that was rank %d of %d, on %s: it ends the others\n", r->rank, r->size,
                host);
}

/* A rank that fails ends with exit(), wherever it is; the others would wait for it forever. */
static struct ranks *running;

static void stop_others(int status, void *unused)
{
    (void)unused;
    if (running != NULL) {
        ranks_end_others(running);
        fflush(NULL);
        running->stop(running, status);
    }
}

bool ranks_run_mpi(int (*work)(struct ranks *, void *), void *context, int *status, char *message)
{
    static struct ranks r;
    ranks_begin_function *begin = load(message);

    if (begin == NULL || !begin(&r, message))
        return false;
    r.polls = ranks_polls(r.locals);
    if (launched() > r.size) { /* each of them would reduce the whole array, alone */
        r.end(&r);
        snprintf(message, RANKS_MESSAGE_MAX,
                 "%d processes were started, and MPI knows of %d: the build's MPI is not that of "
                 "mpirun or srun; build with its mpicc (MPICC=), or try srun --mpi=pmix",
                 launched(), r.size);
        return false;
    }
    running = &r;
    on_exit(stop_others, NULL);
    *status = work(&r, context);
    running = NULL;
    r.end(&r);
    return true;
}
