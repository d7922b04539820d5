#!/bin/sh
# SPDX-License-Identifier: MIT
# make update: the newest course. The files that you have changed stay as they are; and .progress is none of git's.
#
#   update.sh       in the folder above
git rev-parse -q --verify '@{upstream}' >/dev/null 2>&1 || {
    echo "make update: this tree follows no other one (git clone does); unpack the new one beside it, and copy what you have" \
        "changed, and reduction_to_fix/.progress" >&2
    exit 2
}
git fetch -q || exit 3
before=$(git rev-parse HEAD)
git merge-base --is-ancestor '@{upstream}' HEAD && echo 'nothing is new' && exit
git merge-base --is-ancestor HEAD '@{upstream}' || {
    echo "make update: you have commits of your own; git merge takes what is new into them" >&2
    exit 3
}
changed=$(git diff --name-only --diff-filter=d HEAD)
[ -z "$changed" ] || git stash push -q || exit 3 # safe there, even if this is interrupted
git merge -q --ff-only '@{upstream}'
status=$?
if [ -n "$changed" ]; then
    # shellcheck disable=SC2086 # words
    git checkout -q 'stash@{0}' -- $changed && git reset -q -- $changed && git stash drop -q || {
        echo "what you have changed is in git's stash: git stash pop" >&2
        exit 3
    }
fi
[ $status -eq 0 ] || { echo "make update: nothing has been taken; git's message says why" >&2 && exit 3; }
# shellcheck disable=SC2086
[ -z "$changed" ] || git diff --no-renames --name-status "$before" HEAD -- $changed | while read -r kind file; do
    case $kind in
    D) echo "$file is no longer in the course: yours stays" ;;
    *) echo "$file is new, and stays as you wrote it: make reset, with its EX=, takes the new one" ;;
    esac
done
git --no-pager log --oneline -n 1
