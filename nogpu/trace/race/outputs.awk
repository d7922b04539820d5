# SPDX-License-Identifier: MIT
# The first line in which two settings of a program's runs print something else, of files named WARP.SCHEDULE.SAMPLE.
# -v first=, second=: the two, as WARP.SCHEDULE; what=: what differs between them; more=: arguments of the runs;
# allowed=varies: a difference is a note. Prints a record for nogpu_report.

# Words and numbers of a line, in token[]; how many.
function split_line(line, token,    n) {
    delete token
    while (match(line, /0[xX][0-9a-fA-F]+|[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?/)) {
        n = add_words(substr(line, 1, RSTART - 1), token, n)
        token[++n] = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
    }
    return add_words(line, token, n)
}
function add_words(text, token, n,    word, count, i) {
    count = split(text, word, " ")
    for (i = 1; i <= count; i++) token[++n] = word[i]
    return n + 0
}
FNR == 1 {
    file = FILENAME
    sub(/.*\//, "", file)
    setting = file
    sub(/[.][0-9]+$/, "", setting)
    files[++file_count] = file
    if (!(setting in sample)) sample[setting] = file
    of[file] = sample[setting]
}
{
    line[file, FNR] = $0
    tokens[file, FNR] = split_line($0, list)
    for (i = 1; i <= tokens[file, FNR]; i++) said[file, FNR, i] = list[i]
    lines[file] = FNR
}

# What changes between two samples of one setting: times, addresses, lines of threads that run at once.
function find_noise(    f, a, b, l, t) {
    for (f = 1; f <= file_count; f++) {
        a = files[f]; b = of[a]
        if (a == b) continue
        if (lines[a] != lines[b]) any_length = 1
        for (l = 1; l <= lines[a] && l <= lines[b]; l++) {
            if (tokens[a, l] != tokens[b, l]) noise[l] = 1
            for (t = 1; t <= tokens[a, l]; t++) if (said[a, l, t] != said[b, l, t]) noise[l, t] = 1
        }
    }
}
function is_number(text) { return text ~ /^[0-9]/ && text !~ /^0[xX]/ }
# Measurements differ; between few runs they may be equal by chance.
function is_measured(unit) {
    return unit ~ /^[^a-zA-Z0-9]*(ns|us|µs|ms|s|sec|secs|seconds|milliseconds|microseconds|[KMGT]i?B\/s|[KMGT]?[Ff][Ll][Oo][Pp][Ss]?(\/s)?)([^a-zA-Z]|$)/
}
# Another order of additions changes the last digits.
function is_rounding(x, y,    d, size) {
    if (!is_number(x) || !is_number(y) || (x y) !~ /[.eE]/) return 0
    d = x - y; size = 1
    if (d < 0) d = -d
    if (x > size) size = x + 0
    if (y > size) size = y + 0
    return d <= 2e-5 * size
}
# How line l differs: "", size, rounding or other.
function difference(a, b, l,    t, how, x, y) {
    if (l in noise) return ""
    if (tokens[a, l] != tokens[b, l]) return "other"
    for (t = 1; t <= tokens[a, l]; t++) {
        x = said[a, l, t]; y = said[b, l, t]
        if (x == y || ((l, t) in noise) || (is_number(x) && is_number(y) && is_measured(said[a, l, t + 1]))) continue
        if (x == first + 0 && y == second + 0) how = "size"
        else if (is_rounding(x, y)) how = "rounding"
        else return "other"
    }
    return how
}
# Whether both print the same lines in some order, as threads that print do.
function is_order(a, b,    l, count) {
    if (lines[a] != lines[b]) return 0
    for (l = 1; l <= lines[a]; l++) { count[line[a, l]]++; count[line[b, l]]-- }
    for (l in count) if (count[l] != 0) return 0
    return 1
}
function setting_of(f,    part) {
    split(f, part, ".")
    return "warps of " part[1] ", SCHEDULE=" part[2] (more == "" ? "" : "," more)
}
function shown(f, l) { return substr((f, l) in line ? line[f, l] : "(nothing)", 1, 160) }

END {
    a = sample[first]; b = sample[second]
    find_noise()
    last = lines[a] > lines[b] ? lines[a] : lines[b]
    for (l = 1; l <= last && how != "other"; l++) {
        if (l > lines[a] || l > lines[b]) {
            if (any_length) break
            this = "other"
        } else this = difference(a, b, l)
        if (this != "" && (how == "" || this == "other")) { how = this; at = l }
    }
    if (how == "" || is_order(a, b)) exit
    title = "what the program prints depends on the " what
    text = "  " setting_of(first) ", line " at ":\n    " shown(a, at) "\n  " setting_of(second) ", line " at ":\n    " shown(b, at) "\n"
    if (how == "size") printf "\001note\nnote: the program prints the warp size:\n%s", text
    else if (how == "rounding") printf "\001note\nnote: the last digits depend on the %s:\n%s", what, text
    else if (allowed == "varies") printf "\001note\nnote: %s:\n%s", title, text
    else {
        sub(/\n$/, "", text)
        gsub(/\n/, "\nraw\t", text)
        printf "\001output\nhead\t%s\nraw\t%s\nhint\t%s\n", title, text, \
            what == "warp size" ? "a width of 32 or 64 that should be warpSize, a mask in an int" \
                                : "what an atomic operation returns, float additions in any order"
    }
}
