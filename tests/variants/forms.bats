#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow tree variants traced
# What lessons say about changed code is so: forms.txt has each change, and what the lesson says of it.
load ../lib/check

setup() {
    needs_trace
    export HIP_CPU_WORKERS=3 HIP_CPU_GRID_BARRIER=release
}

lessons() { documents reduction_*/README.md reduction_*/appendix.md | grep -v '^reduction_to_fix/'; }
words_of() { tr -s ' \n' '  ' <"$1"; }
rows() { grep -v '^#\|^$' tests/variants/forms.txt | awk -F ' *:: *' -v OFS='\t' '{ $1 = $1; print }'; }
field() { cut -f "$1" <<<"$row"; }

@test "every change that a lesson asks for has a row, and every row its words in the lesson" {
    while read -r row; do
        lesson=reduction_$(field 1)
        wanted "$(field 1)" || continue
        cat "$lesson"/README.md $(find "$lesson" -name appendix.md) >"$work/lesson"
        verdict "$(words_of "$work/lesson" | grep -qF "$(field 2)" && echo 0 || echo 1)" "$lesson does not say: $(field 2)"
    done < <(rows)
    for lesson in $(lessons); do
        while read -r change; do
            verdict "$(rows | cut -f 2 | grep -qF "$change" && echo 0 || echo 1)" "$lesson: no row has: $change"
        done < <(words_of "$lesson" | grep -oE '\b([Rr]emove|[Rr]eplace|[Mm]ove)( the( [a-z]+){1,3}( of)?)? `[^`]*`' || true)
    done
    finish
}

# built NAME: compiles the sources in $work/NAME for double and sum, to $work/NAME/program
built() {
    compile_kernel -Wno-error -I"$work/$1" -I"reduction_$lesson" -DVARIANT_NAME="reduction_$lesson" \
        -DVARIANT_SOURCE="\"$lesson.hip\"" "$(sh tools/build/only.sh double_sum)" -c common/instances/instantiate.hip -o "$work/$1/object.o" &&
        link_variant "reduction_$lesson" "$work/$1/object.o" "$work/$1/program"
}
runs() { # runs TRACE WARP: the program of this row
    local of=$options
    case $of in *--size*) ;; *) of="--size=3000 $of" ;; esac
    [ -z "$1" ] || set -- "$1" "$2" --quiet
    try env ${1:+HIP_CPU_TRACE=$1} HIP_CPU_WARP_SIZE="$2" "$work/$name/program" --iterations=3 --warmup=0 --ceiling=1 $of $3
}
holds() { # the outcome is what the row says
    local text
    case $outcome in
    right) for warp in 32 64; do runs '' $warp && exits 0 && runs races $warp && exits 0 && ! says '^race 1:' || return 1; done ;;
    wrong) for warp in 32 64; do runs '' $warp && exits 1 || return 1; done ;;
    race\ *) runs races 32 && says '^race 1:\|^race: ' && grep -qF "${outcome#race }" "$work/said" && ! exits 0 ;;
    exit\ *) text=${outcome#exit ? } && runs '' 32 && exits "$(cut -d ' ' -f 2 <<<"$outcome")" && says "$text" ;;
    *) false ;;
    esac
}

@test "each change has the outcome that the lesson gives" {
    number=0
    programs=$(rows | cut -f 1 | sort -u | while read -r lesson; do ! wanted "$lesson" || echo "instances/double_sum/reduction_$lesson"; done)
    [ -n "$programs" ] || skip 'no lesson is chosen'
    try ${MAKE:-make} -s -j"$(nproc)" traced TRACED="$programs"
    check 'the traced programs build' exits 0
    . "$(tail -n 1 "$work/said")"
    while read -r row; do
        lesson=$(field 1) file=$(field 3) options=$(field 4) outcome=$(field 5) script=$(field 6)
        [ "$outcome" != question ] && wanted "$lesson" || continue
        [ "$options" != - ] || options=
        number=$((number + 1)) name=$number
        mkdir "$work/$name" && cp "reduction_$lesson"/*.h* "$work/$name"
        sed "$script" "reduction_$lesson/$file" >"$work/$name/$file"
        [ -z "$script" ] || check "$lesson: $script changes nothing" [ "$(cmp "reduction_$lesson/$file" "$work/$name/$file" | wc -l)" -gt 0 ]
        try built "$name"
        check "$lesson: compiles with $script" exits 0
        verdict "$(holds && echo 0 || echo 1)" "$lesson: $(field 2): not $outcome"
    done < <(rows)
    finish
}
