#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks an exercise whenever its file is saved, and goes on to the next when it is solved; keys do more. The check that
# runs ends with it.
#
#   watch.sh NUMBER          in the folder above, with the environment of exercise.sh
here=reduction_to_fix
number=$1
child='' settings=''

field() { awk -F'|' -v n="$number" -v f="$1" '!/^#/ && $1 + 0 == n + 0 { print $f }' $here/exercises.txt; }
end() {
    [ -z "$child" ] || kill -TERM "-$child" 2>/dev/null
    [ -z "$settings" ] || stty "$settings"
    exit "$1"
}
trap 'end 0' INT TERM HUP
# In a process group of its own, which a signal ends as a whole.
run() {
    setsid sh $here/exercise.sh "$1" "$number" </dev/null &
    child=$!
    wait "$child"
    status=$? child=''
}
begin() {
    [ -n "$(field 1)" ] || { echo "EX=$number: no such exercise; make list shows them" >&2 && end 2; }
    source=${SOURCE:-$(echo "$here/$(field 2)/$(field 3)" | sed "s:/[.]/:/:")}
    before=''
}
# The next one in the list.
next() {
    number=$(awk -F'|' -v n="$number" '/^#/ { next } found { print $1; exit } $1 + 0 == n + 0 { found = 1 }' $here/exercises.txt)
    [ -n "$number" ] || { echo 'That was the last one.' && end 0; }
    begin
}
keys() {
    all=$(grep -v '^#' $here/exercises.txt | cut -d'|' -f1)
    printf '\n%s %s\n' "$(echo "$all" | grep -nx "$number" | cut -d: -f1) of $(echo "$all" | wc -l)," \
        "$(grep -c '^solved' "${BUILT}$here/.progress" 2>/dev/null) solved; waits for $source to be saved"
    [ -z "$settings" ] || echo 'h hint  n next  l list  e explain  q quit'
}

begin
if [ -t 0 ]; then settings=$(stty -g) && stty -icanon -echo min 0 time 5; fi
while :; do
    now=$(cksum <"$source")
    if [ "$now" != "$before" ]; then
        [ -z "$settings" ] || [ -z "$before" ] || printf '\033[H\033[2J'
        before=$now
        run check
        if [ "$status" -eq 0 ] && [ -z "$SOURCE" ]; then next && continue; fi
        keys
    fi
    if [ -z "$settings" ]; then
        sleep 1 && key=''
    else # no key within half a second is like a terminal that is gone
        { key=$(dd bs=1 count=1 2>/dev/null) && [ -t 0 ]; } || end 0
    fi
    case $key in
    h) run hint ;; n) next ;; l) run list ;; e) run explain ;; q) end 0 ;;
    esac
done
