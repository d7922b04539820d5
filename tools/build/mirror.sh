#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the mirror, of those that apt is configured for here, that has this release: mirror.sh bookworm
# Exit code 1, with a line that says so, if none has.
found=$(mktemp) || exit 3
trap 'rm -f "$found"' EXIT
# shellcheck disable=SC2016  # words of apt
for mirror in $(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | sort -u); do
    if /usr/lib/apt/apt-helper download-file "${mirror%/}/dists/$1/InRelease" "$found" >/dev/null 2>&1; then
        echo "$mirror"
        exit 0
    fi
done
echo "no mirror in apt's configuration has $1" >&2
exit 1
