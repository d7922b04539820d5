# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # its variables are those of the scripts
# Sourced by the scripts here, which run in the folder above with BUILT (where programs go: empty, or a folder with its
# slash) in the environment: an exercise by its number, and what is remembered of it.
here=reduction_to_fix
progress=${BUILT}$here/.progress

# Sets number (03), folder, source, title and lesson; fails if there is no such exercise.
find_exercise() { # NUMBER
    case $1 in [1-9]) number=0$1 ;; [0-9][0-9]) number=$1 ;; *) number=none ;; esac
    folder='' title='' lesson=''
    for folder in "$here/$number"_*/; do :; done
    [ -f "${folder}exercise.txt" ] || {
        echo "EX=$1: no such exercise; make list shows them" >&2
        return 2
    }
    source=${folder#*_to_fix/??_}
    source=$folder${source%/}.hip
    [ -f "$source" ] || source=$here/${source##*/}
    while IFS= read -r line; do
        case $line in
        title:*) title=${line#title: } ;;
        lesson:*) lesson=${line#lesson: } ;;
        esac
    done <"${folder}exercise.txt"
}

# All numbers, from the easier to the harder exercises; and the one after this.
in_order() { grep '^place: ' $here/[0-9][0-9]_*/exercise.txt | sort -t: -k3n | sed "s|^$here/||; s|_.*||"; }
next_after() { in_order | sed -n "/^$1\$/{n;p;}"; }
plain() { echo "${1#0}"; } # 3, as people write it

# The value of a key, replaced or read.
remember() { # KEY VALUE
    if ! { mkdir -p "${progress%/*}" && (: >"$progress.new"); } 2>/dev/null; then
        echo "$progress cannot be written: what is solved, and which hints were read, is not remembered" >&2
        return 0
    fi
    { [ ! -f "$progress" ] || grep -v "^$1 " "$progress"; echo "$1 $2"; } >"$progress.new" &&
        mv "$progress.new" "$progress"
}
recall() { [ ! -f "$progress" ] || sed -n "s/^$1 //p" "$progress"; } # KEY

# Its source as it was shipped: a copy of the tree has them in a folder (tools/build/copy.py), and a clone in its history.
as_shipped() { # FILE
    cp "$here/.shipped/${source##*/}" "$1" 2>/dev/null || git show "HEAD:./$source" >"$1" 2>/dev/null || {
        rm -f "$1"
        echo "neither $here/.shipped nor git has $source as it was shipped; copy it from where you got this tree" >&2
        return 3
    }
}
