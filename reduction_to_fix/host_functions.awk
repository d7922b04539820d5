# SPDX-License-Identifier: MIT
# "host NAME" for each function of the host that a kernel calls: GPU compilers refuse them. Reads a source without comments.
# Members of classes are not looked at.

/^[[:space:]]*#/ || more {
    more = /\\$/
    if (/__(device|global)__/ && $1 ~ /define$/) known = known "|" $2
    next
}
{ text = text $0 "\n" }
function body_ends(  i, depth) { # behind the brace that closes the first one
    for (i = 1; i <= length(text); i++) {
        depth += (substr(text, i, 1) == "{") - (substr(text, i, 1) == "}")
        if (depth == 0) return i
    }
    return i
}
END {
    split("calloc realloc qsort memcmp strlen strcmp strncmp strchr strstr puts putchar fprintf fputs fputc fwrite fflush snprintf", word, " ")
    for (i in word) of_host[word[i]] = 1
    while (match(text, /[;{}]/)) {
        head = substr(text, 1, RSTART - 1); sign = substr(text, RSTART, 1)
        text = substr(text, RSTART)
        gsub(/(__launch_bounds__|__attribute__|alignas) *\([^()]*(\([^()]*\)[^()]*)*\)/, "", head)
        device = head ~ ("(^|[^A-Za-z0-9_])(__device__|__global__|constexpr" known ")([^A-Za-z0-9_]|$)")
        is_function = head !~ /=|^[[:space:]]*(struct|class|union|enum)[^(]*$/ && match(head, /[A-Za-z_][A-Za-z0-9_]*[[:space:]]*\(/)
        name = substr(head, RSTART, RLENGTH); sub(/[[:space:]]*\($/, "", name)
        end = sign != "{" || head ~ /(^|[^A-Za-z0-9_])(namespace|extern *"C")[^(]*$/ ? 1 : body_ends()
        if (is_function && device) { of_device[name] = 1; bodies = bodies " " substr(text, 1, end) }
        else if (is_function && sign == "{") of_host[name] = 1
        text = substr(text, end + 1)
    }
    for (name in of_host)
        if (!(name in of_device) && bodies ~ ("[^A-Za-z0-9_.>:]" name "[[:space:]]*\\(")) print "host " name
}
