# SPDX-License-Identifier: MIT
# Fortran constants for the enumerators of a header, and for #define LR_NAME number.
/^enum .*{/ { inside = 1; value = 0 }
inside && match($0, /LR_[A-Z0-9_]+/) {
    name = substr($0, RSTART, RLENGTH)
    if (match($0, /= *[0-9]+/)) value = substr($0, RSTART + 1, RLENGTH - 1) + 0
    print "    integer(c_int), parameter :: " name " = " value++
}
/^};/ { inside = 0 }
/^#define LR_[A-Z0-9_]+ [0-9]+$/ { print "    integer(c_int), parameter :: " $2 " = " $3 }
