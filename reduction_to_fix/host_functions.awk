# SPDX-License-Identifier: MIT
# "host NAME" for each function of the host that a kernel calls: GPU compilers refuse them. Reads a source without comments.
# Of a class, a member is called behind . or ->, and a constructor or an operator where a kernel or a template names it.

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
function note(name, device, body,  kind) {
    kind = class[inside] == "" ? "" : name == "operator" ? "operator" : name == class[inside] ? "constructor" : ""
    if (kind != "") { device ? of_class_too[class[inside], kind] = 1 : of_class[class[inside], kind] = 1 }
    else if (device) of_device[name] = 1
    else if (class[inside] != "") of_member[name] = 1
    else of_host[name] = 1
    if (device) bodies = bodies " " body
}
END {
    split("calloc realloc qsort memcmp strlen strcmp strncmp strchr strstr puts putchar fprintf fputs fputc fwrite fflush snprintf", word, " ")
    for (i in word) of_host[word[i]] = 1
    all = text
    while (match(text, /[;{}]/)) {
        head = substr(text, 1, RSTART - 1); sign = substr(text, RSTART, 1)
        text = substr(text, RSTART)
        gsub(/(__launch_bounds__|__attribute__|alignas) *\([^()]*(\([^()]*\)[^()]*)*\)/, "", head)
        device = head ~ ("(^|[^A-Za-z0-9_])(__device__|__global__|HOST_DEVICE|constexpr" known ")([^A-Za-z0-9_]|$)")
        opens = sign == "{" && head ~ /(^|[^A-Za-z0-9_])(namespace|extern *"C")[^(]*$/
        is_class = sign == "{" && head ~ /(^|[>[:space:]])(struct|class|union)[[:space:]]+[A-Za-z_][A-Za-z0-9_]*[^()=]*$/
        is_function = !is_class && head !~ /^[[:space:]]*(struct|class|union|enum)[^(]*$/ && match(head, /[A-Za-z_][A-Za-z0-9_]*[[:space:]]*\(/)
        name = substr(head, RSTART, RLENGTH); sub(/[[:space:]]*\($/, "", name)
        if (head ~ /[^A-Za-z0-9_]operator *[^A-Za-z0-9_]/) { is_function = 1; name = "operator" }
        else if (head ~ /=/) is_function = 0
        end = sign != "{" || opens || is_class ? 1 : body_ends()
        if (is_function && (device || sign == "{")) note(name, device, substr(text, 1, end))
        if (opens) class[++inside] = ""
        if (is_class) {
            sub(/^(.*[>[:space:]])?(struct|class|union)[[:space:]]+/, "", head); sub(/[^A-Za-z0-9_].*/, "", head)
            class[++inside] = head
        }
        if (sign == "}" && inside > 0) inside--
        text = substr(text, end + 1)
    }
    for (name in of_host)
        if (!(name in of_device) && bodies ~ ("[^A-Za-z0-9_.>:]" name "[[:space:]]*\\(")) print "host " name
    for (name in of_member)
        if (!(name in of_device) && bodies ~ ("([.]|->)[[:space:]]*" name "[[:space:]]*\\(")) print "host " name
    for (key in of_class) {
        split(key, word, SUBSEP); name = word[1]
        if (!(key in of_class_too) && (bodies ~ ("(^|[^A-Za-z0-9_])" name "[[:space:]]*[({A-Za-z_<]") ||
            all ~ ("<([^;{}()]*[^A-Za-z0-9_;{}()])?" name "[[:space:]]*[,>]"))) print "host " name
    }
}
