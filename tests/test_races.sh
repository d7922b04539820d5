#!/bin/sh
# Does the race tool find what is wrong, and does it leave alone what is right?
#
#   test_races.sh            a sample, for every day
#   test_races.sh all        everything: what make check-races runs
#   test_races.sh planted|kernels|variants [PATTERN]   one part of it; planted mistakes that fit PATTERN
#
# 1. planted/variants.txt: mistakes planted into the variants, each of which has to be found.
# 2. planted/*.hip: small kernels, right ones, tricky ones and ones with a fault.
# 3. The variants as they are have no races, for all types, operations, warp sizes, schedules and weak memory.
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.." || exit 3
part=${1:-sample}
pattern=${2:-.}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
jobs=$(nproc)

ok() {
    passed=$((passed + 1))
}
bad() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

${MAKE:-make} -s -j"$jobs" traced >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
. "${OUT:-.}/build/$(ls -t "${OUT:-.}/build" | grep '^cpu-trace' | head -n 1)/traced"

export HIP_CPU_TRACE=races HIP_CPU_WORKERS=3
usual='--quiet --iterations=1 --warmup=0 --ceiling=1'

# compile FOLDER VARIANT PROGRAM
compile() {
    traced_kernel -I"$1" -DVARIANT_NAME='"planted"' -DVARIANT_SOURCE="\"$2.hip\"" -c tests/planted/one_instance.hip \
        -o "$3.o" 2>"$3.log" && traced_link -o "$3" "$3.o" $traced_main 2>>"$3.log"
}

# One planted mistake: NUMBER VARIANT OPTIONS WHAT; the changed sources are in $work/NUMBER. Writes its row.
look_for() {
    folder=$work/$1
    outcome='not found'
    if compile "$folder" "$2" "$folder/program"; then
        rest="$3;"
        while [ -n "$rest" ] && [ "$outcome" = 'not found' ]; do
            options=${rest%%;*} rest=${rest#*;}
            [ "$options" != - ] || options=
            case $options in *--size*) ;; *) options="--size=3000 $options" ;; esac
            # shellcheck disable=SC2086  # words
            HIP_CPU_WARP_SIZE=32 timeout 60 "$folder/program" $usual $options >"$folder/out" 2>&1
            status=$?
            if [ $status -ne 0 ] && grep -q '^race 1:' "$folder/out"; then
                outcome="found, $(sed -n 's/^race: \([0-9]*\) found.*/\1/p' "$folder/out")"
            elif [ $status -ge 2 ]; then
                outcome="stopped: $(grep -m 1 'hip:' "$folder/out" | cut -c 1-60)"
            fi
        done
    else
        outcome='does not compile'
    fi
    printf '%-20s %-52s %s\n' "$2" "$4" "$outcome" >"$folder/row"
}

# Waits until fewer than $jobs of these run.
running=
start() {
    "$@" &
    running="$running $!"
    # shellcheck disable=SC2086
    set -- $running
    if [ $# -ge "$jobs" ]; then
        wait "$1"
        shift
        running=$*
    fi
}

# Each makes $work/NUMBER with changed sources, and looks.
number=0
plant() { # VARIANT
    number=$((number + 1))
    mkdir "$work/$number" && cp reduction_"$1"/*.hip "$work/$number/"
    for header in reduction_"$1"/*.h; do
        [ ! -f "$header" ] || cp "$header" "$work/$number/"
    done
}

planted() {
    barrier='__syncthreads();\|warp_sync();\|grid_sync();'
    while read -r kind variant rest; do
        case $kind in
        '' | \#*) continue ;;
        esac
        echo "$kind $variant $rest" | grep -q "$pattern" || continue
        case $kind in
        barriers)
            count=${rest%% *} options=${rest#* }
            there=$(cat reduction_"$variant"/*.hip | grep -c "$barrier")
            [ "$there" = "$count" ] ||
                { bad "$variant has $there barriers and not $count: bring tests/planted/variants.txt up to date"; continue; }
            turn=0
            for file in reduction_"$variant"/*.hip; do
                for line in $(grep -n "$barrier" "$file" | cut -d : -f 1); do
                    turn=$((turn + 1))
                    plant "$variant"
                    sed "${line}s/$barrier/;/" "$file" >"$work/$number/$(basename "$file")"
                    start look_for $number "$variant" "$options" "barrier $turn of $count removed"
                done
            done
            ;;
        edit)
            file=${rest%% *} rest=${rest#* }
            options=${rest%%|*} rest=${rest#*|}
            what=${rest%%|*} script=${rest#*| }
            plant "$variant"
            sed "$script" "reduction_$variant/$file" >"$work/$number/$file"
            changed=$(diff "reduction_$variant/$file" "$work/$number/$file" | grep -c '^>')
            [ "$changed" = 1 ] ||
                { bad "$variant: '$script' changes $changed lines of $file and not 1: bring tests/planted/variants.txt up to date"; rm -r "${work:?}/$number"; continue; }
            start look_for $number "$variant" "${options% }" "$(echo $what)"
            ;;
        shipped)
            plant "$variant"
            start look_for $number "$variant" "${rest%% |*}" "${rest#*| }"
            ;;
        *) bad "tests/planted/variants.txt: what is $kind?" ;;
        esac
    done <tests/planted/variants.txt
    wait
    i=0 found=0
    printf '\nplanted into the variants                                                 outcome\n'
    while [ $i -lt $number ]; do
        i=$((i + 1))
        [ -f "$work/$i/row" ] || continue
        cat "$work/$i/row"
        if grep -q ' found, [0-9]*$' "$work/$i/row"; then
            found=$((found + 1))
            ok
        else
            bad "$(cat "$work/$i/row")"
            cat "$work/$i/program.log" 2>/dev/null | head -n 5
        fi
    done
    echo "planted: found $found of $number"
}

case $part in
planted) planted ;;
esac

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
