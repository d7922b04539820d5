#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the Debian package, installs it, uses it as an ordinary user in another folder, and removes it. Needs root,
# debhelper and network; exit code 77 without them.
cd "$(dirname "$0")/.." || exit 3
if [ "$(id -u)" -ne 0 ] || ! apt-get install -y --no-install-recommends debhelper fakeroot >/dev/null 2>&1; then
    echo '  SKIP  only root can install debhelper and a package, and apt has to know debhelper'
    exit 77
fi
! dpkg -s nogpu >/dev/null 2>&1 || { echo '  SKIP  nogpu is installed already'; exit 77; }
work=$(mktemp -d) && chmod 755 "$work" || exit 3
trap 'dpkg -r nogpu >/dev/null 2>&1; rm -rf "$work"' EXIT
mkdir "$work/nogpu" && tar -c --exclude=./build . | tar -x -C "$work/nogpu" && cp -R packages/debian "$work/nogpu" &&
    (cd "$work/nogpu" && dpkg-buildpackage -us -uc -b) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
dpkg -i "$work"/nogpu_*.deb || exit 1
mkdir -m 777 "$work/user" && cp tests/memory/pairs.hip "$work/user" || exit 3
for case in 'race:none found:after' 'memory:none found:after' 'memory:1 found:after wrong'; do
    # shellcheck disable=SC2086  # words
    (cd "$work/user" && HOME=$work/user setpriv --reuid=65534 --regid=65534 --clear-groups \
        nogpu "${case%%:*}" pairs.hip -- ${case##*:}) >"$work/log" 2>&1
    words=${case#*:}
    grep -q "^${case%%:*}: ${words%:*}" "$work/log" || { echo "nogpu ${case%%:*}: not '${words%:*}':"; cat "$work/log"; exit 1; }
done
dpkg -r nogpu && ! command -v nogpu
