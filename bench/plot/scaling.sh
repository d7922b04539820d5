#!/bin/sh
# Draws CSV files of reduction_multi_gpu: time against the size for each number of ranks and way to combine, efficiencies,
# and what the combination costs; as SVG and PNG beside the first one.
#
#   bench/plot/scaling.sh CSV...
#
# BASE=results/h200x2/all names the figures: all-time.svg ...
scripts=$(cd "$(dirname "$0")" && pwd)
for csv; do
    [ -r "$csv" ] || { echo "scaling: $csv cannot be read" >&2; exit 2; }
done
base=${BASE:-${1%.csv}}
command -v gnuplot >/dev/null || { echo 'gnuplot is not there: ./install-deps.sh plot (package gnuplot-nox)' >&2; exit 2; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

# columns: n total combination strong weak one peer, "-" if unknown; a block for each curve, whose title is in titles
awk -v titles="$work/titles" -f "$scripts/../csv.awk" -f /dev/fd/3 "$@" >"$work/data" 3<<'AWK'
FNR == 1 { csv_header($0); next }
function known(x) { return x == "" ? "-" : x }
{
    csv_row($0)
    if (csv["n"] == 0 || csv["check"] == "FAIL")
        next
    title = csv["ranks"] (csv["ranks"] == 1 ? " rank, " : " ranks, ") csv["combine"]
    if (title != last) {
        if (last != "")
            printf "\n\n"
        print title >titles
    }
    last = title
    print csv["n"], csv["total_us"], known(csv["combination_us"]), known(csv["strong_efficiency"]),
        known(csv["weak_efficiency"]), known(csv["one_device_us"]), known(csv["peer_us"])
}
AWK
[ -s "$work/data" ] || { echo "scaling: $1 has no right results" >&2; exit 2; }
blocks=$(wc -l <"$work/titles")
heading=$(awk -f "$scripts/../csv.awk" -f /dev/fd/3 "$1" 3<<'AWK'
FNR == 1 { csv_header($0); next }
{ csv_row($0); gsub(/\047/, "", csv["device"]); print csv["op"] " of " csv["type"] ", " csv["method"] ", " csv["device"]; exit }
AWK
)
for figure in time efficiency combination; do
    for format in svg png; do
        output=$base-$figure.$format
        gnuplot -e "scripts='$scripts'; data='$work/data'; titles='$work/titles'; blocks=$blocks; figure='$figure'" \
            -e "format='$format'; output='$output'; heading='$heading'" "$scripts/scaling.gp" 2>"$work/warnings" ||
            { cat "$work/warnings" >&2; exit 3; } # it warns of curves without points, such as a peer that was not asked for
        echo "$output"
    done
done
