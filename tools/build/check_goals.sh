#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the goals and variables of a make command. Prints one line about the first unknown one: the folder that has it, or
# the nearest names. A variable that resembles none may be meant for the environment.
#
#   check_goals.sh "GOALS" "MAKEFILES" "WORDS" [FOLDER]... [-- WORD=VALUE...]       FOLDER: its Makefile has other goals
#
# A goal is a word before a colon, or a variant. Goals with a comment "## ..." are suggested.
# shellcheck disable=SC2086  # goals and names of makefiles are words
set -f
goals=$1 makefiles=$2 words=$3 folders=
shift 3
while [ $# -gt 0 ] && [ "$1" != -- ]; do folders="$folders $1" && shift; done

goals_of() { sed -n 's/^\.PHONY: *//p; s/^\([a-z][a-z -]*\):\([^=].*\)*$/\1/p' "$@"; }
# has WORD TEXT: without a process, which would cost every make a millisecond
has() { case " $2 " in *[!A-Za-z0-9_-]"$1"[!A-Za-z0-9_-]*) true ;; *) false ;; esac; }
variants() { [ ! -f config.mk ] || (set +f && printf '%s\n' reduction_*); }

# Names of goals elsewhere, and here.
meant() { printf '%s\n' test:check tests:check benchmark:bench build:all compile:all programs:all distclean:clean graph:plot figures:plot | awk -F : -v goal="$1" '$1 == goal { print $2 }'; }

# nearest WORD [.*]: up to three words of the input that differ from it in one letter or two neighbours, or begin with it.
nearest() {
    case $1 in *[!A-Za-z0-9_-]*) return ;; esac
    grep -Ex "(reduction_)?($(awk -v word="$1" -v more="${2-}" 'BEGIN {
        printf "%s%s", word, more
        for (i = 1; i <= length(word) && length(word) > 2; i++) {
            before = substr(word, 1, i - 1); this = substr(word, i, 1); after = substr(word, i + 1)
            printf "|%s.?%s|%s.%s%s|%s%s%s%s", before, after, before, this, after, before, substr(after, 1, 1), this, substr(after, 2)
        } }'))" | sort -u | head -n 3
}

[ -z "$goals" ] || known="$(goals_of $makefiles) $(variants)"
for goal in $goals; do
    case $goal in */* | *.*) continue ;; esac # a file
    ! has "$goal" "$known" || continue
    for folder in $folders; do
        if has "$goal" "$(set +f && goals_of "$folder"/Makefile "$folder"/[bt]*/*.mk 2>/dev/null)"; then
            echo "make $goal: a goal of $folder; use make -C $folder $goal"
            exit 1
        fi
    done
    near=$(meant "$goal")
    [ -n "$near" ] || near=$({ sed -n 's/^\([a-z-]*\):.*##.*/\1/p' $makefiles; variants; } | nearest "$goal" ".*" | paste -s -d, - | sed 's/,/, make /g')
    echo "make $goal: no such goal${near:+; try make $near}; make help lists all"
    exit 1
done
known=
case $words in
*[!\ ]*) known=$(grep -ohE '[$][({][A-Z_]+|^(override )?[A-Z_]+ *[:?]?=' $makefiles) ;; # those in lower case are not for users
esac
for word in $words; do
    ! has "$word" "$known" || continue
    near=$(grep -oh '[$]([A-Z_][A-Z_]*' $makefiles | tr -d '$(' | sort -u |
        nearest "$(printf %s "$word" | tr '[:lower:]' '[:upper:]')" | paste -s -d, -)
    [ -z "$near" ] || { echo "$word=: no such variable; try $near; make help lists them" && exit 1; }
done
[ $# -eq 0 ] || { shift && set +f && . tools/build/check_words.sh; }
