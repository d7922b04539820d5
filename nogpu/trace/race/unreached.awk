# SPDX-License-Identifier: MIT
# What several runs leave out, of the records "line" and "loop" (see merge.awk): lines that no thread of any run reached,
# and loops around a barrier that no run repeated.
BEGIN { RS = "\001"; FS = "\t"; shown_max = 16 }

{ sub(/\n$/, "") }
$1 == "line" || $1 == "loop" {
    if (!(($1, $2) in did)) place[$1, ++count[$1]] = $2
    did[$1, $2] += $3
    if ($4 != "") around[$2] = $4
}

END {
    for (i = 1; i <= count["line"]; i++) {
        at = place["line", i]
        if (did["line", at] || ++missed > shown_max) continue
        printf "%s%s\n", (missed == 1 ? "      no thread reached\n          " : "          "), at
    }
    if (missed > shown_max)
        printf "          and %d more lines\n", missed - shown_max
    for (i = 1; i <= count["loop"]; i++) {
        at = place["loop", i]
        if (!did["loop", at])
            printf "      the loop at %s around the barrier at %s ran once in each block\n", around[at], at
    }
}
