#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks an exercise whenever its file is saved, and goes on to the next when it is solved; keys do more. The check that
# runs ends with it.
#
#   watch.sh NUMBER [SOURCE]        in the folder above, with the environment of check.sh
. reduction_to_fix/exercise.sh
other=$2
child='' settings=''
end() {
    [ -z "$child" ] || kill -TERM "-$child" 2>/dev/null
    [ -z "$settings" ] || stty "$settings"
    exit "$1"
}
trap 'end 0' TERM HUP
trap 'printf "\nmake EX=%s watch goes on from here\n" "$(plain "$number")"; end 0' INT
# In a process group of its own, which a signal ends as a whole.
run() { # SCRIPT WORDS
    script=$here/$1.sh
    shift
    setsid sh "$script" "$@" </dev/null &
    child=$!
    wait "$child"; status=$? child=''
}
begin() { find_exercise "$1" || end 2; before=''; }
next() {
    after=$(next_after "$number")
    [ -n "$after" ] || { echo 'That was the last one.' && end 0; }
    begin "$after"
}
# An editor has the terminal for itself, and so has a task.
with_terminal() { stty "$settings"; "$@"; keys_at_once; }
keys_at_once() { stty -icanon -echo min 0 time 5; }
keys() {
    solved=$(grep -c '^solved' "$progress" 2>/dev/null)
    printf '\n%s of %s, %s solved; waits for %s to be saved\n' "$(in_order | grep -nx "$number" | cut -d: -f1)" \
        "$(in_order | wc -l)" "${solved:-0}" "${other:-$source}"
    [ -z "$settings" ] || echo 'h hint  n next  l list  e explain  o open in an editor  t a small task of the ladder  q quit'
}

begin "$1"
if [ -t 0 ]; then settings=$(stty -g) && keys_at_once; fi
while :; do
    now=$(cksum <"${other:-$source}")
    if [ "$now" != "$before" ]; then
        [ -z "$settings" ] || [ -z "$before" ] || printf '\033[H\033[2J'
        before=$now
        run check "$number" ${other:+"$other"}
        if [ "$status" -eq 0 ] && [ -z "$other" ]; then next && continue; fi
        keys
    fi
    # No key within half a second is like a terminal that is gone.
    if [ -z "$settings" ]; then sleep 1 && key=''; else { key=$(dd bs=1 count=1 2>/dev/null) && [ -t 0 ]; } || end 0; fi
    case $key in
    h) run desk hint "$number" && keys ;; n) next ;; l) run desk list && keys ;; e) run desk explain "$number" && keys ;;
    o) with_terminal sh -c "${VISUAL:-${EDITOR:-vi}} \"\$1\"" sh "${other:-$source}" && keys ;;
    t) with_terminal sh $here/task.sh; keys ;; q) end 0 ;;
    esac
done
