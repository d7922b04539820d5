# SPDX-License-Identifier: MIT
# Fortran interfaces, by iso_c_binding, for the functions that a header declares (LR_API).
/^LR_API/ { declaration = "" }
/^LR_API/, /;/ {
    declaration = declaration " " $0
    if (/;/) interface_of(declaration)
}

function interface_of(c,    result, name, called, i, n, argument, all, kind, lines) {
    result = c ~ /const char/ ? "type(c_ptr)" : "integer(c_int)"
    match(c, /lr_[a-z0-9_]+\(/)
    called = name = substr(c, RSTART, RLENGTH - 1)
    c = substr(c, RSTART + RLENGTH)
    sub(/\).*/, "", c)
    n = split(c == "void" ? "" : c, argument, / *, */)
    for (i = 1; i <= n; i++) {
        kind = argument[i] ~ /[*][*]/ ? "type(c_ptr), intent(out)" : argument[i] ~ /size_t [*]/ ? "integer(c_size_t), intent(out)" : \
            argument[i] ~ /[*]|lr_stream/ ? "type(c_ptr), value" : argument[i] ~ /size_t/ ? "integer(c_size_t), value" : "integer(c_int), value"
        if (argument[i] ~ /MPI_Comm /) return # only for C: the one with MPI_Fint takes its name
        if (argument[i] ~ /MPI_Fint/) sub(/_f$/, "", called)
        sub(/.*[ *]/, "", argument[i])
        all = all (i > 1 ? ", " : "") argument[i]
        lines = lines "            " kind " :: " argument[i] "\n"
    }
    if (result == "type(c_ptr)") called = name "_c" # the module has a function that converts it to text
    printf "        %s function %s(%s) &\n            bind(c, name='%s')\n            import\n%s        end function\n", \
        result, called, all, name, lines
}
