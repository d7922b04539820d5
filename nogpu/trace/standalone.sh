#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles a HIP or CUDA program with a main() of its own; traced: so that its kernels can be.
#
#   standalone.sh plain|traced PROGRAM [ARGUMENT]... SOURCE...
#
# Arguments are those of a compiler. What the CPU platform lacks is named. Exit code 2 if it cannot be compiled.
mode=$1 program=$2
shift 2
mkdir -p "${program%/*}" 2>/dev/null && [ -w "${program%/*}" ] || {
    echo "nogpu: cannot write to ${program%/*}: set XDG_CACHE_HOME to a folder of yours, or --keep PROGRAM" >&2
    exit 2
}
new=$program.$$ # renamed when it is complete: another run may be using the previous one
trap 'rm -f "$new" "$new.log" "$new.driver"' EXIT
trap 'exit 130' INT TERM HUP
HIP_CPU_ROOT=$(cd "${0%/*}/.." && pwd -P) HIP_CPU_TRACE=
. "$HIP_CPU_ROOT/built.sh"
need "$mode" nogpu
[ "$mode" = plain ] || HIP_CPU_TRACE=races
export HIP_CPU_TRACE
words=$NOGPU_BUILD/$mode/words

as=hipcc map=-fdebug-prefix-map=$PWD=.
for source; do
    case $source in -*) ;; *.cu) as=nvcc ;; esac
    case $source in "$PWD"[!/]*) map= ;; esac # a folder beside this one, whose name begins like it
    [ ! -f "$source" ] || set -- -I"$(dirname "$source")" "$@"
done
NOGPU_BRIEF=1 "$NOGPU_BUILD/hip_translate" --as $as "$words" ${map:+"$map"} "$@" -o "$new" 2>"$new.log" && {
    cat "$new.log" >&2
    mv -f "$new" "$program"
    exit 0
}
# Where clang's preprocessor is a program of its own, the columns are those behind it: the messages come from another run.
if grep -qx -e -no-integrated-cpp "$words" && grep -q 'error:' "$new.log"; then
    grep -vx -e -no-integrated-cpp "$words" >"$new.driver"
    "$NOGPU_BUILD/hip_translate" --as $as "$new.driver" -fsyntax-only ${map:+"$map"} "$@" -o "$new" 2>"$new.log" || :
fi
if grep -q 'undefined reference to .main' "$new.log"; then
    echo "$source: no main() found: write one that launches the kernel; for a variant: make race V=shfl" >&2
    exit 2
fi
cat "$new.log" >&2
case "$*" in *-std=*) false ;; *) grep -Eq 'error: .*(std|concept|requires|consteval|char8_t)|C[+][+]2[0b]' "$new.log" ;; esac &&
    echo "$source: compiled as C++17; if it is newer: CPPFLAGS=-std=c++20" >&2
# Names that the platform lacks, once each.
for name in $(sed -n 's/.*error: [^A-Za-z0-9_]*\(\(hip\|cuda\|__\)[A-Za-z0-9_]*\).* was not declared.*/\1/p
                      s/.*error: use of undeclared identifier .\(\(hip\|cuda\|__\)[A-Za-z0-9_]*\).*/\1/p' "$new.log" | sort -u); do
    case $name in
    *Tex* | *Surface*) instead='loads from a plain array' ;;
    __*) instead='it in C, or a function that nogpu/include/hip_cpu has' ;;
    *) instead='what nogpu/include/hip_cpu/api/api.h lists' ;;
    esac
    echo "$source: the CPU platform has no $name: write $instead" >&2
done
exit 2
