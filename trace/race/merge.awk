# SPDX-License-Identifier: MIT
# One report of several runs. Their records begin with a mark: a run; a finding, with its keys and how often; what a run
# without findings says; a note; a run that stopped. Findings with a key in common are one.
BEGIN { RS = "\001"; FS = "\n"; shown_max = 24 }

function text(    at) { at = index($0, "\n"); return at ? substr($0, at + 1) : "" }
function add(list, word, between) {
    return index(between list between, between word between) ? list : list (list == "" ? "" : between) word
}
function add_all(list, more, between,    word, i, count) {
    count = split(more, word, between)
    for (i = 1; i <= count; i++) list = add(list, word[i], between)
    return list
}
# Two findings that another run takes for one, in whose words it is said.
function one(id) { while (id in into) id = into[id]; return id }
function joined(a, b,    first) {
    first = a && a < b ? a : b
    b = a && a < b ? b : a
    if (!b || first == b) return first
    into[b] = first; times[first] += times[b]; said[first] = ""
    seen_warps[first] = add_all(seen_warps[first], seen_warps[b], " and ")
    seen_schedules[first] = add_all(seen_schedules[first], seen_schedules[b], ", ")
    return first
}

$1 ~ /^run\t/ {
    split($1, part, "\t")
    warp = part[2]; schedule = part[3]
    warps = add(warps, warp, " and "); schedules = add(schedules, schedule, ", ")
    runs++
}
$1 ~ /^finding\t/ {
    split($1, part, "\t")
    count = split(part[2], key, ";")
    id = 0
    for (i = 1; i <= count; i++)
        if (key[i] in known) id = joined(id, one(known[key[i]]))
    if (!id) id = ++last
    # A pair of accesses says more than an unwritten value.
    if (said[id] == "" || (pairless[id] && count > 1)) { said[id] = text(); pairless[id] = count == 1 }
    for (i = 1; i <= count; i++) known[key[i]] = id
    times[id] += part[3]; all_times += part[3]
    seen_warps[id] = add(seen_warps[id], warp, " and "); seen_schedules[id] = add(seen_schedules[id], schedule, ", ")
}
# The first run of each kind; one that stopped says so.
$1 == "none" && (clean == "" || (text() ~ /stopped/ && clean !~ /stopped/)) { clean = text() }
$1 == "note" { notes = index(notes, text()) ? notes : notes text() }
$1 == "stopped" { stopped++ }

END {
    for (id = 1; id <= last; id++) {
        if (id in into) continue
        found++
        weak += said[id] ~ /^volatile/
        if (found > shown_max) continue
        sub(/ [0-9]*:/, " " found ":", said[id])
        printf "\n%s", said[id]
        where = seen_warps[id] == warps ? "" : ", with warps of " seen_warps[id]
        where = where (seen_schedules[id] == schedules ? "" : ", with SCHEDULE=" seen_schedules[id])
        if (times[id] > 1 || where != "")
            printf "  seen %d time%s at these lines%s\n", times[id], times[id] == 1 ? "" : "s", where
    }
    if (found == 0)
        printf "\n%s", clean
    if (runs > 1)
        printf "%s%d runs: warps of %s; SCHEDULE=%s\n", (found ? "\nrace: in " : "      "), runs, warps, schedules
    if (stopped)
        printf "race: %d of them stopped early\n", stopped
    if (found)
        printf "%srace: %d found, %d times%s%s\n", (runs > 1 ? "" : "\n"), found, all_times,
            (weak ? "; " weak " by volatile accesses alone" : ""), (found > shown_max ? "; the first ones are shown" : "")
    printf "%s", notes
}
