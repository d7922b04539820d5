! SPDX-License-Identifier: MIT
! libreduction_mpi for Fortran 2008: the functions of libreduction_mpi.h by iso_c_binding. Compile libreduction.f90 and this
! file together with the program, by the Fortran compiler of MPI. The communicator is the integer of `use mpi` and mpif.h;
! of mpi_f08 it is comm%MPI_VAL. Arrays are addresses on the device, type(c_ptr); value and index are on the host.
module libreduction_mpi
    use, intrinsic :: iso_c_binding, only: c_int, c_size_t, c_ptr
    implicit none
    private :: c_int, c_size_t, c_ptr

    interface
        integer(c_int) function lr_mpi_create(all, handle, communicator) bind(c, name='lr_mpi_create_f')
            import
            type(c_ptr), intent(out) :: all
            type(c_ptr), value :: handle
            integer(c_int), value :: communicator
        end function
        integer(c_int) function lr_mpi_destroy(all) bind(c)
            import
            type(c_ptr), value :: all
        end function
        integer(c_int) function lr_mpi_dot(all, type, x, y, n, value, stream) bind(c)
            import
            type(c_ptr), value :: all, x, y, value, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_mpi_sum(all, type, x, n, value, stream) bind(c)
            import
            type(c_ptr), value :: all, x, value, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_mpi_min(all, type, x, n, value, stream) bind(c)
            import
            type(c_ptr), value :: all, x, value, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_mpi_max(all, type, x, n, value, stream) bind(c)
            import
            type(c_ptr), value :: all, x, value, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_mpi_asum(all, type, x, n, value, stream) bind(c)
            import
            type(c_ptr), value :: all, x, value, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_mpi_nrm2(all, type, x, n, value, stream) bind(c)
            import
            type(c_ptr), value :: all, x, value, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_mpi_argmin(all, type, x, n, value, index, stream) bind(c)
            import
            type(c_ptr), value :: all, x, value, index, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
        integer(c_int) function lr_mpi_argmax(all, type, x, n, value, index, stream) bind(c)
            import
            type(c_ptr), value :: all, x, value, index, stream
            integer(c_int), value :: type
            integer(c_size_t), value :: n
        end function
    end interface
end module
