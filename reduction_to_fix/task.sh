#!/bin/sh
# SPDX-License-Identifier: MIT
# make task: a small task for a step of the ladder, in the step's own folder: predict a number, reach a bar, find a race.
#
#   task.sh [STEP]      in the folder above, with MAKE and BUILT in the environment; without STEP the first that is left
. reduction_to_fix/exercise.sh
rows=$(grep -v '^#\|^$' $here/tasks.txt)
step=$1
for each in $(printf '%s\n' "$rows" | sed 's/ .*//'); do
    [ -z "$step" ] && [ -z "$(recall "task.$each")" ] && step=$each
done
[ -n "$step" ] || { echo "All small tasks are done; make task LESSON=striding does one again" && exit; }
row=$(printf '%s\n' "$rows" | grep "^$step :: ") || {
    echo "LESSON=$step: these steps have a small task: $(printf '%s\n' "$rows" | sed 's/ .*//' | paste -s -d ' ' -)" >&2
    exit 2
}
part() { printf '%s\n' "$row" | awk -F ' :: ' -v part="$1" '{ print $part }'; }
printf '%s (reduction_%s/README.md)\n%s\n' "$step" "$step" "$(part 5)" | fold -s -w 80
if [ "$(part 2)" = predict ]; then
    printf 'Your number: '
    read -r guess || guess=
    case $guess in '' | *[!0-9]*) echo 'a whole number, please; make task asks again' && exit 1 ;; esac
fi
said=$(sh -c "exec $MAKE -s --no-print-directory $(part 3) V=$step" 2>&1)
status=$?
right=''
found=$(printf '%s\n' "$said" | sed -n "$(part 4)" | head -n 1)
bar=$(part 2)
case $bar in
predict) [ "$found" != "$guess" ] || right=yes
    verdict="make explain counts ${found:-nothing}" ;;
race) [ -z "$found" ] || right=yes
    verdict=${found:-make race finds none yet: change the file, and then make task again} ;;
reach*) bar=${bar#reach }
    [ -z "$found" ] || [ "$found" -gt "$bar" ] || right=yes
    verdict="make explain counts ${found:-nothing}, and at most $bar is wanted" ;;
esac
# What has been changed has to be right, too.
case $bar in predict | race) ;; *) [ -z "$right" ] || sh -c "exec $MAKE -s --no-print-directory run V=$step SIZE=10007" >/dev/null 2>&1 || {
    right='' verdict="$verdict; but the result is wrong"
} ;;
esac
[ -n "$found" ] || [ "$(part 2)" = race ] || { echo "$said" && exit "$status"; }
printf '%s\n' "$verdict" | sed 's/^ */  /'
again="make $(part 3) V=$step"
if [ -z "$right" ]; then
    echo "Not yet. All of it: $again"
    exit 1
fi
remember "task.$step" yes
case $(part 2) in
predict) echo "Right. All of it: $again" ;;
*) echo "Right. Put back what you have changed in reduction_$step: the next steps are compared with it" ;;
esac
