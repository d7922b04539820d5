# SPDX-License-Identifier: MIT
# A Fortran module of subroutines for arrays of any rank, by their type: awk -f arrays.awk /dev/null.
BEGIN {
    kinds = split("float double int32 int64 complex_float complex_double", kind)
    split("real(c_float) real(c_double) integer(c_int32_t) integer(c_int64_t) complex(c_float_complex) complex(c_double_complex)", fortran)
    split("sum min max argmin argmax dot asum nrm2", name)
    print "! SPDX-License-Identifier: MIT"
    print "! libreduction for arrays of Fortran, whatever their type and rank; it has libreduction's other names, too:"
    print "!"
    print "!   use libreduction_arrays"
    print "!   call lr_sum(handle, x, total, status)            ! waits for the value; also lr_min, lr_max, lr_asum, lr_nrm2"
    print "!   call lr_dot(handle, x, y, total, status)         ! LR_SHAPE if y has another size"
    print "!   call lr_argmax(handle, x, total, index, status)  ! counts from 1, in the order of the elements in memory"
    print "!"
    print "! x has real(c_float), real(c_double), integer(c_int32_t) or integer(c_int64_t) elements, and for lr_sum, lr_dot, lr_asum and"
    print "! lr_nrm2 also complex(c_float_complex) or complex(c_double_complex). It lies on the device of the handle: within !$omp target data use_device_addr(x), or !$acc host_data use_device(x). LR_SHAPE if it is not contiguous:"
    print "! a section with a step is not copied. The last argument may be stream=. On the device, in stream order, and for half and"
    print "! bfloat16, call the functions of the module libreduction, of which lr_sum() is lr_sum_on_device() here, and so on."
    print "module libreduction_arrays"
    print "    use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_int64_t, c_float, c_double, &\n        c_float_complex, c_double_complex, c_size_t, c_ptr, c_null_ptr, c_loc"
    printf "    use libreduction"
    for (f = 1; f <= 8; f++) printf ", &\n        lr_%s_on_device => lr_%s, value_%s => lr_%s_value", name[f], name[f], name[f], name[f]
    print "\n    implicit none"
    print "    private :: c_int, c_int32_t, c_int64_t, c_float, c_double, &\n        c_float_complex, c_double_complex, c_size_t, c_ptr, c_null_ptr, c_loc, stream_of"
    for (f = 1; f <= 8; f++) {
        printf "    interface lr_%s\n        module procedure ", name[f]
        for (k = 1; k <= kinds; k++) if (takes(name[f], k)) printf "%s%s_%s", (k > 1 ? ", " : ""), name[f], kind[k]
        printf "\n    end interface\n    private ::"
        for (k = 1; k <= kinds; k++) if (takes(name[f], k)) printf "%s %s_%s", (k > 1 ? "," : ""), name[f], kind[k]
        print ", value_" name[f]
    }
    print "contains"
    for (f = 1; f <= 8; f++) for (k = 1; k <= kinds; k++) if (takes(name[f], k)) subroutine(name[f], kind[k], fortran[k])
    print "    function stream_of(stream) result(address)\n        type(c_ptr), intent(in), optional :: stream"
    print "        type(c_ptr) :: address\n        address = c_null_ptr"
    print "        if (present(stream)) address = stream"
    print "    end function"
    print "end module"
}

function takes(what, k) { return k <= 2 || (k > 4 ? what ~ /sum|dot|nrm2/ : what !~ /asum|nrm2/) }

function subroutine(what, kind, fortran,    finds, two, called) {
    finds = what ~ /^arg/
    two = what == "dot"
    called = what "_" kind
    printf "    subroutine %s(handle, x, %stotal, %sstatus, stream)\n", called, two ? "y, " : "", finds ? "index, " : ""
    print "        type(c_ptr), intent(in) :: handle"
    printf "        %s, intent(in), target :: x(..)%s\n", fortran, two ? ", y(..)" : ""
    printf "        %s, intent(out), target :: total\n", what ~ /asum|nrm2/ && kind ~ /^complex/ ? "real(c_" substr(kind, 9) ")" : fortran
    if (finds) print "        integer(c_int64_t), intent(out), target :: index"
    print "        integer(c_int), intent(out) :: status"
    print "        type(c_ptr), intent(in), optional :: stream"
    print "        status = LR_SHAPE"
    printf "        if (is_contiguous(x)%s) &\n", two ? " .and. is_contiguous(y) .and. size(x) == size(y)" : ""
    printf "            status = value_%s(handle, LR_%s, c_loc(x)%s, size(x, kind=c_size_t), &\n                c_loc(total)%s, stream_of(stream))\n", \
        what, toupper(kind), two ? ", c_loc(y)" : "", finds ? ", c_loc(index)" : ""
    if (finds) print "        if (status == LR_OK .and. index >= 0) index = index + 1"
    print "    end subroutine"
}
