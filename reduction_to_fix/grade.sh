#!/bin/sh
# Checks the exercises of one attendee, or of a folder with a folder for each attendee.
#
#   grade.sh DIR
#
# An attendee's folder has the files of the exercises by their names, anywhere below it (a copy of the whole
# tree, of reduction_to_fix, or of single files). Of two with one name the newer one counts. Each file is
# copied, compiled and checked in a folder of its own, as another process group, with limits on time, memory and
# output. A line for each exercise is printed and written to DIR/grades.csv and DIR/grades.json. What is there
# already is not done again, as long as the file is the same: an interrupted run goes on where it was.
#
# This keeps accidents in: endless loops, crashes, gigabytes of output. It is no wall: the code runs as you, and
# can read and write what you can, and reach the network. Grade strangers' code in a container or as a user who
# owns nothing.
dir=$1
seconds=${GRADE_SECONDS:-60} # for one exercise: compilation, and as long again for the check
memory=${GRADE_MEMORY:-4194304} # KiB of memory that may be written to
jobs=${GRADE_JOBS:-$(getconf _NPROCESSORS_ONLN)}
make=${MAKE:-make}

[ -n "$dir" ] || { echo 'make grade DIR=submissions: name the folder of an attendee, or a folder of them' >&2; exit 2; }
[ -d "$dir" ] && [ -w "$dir" ] || { echo "DIR=$dir: there is no such folder that can be written to" >&2; exit 2; }
dir=$(cd "$dir" && pwd)
work=$(mktemp -d) || exit 3
rules=$PWD/reduction_to_fix/checker/rules.txt
# Ends all that is in the session of the last command, whatever process group it is in.
end_session() {
    [ -s "$work/session" ] || return 0
    for _ in 1 2 3; do # what forks meanwhile is met the next time
        # shellcheck disable=SC2046 # numbers
        set -- $(ps -eo pid=,sess= | awk -v session="$(cat "$work/session")" '$2 == session { print $1 }')
        [ $# -gt 0 ] || break
        kill -KILL "$@" 2>/dev/null
    done
    rm -f "$work/session"
}
stop() {
    end_session
    rm -rf "$work"
}
trap stop EXIT
trap 'echo "interrupted: the same command goes on from here" >&2; exit 130' INT TERM

csv=$dir/grades.csv json=$dir/grades.json
header='attendee,exercise,file,cksum,verdict,code,diagnosis,seconds'
[ -f "$csv" ] || echo "$header" >"$csv"
[ "$(head -n 1 "$csv")" = "$header" ] || { echo "$csv is no list of grades: move it away" >&2; exit 2; }

files=$(grep -v '^#' reduction_to_fix/exercises.txt | cut -d'|' -f3)
has_exercises() {
    for f in $files; do
        [ -z "$(find "$1" -name "$f" -type f 2>/dev/null | head -n 1)" ] || return 0
    done
    return 1
}

# An attendee's folder has exercises in it, or in a reduction_to_fix; else its folders are attendees.
attendees() {
    single=
    for f in $files; do
        [ ! -f "$dir/$f" ] && [ ! -d "$dir/reduction_to_fix" ] || single=1
    done
    for d in "$dir"/[01][0-9]_*/; do
        [ ! -d "$d" ] || single=1
    done
    if [ -n "$single" ]; then
        echo "$dir"
    else
        for d in "$dir"/*/; do
            has_exercises "$d" && echo "${d%/}"
        done
    fi
}

quote() { printf '"%s"' "$(printf %s "$1" | tr -d '\r\n' | sed 's/"/""/g')"; }
from_json() { sed -n "s/.*\"$1\": \"\\(\\([^\"\\\\]\\|\\\\.\\)*\\)\".*/\\1/p" "$2" 2>/dev/null | sed 's/\\\(.\)/\1/g'; }

# limited SECONDS COMMAND...: a session of its own, killed as a whole, its output cut off.
limited() {
    # In units of 512 bytes, 1024 bytes: 128 MiB for one file, and the memory that it may write to.
    # shellcheck disable=SC2016 # $$ and "$@" are for the inner shell
    setsid -w sh -c 'echo $$ >"$1"; shift; ulimit -c 0; ulimit -f 262144; ulimit -d "$1" 2>/dev/null; shift
        exec timeout -k 2 "$@"' sh "$work/session" "$memory" "$@" 2>&1 </dev/null | head -c 1000000
    end_session # what it left behind
}

# grade ATTENDEE NUMBER FILE NAME SUM: one line of the CSV in $work/NAME-NUMBER.line
grade_one() {
    box=$work/box
    mkdir -p "$box/trace"
    cp "$3" "$box/attendee.hip"
    flags=$(awk -F'|' -v n="$2" '!/^#/ && $1 == n { print $5 }' reduction_to_fix/exercises.txt)
    began=$(date +%s)
    limited "$seconds" "$make" -s GPU=cpu EX="$2" SOURCE="$box/attendee.hip" WORK="$box" exercise-judge exercise-program \
        >"$box/log"
    if [ -x "$box/program" ]; then
        limited "$seconds" "$make" -s GPU=cpu TRACE=1 EX="$2" SOURCE="$box/attendee.hip" WORK="$box/trace" exercise-runner \
            >>"$box/log"
        # shellcheck disable=SC2086 # flags are words
        (
            cd "$box" || exit
            limited "$seconds" ./judge --json=result.json --exercise="$2" --runner="$box/trace/runner" --traced \
                --program="$box/program" --symbols="$box/trace/symbols" --rules="$rules" $flags >>log
        )
        verdict=$(from_json verdict "$box/result.json")
        code=$(from_json code "$box/result.json")
        what=$(from_json diagnosis "$box/result.json")
        if [ -z "$verdict" ]; then
            verdict=wrong code=limit what="the check did not end within $seconds s, or its result was destroyed"
        fi
    else
        verdict=wrong code=compile what=$(grep -m 1 'error' "$box/log" | sed "s|$box/attendee.hip|${3##*/}|")
        [ -n "$what" ] || what="it does not compile within $seconds s"
    fi
    printf '%s,%s,%s,%s,%s,%s,%s,%s\n' "$(quote "$4")" "$2" "$(quote "${3#"$dir"/}")" "$5" "$verdict" "$code" \
        "$(quote "$what")" $(($(date +%s) - began)) >"$work/line"
    rm -rf "$box"
}

show() {
    awk -F',' '{ rest = $0; sub(/^("([^"]|"")*"|[^,]*),/, "", rest); who = substr($0, 1, length($0) - length(rest) - 1)
                 gsub(/^"|"$/, "", who); gsub(/""/, "\"", who)
                 split(rest, f, ","); what = rest; sub(/.*,(wrong|solved),[a-z0-9_]*,"/, "", what); sub(/",[0-9]*$/, "", what)
                 match(rest, /,(wrong|solved),/); verdict = substr(rest, RSTART + 1, RLENGTH - 2)
                 printf "%-18s %3s  %-7s %s\n", substr(who, 1, 18), f[1], verdict, substr(what, 1, 68) }'
}

printf '%-18s %3s  %-7s %s\n' attendee EX verdict diagnosis
$make -s -j"$jobs" GPU=cpu EX=1 WORK="$work/first" exercise-judge exercise-program >"$work/log" 2>&1 &&
    $make -s -j"$jobs" GPU=cpu TRACE=1 EX=1 WORK="$work/first_traced" exercise-runner >>"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 3
}
attendees >"$work/attendees"
[ -s "$work/attendees" ] || { echo "DIR=$dir: there is no exercise below it, by the names of the files in reduction_to_fix" >&2; exit 2; }

while read -r folder; do
    name=${folder##*/}
    for number in $(grep -v '^#' reduction_to_fix/exercises.txt | cut -d'|' -f1); do
        file=$(awk -F'|' -v n="$number" '!/^#/ && $1 == n { print $3 }' reduction_to_fix/exercises.txt)
        path=$(find "$folder" -name "$file" -type f -exec ls -t {} + 2>/dev/null | head -n 1)
        [ -n "$path" ] || continue
        sum=$(cksum <"$path" | cut -d' ' -f1)
        known=$(grep -F "$(quote "$name"),$number," "$csv" | grep -F ",$sum," | tail -n 1)
        if [ -n "$known" ]; then
            printf '%s\n' "$known" | show
            continue
        fi
        grade_one "$folder" "$number" "$path" "$name" "$sum" &
        wait $!
        cat "$work/line" >>"$csv"
        show <"$work/line"
    done
done <"$work/attendees"

# The last line of each attendee and exercise counts.
awk -F',' 'NR == 1 { next }
    { line = $0; match(line, /^"([^"]|"")*",[0-9]+/); key = substr(line, RSTART, RLENGTH)
      if (!(key in last)) order[++count] = key
      last[key] = line }
    function text(t) { gsub(/\\/, "\\\\&", t); gsub(/""/, "\\\"", t); return t }
    END {
        print "["
        for (k = 1; k <= count; k++) {
            line = last[order[k]]; n = 0
            while (length(line)) {
                if (match(line, /^"([^"]|"")*"/)) { f = text(substr(line, 2, RLENGTH - 2)) }
                else { match(line, /^[^,]*/); f = substr(line, 1, RLENGTH) }
                field[++n] = f
                line = substr(line, RLENGTH + 2)
            }
            printf "  {\"attendee\": \"%s\", \"exercise\": %s, \"file\": \"%s\", \"verdict\": \"%s\", \"code\": \"%s\", " \
                   "\"diagnosis\": \"%s\", \"seconds\": %s}%s\n", field[1], field[2], field[3], field[5], field[6], \
                   field[7], field[8], k < count ? "," : ""
        }
        print "]"
    }' "$csv" >"$json.new" && mv "$json.new" "$json"
echo "written: $csv and $json"
