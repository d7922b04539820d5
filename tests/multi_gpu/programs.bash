# SPDX-License-Identifier: MIT
# What the tests of reduction_multi_gpu share: the programs, and how their output is read. Loaded after check.
[ -e "$work/bin" ] || ln -s "$bin" "$work/bin" # commands are words here, and have no space
bin=$work/bin
built=$bin/reduction_multi_gpu/reduction_multi_gpu
short='-i 1 -w 0 --ceiling 1'
mpirun=${MPIRUN:-$(command -v mpirun || true)}
multi="$launch $built"
alone="$launch $bin/reduction_reproducible/reduction_reproducible"
has_mpi() { [ -n "$mpirun" ] && [ -r "$bin/reduction_multi_gpu/multi_gpu_mpi.so" ]; }

# Of JSON on standard input: the values, one for each size.
values() { sed -n 's/.*"value": \([^,]*\),.*/\1/p'; }
# number FILE NAME: from JSON with one size
number() { sed -n 's/.*"'"$2"'": \([^,]*\),.*/\1/p' "$1"; }
# expect OPTION...: the values of reproducible are what `same` compares with
expect() { $alone "$@" $short -f json | values >"$work/expected"; }
# same COMMAND...: the same values
same() {
    try "$@" $short -f json
    values <"$work/said" >"$work/got"
    [ "$status" -eq 0 ] && [ -s "$work/got" ] && cmp -s "$work/expected" "$work/got" ||
        { echo "expected: $(paste -s -d' ' "$work/expected"): $*" && tail -n 20 "$work/said" && return 1; }
}
right() { # right COMMAND...
    try "$@" $short -q
    check "$*" exits 0
}
# fails STATUS WORDS COMMAND...: one line of the program says WORDS. mpirun has lines of its own.
fails() {
    local wanted=$1 words=$2
    shift 2
    try "$@"
    check "exit code $status instead of $wanted: $*" exits "$wanted" || return 1
    check "one line '$words': $*" [ "$(grep -c -e "$words" "$work/said")" -eq 1 ]
}
# compile NAME ARGUMENT...: $work/NAME, and what the compiler says
compile() {
    local name=$1
    shift
    try ${CC:-cc} -D_GNU_SOURCE "$@" -o "$work/$name" -lm -lrt -ldl -pthread
    check "$name does not compile" exits 0
}
