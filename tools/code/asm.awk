# Prints the code of some kernels from a listing by a compiler (-S) or by nvdisasm -g, below the source line
# that each instruction comes from.
#
#   -v prefix=_ZN10double_sum  -v kernels="reduce_blocks ..."  -v colour=1

BEGIN {
    count = split(kernels, name, " ")
    grey = colour ? "\033[36m" : ""
    plain = colour ? "\033[0m" : ""
}

# The kernel that a symbol belongs to, or "".
function kernel_of(symbol,    i) {
    for (i = 1; i <= count; i++)
        if (index(symbol, prefix length(name[i]) name[i]) == 1) return name[i]
    return ""
}

# The text of a line of a file; "" if it cannot be read.
function source(path, line,    text, n) {
    if (!(path in loaded)) {
        loaded[path] = 1
        while ((getline text < path) > 0) lines[path, ++n] = text
        close(path)
    }
    return lines[path, line]
}

function at(path, line,    base, text) {
    if (line == 0 || (path == last_path && line == last_line)) return
    last_path = path
    last_line = line
    base = path
    sub(/.*\//, "", base)
    text = path ~ /^\/usr\// ? "" : source(path, line)
    printf "%s%s:%-4d %s%s\n", grey, base, line, text, plain
}

/^[ \t]*\.file[ \t]+[0-9]/ { # .file 1 "folder" "name", or .file 1 "path"
    n = split($0, part, "\"")
    file[$2 + 0] = n >= 5 && part[4] !~ /^\// ? part[2] "/" part[4] : part[n >= 5 ? 4 : 2]
    next
}

/^_Z[A-Za-z0-9_]*:/ {
    symbol = $1
    sub(/:.*/, "", symbol)
    inside = kernel_of(symbol) != ""
    summary = 0
    if (inside) {
        printf "%s%s\n", found++ ? "\n" : "", kernel_of(symbol)
        last_path = ""
    }
    next
}
!inside && summary == 0 { next }

/^[ \t]*\.loc[ \t]/ { at(file[$2 + 0], $3 + 0); next }
/^[ \t]*\/\/## File / {
    split($0, part, "\"")
    match($0, /line [0-9]+/)
    at(part[2], substr($0, RSTART + 5, RLENGTH - 5) + 0)
    next
}
/^[ \t]*(\.cfi_endproc|s_endpgm_end)|^\.Lfunc_end|^\/\/-----/ { inside = 0; if (/^\.Lfunc_end/) summary = 1; next }
summary && /^; (NumSgprs|NumVgprs|NumAgprs|ScratchSize|LDSByteSize|Occupancy)/ { print; next }
!inside { next }
/^(\.LBB|\.L_x_|\.L)[0-9_]+:/ { if ($0 !~ /^\.L(tmp|VL|FB|BB[0-9]+:)/) print $1; next }
/^[ \t]*(;|#|\/\/)/ || /^[ \t]*\.[a-zA-Z]/ || /^\.?[A-Za-z_]/ || /^[ \t]*$/ { next }
{
    sub(/[ \t]+$/, "")
    sub(/^[ \t]+\/\*[0-9a-f]+\*\/[ \t]+/, "") # offsets of nvdisasm
    sub(/^[ \t]+/, "")
    sub(/ ;$/, "")
    sub(/\t/, " ")
    print "        " $0
}

END { if (!found) { print "no kernel of " prefix " in the listing" > "/dev/stderr"; exit 3 } }
