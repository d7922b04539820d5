#!/bin/sh
# Counts what the hardware would do with a traced program, or with two side by side.
#
#   explain.sh PROGRAM [-- ARGUMENT...]              every kernel, line by line, then its totals
#   explain.sh FROM TO [-- ARGUMENT...]              the totals of the first kernels, and what changed in words
#
# WARP="32 64": one run for each. MACHINE=gfx942: counts for that machine (machines.h).
# FORMAT=json: the numbers, for one warp size; what the program prints goes to stderr.
# PAGE=explain.html: all of it as a page for a browser. Exit code: that of the program.
here=$(dirname "$0")
programs=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    programs="$programs $1"
    shift
done
[ $# -eq 0 ] || shift
if [ -n "$PAGE" ] && [ -n "$FORMAT" ]; then
    echo "PAGE=$PAGE FORMAT=$FORMAT: one of them; the page has the JSON in it" >&2
    exit 2
fi
case $FORMAT in
'' | json) ;;
*)
    echo "FORMAT=$FORMAT: json is the only one; without it there is a table, with PAGE=explain.html a page" >&2
    exit 2
    ;;
esac
if [ -n "$PAGE" ] && { ! [ -w "$(dirname "$PAGE")" ] || [ -d "$PAGE" ]; }; then
    echo "PAGE=$PAGE: name a file in a folder that can be written to, such as PAGE=explain.html" >&2
    exit 2
fi
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
# make passes a signal on to this shell alone.
child=
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; exit 130' INT TERM HUP
case $MACHINE in
gfx90a | gfx942) WARP=${WARP:-64} ;;
?*) WARP=${WARP:-32} ;;
esac
[ "$FORMAT" != json ] || WARP=${WARP:-32}
status=0

# run PROGRAM WARP FORMAT FILE ARGUMENT...: what is counted goes to FILE. A program with a wrong result is counted, too.
run() {
    program=$1 warp=$2 words=${MACHINE:+machine:$MACHINE,}${3:+$3,}to:$4 file=$4
    shift 4
    HIP_CPU_TRACE=explain HIP_CPU_EXPLAIN="$words" HIP_CPU_WARP_SIZE="$warp" "$program" "$@" <&0 &
    child=$!
    wait $child || status=$?
    child=
    [ -s "$file" ] || exit $status
}
name() { echo "${1##*/}" | sed 's/^reduction_//'; }

[ -n "$programs" ] || { sed -n "2,5p" "$0" >&2; exit 2; }
# shellcheck disable=SC2086  # programs are words
set -- $programs -- "$@"
from=$1 to=
[ "$2" = -- ] || to=$2
shift 2
[ -z "$to" ] || shift

parts=0
for warp in ${WARP:-32 64}; do
    if [ -n "$to" ]; then
        run "$from" "$warp" json "$work/from" "$@" >&2
        run "$to" "$warp" json "$work/to" "$@" >&2
        awk -v from="$(name "$from")" -v to="$(name "$to")" -v warp="$warp" -f "$here/compare.awk" \
            "$work/from" "$work/to" >>"$work/text"
    fi
    if [ -n "$PAGE" ]; then
        for program in "$from" $to; do
            parts=$((parts + 1))
            run "$program" "$warp" page "$work/part$parts" "$@" >&2
        done
    elif [ -z "$to" ]; then
        if [ -n "$FORMAT" ]; then
            run "$from" "$warp" "$FORMAT" "$work/text" "$@" >&2
        else
            run "$from" "$warp" '' "$work/text" "$@"
        fi
        cat "$work/text"
    fi
done
[ -n "$PAGE" ] || [ -z "$to" ] || cat "$work/text"
[ -n "$PAGE" ] || exit $status

# The page: the template with its title, and the kernels in its middle.
{
    if [ -n "$to" ]; then
        echo '<section class="compare" id="compare" data-title="side by side"><h2>Side by side</h2><pre>'
        sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' "$work/text"
        echo '</pre></section>'
    fi
    part=0
    while [ $part -lt $parts ]; do
        part=$((part + 1))
        cat "$work/part$part"
    done
} >"$work/kernels"
title="explain $(name "$from")${to:+ and $(name "$to")}"
while IFS= read -r line; do
    case $line in
    '<!-- runs -->') cat "$work/kernels" ;;
    '<title>'*) printf '<title>%s</title>\n' "$title" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$here/page.html" >"$work/page"
cp "$work/page" "$PAGE" 2>"$work/text" || { echo "PAGE=$PAGE cannot be written: choose another place" >&2; exit 2; }
echo "$PAGE: open it in a browser"
exit $status
