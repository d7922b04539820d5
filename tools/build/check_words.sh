#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154  # goals
# Checks the variables of a make command before anything is compiled. Prints one line about the first wrong one.
#
# check_goals.sh reads it, with $goals and SIZE=... TYPE=... OP=... SAN=... OUT=... WARP=... SCHEDULE=... as arguments.

# each VALUE PATTERN: VALUE has at least one part, and all, split at commas and spaces, match the whole PATTERN
each() {
    printf '%s\n' "$1" | grep -Eqx "[ ,]*($2)([ ,]+($2))*[ ,]*"
}
refuse() {
    echo "$word: $1"
    exit 1
}
# words BETWEEN TYPES|OPERATIONS: all of them
words() { sh tools/build/words.sh "$2" | sed -e ':all' -e 'N' -e '$!b all' -e "s/\n/$1/g"; }
number='[0-9]+[KMGTkmgt]?'

for word; do
    value=${word#*=}
    [ -n "$value" ] || continue
    case $word in
    SIZE=*)
        each "$value" "$number([.][.]$number)?" ||
            refuse 'give elements as 1000, 64K, 128M or 2G (powers of two); for bench also 1K..1G and 1K,5M'
        ;;
    TYPE=*) each "$value" "$(words '|' TYPES)" || refuse "it takes $(words ', ' TYPES)" ;;
    OP=*) each "$value" "$(words '|' OPERATIONS)" || refuse "it takes $(words ', ' OPERATIONS)" ;;
    SAN=*)
        each "$value" 'address|undefined|leak|thread' ||
            refuse 'it takes address, undefined, leak, thread, or several with commas'
        ;;
    WARP=*) each "$value" '32|64' || refuse 'it takes 32, 64' ;;
    SCHEDULE=*) each "$value" 'forward|reverse|random(:[0-9]+)?' || refuse 'it takes forward, reverse, random:SEED' ;;
    MEMORY=*) each "$value" 'weak(:[0-9]+)?' || refuse 'it takes weak:SEED' ;;
    MACHINE=*)
        machines=$(sed -n 's/^ *{"\([a-z0-9_]*\)",.*/\1/p' nogpu/trace/explain/machines.h | paste -s -d '|' -)
        printf %s "$value" | grep -Eqx "$machines" || refuse "it takes $(printf %s "$machines" | sed 's/|/, /g')"
        ;;
    SUITES=*)
        for suite in $(printf %s "$value" | tr , ' '); do
            set -- tests/*/test_"$suite".[c] tests/*/"$suite".[b]ats */tests/test_"$suite".[c] */tests/"$suite".[b]ats */tests/*/test_"$suite".[c] */tests/*/"$suite".[b]ats
            for found; do [ ! -f "$found" ] || break; done
            [ -f "$found" ] ||
                refuse "no suite $suite: no tests/ folder has test_$suite.c or $suite.bats; see tests/README.md"
        done
        ;;
    OUT=*)
        case $value in *' '*) refuse 'name a folder without spaces: make cannot build in this one' ;; esac
        ;;
    esac
    case " $goals ,$word" in # goals that take several sizes, types, operations
    *' run '*,SIZE=*[,\ .]* | *' run '*,TYPE=*[,\ ]* | *' run '*,OP=*[,\ ]*)
        refuse "make run takes one SIZE=, TYPE= and OP=; for several, use make bench $word"
        ;;
    *' run '*,WARP=*[,\ ]*) refuse 'make run takes one WARP=' ;;
    esac
done
