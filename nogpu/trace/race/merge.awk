# SPDX-License-Identifier: MIT
# One report of several runs. Their records begin with a mark: a run; a finding, with its keys and how often; what a run
# without findings says; a note; a run that stopped; how the output differs (outputs.awk).
# Findings with a key in common are one; see also causes.awk.
BEGIN { RS = "\001"; FS = "\n"; shown_max = 24 }

function text(    at) { at = index($0, "\n"); return at ? substr($0, at + 1) : "" }
function add(list, word, between) {
    return index(between list between, between word between) ? list : list (list == "" ? "" : between) word
}
function first(i) { while (i in earlier) i = earlier[i]; return i } # the first finding that is the same as finding i
$1 ~ /^run\t/ {
    split($1, part, "\t"); warp = part[2]; schedule = part[3]
    warps = add(warps, warp, " and "); schedules = add(schedules, schedule, ", ")
    kind_of[++runs] = part[2] SUBSEP part[4]; kinds[kind_of[runs]]++
}
$1 ~ /^finding\t/ {
    split($1, part, "\t"); said[++last] = text(); times[last] = part[3]; warp_of[last] = warp; schedule_of[last] = schedule
    run_of[last] = runs; kernel[last] = part[4]; place[last] = part[5]; from[last] = part[6]; to[last] = part[7]
    # A pair of accesses says more than an unwritten value, and most is said where this run joins two findings of others.
    rank[last] = split(part[2], key, ";") > 1
    for (i = 1; i in key; i++) {
        if (!(key[i] in known)) known[key[i]] = last
        a = first(known[key[i]]); b = first(last)
        if (a != b && b != last) rank[last] = 1 + last
        if (a != b) earlier[a < b ? b : a] = a < b ? a : b
    }
}
# The first run of each kind; one that stopped says so.
$1 == "none" && (clean == "" || (text() ~ /stopped/ && clean !~ /stopped/)) { clean = text() }
$1 == "note" {
    if (!(text() in noted_by)) note[++notes] = text()
    noted_by[text()] = add(noted_by[text()], warp, " and ")
}
$1 == "stopped" { stopped++ }
$1 == "output" { output[++outputs] = text() }

END {
    for (i = 1; i <= last; i++) {
        f = first(i)
        if (f == i || rank[i] > rank[best[f]]) best[f] = i
        all_times += times[i]; seen[f] += times[i]
        if (!counted[f, run_of[i]]++) seen_in[f, kind_of[run_of[i]]]++
        seen_warps[f] = add(seen_warps[f], warp_of[i], " and ")
        seen_schedules[f] = add(seen_schedules[f], schedule_of[i], ", ")
    }
    find_causes()
    for (f = 1; f <= last; f++) {
        if (f in earlier || f in later) continue
        weak += said[best[f]] ~ /^volatile/
        if (++found > shown_max) continue
        sub(/ [0-9]*:/, " " found ":", said[best[f]])
        printf "\n%s%s", said[best[f]], perhaps[f]
        where = seen_warps[f] == warps ? "" : ", with warps of " seen_warps[f]
        where = where (seen_schedules[f] == schedules ? "" : ", with SCHEDULE=" seen_schedules[f])
        if (seen[f] > 1 || where != "") printf "  seen %d time%s at these lines%s\n", seen[f], seen[f] == 1 ? "" : "s", where
    }
    # A race explains why; without one the output is all that is known.
    for (i = 1; i <= outputs; i++) {
        if (i == 1) races = found
        if (races == 0) { found++; all_times++ }
        if (races) sub(/  look at: .*/, "", output[i])
        sub(/^output [0-9]*:/, races ? "perhaps for the same reason:" : "output " found ":", output[i])
        printf "\n%s", output[i]
    }
    if (outputs && races == 0) sub(/: none found/, ": no race found", clean)
    if (found == 0 || (outputs && races == 0)) printf "\n%s", clean
    if (runs > 1) printf "%s%d runs: warps of %s; SCHEDULE=%s\n", (found ? "\nrace: in " : "      "), runs, warps, schedules
    if (stopped) printf "race: %d of them stopped early\n", stopped
    if (found)
        printf "%srace: %d found, %d times%s%s\n", (runs > 1 ? "" : "\n"), found, all_times,
            (weak ? "; " weak " by volatile accesses alone" : ""), (found > shown_max ? "; the first ones are shown" : "")
    for (i = 1; i <= notes; i++) printf "%s%s", note[i], noted_by[note[i]] == warps ? "" : "      with warps of " noted_by[note[i]] "\n"
}
