#!/bin/sh
# Segmented reduction against the library at constant total size: the time of the launches in microseconds,
# and how many times faster than the library each method is.
#
#   tools/bench_segmented.sh PROGRAM [TOTAL [METHODS [LENGTHS [OPTION...]]]]
#
#   TOTAL    elements, default 128M          METHODS  default "auto"; the library always runs, and
#                                                     flags is reduction_head_flags beside PROGRAM
#   LENGTHS  default 2^4 ... 2^24            OPTION   for the program, default --type=float
set -u
here=$(dirname "$0")
program=${1:?which program? reduction_segmented/reduction_segmented}
total=${2:-128M}
methods=${3:-auto}
lengths=${4:-$(awk 'BEGIN { for (k = 4; k <= 24; k++) printf "%d ", 2 ^ k }')}
[ $# -gt 4 ] && shift 4 || set -- --type=float

# The median of the kernel times, or the program's complaint.
measure() { # measure LENGTH METHOD OPTION...
    length=$1 method=$2 measured=$program
    shift 2
    if [ "$method" = flags ]; then
        measured=$(dirname "$program")/../reduction_head_flags/reduction_head_flags
    else
        set -- --method "$method" "$@"
    fi
    "$measured" -n "$total" --segment "$length" --ceiling 1 -f csv "$@" |
        awk -f "$here/csv.awk" -f /dev/fd/3 3<<'AWK'
FNR == 1 { csv_header($0); next }
FNR == 2 { csv_row($0); print csv["kernel_median_us"], csv["check"]; done = 1 }
END { if (!done) print "- none" }
AWK
}

printf '%10s %12s' length 'library us'
for method in $methods; do printf ' %12s %7s' "$method us" ratio; done
printf '\n'
bad=0
for length in $lengths; do
    set -- "$@" # keeps the options while the fields are taken apart below
    library=$(measure "$length" library "$@")
    [ "${library#* }" = OK ] || bad=1
    printf '%10s %12s' "$length" "${library% *}"
    for method in $methods; do
        ours=$(measure "$length" "$method" "$@")
        [ "${ours#* }" = OK ] || bad=1
        printf ' %12s %7s' "${ours% *}" "$(awk -v a="${library% *}" -v b="${ours% *}" \
            'BEGIN { if (a > 0 && b > 0) printf "%.2f", a / b; else print "-" }')"
    done
    printf '\n'
done
exit $bad
