#!/bin/sh
# SPDX-License-Identifier: MIT
# How far an exercise's program goes on this GPU: its share of the read ceiling, beside the bars that were measured
# (results/*/exercises/bars.txt, a row for each number and kind of GPU). exercise.txt says what is measured, if anything.
#
#   bar.sh FOLDER PROGRAM
folder=${1%/} program=$2
options=$(sed -n 's/^bar: //p' "$folder/exercise.txt")
[ -n "$options" ] || exit 0
number=${folder##*/}
number=${number%%_*}

# shellcheck disable=SC2086 # options are words
said=$("$program" --format=json $options) || { echo "  $program $options: it is not right there" && exit 1; }
value() { echo "$said" | sed -n "s/.*\"$1\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p"; }
share=$(echo "$(value total_gbps) $(value ceiling_gbps)" | awk '$2 > 0 { printf "%.1f", 100 * $1 / $2 }')
echo "  You reach $share % of the read ceiling ($options)."
cat "$folder"/../../results/*/exercises/bars.txt 2>/dev/null | awk -v n="$number" -v arch="$(value arch)" '
    $1 + 0 == n + 0 && $2 == arch { print $3, "a plain solution"; print $4, "the same, eight loads on their way"; print $5, $6 }' |
    sort -n | awk -v share="$share" '{
        bar = $1
        $1 = ""
        printf "  %s bar %d: %5.1f %% %s\n", (share + 1 >= bar ? "over " : "below"), NR, bar, $0
    }'
