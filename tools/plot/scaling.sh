#!/bin/sh
# Draws a CSV of reduction_multi_gpu: time against the size for each number of ranks, efficiencies, and what the
# combination costs; as SVG and PNG beside the CSV.
#
#   tools/plot/scaling.sh CSV
scripts=$(cd "$(dirname "$0")" && pwd)
csv=$1
[ -r "$csv" ] || { echo "scaling: $csv cannot be read" >&2; exit 2; }
command -v gnuplot >/dev/null || { echo 'gnuplot is not there: ./install-deps.sh plot (package gnuplot-nox)' >&2; exit 2; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

# columns: ranks n total combination strong weak one peer, "-" if unknown; a block for each number of ranks
awk -f "$scripts/../csv.awk" -f /dev/fd/3 "$csv" >"$work/data" 3<<'AWK'
FNR == 1 { csv_header($0); next }
function known(x) { return x == "" ? "-" : x }
{
    csv_row($0)
    if (csv["n"] == 0 || csv["check"] == "FAIL")
        next
    if (ranks != csv["ranks"] && rows++)
        printf "\n\n"
    ranks = csv["ranks"]
    print ranks, csv["n"], csv["total_us"], known(csv["combination_us"]), known(csv["strong_efficiency"]),
        known(csv["weak_efficiency"]), known(csv["one_device_us"]), known(csv["peer_us"])
}
AWK
[ -s "$work/data" ] || { echo "scaling: $csv has no right results" >&2; exit 2; }
blocks=$(awk 'NF == 8 && $1 != last { n++; last = $1 } END { print n }' "$work/data")
title=$(awk -f "$scripts/../csv.awk" -f /dev/fd/3 "$csv" 3<<'AWK'
FNR == 1 { csv_header($0); next }
{ csv_row($0); print csv["op"] " of " csv["type"] ", " csv["method"] ", combined by " csv["combine"] ", " csv["device"]; exit }
AWK
)
for figure in time efficiency combination; do
    for format in svg png; do
        output=${csv%.csv}-$figure.$format
        gnuplot -e "scripts='$scripts'; data='$work/data'; blocks=$blocks; figure='$figure'; format='$format'; output='$output'" \
            -e "heading='$(printf %s "$title" | tr -d "'")'" "$scripts/scaling.gp" 2>"$work/warnings" ||
            { cat "$work/warnings" >&2; exit 3; } # it warns of curves without points, such as a peer that was not asked for
        echo "$output"
    done
done
