! SPDX-License-Identifier: MIT
! libreduction_mpi from Fortran, as installed and built for the CPU: rank r has r + 1 elements, of which the last is the
! largest of all on the last rank.
program ranks
    use, intrinsic :: iso_c_binding
    use mpi_f08
    use libreduction
    use libreduction_mpi
    implicit none
    type(c_ptr) :: handle, everyone
    integer :: rank, ranks_in_all, k
    integer(c_size_t) :: n
    integer(c_int64_t), target :: place
    real(c_double), target :: total, most
    real(c_double), allocatable, target :: x(:)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks_in_all)
    n = rank + 1
    allocate (x(n))
    x = [(real(rank + 1, c_double), k=1, int(n))]
    x(n) = x(n) + 0.5d0
    call require(lr_create(handle, 0) == LR_OK, 'lr_create')
    call require(lr_mpi_create(everyone, handle, MPI_COMM_WORLD%MPI_VAL) == LR_OK, 'lr_mpi_create')
    call require(lr_mpi_sum(everyone, LR_DOUBLE, c_loc(x), n, c_loc(total), c_null_ptr) == LR_OK, 'lr_mpi_sum')
    call require(total == sum([(real(k*k, c_double) + 0.5d0, k=1, ranks_in_all)]), 'the sum')
    call require(lr_mpi_dot(everyone, LR_DOUBLE, c_loc(x), c_loc(x), n, c_loc(total), c_null_ptr) == LR_OK, 'lr_mpi_dot')
    call require(lr_mpi_argmax(everyone, LR_DOUBLE, c_loc(x), n, c_loc(most), c_loc(place), c_null_ptr) == LR_OK, &
                 'lr_mpi_argmax')
    call require(most == ranks_in_all + 0.5d0 .and. place == ranks_in_all*(ranks_in_all + 1)/2 - 1, 'the place')
    call require(lr_mpi_max(everyone, 99, c_loc(x), n, c_loc(most), c_null_ptr) == LR_TYPE, 'a type that is none')
    call require(lr_mpi_destroy(everyone) == LR_OK .and. lr_destroy(handle) == LR_OK, 'the end')
    if (rank == 0) print '(a, i0)', 'all right with ', ranks_in_all
    call MPI_Finalize()

contains

    subroutine require(condition, what)
        logical, intent(in) :: condition
        character(*), intent(in) :: what
        if (condition) return
        print '(a, i0, 3a)', 'rank ', rank, ': ', what, ' is wrong'
        call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine
end program
