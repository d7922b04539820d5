#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Suite: slow long lessons programs traced
# Commands, links and quotations in the documents work: all README.md and docs/*.md docs/*/*.md.
#
#   commands  Each line of a block marked ```sh is run, on the CPU platform and in a copy of the sources: in a variant's
#             folder for its README.md, otherwise at the top. It must end with exit code 0; a line that ends in
#             "# exit code N" with N, and diff with 1, since the steps differ. Programs get -w 1 -i 1 --ceiling 1 -n 64K to
#             be fast. Except in check-all, `make run` gets three variants, sizes from 1M on are divided by 1024, and
#             grids from 10000 on by 100. Commands that need a GPU, a vendor's tool, root or the network, that take long,
#             or that are shown with output belong in a ```console block, which is not run.
#             The line after "Try" in a variant's header comment is run in the same way.
#   links, quotations   see documents.py
load ../lib/check

all_documents() { documents README.md reduction_*/README.md reduction_*/appendix.md docs/*.md docs/*/*.md docs/*/*/*.md results/h200/performance.md platform/*/README.md nogpu/README.md nogpu/reference.md nogpu/trace/README.md; }
setup() {
    unset OUT V SAN VARIANTS CK_TAP_LOG_FILE_NAME
    export GPU=cpu
}

# A copy with the programs and all build output, so that make has nothing to do.
copy_all() {
    mkdir "$work/top" # another suite may build in nogpu
    tar -cf - --exclude=nogpu/build Makefile bench common nogpu platform docs tests reduction_* | tar -xpf - -C "$work/top"
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
    # our options first, so that those of the text override them
    quick='-w 1 -i 1 --ceiling 1'
    case $3 in *--input*) ;; *) quick="$quick -n 64K" ;; esac
    command=$(printf "%s\n" "$3" | sed "s,\(^\|[ &;|(]\)\(\.\.*/[./]*reduction_[a-z_*]*\(/reduction_[a-z_*]*\)*\)\( \|$\),\1\2 $quick\4,g")
    case $level$3 in
    all* | *'# exit code '*) ;;
    *) command=$(printf '%s\n' "$command" | sed 's/\([ ,=]1*[0-9]\)M/\1K/g; s/[.][.][0-9]*M/..128K/; s/\(--grid [0-9][0-9][0-9]\)[0-9][0-9]/\1/') ;;
    esac
    case $3 in
    *reduction_hello*) command=$3 ;; # takes only numbers
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


@test "links work" {
    try python3 tests/build/documents.py links $(all_documents)
    ends 0 '^[1-9][0-9]* right'
}

@test "quoted code is in the sources, and the slides have the workshop's minutes" {
    try python3 tests/build/documents.py quotations $(all_documents)
    ends 0
    try python3 tests/build/documents.py minutes docs/course/slides.md
    ends 0 '^7 right, 0 wrong$'
}

@test "commands work" {
    copy_all
    for document in $(all_documents); do
        check_commands "$document"
    done
    finish
}

@test "the command after Try in a variant's header works" {
    for document in $(documents reduction_*/README.md); do
        for source in "$(dirname "$document")"/*.hip; do
            try_this=$(sed -n -e 's/^ \* Try  *\(\.\/.*\)/\1/p' -e '/\*\//q' "$source" | head -n 1)
            case $document in reduction_to_fix/*) try_this="$try_this # exit code 1" ;; esac
            [ -z "${try_this%% #*}" ] || run_command "$source" "$(dirname "$document")" "$try_this"
        done
    done
    finish
}
