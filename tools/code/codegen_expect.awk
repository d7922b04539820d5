# Compares the rows of codegen.awk with expectations: codegen.txt first, then the rows.
#
#   -v variant=shfl -v targets="gfx90a gfx942"
#
# Prints one line for each kernel that does not meet its expectations, and for each expectation that applies to
# no kernel; then a line with the counts. Exit code 1 if there is any of the former.
BEGIN {
    columns = split("variant target type op kernel vgpr agpr sgpr lds scratch spills waves width loads waits native cas bpermute dpp permlane readlane shuffle redux size turn widest", name, " ")
    for (i = 1; i <= columns; i++) number[name[i]] = i
}
NR == FNR && (/^ *#/ || /^ *$/) { next }
NR == FNR {
    if (split($0, field, / *; */) != 5) { print FILENAME ":" FNR ": five fields are needed" > "/dev/stderr"; broken = 2; exit 2 }
    gsub(/^ +| +$/, "", field[5])
    rules++
    for (i = 1; i <= 4; i++) pattern[rules, i] = "^(" field[i] ")$"
    text[rules] = field[5]
    conditions[rules] = split(field[5], list, / +/)
    for (i = 1; i <= conditions[rules]; i++) {
        if (!match(list[i], /[<>=]+/) || !(substr(list[i], 1, RSTART - 1) in number)) {
            print FILENAME ":" FNR ": " list[i] " is no condition" > "/dev/stderr"; broken = 2; exit 2
        }
        key[rules, i] = number[substr(list[i], 1, RSTART - 1)]
        relation[rules, i] = substr(list[i], RSTART, RLENGTH)
        limit[rules, i] = substr(list[i], RSTART + RLENGTH)
    }
    next
}
{
    kernels++
    split($0, value, "\t")
    for (r = 1; r <= rules; r++) {
        if (value[1] !~ pattern[r, 1] || value[2] !~ pattern[r, 2] || value[3] "_" value[4] !~ pattern[r, 3] || value[5] !~ pattern[r, 4]) continue
        fits[r]++
        for (i = 1; i <= conditions[r]; i++) {
            checks++
            v = value[key[r, i]]
            ok = relation[r, i] == "=" ? v == limit[r, i] : v != "-" && (relation[r, i] == ">=" ? v + 0 >= limit[r, i] + 0 : v + 0 <= limit[r, i] + 0)
            if (!ok) {
                printf "        %s %s, %s %s %s: %s is %s, expected %s\n", value[1], value[2], value[3], value[4], value[5],
                    name[key[r, i]], v, relation[r, i] limit[r, i]
                bad++
            }
        }
    }
}
END {
    if (broken) exit broken
    for (r = 1; r <= rules; r++) {
        wanted = 0
        count = split(targets, t, " ")
        for (i = 1; i <= count; i++) if (t[i] ~ pattern[r, 2]) wanted = 1
        if (wanted && pattern[r, 1] != "^(.*)$" && variant ~ pattern[r, 1] && !fits[r]) {
            printf "        %s (%s): no kernel fits the expectation %s\n", variant, targets, text[r]
            bad++
        }
    }
    if (!bad) printf "codegen %s for %s: %d kernels, %d expectations met\n", variant, targets, kernels, checks
    exit bad > 0
}
