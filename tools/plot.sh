#!/bin/sh
# Draws the figures of a benchmark as SVG and PNG: for each type and operation in the CSV bandwidth, time
# and speed-up over the library against the size, and the bandwidths at one size as bars.
#
#   plot.sh CSV [DIR] [total|kernel] [N]      DIR: where to, default that of the CSV; N: size of the bars
scripts=$(cd "$(dirname "$0")" && pwd)
csv=${1:-}
dir=${2:-$(dirname "$csv")}
clock=${3:-total}
bar_n=${4:-}

fail() {
    echo "plot: $1" >&2
    exit 2
}
[ -n "$csv" ] || fail 'there is no CSV: run make bench first, or name one, make plot CSV=results/h200/sweep.csv'
[ -r "$csv" ] || fail "$csv cannot be read"
case $clock in total | kernel) ;; *) fail "CLOCK=$clock: there are total and kernel" ;; esac
command -v gnuplot >/dev/null ||
    fail 'gnuplot is not there: ./install-deps.sh plot (package gnuplot-nox)'
mkdir -p "$dir" || fail "cannot write to $dir"

work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
case $bar_n in
*K) bar_n=$((${bar_n%K} << 10)) ;;
*M) bar_n=$((${bar_n%M} << 20)) ;;
*G) bar_n=$((${bar_n%G} << 30)) ;;
esac

pairs=$(awk -f "$scripts/csv.awk" -f /dev/fd/3 "$csv" 3<<'AWK'
FNR == 1 { csv_header($0); next }
{ csv_row($0); pair = csv["type"] "/" csv["op"]; if (pair !~ /^[a-z]+\/[a-z]+$/) exit
  if (!(pair in seen)) print pair; seen[pair] = 1 }
AWK
)
[ -n "$pairs" ] || fail "$csv has no columns type and op, or no rows: is it a CSV that make bench wrote?"

base=$dir/$(basename "$csv" .csv)
for pair in $pairs; do
    type=${pair%/*} op=${pair#*/}
    mkdir -p "$work/$type-$op"
    figures=$(awk -f "$scripts/csv.awk" -f "$scripts/plot.awk" -v dir="$work/$type-$op" -v type="$type" \
        -v op="$op" -v clock="$clock" -v bar_n="$bar_n" "$csv") || exit 3
    [ -n "$figures" ] || echo "plot: no right results for $op of $type" >&2
    for figure in $figures; do
        script=lines
        [ "$figure" = bars ] && script=bars
        for format in svg png; do
            output=$base-$type-$op-$figure.$format
            gnuplot -e "scripts='$scripts'; dir='$work/$type-$op'; figure='$figure'; format='$format'; output='$output'" \
                "$scripts/$script.gp" || exit 3
            echo "$output"
        done
    done
done
