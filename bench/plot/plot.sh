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
    exit "${2:-2}"
}
[ -n "$csv" ] || fail 'there is no CSV: run make bench first, or name one, make plot CSV=results/h200/sweep/sweep.csv'
[ -r "$csv" ] || fail "$csv cannot be read"
case $clock in total | kernel) ;; *) fail "CLOCK=$clock: use total or kernel" ;; esac
command -v gnuplot >/dev/null ||
    fail 'gnuplot is not there: ./install-deps.sh plot (package gnuplot-nox)'
mkdir -p "$dir" 2>/dev/null || fail "cannot write to $dir"

work=$(mktemp -d 2>/dev/null) || fail 'there is no place for temporary files: set TMPDIR to a folder of yours' 3
trap 'rm -rf "$work"' EXIT
case $bar_n in
*K) bar_n=$((${bar_n%K} << 10)) ;;
*M) bar_n=$((${bar_n%M} << 20)) ;;
*G) bar_n=$((${bar_n%G} << 30)) ;;
esac

pairs=$(awk -f "$scripts/../csv.awk" -f /dev/fd/3 "$csv" 3<<'AWK'
FNR == 1 { csv_header($0); next }
{ csv_row($0); pair = csv["type"] "/" csv["op"]; if (pair !~ /^[a-z]+\/[a-z]+$/) exit
  if (!(pair in seen)) print pair; seen[pair] = 1 }
AWK
)
[ -n "$pairs" ] || fail "$csv has no columns type and op, or no rows: is it a CSV that make bench wrote?"

# put FILE: moves a figure to where it belongs, if it is whole: gnuplot does not notice a full disk.
put() {
    case $1 in
    *.svg) tail -n 3 "$1" | grep -q '</svg>' ;;
    *) tail -c 8 "$1" | grep -q IEND ;;
    esac || fail "$1 could not be drawn: free some space there, or set TMPDIR to another folder" 3
    if ! { cp "$1" "$2" 2>/dev/null && cmp -s "$1" "$2"; }; then
        rm -f "$2"
        fail "$2 cannot be written: free some space there, or name another folder with PLOTS=figures" 3
    fi
    echo "$2" || exit 3
}

base=$dir/$(basename "$csv" .csv)
for pair in $pairs; do
    type=${pair%/*} op=${pair#*/}
    mkdir -p "$work/$type-$op"
    figures=$(awk -f "$scripts/../csv.awk" -f "$scripts/plot.awk" -v dir="$work/$type-$op" -v type="$type" \
        -v op="$op" -v clock="$clock" -v bar_n="$bar_n" "$csv" 2>"$work/error") ||
        fail "$(head -n 1 "$work/error"): free some space in $work, or set TMPDIR to another folder" 3
    [ -n "$figures" ] || echo "plot: no right results for $op of $type" >&2
    for figure in $figures; do
        script=lines
        [ "$figure" = bars ] && script=bars
        for format in svg png; do
            output=$work/figure.$format
            gnuplot -e "scripts='$scripts'; dir='$work/$type-$op'; figure='$figure'; format='$format'; output='$output'" \
                "$scripts/$script.gp" || exit 3
            if [ $format = svg ]; then # it has the name of the program there
                sed "s|<title>Gnuplot</title>|<title>$(sed 's/&/\\&amp;/g; s/</\\&lt;/g; s/|//g' "$work/$type-$op/$figure.title")</title>|" \
                    "$output" >"$output.titled" && mv "$output.titled" "$output"
            fi
            put "$output" "$base-$type-$op-$figure.$format"
        done
    done
done
