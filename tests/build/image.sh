#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the container image for the CPU from docs/cluster/course/Dockerfile, on a Debian of its own, and runs programs in
# it. Needs root, buildah, debootstrap and the distribution's packages over the network; no daemon. .ci/run calls it.
# Exit code 1 if the image or a program fails, 77 where it cannot be built.
cd "$(dirname "$0")/../.." || exit 3
skip() {
    echo "  SKIP  the image for the CPU: $1"
    exit 77
}
for tool in buildah debootstrap; do
    command -v $tool >/dev/null || skip "$tool not found; ./install-deps.sh develop"
done
[ "$(id -u)" = 0 ] || skip 'only root can build one this way'
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
buildah() { command buildah --storage-driver vfs --root "$work/images" --runroot "$work/run" "$@"; }
failed() {
    echo "image: $1"
    exit 1
}

mirror=$(python3 tools/lib/mirror.py bookworm 2>&1) || skip "$mirror"
debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" "$mirror" >"$work/log" 2>&1 ||
    skip "debootstrap: $(tail -n 1 "$work/log")"
tar -C "$work/base" -cf "$work/base.tar" .
container=$(buildah from scratch) && buildah add "$container" "$work/base.tar" / >/dev/null &&
    buildah commit --quiet --rm "$container" debian:12 >/dev/null || failed 'no base'
rm -rf "$work/base" "$work/base.tar"

# What git has, and nothing that was built here.
mkdir "$work/course" && git ls-files -z | xargs -0 tar -cf - | tar -xf - -C "$work/course"
(cd "$work/course" && buildah build --isolation chroot --pull-never -t course -f docs/cluster/course/Dockerfile . \
    >"$work/log" 2>&1) || { cat "$work/log"; failed 'the build failed'; }
container=$(buildah from --pull-never course) || failed 'it does not start'

# inside TEXT COMMAND...: what a command in the image must say
inside() {
    text=$1
    shift
    buildah run --isolation chroot "$container" -- "$@" >"$work/log" 2>&1 && grep -q "$text" "$work/log" ||
        { cat "$work/log"; failed "$*: no '$text'"; }
    echo "        $*: $(grep -m 1 "$text" "$work/log")"
}
inside '^shfl .* OK$' make run V=shfl SIZE=64K
inside '^race: none found' make race V=shfl
inside 'lanes' make explain V=shfl
echo 'check of the image for the CPU: built, and its programs ran'
