! SPDX-License-Identifier: MIT
! libreduction for Fortran 2008: the functions of libreduction.h by iso_c_binding. Compile this file together with the
! program, gfortran libreduction.f90 program.f90 -lreduction, since modules of different compilers do not mix.
!
! Arrays and results are addresses on the device, type(c_ptr). With OpenMP, in a region
!
!   !$omp target data map(x) use_device_addr(x, total)
!   status = lr_sum(handle, LR_DOUBLE, c_loc(x), n, c_loc(total), c_null_ptr)
!
! x and total need the attribute target. Of LR_HALF and LR_BFLOAT16 the result is a real(c_float). libreduction.h says what
! each function does and when its result is there.
!
! Each function is written out: of procedure(shape), bind(c) :: lr_dot, ... gfortran 12 passes arguments by reference in the
! second call.
module libreduction
    use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_double, c_size_t, c_ptr, c_char, c_f_pointer
    implicit none
    private :: c_int, c_int64_t, c_double, c_size_t, c_ptr, c_char, c_f_pointer

    enum, bind(c)
        enumerator :: LR_OK = 0, LR_NULL, LR_TYPE, LR_MISALIGNED, LR_OVERLAP, LR_TOO_LARGE, LR_OTHER_STREAM, &
            LR_WORKSPACE, LR_NO_MEMORY, LR_NO_DEVICE, LR_RUNTIME, LR_SHAPE, LR_OTHER_RANK, LR_MPI
    end enum
    enum, bind(c)
        enumerator :: LR_FLOAT = 0, LR_DOUBLE, LR_INT32, LR_INT64, LR_HALF, LR_BFLOAT16
    end enum

    interface ! one value of x
        integer(c_int) function lr_sum(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_sum_value(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_min(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_min_value(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_max(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_max_value(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_asum(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_asum_value(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_nrm2(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_nrm2_value(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_sum_tree(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_sum_tree_value(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_sum_binned(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_sum_binned_value(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
    end interface

    type, bind(c) :: lr_moments_t
        integer(c_int64_t) :: count
        real(c_double) :: mean, variance, min, max
    end type

    interface ! a type(lr_moments_t) of x
        integer(c_int) function lr_moments(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_moments_value(handle, type, x, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
    end interface

    ! one value for each row, or column, of a matrix: x(stride, rows) of Fortran has a row in each of its columns
    interface
        integer(c_int) function lr_sum_rows(handle, type, x, rows, columns, stride, results, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, results, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_min_rows(handle, type, x, rows, columns, stride, results, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, results, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_max_rows(handle, type, x, rows, columns, stride, results, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, results, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_sum_columns(handle, type, x, rows, columns, stride, results, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, results, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_min_columns(handle, type, x, rows, columns, stride, results, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, results, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_max_columns(handle, type, x, rows, columns, stride, results, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, results, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_sum_rows_value(handle, type, x, rows, columns, stride, values, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, values, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_min_rows_value(handle, type, x, rows, columns, stride, values, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, values, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_max_rows_value(handle, type, x, rows, columns, stride, values, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, values, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_sum_columns_value(handle, type, x, rows, columns, stride, values, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, values, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_min_columns_value(handle, type, x, rows, columns, stride, values, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, values, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
        integer(c_int) function lr_max_columns_value(handle, type, x, rows, columns, stride, values, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, values, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: rows, columns, stride
        end function
    end interface

    interface ! one value for each segment of x; offsets, counted from 0, are integer(c_int64_t) on the device
        integer(c_int) function lr_sum_segments(handle, type, x, n, offsets, segments, results, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, offsets, results, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n, segments
        end function
        integer(c_int) function lr_sum_segments_value(handle, type, x, n, offsets, segments, values, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, offsets, values, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n, segments
        end function
        integer(c_int) function lr_min_segments(handle, type, x, n, offsets, segments, results, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, offsets, results, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n, segments
        end function
        integer(c_int) function lr_min_segments_value(handle, type, x, n, offsets, segments, values, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, offsets, values, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n, segments
        end function
        integer(c_int) function lr_max_segments(handle, type, x, n, offsets, segments, results, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, offsets, results, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n, segments
        end function
        integer(c_int) function lr_max_segments_value(handle, type, x, n, offsets, segments, values, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, offsets, values, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n, segments
        end function
    end interface

    interface ! one value of x and y
        integer(c_int) function lr_dot(handle, type, x, y, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, y, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_dot_value(handle, type, x, y, n, result, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, y, result, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
    end interface

    interface ! one value of x and its index, counted from 0; result may be c_null_ptr
        integer(c_int) function lr_argmin(handle, type, x, n, result, index, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, index, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_argmax(handle, type, x, n, result, index, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, index, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_argmin_value(handle, type, x, n, result, index, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, index, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_argmax_value(handle, type, x, n, result, index, stream) bind(c)
            import
            type(c_ptr), value :: handle, x, result, index, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
    end interface

    interface
        integer(c_int) function lr_create(handle, device) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), intent(out) :: handle
            integer(c_int), value :: device
        end function
        integer(c_int) function lr_create_in(handle, device, workspace, bytes) bind(c)
            import :: c_int, c_size_t, c_ptr
            type(c_ptr), intent(out) :: handle
            integer(c_int), value :: device
            type(c_ptr), value :: workspace
            integer(c_size_t), value :: bytes
        end function
        integer(c_int) function lr_workspace_bytes(device, bytes) bind(c)
            import :: c_int, c_size_t
            integer(c_int), value :: device
            integer(c_size_t), intent(out) :: bytes
        end function
        integer(c_int) function lr_destroy(handle) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
        end function
        integer(c_int) function lr_leave_stream(handle) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
        end function
        integer(c_int) function lr_input_ready(handle, ready) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
            integer(c_int), value :: ready
        end function
        integer(c_int) function lr_runtime_error(handle) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: handle
        end function
        type(c_ptr) function lr_text_c(status) bind(c, name='lr_text')
            import :: c_int, c_ptr
            integer(c_int), value :: status
        end function
        type(c_ptr) function lr_runtime_text_c(handle) bind(c, name='lr_runtime_text')
            import :: c_ptr
            type(c_ptr), value :: handle
        end function
        type(c_ptr) function lr_version_c() bind(c, name='lr_version')
            import :: c_ptr
        end function
        type(c_ptr) function lr_targets_c() bind(c, name='lr_targets')
            import :: c_ptr
        end function
    end interface
    private :: text_of

contains

    function lr_text(status) result(text)
        integer(c_int), intent(in) :: status
        character(:), allocatable :: text
        text = text_of(lr_text_c(status))
    end function

    function lr_runtime_text(handle) result(text)
        type(c_ptr), intent(in) :: handle
        character(:), allocatable :: text
        text = text_of(lr_runtime_text_c(handle))
    end function

    function lr_version() result(text)
        character(:), allocatable :: text
        text = text_of(lr_version_c())
    end function

    function lr_targets() result(text)
        character(:), allocatable :: text
        text = text_of(lr_targets_c())
    end function

    function text_of(c) result(text)
        type(c_ptr), intent(in) :: c
        character(:), allocatable :: text
        character(kind=c_char), pointer :: letters(:)
        integer :: length
        call c_f_pointer(c, letters, [1024])
        length = 0
        do while (letters(length + 1) /= achar(0))
            length = length + 1
        end do
        allocate (character(length) :: text)
        text = transfer(letters(1:length), text)
    end function
end module
