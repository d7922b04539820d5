#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the checks on wrong versions of the variants and of library/ (the file `list`), on the CPU: which check rejects them?
#
#   run.sh ENV [SAMPLE [VARIANT...]]     by `make mutants`, which writes ENV
#
# SAMPLE: how many of them, spread over the list; 0: all. ONLY='121 194-203': these of the list. A mutant whose edit
# does not fit any more, that does not compile or that no check rejects is an error: exit code 1. The checks run from
# the quickest to the slowest, or as the text suggests, until the first one rejects the mutant:
#   contract     test_contract with this variant alone: sums and chains over shapes, options, warps, schedules; the
#                first time with a device that is as late as HIP allows
#   far          test_far_cpu: elements beyond 2^32
#   variants     test_variants on its program
#   extras       test_extras, for those with further results
#   own          the suite that is named after it
#   race         the race tool on its program, with the (OPTIONS) that the text in the list begins with
# A file of the library: its suites, from a copy of the tree in which that file is the wrong one.
here=$(cd "$(dirname "$0")" && pwd)

# The N-th mutant of the list: variant, file, text and edit.
mutant() {
    awk -v wanted="$1" '/^#/ || /^$/ { next }
        /^ / { if (++n == wanted) { print place; print text; sub(/^ +/, ""); print; exit }; next }
        { place = $1; text = $0; sub(/^[^ ]+ +/, "", text) }' "$here/list"
}

# Prints the outcome in one line: WORD VARIANT TEXT: why
say() { # say WORD [WHY]
    printf '%-9s %3d %-19s %s%s\n' "$1" "$number" "$name" "$text" "${2:+: $(printf %s "$2" | cut -c 1-150)}"
    rm -rf "$work"
    exit 0
}

# check WORD COMMAND...: a mutant that fails is rejected; one process that computes for two minutes hangs.
check() {
    word=$1
    shift
    (
        ulimit -t 120
        "$@"
    ) >"$work/log" 2>&1
    status=$?
    case $status in
    0 | 77) return ;;
    2) say ERROR "the check $word does not run: $(grep -m 1 -v '^==' "$work/log")" ;;
    152) say "$word" 'it does not end' ;;
    esac
    why=$(sed -n -e 's/^race 1: //p' -e 's/^[^ ]*:[FE]:[^:]*:[^:]*:[0-9]*: //p' "$work/log" | head -n 1)
    say "$word" "${why:-$(grep -m 1 . "$work/log")}"
}

# The checks. Arguments: for the compiler.
check_contract() {
    instances "$@"
    mutant_link -o "$work/test_contract" "$suite" "$objects/tests/variants/test_contract.o" "$work/contract.o" || say ERROR 'does not link'
    for run in '64 random:1 1' '64 forward 0' '32 reverse 0'; do
        # shellcheck disable=SC2086 # words
        set -- $run
        check contract env REDUCTION_BIN="$OUT" HIP_CPU_WARP_SIZE="$1" HIP_CPU_SCHEDULE="$2" HIP_CPU_LATE="$3" "$work/test_contract"
    done
}

check_far() {
    instances "$@"
    mutant_link -o "$work/test_far" "$suite" "$objects/tests/variants/test_far_cpu.o" "$work/contract.o" || say ERROR 'does not link'
    check far env REDUCTION_BIN="$OUT" "$work/test_far"
}

instances() {
    [ -f "$work/contract.o" ] || mutant_kernel "$@" -O1 -Itests/variants -c tests/variants/contract/instances.hip -o "$work/contract.o" \
        >"$work/log" 2>&1 || say ERROR "does not compile: $(grep -m 1 error: "$work/log")"
}

check_program() {
    mutant_kernel "$@" -O1 -c common/instantiate.hip -o "$work/program.o" || say ERROR 'the program does not compile'
    mutant_main "$variant" "$work/main.o" && mutant_link -o "$program" "$work/program.o" "$work/main.o" || say ERROR 'does not link'
    check variants env HIP_CPU_LATE=1 REDUCTION_BIN="$work/bin" "$objects/tests/test_variants" "$variant"
    case $name in statistics | custom | segmented | head_flags | softmax | atomic)
        check extras env REDUCTION_BIN="$work/bin" "$objects/tests/test_extras" ;;
    esac
    [ -f "$objects/tests/variants/test_$name.o" ] || return
    # shellcheck disable=SC2046 # names without blanks
    mutant_link -o "$work/test_own" "$suite" "$objects/tests/variants/test_$name.o" \
        $(find "$objects/tests/variants/$name" -name '*.o' 2>/dev/null) "$work/program.o" || say ERROR 'does not link'
    check own env REDUCTION_BIN="$OUT" "$work/test_own"
}

check_race() {
    (
        . "$TRACED"
        traced_kernel "$@" -c common/instantiate.hip -o "$work/traced.o" &&
            traced_variant "$variant" "$work/traced.o" "$program"
    ) || say ERROR 'does not compile with TRACE=1'
    options=
    case $text in
    '('*) options=${text#(} options=${options%%)*} ;;
    esac
    # shellcheck disable=SC2086 # options are words
    check race env GRID_BARRIER=release sh trace/race/race.sh "$program" --quiet -i 1 -w 0 -n 10007 $options
}

