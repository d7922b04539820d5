/* Ranks that are processes of MPI: a module of its own, compiled by mpicc, so that the program starts where there is
 * no MPI. MPI 3, no extensions; whether it knows GPUs does not matter, because it never sees their memory.
 * SPDX-License-Identifier: MIT */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "types.h"

static MPI_Comm host; /* the ranks of this host */
static int host_rank;

static void barrier(struct ranks *r)
{
    (void)r;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void gather(struct ranks *r, const void *mine, size_t bytes, void *all)
{
    (void)r;
    MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void gather_parts(struct ranks *r, void *all, const int *bytes, const int *offsets)
{
    (void)r;
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, bytes, offsets, MPI_BYTE,
                   MPI_COMM_WORLD);
}

static void all_reduce(struct ranks *r, void *value, int type, int op)
{
#define OPERATION_OF_MPI(x, number, name, combined, identity, hot, cold, nccl, mpi) {mpi, combined},
#define LESSER(a, b)                                                                true
#define GREATER(a, b)                                                               true
#define TYPE_OF_MPI(x, number, name, element, result, value, kind, digits, bits, member, largest,  \
                    lowest, nccl, mpi, mpi_sum)                                                    \
    {mpi, mpi_sum},
    const int a = 0, b = 0;
    const struct {
        MPI_Op op;
        bool compares; /* what the rows of types.h make of two zeros */
    } ops[] = {OPERATIONS(OPERATION_OF_MPI, )};
    const struct {
        MPI_Datatype value, sum; /* sums wrap, and so does all that does not compare */
    } types[] = {TYPES(TYPE_OF_MPI, )};

    (void)r;
    MPI_Allreduce(MPI_IN_PLACE, value, 1, ops[op].compares ? types[type].value : types[type].sum,
                  ops[op].op, MPI_COMM_WORLD);
}

static void *share(struct ranks *r, size_t bytes)
{
    static MPI_Win window;
    MPI_Aint size;
    int unit;
    char *memory;

    (void)r;
    MPI_Win_allocate_shared(host_rank == 0 ? (MPI_Aint)bytes : 0, 1, MPI_INFO_NULL, host, &memory,
                            &window);
    MPI_Win_shared_query(window, 0, &size, &unit, &memory);
    if (host_rank == 0)
        memset(memory, 0, bytes);
    MPI_Barrier(host);
    return memory;
}

static void stop(struct ranks *r, int status)
{
    int ended = 0;

    (void)r;
    MPI_Finalized(&ended);
    if (!ended)
        MPI_Abort(MPI_COMM_WORLD, status);
}

static void end(struct ranks *r)
{
    (void)r;
    MPI_Finalize();
}

/* The number of this rank on its host, by which it takes a GPU: the launcher's, which goes with its cores, else MPI's. A
 * variable counts only where the ranks of the host have all numbers from 0 on: in a batch job of Slurm mpirun hands on
 * the SLURM_LOCALID of the job's shell, 0 for all. */
static int local_number(int from_mpi, int locals)
{
    static const char *const names[] = {"SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK",
                                        "MPI_LOCALRANKID", "PALS_LOCAL_RANKID"};
    int all[locals];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        int mine = text != NULL && *text != '\0' && strspn(text, "0123456789") == strlen(text)
                       ? atoi(text)
                       : -1;
        bool each = true;
        MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, host);
        for (int k = 0; k < locals; k++) {
            each = each && all[k] >= 0 && all[k] < locals;
            for (int j = 0; j < k; j++)
                each = each && all[j] != all[k];
        }
        if (each)
            return mine;
    }
    return from_mpi;
}

bool ranks_mpi_begin(struct ranks *r, char *message);

bool ranks_mpi_begin(struct ranks *r, char *message)
{
    int first, hosts, provided;

    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        snprintf(message, RANKS_MESSAGE_MAX, "MPI does not start: check with mpirun hostname");
        return false;
    }
    *r = (struct ranks){.mpi = true,
                        .barrier = barrier,
                        .gather = gather,
                        .gather_parts = gather_parts,
                        .all_reduce = all_reduce,
                        .share = share,
                        .stop = stop,
                        .end = end};
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, r->rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &host_rank);
    MPI_Comm_size(host, &r->locals);
    first = host_rank == 0;
    MPI_Allreduce(&first, &hosts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    r->local = local_number(host_rank, r->locals);
    snprintf(r->about, sizeof r->about, "%d process%s of MPI on %d host%s", r->size,
             r->size == 1 ? "" : "es", hosts, hosts == 1 ? "" : "s");
    return true;
}
