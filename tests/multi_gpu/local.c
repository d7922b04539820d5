/* Prints what ranks/mpi.c says about this process: its rank, its number on the host, and how many there are. Compiled
 * with it by MPI's compiler.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "../../reduction_multi_gpu/ranks/ranks.h"

ranks_begin_function ranks_mpi_begin;

int main(void)
{
    static struct ranks r;
    char message[RANKS_MESSAGE_MAX];

    if (!ranks_mpi_begin(&r, message))
        return 1;
    printf("%d %d %d\n", r.rank, r.local, r.locals);
    r.end(&r);
    return 0;
}
