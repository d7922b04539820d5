#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the sandbox where there is no bubblewrap: inside unshare, a root of its own that has the folders of sandbox.sh.
#
#   sandbox_root.sh COURSE BUILT HIDDEN FOLDER SYSTEM DEVICES COMMAND...      SYSTEM, DEVICES: paths, separated by blanks
course=$1 built=$2 hidden=$3 folder=$4 system=$5 devices=$6
shift 6

root=$folder/.root
mkdir "$root" && mount -t tmpfs -o size=256m,mode=755 none "$root" && cd "$root" || exit 126
show() { # PATH [writable]
    if [ -L "$1" ]; then
        mkdir -p "$root${1%/*}" && cp -P "$1" "$root$1"
        return
    fi
    [ -e "$1" ] || return 0
    if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root${1%/*}" && : >"$root$1"; fi
    mount --rbind "$1" "$root$1" || exit 126
    [ -n "$2" ] || mount -o remount,bind,ro "$root$1" || exit 126
}
mkdir "$root/tmp" && mount -t tmpfs -o size=256m,mode=1777 none "$root/tmp" || exit 126
for path in $system "$course" "$built"; do show "$path"; done
for path in "$course"/reduction_to_fix/*/solution.patch "$course"/reduction_to_fix/*/cases.txt; do
    [ ! -e "$root$path" ] || mount --bind /dev/null "$root$path" || exit 126
done
for path in "$hidden" "$course/.git" "$course/tests"; do
    [ ! -d "$root$path" ] || mount -t tmpfs -o ro none "$root$path" || exit 126
done
for path in "$folder/box" /proc $devices; do show "$path" writable; done
mkdir "$root/.old" && pivot_root . .old && cd / && umount -l /.old || exit 126
rmdir /.old
mount -o remount,ro / 2>/dev/null
cd "$course" || exit 126
exec "$@"
