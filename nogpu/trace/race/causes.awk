# SPDX-License-Identifier: MIT
# Functions for merge.awk. What only some schedules show, where all show another finding of the kernel, may be what that one
# brings about: its threads go on with a wrong value.

# Whether finding f may bring about finding g: in each kind of run that shows g, all runs show f, and not all show g.
function brings_about(f, g,    kind, any) {
    if (kernel[f] == "" || kernel[f] != kernel[g] || said[g] !~ /^race/ || said[f] !~ /^race/ ||
        (place[f] == place[g] && from[f] > to[g])) return 0
    for (kind in kinds) {
        if (!((g, kind) in seen_in)) continue
        if (seen_in[f, kind] < kinds[kind] || seen_in[g, kind] == kinds[kind]) return 0
        any = 1
    }
    return any
}
# The lines of a finding, and what they access.
function lines_of(f,    line, n, i, list) {
    n = split(said[f], line, "\n")
    for (i = 1; i <= n && line[i] !~ /^  look at/; i++)
        if (match(line[i], /^  [^ ].*:[0-9]+/)) list = list (list == "" ? "" : " and ") substr(line[i], 3, RLENGTH - 2)
    match(line[1], / [^ ]+ of /)
    return substr(line[1], RSTART + 1, RLENGTH - 5) ", " list
}
# later[g]: another finding may bring about finding g, and perhaps[f], printed below that one, names it.
function find_causes(    f, g) {
    for (g = 1; g <= last; g++)
        for (f = 1; f <= last && !(g in earlier) && !(g in later); f++)
            if (!(f in earlier) && brings_about(f, g)) {
                later[g] = 1
                perhaps[f] = perhaps[f] "  perhaps for the same reason: " lines_of(best[g]) "\n"
            }
}
