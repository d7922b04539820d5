#!/bin/sh
# SPDX-License-Identifier: MIT
# Does what a newcomer does (newcomer.sh) in a bare release of its own, which debootstrap installs from the mirror that apt
# uses here.
#
#   bare.sh RELEASE 'CHECK' [CC CXX PACKAGE...]      bookworm, trixie, sid, noble ...; the rest is for newcomer.sh
#
# Takes the last commit, not what is changed since. Needs root and about 2 GB in $TMPDIR. Exit code 1 if a step fails, 77
# where the release cannot be had.
[ $# -ge 2 ] || { sed -n '3,/^$/s/^# \{0,1\}//p' "$0" | sed '/^\[/,$d' >&2; exit 2; }
cd "$(dirname "$0")/../.." || exit 3
release=$1
shift
skip() {
    echo "  SKIP  $release: $1"
    exit 77
}
for tool in debootstrap apt-get git unshare; do
    command -v $tool >/dev/null || skip "$tool not found; ./install-deps.sh develop"
done
[ "$(id -u)" -eq 0 ] || skip 'only root can install a system'
git rev-parse -q --verify HEAD >/dev/null 2>&1 || skip 'this is not a clone, so it cannot be cloned'
# In namespaces of its own: with the last process all mounts are gone, and with this script all processes.
unshare --mount --pid --fork true 2>/dev/null || skip 'there are no namespaces here'

work=$(mktemp -d) || exit 3
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 3' INT TERM HUP
mirror=$(python3 tools/lib/mirror.py "$release" 2>&1) || skip "$mirror"
eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
export http_proxy https_proxy
# What people have before they begin: git, and a language.
root=$work/root
debootstrap --variant=minbase --include=ca-certificates,git,locales "$release" "$root" "$mirror" >"$work/log" 2>&1 ||
    skip "debootstrap: $(tail -n 1 "$work/log")"
cp /etc/resolv.conf "$root/etc/resolv.conf"
git clone -q --bare . "$root/srv/source.git" && cp tests/systems/newcomer.sh "$root/srv" || exit 3

# shellcheck disable=SC2016  # expanded by the inner shell
unshare --mount --pid --fork --kill-child sh -c '
    mount --make-rprivate / && cd "$1" && mount -t proc proc proc && mount -t tmpfs -o mode=1777 tmpfs dev/shm &&
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts && ln -sf pts/ptmx dev/ptmx || exit 77
    shift
    exec chroot . env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=xterm http_proxy="$http_proxy" https_proxy="$https_proxy" \
        sh /srv/newcomer.sh /srv/source.git "$@"' sh "$root" "$@" &
inside=$!
trap 'kill $inside; wait $inside; exit 3' INT TERM HUP
wait $inside
