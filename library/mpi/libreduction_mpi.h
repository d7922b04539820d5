/* libreduction_mpi: libreduction's functions over all ranks of an MPI communicator, each with an array on its device.
 *
 *   lr_mpi *all;
 *   int status = lr_mpi_create(&all, handle, MPI_COMM_WORLD);            // each rank with the handle of its device
 *   if (status == LR_OK)
 *       status = lr_mpi_sum(all, LR_DOUBLE, d_x, n, &sum, stream);       // sum is in host memory, on every rank
 *   lr_mpi_destroy(all);
 *
 * Together    all ranks of the communicator call the same functions in the same order, with the same type. n may differ, and
 *             be 0. A call waits for all of them.
 * Values      each rank reduces its array as the function of the same name with _value does, and MPI_Allreduce combines the
 *             values, 600 bytes, on the host. A sum is that of the ranks' values, rounded once, so that all ranks and all
 *             runs get the same bits whatever MPI does. An index counts in the concatenation of the ranks' arrays. The number
 *             of ranks may change the last bits of a sum.
 * Errors      a call succeeds on all ranks, or on none: one whose own part failed returns why, and the others
 *             LR_OTHER_RANK; where ranks call different functions, or with different types, all return LR_RANKS. all must not
 *             be NULL: that rank returns LR_NULL, and the others wait for ever.
 * Rules       for types, arrays, NaN and zeros, threads and streams are those of libreduction.h.
 * SPDX-License-Identifier: MIT */
#ifndef LIBREDUCTION_MPI_H
#define LIBREDUCTION_MPI_H

#include <libreduction.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lr_mpi lr_mpi;

/* Duplicates the communicator, so that messages of the program and the library cannot be confused. The handle must outlive
 * *all, which is NULL after an error. LR_MPI is only returned if the communicator's error handler returns
 * (MPI_Comm_set_errhandler); otherwise an MPI error ends the program. */
LR_API int lr_mpi_create(lr_mpi **all, lr_handle *handle, MPI_Comm communicator);
/* The same with a Fortran communicator; in libreduction_mpi.f90 it is called lr_mpi_create. */
LR_API int lr_mpi_create_f(lr_mpi **all, lr_handle *handle, MPI_Fint communicator);
/* Frees the communicator, but not the handle; all ranks must call it. NULL does nothing. */
LR_API int lr_mpi_destroy(lr_mpi *all);

/* *value and *index are in host memory, at any address. *value has the type of the elements; for LR_HALF and LR_BFLOAT16 it
 * is a float. */

LR_API int lr_mpi_sum(lr_mpi *all, int type, const void *x, size_t n, void *value, lr_stream stream);
LR_API int lr_mpi_min(lr_mpi *all, int type, const void *x, size_t n, void *value, lr_stream stream);
LR_API int lr_mpi_max(lr_mpi *all, int type, const void *x, size_t n, void *value, lr_stream stream);
LR_API int lr_mpi_asum(lr_mpi *all, int type, const void *x, size_t n, void *value, lr_stream stream);
LR_API int lr_mpi_nrm2(lr_mpi *all, int type, const void *x, size_t n, void *value, lr_stream stream);
LR_API int lr_mpi_dot(lr_mpi *all, int type, const void *x, const void *y, size_t n, void *value, lr_stream stream);
/* value may be NULL. */
LR_API int lr_mpi_argmin(lr_mpi *all, int type, const void *x, size_t n, void *value, int64_t *index, lr_stream stream);
LR_API int lr_mpi_argmax(lr_mpi *all, int type, const void *x, size_t n, void *value, int64_t *index, lr_stream stream);

#ifdef __cplusplus
}
#endif

#endif
