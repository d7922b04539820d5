#!/bin/sh
# SPDX-License-Identifier: MIT
# How far an exercise's program goes on this GPU: its share of the read ceiling, beside the bars that were measured.
#
#   bar.sh NUMBER PROGRAM
#
# bars.txt says what is measured; the bars are in results/*/exercises/bars.txt, a row for each number and kind of GPU.
here=$(dirname "$0")
options=$(awk -F'|' -v n="$1" '$1 == n { print $2 }' "$here/bars.txt")
[ -n "$options" ] || exit 0

# shellcheck disable=SC2086 # options are words
said=$("$2" --format=json $options) || { echo "  $2 $options: it is not right there" && exit 1; }
value() { echo "$said" | sed -n "s/.*\"$1\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p"; }
share=$(echo "$(value total_gbps) $(value ceiling_gbps)" | awk '$2 > 0 { printf "%.1f", 100 * $1 / $2 }')
echo "  You reach $share % of the read ceiling ($options)."
cat "$here"/../results/*/exercises/bars.txt 2>/dev/null | awk -v n="$1" -v arch="$(value arch)" '
    $1 == n && $2 == arch { print $3, "a plain solution"; print $4, "the same, eight loads on their way"; print $5, $6 }' |
    sort -n | awk -v share="$share" '{
        bar = $1
        $1 = ""
        printf "  %s bar %d: %5.1f %% %s\n", (share + 1 >= bar ? "over " : "below"), NR, bar, $0
    }'
