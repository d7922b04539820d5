#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What the documents say is true: README.md at the top, of the variants and of platforms, and docs/*.md docs/*/*.md.
#
#   commands  Each line of a block marked ```sh is run, on the CPU platform and in a copy of the sources: in a
#             variant's folder for its README.md, else at the top. It must end with exit code 0;
#             a line that ends in "# exit code N" with N, and diff with 1, since the steps differ. Programs get
#             -w 1 -i 1 --ceiling 1 -n 64K to be quick. Unless all is checked `make run` gets three variants, sizes lose
#             a factor of 1024 from 1M on, and grids from 10000 on one of 100. What needs a GPU, a vendor's tool, root or
#             the network, what takes long, and what shows output belongs in a ```console block, which is not run.
#             The line after "Try" in a variant's header comment is run likewise.
#   quotations  A block marked ```c occurs in the folder's sources, or else in common/ or platform/; white space
#             does not count, and a line "..." stands for anything in between.
#   links     A relative link leads to a file that is there, and #anchor to a heading in it.
load ../lib/check

all_documents() { documents README.md reduction_*/README.md reduction_*/appendix.md docs/*.md docs/*/*.md docs/*/*/*.md platform/*/README.md trace/README.md; }
setup() {
    unset OUT V SAN VARIANTS CK_TAP_LOG_FILE_NAME
    export GPU=cpu
}

# A copy, with the programs and all that is built, so that make has nothing to do.
copy_all() {
    mkdir "$work/top" && cp -Rp Makefile bench common platform trace docs tests reduction_* "$work/top"
    for more in README.md config.mk tools install-deps.sh; do
        [ ! -e $more ] || cp -Rp $more "$work/top"
    done
    for program in "$bin"/reduction_*/reduction_*; do
        name=$(basename "$program")
        [ ! -x "$program" ] || [ "$name" != "$(basename "$(dirname "$program")")" ] || cp -p "$program" "$work/top/$name"
    done
    mkdir "$work/top/build"
    for built in "$bin"/build/cpu "$bin"/build/cpu-trace; do
        [ ! -d "$built" ] || cp -Rp "$built" "$work/top/build"
    done
}

# links
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
        right=0
        [ -e "$there" ] || right=1
        verdict $right "$1: link to $target: there is no such file"
        if [ -n "$anchor" ] && [ -f "$there" ]; then
            anchors "$there" | grep -x -e "$anchor" >"$work/said" || right=1
            verdict $right "$1: link to $target: no heading makes this anchor"
        fi
    done
}

# quotations
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
        for source in "$(dirname "$1")"/*.hip "$(dirname "$1")"/*.[ch] "$(dirname "$1")"/*/*.[ch] common/*.[ch] common/*/*.[ch] common/*.hip common/*/*.hip reduction_hello/*.hip platform/*/*.h platform/*/hip/*.h; do
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

# commands
commands() {
    awk '/^```sh$/ { code = 1; next } /^```/ { code = 0 }
         code && NF && !/^ *#/ {
             line = line $0
             if (sub(/\\$/, " ", line)) next
             print line; line = ""
         }' "$1"
}
run_command() { # run_command WHERE FOLDER COMMAND
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
    quick='-w 1 -i 1 --ceiling 1'
    case $3 in *--input*) ;; *) quick="$quick -n 64K" ;; esac
    command=$(printf "%s\n" "$3" | sed "s,\(^\|[ &;|(]\)\(\.\.*/[./]*reduction_[a-z_*]*\(/reduction_[a-z_*]*\)*\)\( \|$\),\1\2 $quick\4,g")
    case $level$3 in
    all* | *'# exit code '*) ;;
    *) command=$(printf '%s\n' "$command" | sed 's/\([ ,=]1*[0-9]\)M/\1K/g; s/[.][.][0-9]*M/..128K/; s/\(--grid [0-9][0-9][0-9]\)[0-9][0-9]/\1/') ;;
    esac
    case $3 in
    *reduction_hello*) command=$3 ;; # takes numbers
    'make run '*) [ "$level" = all ] || command="$3 VARIANT=striding,shfl,single_pass" ;;
    esac
    right=0
    try sh -c "cd '$work/top/$2' && ulimit -t 300 && $command"
    exits $wanted || right=1
    verdict $right "$1: exit code $status instead of $wanted: $3"
}
check_commands() {
    folder=.
    case $1 in reduction_*/*) folder=$(dirname "$1") ;; esac
    commands "$1" >"$work/commands"
    while IFS= read -r command; do
        run_command "$1" "$folder" "$command"
    done <"$work/commands"
}


@test "links lead somewhere" {
    for document in $(all_documents); do
        check_links "$document"
    done
    finish
}

@test "quoted code is that of the sources" {
    for document in $(all_documents); do
        check_quotations "$document"
    done
    [ $failed -eq 0 ]
}

@test "the commands work" {
    copy_all
    for document in $(all_documents); do
        check_commands "$document"
    done
    finish
}

@test "the command to try that a variant's header names works" {
    for document in $(documents reduction_*/README.md); do
        for source in "$(dirname "$document")"/*.hip; do
            try_this=$(sed -n -e 's/^ \* Try  *\(\.\/.*\)/\1/p' -e '/\*\//q' "$source" | head -n 1)
            case $document in reduction_to_fix/*) try_this="$try_this # exit code 1" ;; esac
            [ -z "${try_this%% #*}" ] || run_command "$source" "$(dirname "$document")" "$try_this"
        done
    done
    finish
}
