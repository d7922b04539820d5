#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a command that sees the course and the system's programs, both read-only, and one folder to write to: no network,
# no other process, no home. Its processes end with it. bubblewrap does it where it works; else unshare and setpriv of
# util-linux. Both need user namespaces. GRADE_WITH=bwrap or unshare names one.
#
#   sandbox.sh COURSE BUILT HIDDEN FOLDER COMMAND...      COMMAND runs in COURSE, sees BUILT, and not HIDDEN; it may
#                                                         write to FOLDER/box; exit code 126: it did not begin
#   sandbox.sh try                                        whether that works here
system='/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc/alternatives /etc/ld.so.cache'
devices='/dev/null /dev/zero /dev/urandom'
wrap() { bwrap --unshare-all --die-with-parent --cap-drop ALL --proc /proc --size 268435456 --tmpfs /tmp "$@"; }
share() { unshare --user --map-root-user --mount --pid --fork --net --ipc --uts --kill-child --mount-proc "$@"; }
alone='setpriv --bounding-set=-all --inh-caps=-all --no-new-privs'

with=$GRADE_WITH
[ -n "$with" ] || if wrap --ro-bind / / true 2>/dev/null; then with=bwrap; else with=unshare; fi
if [ "$1" = try ]; then
    # shellcheck disable=SC2086 # words
    if [ "$with" = bwrap ]; then wrap --ro-bind / / true; else share $alone true; fi 2>/dev/null
    exit
fi
course=$1 built=$2 hidden=$3 folder=$4
shift 4
set -- env -i PATH=/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8 GRADE_SECONDS="$GRADE_SECONDS" GRADE_MEMORY="$GRADE_MEMORY" "$@"
if [ "$with" != bwrap ]; then
    # shellcheck disable=SC2086 # words
    share sh "$(dirname "$0")/sandbox_root.sh" "$course" "$built" "$hidden" "$folder" "$system" "$devices" $alone "$@"
    exit
fi

# From the last argument to the first.
set -- --bind "$folder/box" "$folder/box" --remount-ro / --chdir "$course" \
    sh -c ': >"$0/.begun"; exec "$@"' "$folder/box" "$@"
for path in "$course"/reduction_to_fix/*/solution.patch "$course"/reduction_to_fix/*/cases.txt; do
    [ ! -e "$path" ] || set -- --ro-bind /dev/null "$path" "$@"
done
for path in "$hidden" "$course/.git" "$course/tests"; do
    case $path in "$course"/* | "$built"/*) [ ! -d "$path" ] || set -- --tmpfs "$path" --remount-ro "$path" "$@" ;; esac
done
set -- --ro-bind "$course" "$course" --ro-bind "$built" "$built" "$@"
for path in $devices; do set -- --dev-bind $path $path "$@"; done
for path in $system; do
    if [ -L $path ]; then
        set -- --symlink "$(readlink $path)" $path "$@"
    elif [ -e $path ]; then
        set -- --ro-bind $path $path "$@"
    fi
done
wrap "$@"
status=$?
[ -e "$folder/box/.begun" ] || exit 126
exit $status
