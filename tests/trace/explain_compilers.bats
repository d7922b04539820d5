#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow tree traced
# make explain counts the same with every host compiler: g++, clang++ and numbered versions.
#
# 1. nogpu/tests/planted/copies.hip: a copy of a struct counts as one access, and members that the source names one by one count one by
#    one.
# 2. The output for each line of each variant is byte-identical.
#
# With all installed compilers, all types, warps of 32 and 64, and the options of some variants; the types of a variant run
# at the same time. COMPILERS='gcc-13/g++-13 clang-17/clang++-17' chooses compilers.
load ../lib/check

setup() {
    [ "$level" = all ] || skip 'make check-all has it'
    needs_trace
    find_compilers
    [ "$(wc -w <<<"$compilers")" -gt 1 ] || skip "there is one compiler here, $compilers, and nothing to compare with"
}

# Of two names for the same compiler, the first.
find_compilers() {
    compilers=${COMPILERS:-} seen=
    [ -z "$compilers" ] || return 0
    for pair in "${CC:-gcc}/${CXX:-g++}" gcc/g++ clang/clang++ {gcc-,clang-}{12,13,14,15,16,17,18,19}; do
        case $pair in
        gcc-*) pair=$pair/g++-${pair#gcc-} ;;
        clang-*) pair=$pair/clang++-${pair#clang-} ;;
        esac
        command -v "${pair%/*}" >/dev/null && command -v "${pair#*/}" >/dev/null || continue
        version=$("${pair#*/}" --version | head -n 1 | sed 's/^[^ ]* //; s/.*clang version/clang/')
        case $seen in *"<$version>"*) continue ;; esac
        seen="$seen<$version>"
        compilers="$compilers $pair"
    done
}

# Kernel, kind, bytes, instructions per warp, as the source says beside each kernel, perhaps with "2" for two of a kind.
copies() {
    sed -nE 's|^COPY\((.*)\) */\* (.*) \*/$|copy_\1, \2|p; s|^__global__ void ([a-z_0-9]*)\(.*/\* (.*) \*/$|\1, \2|p' \
        nogpu/tests/planted/copies.hip | awk -F', ' '{
            for (i = 2; i <= NF; i++) {
                n = split($i, word, " ")
                for (k = n > 3 ? word[1] : 1; k > 0; k--) print $1, word[n - 2], word[n - 1], word[n]
            }
        }' | LC_ALL=C sort
}

# explained PROGRAM WARP OPTION...
explained() {
    program=$1 warp=$2
    shift 2
    HIP_CPU_WORKERS=64 HIP_CPU_TRACE=explain HIP_CPU_WARP_SIZE=$warp "$program" "$@"
}

# Writes the counts of one variant's program for one type to the folder $to.
tables() { # tables FOLDER TYPE
    one=$to/one.$2 table=$to/${1#reduction_}.$2
    compile_kernel -I"$1" -DVARIANT_NAME="$1" -DVARIANT_SOURCE="\"${1#reduction_}.hip\"" \
        "$(sh tools/build/only.sh "$2_sum")" -c common/instances/instantiate.hip -o "$one.o" &&
        link_variant "$1" "$one.o" "$one" || return
    for warp in 32 64; do
        explained "$one" "$warp" -q -i 1 -w 0 --ceiling=1 -n 4K -t "$2" --grid=32 >"$table.$warp"
    done
    for options in '--example=dot' '--example=logsumexp' '--method=binned' '--segment=7' \
        '--atomics=warp' '--atomics=thread' '--shuffle=xor'; do
        "$one" --help | grep -q -- "${options%%=*} .*${options#*=}\|${options%%=*} N" || continue
        explained "$one" 32 -q -i 1 -w 0 --ceiling=1 -n 4K -t "$2" --grid=32 "$options" >"$table.$options" 2>&1
    done
}

# Writes all counts of one compiler to the folder $work/CXX.
count() { # count CC CXX
    to=$work/$2
    mkdir "$to"
    ${MAKE:-make} -s traced CC="$1" CXX="$2" OUT="$work/build" >"$to/log" 2>&1 || return
    . "$(tail -n 1 "$to/log")"
    compile_kernel -c nogpu/tests/planted/copies.hip -o "$to/copies.o" 2>>"$to/log" &&
        link_program -o "$to/copies" "$to/copies.o" 2>>"$to/log" || return
    explained "$to/copies" 32 |
        awk '/^== /{ kernel = $2; sub(/:/, "", kernel) } /^  (load|store) /{ print kernel, $1, $3, $4 }' |
        LC_ALL=C sort >"$to/counted"
    for folder in reduction_*; do
        case ${folder#reduction_} in hello | prim | multi_gpu) continue ;; esac # their own main(), or no kernel
        running=
        for type in float double int long; do
            tables "$folder" "$type" 2>>"$to/log" 3>&- &
            running="$running $!"
        done
        for job in $running; do
            wait "$job" || return
        done
    done
}

@test "every compiler builds all traced programs, and counts copies of structs as in the source" {
    copies >"$work/wanted"
    for pair in $compilers; do
        cxx=${pair#*/}
        shown=$work/$cxx/log
        check "$cxx compiles all" count "${pair%/*}" "$cxx"
        check "$cxx: copies of structs, and what is no copy" diff "$work/wanted" "$work/$cxx/counted"
        rm -rf "$work/build"
    done
}

@test "all compilers give the same tables" {
    set -- $compilers
    first=${1#*/}
    for pair in $compilers; do
        cxx=${pair#*/}
        for table in "$work/$first"/*.*.*; do
            [ "${table##*.}" != o ] || continue
            other=$work/$cxx/${table##*/}
            check "$cxx: $other is empty" test -s "$other"
            check "$cxx counts as $first: $(basename "$table")" diff "$table" "$other"
        done
    done
}
