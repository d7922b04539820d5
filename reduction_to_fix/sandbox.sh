#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a command that sees the course and the system's programs, both read-only, and one folder to write to: no network,
# no other process, no home. Its processes end with it. Needs user namespaces and util-linux.
#
#   sandbox.sh COURSE BUILT HIDDEN FOLDER COMMAND...      COMMAND runs in COURSE, sees BUILT, and not HIDDEN; it may
#                                                         write to FOLDER/box
#   sandbox.sh try                                        whether that works here
if [ "$1" = try ]; then
    exec unshare --user --map-root-user --mount --pid --fork --net --ipc --uts --kill-child --mount-proc \
        setpriv --bounding-set=-all --inh-caps=-all --no-new-privs true 2>/dev/null
fi
if [ "$1" != inside ]; then
    exec unshare --user --map-root-user --mount --pid --fork --net --ipc --uts --kill-child --mount-proc \
        sh "$0" inside "$@"
fi
shift
course=$1 built=$2 hidden=$3 folder=$4
shift 4
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
for path in /usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc/alternatives /etc/ld.so.cache; do
    show $path
done
show "$course"
show "$built"
for path in "$hidden" "$course/.git" "$course/docs/instructor" "$course/tests"; do
    [ ! -d "$root$path" ] || mount -t tmpfs -o ro none "$root$path" || exit 126
done
for path in "$folder/box" /proc /dev/null /dev/zero /dev/urandom; do
    show "$path" writable
done
mkdir "$root/.old" && pivot_root . .old && cd / && umount -l /.old || exit 126
rmdir /.old
mount -o remount,ro / 2>/dev/null
cd "$course" || exit 126
exec env -i PATH=/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8 GRADE_SECONDS="$GRADE_SECONDS" \
    GRADE_MEMORY="$GRADE_MEMORY" setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