check_library() {
    build=build/${objects##*/}
    mkdir -p "$work/build" && cp -Rp "$objects" "$work/$build" &&
        cp -Rp Makefile config.mk bench common library platform reduction_* tests tools trace "$work" || exit 3
    sed -E -z -i "$edit" "$work/library/$file" 2>"$work/log" || say ERROR "$(cat "$work/log")"
    ! cmp -s "library/$file" "$work/library/$file" || say ERROR 'the edit does not fit any more'
    find "$work/$build" -name '*.d' -exec sed -i "s|$objects/|$build/|g; s|$PWD/||g" {} +
    for warp in 64 32; do
        for step in failures_cpu narrow moments segments rows '' places; do
            test=$build/tests/test_library${step:+_$step}
            [ -n "${tested-}" ] || $MAKE -s -C "$work" GPU=cpu OUT=. "$test" >"$work/log" 2>&1 ||
                say ERROR "does not compile: $(grep -m 1 error: "$work/log")"
            check library env HIP_CPU_WARP_SIZE=$warp HIP_CPU_LATE=1 "$work/$test"
        done
        tested=yes
    done
    say SURVIVES
}

one() { # one ENV N
    . "$1"
    number=$2 suite=$objects/tests/lib/suite.o
    { read -r place; read -r text; read -r edit; } <<END
$(mutant "$2")
END
    name=${place%%/*} file=${place#*/}
    work=$(mktemp -d) || exit 3
    [ "$name" != library ] || check_library
    [ "$file" != "$place" ] || file=$name.hip
    variant=reduction_$name
    export REDUCTION_VARIANT=$variant # of which the suites take all
    mkdir "$work/bin" && ln -s "$OUT"/reduction_* "$work/bin" && rm "$work/bin/$variant" && mkdir "$work/bin/$variant" || exit 3
    program=$work/bin/$variant/$variant
    cp "$variant"/*.h "$variant"/*.hip "$work/bin/$variant" 2>/dev/null
    sed -E -z "$edit" "$variant/$file" >"$work/bin/$variant/$file" 2>"$work/log" || say ERROR "$(cat "$work/log")"
    ! cmp -s "$variant/$file" "$work/bin/$variant/$file" || say ERROR 'the edit does not fit any more'
    order='contract far program race'
    case $text in # the check that is most likely to reject it comes first
    '('* | *fence* | *acquire* | *'any others'* | *ordinary*) order='race contract far program' ;;
    *' 32 bits'* | *' 31 bits'*) order='far contract program race' ;;
    esac
    for step in $order; do
        "check_$step" -I"$work/bin/$variant" -w -DVARIANT_NAME="$variant" -DVARIANT_SOURCE="\"$name.hip\""
    done
    say SURVIVES
}

if [ "$1" = --one ]; then
    one "$2" "$3"
fi
env=$1 sample=${2:-0}
shift
[ $# -eq 0 ] || shift
total=$(grep -c '^    ' "$here/list")
numbers=$(for n in $(for range in ${ONLY:-1-$total}; do seq "${range%-*}" "${range#*-}"; done); do
    place=$(mutant "$n" | head -n 1)
    case " ${*:-${place%%/*}} " in *" ${place%%/*} "*) echo "$n" ;; esac
done)
[ "$sample" -eq 0 ] || numbers=$(echo "$numbers" | awk -v sample="$sample" '
    { all[NR] = $0 }
    END { for (i = 1; i <= NR; i += int((NR + sample - 1) / sample)) print all[i] }')
# The checks have to accept the right versions, or they would reject everything.
(
    . "$env"
    REDUCTION_BIN=$OUT "$objects/tests/test_contract" && REDUCTION_BIN=$OUT "$objects/tests/test_variants" reduction_no_striding
) >/dev/null || { echo "mutants: the variants as they are do not pass; make check says why"; exit 1; }
TRACED=$(${MAKE:-make} -s traced GPU=cpu 2>/dev/null | tail -n 1)
case $TRACED in /*) ;; *) TRACED=$PWD/$TRACED ;; esac # the build may be elsewhere
[ -f "$TRACED" ] || { echo "mutants: what the race tool needs does not build: make traced GPU=cpu says why"; exit 1; }
export TRACED
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
printf '%s\n' $numbers | xargs -P "${REDUCTION_JOBS:-$(nproc)}" -I N sh "$0" --one "$env" N | tee "$log"
awk '{ count[$1]++; n++ } END {
    printf "%d mutants: %d rejected", n, n - count["SURVIVES"] - count["ERROR"]
    for (word in count) if (word != "SURVIVES" && word != "ERROR") printf ", %d by %s", count[word], word
    printf "; %d survive, %d do not fit\n", count["SURVIVES"], count["ERROR"] }' "$log"
! grep -qE '^(SURVIVES|ERROR)' "$log" && [ -s "$log" ]
