# Two variants of a benchmark against each other, as Markdown: a table for each of `full`, and the geometric
# means of time by time over ranges of sizes for every type and operation.
#
#   awk -f bench/csv.awk -f bench/versus.awk [-v clock=total] [-v ours=single_pass] [-v theirs=prim]
#       [-v full="float-sum double-sum"] CSV
#
# Over the rounds of a measurement: the smallest minimum, the median of the 95th percentiles, and the median of the
# medians; with the device's clock the median of the means, since the resolution of its events is several per cent of
# a short kernel.
BEGIN {
    FS = "\n"
    if (clock == "") clock = "kernel"
    if (ours == "") ours = "single_pass"
    if (theirs == "") theirs = "prim"
    typical = clock == "kernel" ? "mean" : "median"
    named = ours theirs ~ /offset=/ # the names of the variants say it already
    if (full == "") full = "float-sum double-sum"
    ranges = split("0 12 21 26 30 64", from, " ") - 1
}

FNR == 1 { csv_header($0); next }
{
    csv_row($0)
    if (csv["check"] != "OK" || (csv_variant() != ours && csv_variant() != theirs))
        next
    what = csv["type"] "-" csv["op"] (csv["offset"] > 0 && !named ? "-offset-" csv["offset"] : "")
    if (!(what in seen)) { seen[what]; order[++whats] = what }
    n = csv["n"] + 0
    if (!((what, n) in sized)) { sized[what, n]; sizes[what, ++size_count[what]] = n }
    key = what SUBSEP n SUBSEP (csv_variant() == ours ? "ours" : "theirs")
    rounds = ++count[key]
    values[key, rounds] = csv[clock "_" typical "_us"]
    p95s[key, rounds] = csv[clock "_p95_us"]
    if (!(key in least) || csv[clock "_min_us"] + 0 < least[key]) least[key] = csv[clock "_min_us"] + 0
    bytes[what, n] = csv["bytes"]
    if (csv_variant() == ours) shape[what, n] = csv["grid"] " x " csv["block"]
}

function middle(table, key,    i, list) {
    for (i = 1; i <= count[key]; i++)
        list[i] = table[key, i]
    return median(list, count[key])
}
function cell(key) {
    return sprintf("%.2f (%.2f, %.2f)", middle(values, key), least[key], middle(p95s, key))
}
function speed_up(what, n) {
    return middle(values, what SUBSEP n SUBSEP "theirs") / middle(values, what SUBSEP n SUBSEP "ours")
}
function both(what, n) {
    return (what SUBSEP n SUBSEP "ours") in count && (what SUBSEP n SUBSEP "theirs") in count
}
function words(what) {
    gsub(/-/, " ", what)
    return what
}

END {
    wanted = split(full, list, " ")
    for (w = 1; w <= wanted; w++) {
        what = list[w]
        if (!(what in seen)) continue
        printf "**%s**, us: %s (minimum, 95th percentile)\n\n", words(what), typical
        printf "| n | %s | %s | %s / %s | GB/s | grid x block |\n|---|---|---|---|---|---|\n", theirs, ours, theirs, ours
        for (i = 1; i <= size_count[what]; i++) {
            n = sizes[what, i]
            if (!both(what, n)) continue
            o = what SUBSEP n SUBSEP "ours"
            printf "| %s | %s | %s | %.3f | %.0f | %s |\n", size_text(n), cell(what SUBSEP n SUBSEP "theirs"),
                cell(o), speed_up(what, n), bytes[what, n] / middle(values, o) / 1e3, shape[what, n]
        }
        print ""
    }
    printf "Time of %s / time of %s, geometric mean over the measured sizes, and the lowest of all:\n\n|", theirs, ours
    for (r = 1; r <= ranges; r++)
        printf " | %s", r < ranges ? "2^" from[r] "..2^" from[r + 1] - 1 : "2^" from[r] " and more"
    printf " | lowest |\n|---|"
    for (r = 1; r <= ranges; r++)
        printf "---|"
    print "---|"
    for (w = 1; w <= whats; w++) {
        what = order[w]
        lowest = 0
        split("", sum); split("", terms)
        for (i = 1; i <= size_count[what]; i++) {
            n = sizes[what, i]
            if (!both(what, n)) continue
            ratio = speed_up(what, n)
            for (r = ranges; n < 2 ^ from[r] && r > 1; r--) {}
            sum[r] += log(ratio)
            terms[r]++
            if (lowest == 0 || ratio < lowest) { lowest = ratio; lowest_n = n }
        }
        if (lowest == 0) continue
        printf "| %s |", words(what)
        for (r = 1; r <= ranges; r++)
            printf " %s |", (terms[r] > 0 ? sprintf("%.3f", exp(sum[r] / terms[r])) : "-")
        printf " %.3f at %s |\n", lowest, size_text(lowest_n)
    }
}
