# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# (what other scripts of bin/nogpu set and read)
# Sourced by options.sh: whether the value of an option is one, before anything is compiled or run.
whole() { # NAME VALUE LEAST [MOST]
    case $2 in '' | *[!0-9]* | ??????????*) ;; *) [ "$2" -lt "$3" ] || [ "$2" -gt "${4:-999999999}" ] || return 0 ;; esac
    usage "$command $1 $2: a number from $3 ${4:+to }${4:-on}"
}
seeded() { # NAME VALUE WORD KIND OTHERS: WORD is KIND:SEED
    case ${3#"$4":} in '' | "$3" | *[!0-9]*) usage "$command $1 $2: $5 or $4:SEED, with a number for SEED" ;; esac
}
orders() { # NAME VALUE
    for order in $(printf %s "$2" | tr , ' '); do
        case $order in forward | reverse) ;; *) seeded "$1" "$2" "$order" random 'forward, reverse' ;; esac
    done
}
memory_model() { # NAME VALUE
    case $2 in strong | weak) ;; *) seeded "$1" "$2" "$2" weak 'strong, weak' ;; esac
}
regex() { # NAME VALUE
    code=0
    grep -Eq -e "^($2)\$" </dev/null 2>/dev/null || code=$?
    [ $code -lt 2 ] || usage "$command $1 $2: no regular expression (extended, as grep -E takes them)"
}
writable() { # NAME FILE
    if [ -e "$2" ]; then [ ! -d "$2" ] && [ -w "$2" ]; else [ -w "$(dirname -- "$2")" ]; fi || usage "$command $1 $2: cannot write it"
}
