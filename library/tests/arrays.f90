! SPDX-License-Identifier: MIT
! libreduction_arrays, as installed and built for the CPU: types, ranks, and what is refused; lr_reduce() for columns.
program arrays
    use, intrinsic :: iso_c_binding
    use libreduction_arrays
    implicit none
    real(c_float), target :: x(1000), single
    real(c_double), target :: matrix(30, 40), total
    integer(c_int32_t), target :: whole(8), least
    integer(c_int64_t), target :: cube(3, 4, 5), largest
    complex(c_double_complex), target :: z(50), product
    integer(c_int64_t) :: place
    integer(c_int64_t), target :: places(40)
    type(lr_lines), target :: columns
    integer(c_int) :: status
    type(c_ptr) :: handle
    integer :: i

    call check(lr_create(handle, 0) == LR_OK, 'lr_create')
    x = [(real(i), i=1, 1000)]
    matrix = 0.5d0
    whole = [5, 3, 9, -7, 1, 2, -7, 4]
    cube = 1_c_int64_t
    cube(2, 3, 4) = 100
    call lr_sum(handle, x, single, status)
    call check(status == LR_OK .and. single == 500500, 'a sum of real(c_float)')
    call lr_nrm2(handle, matrix, total, status)
    call check(status == LR_OK .and. abs(total - sqrt(300d0)) < 1d-13, 'the norm of a matrix')
    call lr_dot(handle, matrix, matrix, total, status, stream=c_null_ptr)
    call check(status == LR_OK .and. total == 300, 'a product')
    call lr_argmin(handle, whole, least, place, status)
    call check(status == LR_OK .and. least == -7 .and. place == 4, 'the place of the smallest')
    call lr_max(handle, cube, largest, status)
    call check(status == LR_OK .and. largest == 100, 'the largest of rank 3')
    z = (3d0, -4d0)
    call lr_dot(handle, z, (0d0, 1d0) * z, product, status)
    call check(status == LR_OK .and. product == (0d0, 1250d0), 'a complex product')
    call lr_asum(handle, z, total, status)
    call check(status == LR_OK .and. total == 350, 'a sum of complex magnitudes')
    call lr_sum(handle, x(1:1000:2), single, status)
    call check(status == LR_SHAPE, 'a section with a step')
    call lr_sum(handle, matrix(:, 2:3), total, status)
    call check(status == LR_OK .and. total == 30, 'two columns')
    call lr_sum(handle, matrix(2:3, :), total, status)
    call check(status == LR_SHAPE, 'two rows')
    call lr_dot(handle, x, x(1:999), single, status)
    call check(status == LR_SHAPE, 'other sizes')
    columns%lines = 40
    columns%length = 30
    columns%lead = 30
    matrix(:, 3:4) = reshape([(real(i, c_double), i=1, 60)], [30, 2])
    status = lr_reduce_value(handle, LR_OP_ARGMAX, LR_DOUBLE, c_loc(matrix), c_null_ptr, c_loc(columns), c_null_ptr, &
        c_loc(places), c_null_ptr)
    call check(status == LR_OK .and. all(places(:4) == [0, 0, 29, 29]), 'the largest of each column')
    call check(lr_function_text(LR_OP_ARGMAX) == 'the largest element and its first index', 'what it does')
    call check(lr_sum_on_device(handle, LR_FLOAT, c_loc(x), 1000_c_size_t, c_loc(single), c_null_ptr) == LR_OK, 'by address')
    call check(lr_destroy(handle) == LR_OK .and. lr_version_number() > 0, 'lr_destroy')
    print '(a)', 'all right'
contains
    subroutine check(right, what)
        logical, intent(in) :: right
        character(*), intent(in) :: what
        if (right) return
        print '(a)', what//' is wrong'
        stop 1
    end subroutine
end program
