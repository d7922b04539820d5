#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154  # goals
# Checks the variables of a make command (words.txt) before anything is compiled. Prints one line about the first wrong one.
#
# check_goals.sh reads it, with $goals and SIZE=... TYPE=... OP=... SAN=... OUT=... WARP=... SCHEDULE=... as arguments.
refuse() {
    echo "$word: $1"
    exit 1
}
# Sets pattern and says, of a row: without a process.
find_row() {
    while read -r row; do
        case $row in "$1 :: "*) says=${row##* :: } pattern=${row#* :: } && pattern=${pattern%% :: *} && return ;; esac
    done <tools/build/words.txt
    false
}
check() { # NAME VALUE
    find_row "$1" || return
    case $pattern in
    TYPES | OPERATIONS) pattern=$(sh tools/build/words.sh "$pattern" | paste -s -d '|' -) ;;
    MACHINES) pattern=$(sed -n 's/^ *{"\([a-z0-9_]*\)",.*/\1/p' nogpu/trace/explain/machines.h | paste -s -d '|' -) ;;
    esac
    printf '%s\n' "$2" | grep -Eqx "[ ,]*($pattern)([ ,]+($pattern))*[ ,]*" ||
        refuse "$(printf '%s\n' "$says" | sed "s/LIST/$(printf %s "$pattern" | sed 's/|/, /g')/")"
}
for word; do
    value=${word#*=}
    case $word in
    *=) continue ;;
    SUITES=*)
        for suite in $(printf %s "$value" | tr , ' '); do
            set -- tests/*/test_"$suite".[c] tests/*/"$suite".[b]ats */tests/test_"$suite".[c] */tests/"$suite".[b]ats */tests/*/test_"$suite".[c] */tests/*/"$suite".[b]ats
            for found; do [ ! -f "$found" ] || break; done
            [ -f "$found" ] ||
                refuse "no suite $suite: no tests/ folder has test_$suite.c or $suite.bats; see tests/README.md"
        done
        ;;
    OUT=*' '*) refuse 'name a folder without spaces: make cannot build in this one' ;;
    *) check "${word%%=*}" "$value" ;;
    esac
    case " $goals ,$word" in # goals that take several sizes, types, operations
    *' run '*,SIZE=*[,\ .]* | *' run '*,TYPE=*[,\ ]* | *' run '*,OP=*[,\ ]*)
        refuse "make run takes one SIZE=, TYPE= and OP=; for several, use make bench $word"
        ;;
    *' run '*,WARP=*[,\ ]*) refuse 'make run takes one WARP=' ;;
    esac
done
