#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts what the hardware would do with a traced program, or with two side by side.
#
#   explain.sh PROGRAM [-- ARGUMENT...]              every kernel, line by line, then its totals
#   explain.sh FROM TO [-- ARGUMENT...]              the totals of the first kernels, and what changed in words
#
# WARP="32 64": one run for each. MACHINE=gfx942: counts for that machine (machines.h).
# FORMAT=json: the numbers, for one warp size if WARP= names none; what the program prints goes to stderr.
# PAGE=explain.html: all of it as a page for a browser. Exit code: that of the program.
here=$(dirname "$0")
. "$here/../program.sh"
usage() { echo "$*" >&2; exit 2; }
from=${1---} to='' status=0 number=0
[ "$from" != -- ] || usage "$(sed -n "3,6p" "$0")"
shift
[ "${1---}" = -- ] || { to=$1 && shift; }
[ "${1---}" = -- ] || usage "explain.sh compares two programs: $from and $to, and not $1"
[ $# -eq 0 ] || shift
[ -z "$PAGE" ] || [ -z "$FORMAT" ] || usage "PAGE=$PAGE FORMAT=$FORMAT: give only one; the page contains the JSON"
[ "${FORMAT:-json}" = json ] || usage "FORMAT=$FORMAT: json is the only one; without it there is a table, with PAGE=explain.html a page"
[ -z "$PAGE" ] || { [ -w "$(dirname "$PAGE")" ] && [ ! -d "$PAGE" ]; } ||
    usage "PAGE=$PAGE: name a file in a folder that can be written to, such as PAGE=explain.html"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
case $MACHINE in gfx90a | gfx942) WARP=${WARP:-64} ;; ?*) WARP=${WARP:-32} ;; esac
[ -z "$FORMAT" ] || WARP=${WARP:-32}

# count PROGRAM FORMAT FILE ARGUMENT...: what is counted goes to FILE. A program with a wrong result is counted, too.
count() {
    program=$1 file=$3
    export HIP_CPU_EXPLAIN="${MACHINE:+machine:$MACHINE,}${2:+$2,}to:$3"
    shift 3
    traced_run "$program" "$@" || status=$?
    [ -s "$file" ] || exit $status
}
export HIP_CPU_TRACE=explain
for warp in ${WARP:-32 64}; do
    export HIP_CPU_WARP_SIZE="$warp"
    [ -n "$to$PAGE$FORMAT" ] || { count "$from" '' "$work/text" "$@" && cat "$work/text" && continue; }
    for program in "$from" ${to:+"$to"}; do
        number=$((number + 1))
        [ -z "$to" ] || count "$program" csv "$work/$number.csv" "$@" >&2
        [ -n "$PAGE$FORMAT" ] || continue
        count "$program" json "$work/$number.json" "$@" >&2
        { [ $number -eq 1 ] || echo , && sed '1d; $d' "$work/$number.json"; } >>"$work/list"
        [ -z "$PAGE" ] || count "$program" '' "$work/$number.text" "$@" >/dev/null # for a browser without JavaScript
    done
    [ -z "$to" ] || awk -v from="$(traced_name "$from")" -v to="$(traced_name "$to")" -v warp="$warp" -f "$here/compare.awk" \
        "$work/$((number - 1)).csv" "$work/$number.csv" >>"$work/comparison"
done
[ -z "$FORMAT" ] || { echo '[' && cat "$work/list" && echo ']'; }
if [ -n "$PAGE" ]; then
    . "$here/page.sh" >"$work/page"
    cp "$work/page" "$PAGE" 2>/dev/null || usage "PAGE=$PAGE cannot be written: choose another place"
    echo "$PAGE: open it in a browser"
elif [ -n "$to" ]; then
    cat "$work/comparison"
fi
exit $status
