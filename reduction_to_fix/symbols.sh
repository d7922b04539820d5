#!/bin/sh
# SPDX-License-Identifier: MIT
# What a compiled exercise calls, one name in a line; "define NAME" for what it would put in the place of others' functions;
# "address NAME" for a function of others that it takes the address of; "include FILE" for each file that it includes and
# that is no header of the course; "word NAME" for names of the platform, which tell where it runs, and for variables that
# outlive a plan; "host NAME" for a function of the host that a kernel calls; "shared" for a variable in
# shared memory that no GPU has room for; and "number N" for numbers that the source has, which the judge tries, too.
#
#   symbols.sh OBJECT-WITHOUT-.o SOURCE MACROS
#
# MACROS: what the headers define, "#define NAME ..." in each line.
code() { sed -E -e 's!/[*]([^*]|[*]+[^*/])*[*]+/! !g' -e 's!//.*!!' -e 's!/[*].*!!' -e '/^ *[*]/d'; } # without comments
nm -g -P "$1.o" | awk '$2 ~ /^[Uwv]$/ { print $1; next } $1 !~ /^(_Z|reduction_|DW[.]ref[.])/ { print "define " $1 }'
# Calls have relocations of their own, and so have variables of a thread; these are variables.
{ nm -u -P "$1.o"; readelf -rW "$1.o" 2>/dev/null; } | awk '
    $2 == "U" { outside[$1] = 1 }
    ($5 in outside) && $3 !~ /PLT|CALL|JUMP|TP|TLS/ && $5 !~ /^(stdout|stderr|warpSize|hip_cpu_.*|_.*)$/ && !told[$5]++ { print "address " $5 }'
sed 's/\\ /|/g' "$1.d" | tr -d '\\' | tr ' |' '\n ' | sed -e "s|^$(pwd -P)/||" -e 's|^\./||' | grep '[^:]$' | grep -vxF -e "$2" -e "$1.hip" -e "$1.o" |
    grep -vE '^(common|platform|reduction_to_fix/checker/runner)/[^.]*[.](h|hip)$|/exercises/headers[.]h' | sed 's/^/include /'
grep -oE '(HIP_CPU_|hip_cpu_|__has_(include|builtin|attribute|feature|extension))[A-Za-z0-9_]*|section *[(] *"' "$2" |
    sed 's/ *[(].*//; s/^/word /'
readelf -sW "$1.o" 2>/dev/null | awk '$4 == "TLS" && ($3 ~ /^0x/ || $3 > 65536) { print "shared"; exit }' # above 99999 in hex
grep -owE 'thread_local|__thread' "$2" | sed 's/^/word /'
# In a condition: what compilers and headers define is here, and perhaps not elsewhere. An exercise's own macros are not.
sed -e ':next' -e '/\\$/{N;s/\\\n//;b next' -e '}' "$2" | sed -nE 's!^([^"]*\*/)?[[:space:]]*(#|%:)[[:space:]]*!#!p' |
    code | awk -v macros="$3" '
        BEGIN {
            while ((getline text <macros) > 0) { split(text, word, "[ (]"); known[word[2]] = 1 }
            split("if ifdef ifndef elif elifdef elifndef defined true false and or not OPERATION VALUE_TYPE DEBUG __cplusplus", word, " ")
            for (i in word) fine[word[i]] = 1
        }
        { line[NR] = $0 }
        /^#define/ { split($0, word, "[ (]+"); if (!(word[2] in known) && word[2] !~ /^_/) fine[word[2]] = 1 }
        END {
            for (i = 1; i <= NR; i++)
                for (rest = line[i] ~ /^#(el)?if/ ? line[i] : ""; match(rest, /[A-Za-z_0-9]+/); rest = substr(rest, RSTART + RLENGTH)) {
                    name = substr(rest, RSTART, RLENGTH)
                    if (name !~ /^[0-9]/ && name !~ /^(OP|TYPE)_[A-Z]+$/ && !(name in fine)) print "word " name
                }
        }'
code <"$2" | awk -f "$(dirname "$0")/host_functions.awk"
# Between 100 and 2^20, also as a product or a shift.
number='(0x[0-9a-fA-F]+|[0-9]+)[uUlL]*'
code <"$2" | grep -oE "(^|[^A-Za-z0-9_.])$number( *([*]|<<|[+]|-) *$number)?" |
    awk 'function value(t,  i, v) {
            sub(/[uUlL]+$/, "", t)
            if (t !~ /^0x/) return t + 0
            for (i = 3; i <= length(t); i++) v = 16 * v + index("0123456789abcdef", tolower(substr(t, i, 1))) - 1
            return v
        }
        function tell(v) { if (v >= 100 && v <= 1048576) print "number " v }
        {
            sub(/^[^0-9]/, ""); tell(value($0))
            if (match($0, / *([*]|<<|[+]|-) */)) {
                a = value(substr($0, 1, RSTART - 1)); b = value(substr($0, RSTART + RLENGTH)); op = substr($0, RSTART, RLENGTH)
                tell(a); tell(b)
                tell(op ~ /[*]/ ? a * b : op ~ /</ ? a * 2 ^ b : op ~ /[+]/ ? a + b : a - b)
            }
        }' | sort -u
