! SPDX-License-Identifier: MIT
! Laplace's equation by Jacobi's method, on strips of columns, one a rank. Every 100 steps all ranks learn the norm of the
! residual over all strips from lr_mpi_nrm2, with the same bits, so all of them stop at the same step. With OpenMP
! (amdflang, nvfortran, -fopenmp with an offload target) the loops and the library work on the device's copies; without,
! on the host's, for a library that was built for the CPU.
program residual
    use, intrinsic :: iso_c_binding
    use mpi_f08
    use libreduction
    use libreduction_mpi
    implicit none
    integer, parameter :: rows = 24, columns = 8 ! of a strip, without its border
    real(c_double), target :: u(0:rows + 1, 0:columns + 1), r(rows, columns), norm
    type(c_ptr) :: handle, everyone
    integer :: rank, ranks, left, right, first, i, j, step

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    right = merge(rank + 1, MPI_PROC_NULL, rank + 1 < ranks)
    call check(lr_create(handle, 0))
    call check(lr_mpi_create(everyone, handle, MPI_COMM_WORLD%MPI_VAL))

    first = rank*columns
    u = 0
    u(rows + 1, :) = [((rows + 1.0d0)*(first + j), j=0, columns + 1)] ! of i * j, the solution, the border
    if (rank + 1 == ranks) u(:, columns + 1) = [(real(i, c_double)*(first + columns + 1), i=0, rows + 1)]
    norm = huge(norm)
    step = 0
    !$omp target data map(tofrom: u) map(alloc: r)
    do while (norm > 1d-9 .and. step < 20000)
        !$omp target update from(u(:, 1), u(:, columns))
        call MPI_Sendrecv(u(:, 1), rows + 2, MPI_DOUBLE_PRECISION, left, 0, u(:, columns + 1), rows + 2, &
            MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        call MPI_Sendrecv(u(:, columns), rows + 2, MPI_DOUBLE_PRECISION, right, 1, u(:, 0), rows + 2, &
            MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        !$omp target update to(u(:, 0), u(:, columns + 1))
        !$omp target teams distribute parallel do collapse(2)
        do j = 1, columns
            do i = 1, rows
                r(i, j) = (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))/4 - u(i, j)
            end do
        end do
        !$omp target teams distribute parallel do collapse(2)
        do j = 1, columns
            do i = 1, rows
                u(i, j) = u(i, j) + r(i, j)
            end do
        end do
        step = step + 1
        if (mod(step, 100) == 0) then
            !$omp target data use_device_addr(r)
            call check(lr_mpi_nrm2(everyone, LR_DOUBLE, c_loc(r), size(r, kind=c_size_t), c_loc(norm), c_null_ptr))
            !$omp end target data
        end if
    end do
    !$omp end target data
    do j = 1, columns
        do i = 1, rows
            r(i, j) = u(i, j) - real(i, c_double)*(first + j)
        end do
    end do
    if (rank == 0) print '(2(i0, a), es8.1)', ranks, ' ranks, ', step, ' steps, residual ', norm
    call check(merge(LR_OK, LR_RUNTIME, maxval(abs(r)) < 1d-5))
    call check(lr_mpi_destroy(everyone))
    call check(lr_destroy(handle))
    call MPI_Finalize()

contains

    subroutine check(status)
        integer(c_int), intent(in) :: status
        if (status == LR_OK) return
        print '(a, i0, 2a)', 'rank ', rank, ': ', trim(lr_text(status))
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
