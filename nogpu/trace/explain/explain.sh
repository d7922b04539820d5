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
usage() {
    echo "$*" >&2
    exit 2
}
from='' to=''
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    [ -z "$to" ] || usage "explain.sh compares two programs: $from and $to, and not $1"
    [ -z "$from" ] && from=$1 || to=$1
    shift
done
[ $# -eq 0 ] || shift
[ -n "$from" ] || usage "$(sed -n "3,6p" "$0")"
[ -z "$PAGE" ] || [ -z "$FORMAT" ] || usage "PAGE=$PAGE FORMAT=$FORMAT: give only one; the page contains the JSON"
case $FORMAT in
'' | json) ;;
*) usage "FORMAT=$FORMAT: json is the only one; without it there is a table, with PAGE=explain.html a page" ;;
esac
[ -z "$PAGE" ] || { [ -w "$(dirname "$PAGE")" ] && [ ! -d "$PAGE" ]; } ||
    usage "PAGE=$PAGE: name a file in a folder that can be written to, such as PAGE=explain.html"
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
case $MACHINE in
gfx90a | gfx942) WARP=${WARP:-64} ;;
?*) WARP=${WARP:-32} ;;
esac
[ -z "$FORMAT" ] || WARP=${WARP:-32}
status=0

# count PROGRAM FORMAT FILE ARGUMENT...: what is counted goes to FILE. A program with a wrong result is counted, too.
count() {
    program=$1 file=$3
    export HIP_CPU_EXPLAIN="${MACHINE:+machine:$MACHINE,}${2:+$2,}to:$3"
    shift 3
    traced_run "$program" "$@" || status=$?
    [ -s "$file" ] || exit $status
}
tables() { # tables PROGRAM ARGUMENT...: for a browser without JavaScript
    shown=$1
    shift
    count "$shown" '' "$work/plain" "$@" >/dev/null
    sed 's/&/\&amp;/g; s/</\&lt;/g' "$work/plain" >>"$work/tables"
}
name() { echo "${1##*/}" | sed 's/^reduction_//'; }
embed() { # embed TYPE FILE: in the page; neither JSON nor the comparison has a "<"
    echo "<script type=\"$1\">"
    cat "$2"
    echo '</script>'
}

export HIP_CPU_TRACE=explain
for warp in ${WARP:-32 64}; do
    export HIP_CPU_WARP_SIZE="$warp"
    if [ -z "$to$PAGE$FORMAT" ]; then
        count "$from" '' "$work/text" "$@"
        cat "$work/text"
        continue
    fi
    count "$from" json "$work/from" "$@" >&2
    if [ -n "$FORMAT" ]; then # all runs in one list
        [ ! -s "$work/list" ] || echo ,
        sed '1d;$d' "$work/from"
    fi >>"$work/list"
    if [ -n "$PAGE" ]; then
        embed application/json "$work/from" >>"$work/data"
        tables "$from" "$@"
    fi
    if [ -n "$to" ]; then
        count "$to" json "$work/to" "$@" >&2
        [ -z "$PAGE" ] || { embed application/json "$work/to" >>"$work/data" && tables "$to" "$@"; }
        awk -v from="$(name "$from")" -v to="$(name "$to")" -v warp="$warp" -f "$here/compare.awk" \
            "$work/from" "$work/to" >>"$work/comparison"
    fi
done
[ -z "$FORMAT" ] || { echo '[' && cat "$work/list" && echo ']'; }
if [ -n "$PAGE" ]; then
    {
        sed '/<!-- data -->/,$d' "$here/page.html"
        # A variant's type, and not what all of their runs have.
        type=
        case $* in
        *--type=*) ;;
        *--size=*) type=$(HIP_CPU_TRACE='' "$from" --help | sed -n 's/.*--type .*Default: / --type=/p') ;;
        esac
        echo "$(name "$from")${to:+ and $(name "$to")}$type $*; warps of ${WARP:-32 64}; $(date +%Y-%m-%d)" |
            sed 's/ --quiet --iterations=1 --warmup=0 --ceiling=1//; s/ ;/;/; s/32 64;/32 and 64;/' | tr -d '<&' >"$work/made"
        embed text/x-made "$work/made"
        [ -z "$to" ] || embed text/plain "$work/comparison"
        cat "$work/data"
        printf '<noscript><pre>'
        cat "$work/made" "$work/tables"
        printf '</pre></noscript>\n'
        sed '1,/<!-- data -->/d' "$here/page.html"
    } >"$work/page"
    cp "$work/page" "$PAGE" 2>/dev/null || usage "PAGE=$PAGE cannot be written: choose another place"
    echo "$PAGE: open it in a browser"
elif [ -n "$to" ]; then
    cat "$work/comparison"
fi
exit $status
