#!/bin/sh
# SPDX-License-Identifier: MIT
# What make check, hint, list, explain and race do in reduction_to_fix.
#
#   exercise.sh check|hint|list|explain|race NUMBER
#
# Runs in the folder above, with MAKE and BUILT (where programs go: empty or a folder with its slash) in the
# environment. What was solved and which hints were read is in .progress, beside the programs.
what=$1
here=reduction_to_fix
progress=${BUILT}$here/.progress

# One line of exercises.txt in variables; fails if there is none.
look_up() {
    line=$(awk -F'|' -v number="$1" '!/^#/ && $1 + 0 == number + 0 { print; exit }' $here/exercises.txt)
    [ -n "$line" ] || {
        echo "EX=$1: no such exercise; make list shows them" >&2
        return 1
    }
    number=$(echo "$line" | cut -d'|' -f1)
    folder=$(echo "$line" | cut -d'|' -f2)
    lesson=$(echo "$line" | cut -d'|' -f4)
    flags=$(echo "$line" | cut -d'|' -f5)
    title=$(echo "$line" | cut -d'|' -f6)
    source=$(echo "$line" | cut -d'|' -f3)
    [ "$folder" = . ] || source=$folder/$source
    source=$here/$source
    case $lesson in
    */*) lesson=${lesson#../} ;;
    *) lesson=reduction_$lesson/README.md ;;
    esac
}

sum_of() { cksum <"$1" | cut -d' ' -f1; }

# remember KEY VALUE: replaces the line of that key.
remember() {
    if ! { mkdir -p "${progress%/*}" && (: >"$progress.new"); } 2>/dev/null; then
        echo "$progress cannot be written: what is solved, and which hints were read, is not remembered" >&2
        return 0
    fi
    { [ ! -f "$progress" ] || grep -v "^$1 " "$progress"; echo "$1 $2"; } >"$progress.new" &&
        mv "$progress.new" "$progress"
}
recall() { [ ! -f "$progress" ] || sed -n "s/^$1 //p" "$progress"; }

build() { # GOALS AND WORDS...
    $MAKE --no-print-directory "$@" EX="$number" >"$log" 2>&1 || {
        cat "$log" >&2
        return 1
    }
}

check() {
    look_up "$1" || return 2
    log=$(mktemp) && json=$(mktemp) || return 3
    trap 'rm -f "$log" "$json"' EXIT
    trap 'exit 130' INT TERM
    printf "%s\n" "Exercise $number: $title" "  $source"
    [ ! -t 1 ] || printf '  compiling ...'
    work=${BUILT}build/exercises/$number
    build exercise-judge exercise-runner GPU=cpu TRACE=1 WORK="$work" || {
        if grep 'attempt to use poisoned' "$log" | grep -qv '^[^:]*[.]hip:'; then
            echo "exercise $number: it includes a header that is no part of an exercise; those of HIP, of C and of the course are"
        elif grep -q 'attempt to use poisoned' "$log"; then
            echo "exercise $number: this name is not allowed: it could make the code behave differently elsewhere, or hide what it does"
        elif grep -q 'error: ' "$log"; then
            echo "exercise $number: it does not compile; the first message above says where"
        else
            echo "exercise $number: it could not be built, for a reason outside its source; see the message above"
        fi
        return 1
    }
    [ ! -t 1 ] || printf '\r                \r'
    # shellcheck disable=SC2086 # flags are words
    "$work/judge" --name="exercise $number" --exercise="$number" --runner="$work/runner" \
        --traced --symbols="$work/symbols" --rules=$here/checker/rules/rules.txt \
        --program="${BUILT}build/cpu/exercises/$number/program" \
        --build="$MAKE -s --no-print-directory GPU=cpu EX=$number WORK='${BUILT}build/cpu/exercises/$number' exercise-program" \
        --json="$json" $flags
    status=$?
    if [ $status -eq 0 ]; then
        remember "solved.$number" "$(sum_of "$source")"
    fi
    [ $status -ne 1 ] || printf "  %s\n" "read      $lesson" "or        make $([ "$number" = 1 ] || echo "EX=$number ")hint"
    return $status
}

# On a GPU, if make finds one: with its own order, and with the vendor's sanitizer where there is one.
check_on_gpu() {
    platform=$(sh platform/target.sh "${GPU:-auto}" | cut -d' ' -f1)
    case $platform in
    nvidia | amd) ;;
    *) return 0 ;;
    esac
    work=${BUILT}build/exercises/$number-$platform
    echo "The same on the GPU:"
    build exercise-judge exercise-runner WORK="$work" || return 0
    # shellcheck disable=SC2086 # flags are words
    "$work/judge" --name="exercise $number on the GPU" --runner="$work/runner" $flags
    status=$?
    [ $status -ne 77 ] || return 0
    if [ $status -eq 0 ] && grep -q "^$number|" $here/bars.txt; then
        build exercise-program WORK="$work" && sh $here/bar.sh "$number" "$work/program"
    fi
    [ $status -eq 0 ] && [ "$platform" = nvidia ] && command -v compute-sanitizer >/dev/null || return $status
    for tool in memcheck racecheck synccheck; do
        compute-sanitizer --tool $tool --error-exitcode 99 "$work/runner" once >"$log" 2>&1
        case $? in
        0) echo "  compute-sanitizer, $tool: nothing" ;;
        99)
            echo "  compute-sanitizer, $tool:"
            grep -v '^=* *$' "$log" | head -n 12
            return 1
            ;;
        *) echo "  compute-sanitizer, $tool, does not work here: $(grep -v '^=* *$' "$log" | head -n 1)" ;;
        esac
    done
}

hint() {
    look_up "$1" || return 2
    hints=${source%/*}/hints.txt
    [ "$folder" != . ] || hints=$here/hints.txt
    given=$(recall "hint.$number")
    next=$((${given:-0} + 1))
    last=$(($(grep -c '^%' "$hints") + 1))
    if [ $next -gt $last ]; then
        next=$last
        echo "(that was the last hint)"
    fi
    remember "hint.$number" $next
    echo "Exercise $number, hint $next of $last:"
    awk -v wanted=$next 'BEGIN { n = 1 } /^%/ { n++; next } n == wanted { print }' "$hints"
}

list() {
    printf '%3s  %-8s %-42s %s\n' EX solved 'what it is about' 'explained in'
    grep -v '^#' $here/exercises.txt | while IFS='|' read -r each _; do
        look_up "$each"
        known=$(recall "solved.$number")
        state=
        [ -z "$known" ] || state=changed
        [ "$known" != "$(sum_of "$source")" ] || state=yes
        printf '%3s  %-8s %-42s %s\n' "$number" "$state" "$title" "$lesson"
    done
    echo "make EX=3 builds exercise 3, make EX=3 check checks it; changed: solved, and changed since"
}

# What the hardware would do, line by line, in the case that the checker counts.
explain() {
    look_up "$1" || return 2
    log=$(mktemp) || return 3
    trap 'rm -f "$log"' EXIT
    work=${BUILT}build/exercises/$number
    build exercise-program GPU=cpu TRACE=1 WORK="$work" || return 1
    WARP=${WARP:-32} sh nogpu/trace/explain/explain.sh "$work/program" -- --quiet --iterations=1 --warmup=0 \
        --ceiling=1 --type=float --size=2048 --block=256 --grid=2
}

# Unordered accesses, with both warp sizes.
race() {
    look_up "$1" || return 2
    log=$(mktemp) || return 3
    trap 'rm -f "$log"' EXIT
    work=${BUILT}build/exercises/$number
    build exercise-program GPU=cpu TRACE=1 WORK="$work" || return 1
    sh nogpu/trace/race/race.sh "$work/program" --quiet --iterations=1 --warmup=0 --ceiling=1 --size=10007
}

case $what in
check)
    check "$2"
    status=$?
    [ $status -ne 0 ] || { check_on_gpu; status=$?; }
    next=$(awk -F'|' -v n="$number" '/^#/ { next } found { print $1; exit } $1 == n { found = 1 }' $here/exercises.txt)
    [ $status -ne 0 ] || [ -z "$next" ] || echo "Next: make EX=$next check; make list shows all"
    ;;
hint | list | explain | race)
    $what "$2"
    status=$?
    ;;
*)
    echo "usage: exercise.sh check|hint|list|explain|race NUMBER" >&2
    exit 2
    ;;
esac
[ -z "$STATUS" ] || { echo $status >"$STATUS" && exit; } # for a make that says so once
exit $status
