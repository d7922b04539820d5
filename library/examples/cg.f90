! SPDX-License-Identifier: MIT
! Conjugate gradients in Fortran: A is 2 on the diagonal and -1 beside it. With OpenMP (amdflang, nvfortran, -fopenmp
! with an offload target) the loops and the library work on the device's copies; without, on the host's, for a library
! that was built for the CPU.
program cg
    use, intrinsic :: iso_c_binding
    use libreduction
    implicit none
    integer, parameter :: n = 1000
    real(c_double), allocatable, target :: x(:), r(:), p(:), q(:)
    real(c_double), target :: rr, rr_new, pq, norm
    type(c_ptr) :: handle
    integer :: i, iterations

    allocate (x(n), r(n), p(n), q(n))
    call check(lr_create(handle, 0))
    x = 0
    r = 0
    r(n) = n + 1 ! of which x(i) = i is the solution
    p = r
    rr = (n + 1.0d0)**2
    norm = n + 1
    iterations = 0
    !$omp target data map(tofrom: x, r, p) map(alloc: q)
    do while (norm > 1d-9 .and. iterations < 2*n)
        !$omp target teams distribute parallel do
        do i = 1, n
            q(i) = 2*p(i)
            if (i > 1) q(i) = q(i) - p(i - 1)
            if (i < n) q(i) = q(i) - p(i + 1)
        end do
        !$omp target data use_device_addr(p, q)
        call check(lr_dot_value(handle, LR_DOUBLE, c_loc(p), c_loc(q), size(p, kind=c_size_t), c_loc(pq), c_null_ptr))
        !$omp end target data
        !$omp target teams distribute parallel do
        do i = 1, n
            x(i) = x(i) + rr/pq*p(i)
            r(i) = r(i) - rr/pq*q(i)
        end do
        !$omp target data use_device_addr(r)
        call check(lr_dot_value(handle, LR_DOUBLE, c_loc(r), c_loc(r), size(r, kind=c_size_t), c_loc(rr_new), c_null_ptr))
        call check(lr_nrm2_value(handle, LR_DOUBLE, c_loc(r), size(r, kind=c_size_t), c_loc(norm), c_null_ptr))
        !$omp end target data
        !$omp target teams distribute parallel do
        do i = 1, n
            p(i) = r(i) + rr_new/rr*p(i)
        end do
        rr = rr_new
        iterations = iterations + 1
    end do
    !$omp end target data
    call check(lr_destroy(handle))
    print '(i0, a, es8.1, a, es8.1)', iterations, ' iterations, residual ', norm, ', error ', &
        maxval(abs(x - [(real(i, c_double), i=1, n)]))
    if (maxval(abs(x - [(real(i, c_double), i=1, n)])) > 1d-6) error stop 1

contains

    subroutine check(status)
        integer(c_int), intent(in) :: status
        if (status /= LR_OK) then
            print '(2a)', 'cg: ', lr_text(status)
            error stop 1
        end if
    end subroutine
end program
