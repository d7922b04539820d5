#!/bin/sh
# The roofline table: resources of each kernel from the compiler, and the bound beside the measurement.
#
#   roofline.sh CSV TARGET TYPE OP N RESOURCES     RESOURCES: a file with lines of kernels.sh
scripts=$(cd "$(dirname "$0")" && pwd)
csv=$1 target=$2 type=$3 op=$4 n=$5 resources=$6

fail() {
    echo "roofline: $1" >&2
    exit 2
}
[ -r "$csv" ] || fail "$csv cannot be read: run make bench first, or name a CSV"
case $n in
*K) n=$((${n%K} << 10)) ;;
*M) n=$((${n%M} << 20)) ;;
*G) n=$((${n%G} << 30)) ;;
esac
arch=$(awk -f "$scripts/csv.awk" -f /dev/fd/3 "$csv" 3<<'AWK'
FNR == 1 { csv_header($0); next }
{ csv_row($0); print csv["arch"]; exit }
AWK
)
[ -n "$arch" ] || fail "$csv has no column arch, or no rows: is it a CSV that make bench wrote?"
[ "$arch" = "$target" ] ||
    fail "$csv was measured on $arch and this is for $target: make roofline GPU=$arch, or another CSV"
awk -f "$scripts/csv.awk" -f "$scripts/roofline.awk" -v resources="$resources" -v type="$type" -v op="$op" \
    -v n="$n" "$csv"
