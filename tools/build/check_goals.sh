#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the goals and variables of a make command. Prints one line about the first unknown one: the folder that has it, or
# the nearest names. A variable that resembles none may be meant for the environment.
#
#   [WORDS="WORDS"] check_goals.sh "GOALS" "MAKEFILES" [FOLDER]...       FOLDER: its Makefile has other goals
#
# A goal is a word before a colon, or a variant. Goals with a comment "## ..." are suggested.
# shellcheck disable=SC2086  # goals and names of makefiles are words
set -f
goals=$1 makefiles=$2
shift 2

goals_of() { sed -n 's/^\.PHONY: *//p; s/^\([a-z][a-z -]*\):\([^=].*\)*$/\1/p' "$@"; }
# has WORD TEXT: without a process, which would cost every make a millisecond
has() { case " $2 " in *[!A-Za-z0-9_-]"$1"[!A-Za-z0-9_-]*) true ;; *) false ;; esac; }
variants() { [ ! -f config.mk ] || (set +f && printf '%s\n' reduction_*); }

# Common names of goals elsewhere.
meant() {
    case $1 in
    test | tests) echo check ;;
    benchmark) echo bench ;;
    build | compile | programs) echo all ;;
    distclean | mrproper) echo clean ;;
    graph | figures) echo plot ;;
    esac
}

# nearest WORD MOST: up to three words of the input that differ from WORD by at most MOST letters.
nearest() {
    awk -v goal="$1" '
        function min(a, b) { return a < b ? a : b }
        function distance(a, b,    i, j, cost) { # letters inserted, removed, replaced, swapped
            for (i = 0; i <= length(a); i++) d[i, 0] = i
            for (j = 0; j <= length(b); j++) d[0, j] = j
            for (i = 1; i <= length(a); i++)
                for (j = 1; j <= length(b); j++) {
                    cost = substr(a, i, 1) != substr(b, j, 1)
                    d[i, j] = min(min(d[i - 1, j], d[i, j - 1]) + 1, d[i - 1, j - 1] + cost)
                    if (i > 1 && j > 1 && substr(a, i, 1) == substr(b, j - 1, 1) && substr(a, i - 1, 1) == substr(b, j, 1))
                        d[i, j] = min(d[i, j], d[i - 2, j - 2] + 1)
                }
            return a == b ? 0 : index(b, a) == 1 ? 1 : d[length(a), length(b)]
        }
        { name = $0; sub(/^reduction_/, "", name)
          print min(distance(goal, $0), distance(goal, name)), $0 }' |
        awk -v most="$2" '$1 <= most' | sort -u -k1n -k2 | awk 'NR == 1 { least = $1 } $1 == least { print $2 }' | head -n 3
}

[ -z "$goals" ] || known="$(goals_of $makefiles) $(variants)"
for goal in $goals; do
    case $goal in */* | *.*) continue ;; esac # a file
    ! has "$goal" "$known" || continue
    for folder; do
        if has "$goal" "$(set +f && goals_of "$folder"/Makefile "$folder"/[bt]*/*.mk 2>/dev/null)"; then
            echo "make $goal: a goal of $folder; use make -C $folder $goal"
            exit 1
        fi
    done
    near=$(meant "$goal")
    [ -n "$near" ] || near=$({ sed -n 's/^\([a-z-]*\):.*##.*/\1/p' $makefiles; variants; } | nearest "$goal" $((${#goal} / 3 + 1)) | paste -s -d, - | sed 's/,/, make /g')
    echo "make $goal: no such goal${near:+; try make $near}; make help lists all"
    exit 1
done
known=
case ${WORDS-} in
*[!\ ]*) known=$(grep -ohE '[$][({][A-Z_]+|^(override )?[A-Z_]+ *[:?]?=' $makefiles) ;; # those in lower case are not for users
esac
for word in ${WORDS-}; do
    ! has "$word" "$known" || continue
    near=$(grep -oh '[$]([A-Z_]*' $makefiles | tr -d '$(' | sort -u |
        nearest "$(printf %s "$word" | tr '[:lower:]' '[:upper:]')" $((${#word} < 6 ? ${#word} / 3 : 2)) | paste -s -d, -)
    [ -z "$near" ] || { echo "$word=: no such variable; try $near; make help lists them" && exit 1; }
done
