#!/bin/sh
# What the documents say is true: README.md at the top, of the variants and of platforms, and docs/*.md.
#
#   commands  Each line of a block marked ```sh is run, on the CPU platform and in a copy of the sources: in a
#             variant's folder for its README.md, else at the top. It must end with exit code 0 within 60 s, make 300 s;
#             a line that ends in "# exit code N" with N, and diff with 1, since the steps differ. Programs get
#             -w 1 -i 1 --ceiling 1 to be quick. What needs a GPU, a vendor's tool, root or the network, what takes long,
#             and what shows output belongs in a ```console block, which is not run.
#             The line after "Try" in a variant's header comment is run likewise.
#   quotations  A block marked ```c occurs in the folder's sources, or else in common/ or platform/; white space
#             does not count, and a line "..." stands for anything in between.
#   links     A relative link leads to a file that is there, and #anchor to a heading in it.
#
#   REDUCTION_BIN=out tests/build/test_readme.sh [FILE.md]...     out/reduction_x/reduction_x are the programs
set -u
unset MAKEFLAGS MAKELEVEL MFLAGS OUT V SAN WERROR VARIANTS CK_TAP_LOG_FILE_NAME
export GPU=cpu
cd "$(dirname "$0")/../.." || exit 3
top=$PWD
bin=$(cd "${REDUCTION_BIN:-.}" && pwd) || exit 3
[ $# -gt 0 ] || set -- README.md reduction_*/README.md docs/*.md platform/*/README.md
. tests/lib/check.sh

# The copy, with the programs. Where they were built in place their objects are copied, too, so that make has
# nothing to do.
mkdir "$work/top" && cp -Rp Makefile bench common platform trace docs tests reduction_* "$work/top" || exit 3
for more in README.md config.mk tools install-deps.sh; do
    [ ! -e $more ] || cp -Rp $more "$work/top"
done
for program in "$bin"/reduction_*/reduction_*; do
    name=$(basename "$program")
    [ ! -x "$program" ] || [ "$name" != "$(basename "$(dirname "$program")")" ] || cp -p "$program" "$work/top/$name"
done
[ "$bin" != "$top" ] || [ ! -d build/cpu ] || { mkdir "$work/top/build" && cp -Rp build/cpu "$work/top/build"; }

# ---- links
# The text without its code, one line for each target of a link.
targets() {
    awk '/^ *```/ { code = !code } !code { gsub(/`[^`]*`/, ""); print }' "$1" |
        grep -o ']([^) ]*)' | sed 's/^](\(.*\))$/\1/' | grep -v '^[a-z]*:'
}
# The anchors of a file's headings, as GitHub makes them.
anchors() {
    awk '/^ *```/ { code = !code } !code && /^#+ / {
        sub(/^#+ +/, ""); gsub(/\]\([^)]*\)/, ""); line = tolower($0)
        gsub(/[^a-z0-9_ -]/, "", line); gsub(/ /, "-", line)
        print line (seen[line]++ ? "-" seen[line] - 1 : "")
    }' "$1"
}
check_links() {
    for target in $(targets "$1"); do
        path=${target%%#*} anchor=
        case $target in *'#'*) anchor=${target#*#} ;; esac
        there=$1
        [ -z "$path" ] || there=$(dirname "$1")/$path
        [ -e "$there" ]
        verdict $? "$1: link to $target: there is no such file"
        if [ -n "$anchor" ] && [ -f "$there" ]; then
            anchors "$there" | grep -qx -e "$anchor"
            verdict $? "$1: link to $target: no heading makes this anchor"
        fi
    done
}

# ---- quotations
# Each ```c block of a file on one line, without white space, its pieces separated by tabs.
quotations() {
    awk '/^```c$/ { code = 1; text = ""; next }
         code && /^```$/ { code = 0; print text; next }
         code && /^ *\.\.\.$/ { text = text "\t"; next }
         code { gsub(/[ \t]/, ""); text = text $0 }' "$1"
}
squeeze() { tr -d ' \t\n' <"$1"; }
check_quotations() {
    quotations "$1" >"$work/quotations"
    while IFS= read -r quotation; do
        found=1
        for source in "$(dirname "$1")"/*.hip "$(dirname "$1")"/*.[ch] common/*.[ch] common/*/*.[ch] common/*.hip common/*/*.hip platform/*/*.h platform/*/hip/*.h; do
            [ -f "$source" ] || continue
            squeeze "$source" >"$work/source"
            echo >>"$work/source"
            printf '%s\n' "$quotation" | awk -F'\t' '
                NR == FNR { text = $0; next }
                { for (i = 1; i <= NF; i++) {
                      at = index(text, $i)
                      if (!at) exit 1
                      text = substr(text, at + length($i))
                  } }' "$work/source" - && found=0 && break
        done
        verdict $found "$1: no source has the quotation $(printf '%.70s' "$quotation") ..."
    done <"$work/quotations"
}

# ---- commands
commands() {
    awk '/^```sh$/ { code = 1; next } /^```/ { code = 0 }
         code && NF && !/^ *#/ {
             line = line $0
             if (sub(/\\$/, " ", line)) next
             print line; line = ""
         }' "$1"
}
run() { # run WHERE FOLDER COMMAND
    wanted=0
    case $3 in diff\ *) wanted=1 ;; esac
    case $3 in *'# exit code '*) wanted=${3##*# exit code } ;; esac
    case $3 in
    *install-deps* | *sudo\ * | *apt-get* | *GPU=[!c]* | *nvidia-smi* | *make\ check* | *make\ run | *make\ run\ [!S]* | *make\ bench*)
        verdict 1 "$1: not for a sh block but for a console block: $3"
        return
        ;;
    esac
    # options of ours first, so that those of the text count
    command=$(printf "%s\n" "$3" | sed "s,\(^\|[ &;|(]\)\(\.\.*/[./]*reduction_[a-z_*]*\(/reduction_[a-z_*]*\)*\)\( \|$\),\1\2 -w 1 -i 1 --ceiling 1\4,g")
    case $3 in *reduction_hello*) command=$3 ;; esac # takes numbers
    limit=60
    case $3 in make | make\ *) limit=300 ;; esac # may have to build everything first
    (cd "$work/top/$2" && timeout $limit sh -c "$command") >"$work/said" 2>&1 </dev/null
    status=$?
    [ $status -eq "$wanted" ]
    right=$?
    verdict $right "$1: exit code $status instead of $wanted: $3"
    [ $right -eq 0 ] || tail -n 5 "$work/said" | sed 's/^/    /'
}
check_commands() {
    folder=.
    case $1 in reduction_*/*) folder=$(dirname "$1") ;; esac
    commands "$1" >"$work/commands"
    while IFS= read -r command; do
        run "$1" "$folder" "$command"
    done <"$work/commands"
}

for document; do
    [ -f "$document" ] || continue
    check_links "$document"
    check_quotations "$document"
    check_commands "$document"
    case $document in
    reduction_*)
        for source in "$(dirname "$document")"/*.hip; do
            try=$(sed -n -e 's/^ \* Try  *\(\.\/.*\)/\1/p' -e '/\*\//q' "$source" | head -n 1)
            case $document in reduction_to_fix/*) try="$try # exit code 1" ;; esac
            [ -z "${try%% #*}" ] || run "$source" "$(dirname "$document")" "$try"
        done
        ;;
    esac
done
finish
