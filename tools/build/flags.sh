#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes FILE if something that affects objects has changed: the flags, or the compilers behind their names. The file openmp
# next to it gets the OpenMP flag if the C compiler has one. All objects depend on FILE, so this script is the first to
# notice a missing compiler.
#
#   flags.sh FILE FLAGS LINK-FLAGS CC [COMPILER]...
file=$1 flags=$2 link=$3 cc=$4
shift 3

for compiler; do
    shift
    name=${compiler%% -*} # ccache clang++ -stdlib=libc++ is clang++
    flags="$flags${compiler#"$name"}"
    program=$(command -v "${name##* }") || {
        echo "$compiler not found: ./install-deps.sh (packages gcc g++), or set CC and CXX" >&2
        exit 1
    }
    set -- "$@" "$program"
done
# shellcheck disable=SC2046  # one line
set -- $(readlink -f "$@")
flags="$flags / $*"
# Where nothing has changed, nothing is written: make grade builds in a sandbox.
was=
{ IFS= read -r was <"$file"; } 2>/dev/null
[ "$flags" != "$was" ] || [ ! -e "${file%/*}/place.mk" ] || exit 0
[ -w "${file%/*}" ] || { mkdir -p "${file%/*}" 2>/dev/null && [ -w "${file%/*}" ]; } || {
    echo "Cannot write to ${file%/*}: to edit a copy: make copy TO=~/reduction; to build elsewhere:" \
        'make OUT=~/reduction' >&2
    exit 1
}
[ -e "${file%/*}/place.mk" ] || echo "made_in := $PWD" >"${file%/*}/place.mk"

# Another make may do the same at the same time.
probe=$file.$$
echo 'int main(void) { return 0; }' >"$probe.c"
# shellcheck disable=SC2086  # flags are words
if $cc $link -fopenmp -o "$probe" "$probe.c" 2>/dev/null; then
    openmp=-fopenmp
else
    openmp=-Wno-unknown-pragmas
fi
rm -f "$probe.c" "$probe"
here=$(dirname "$0")
echo "$openmp" | sh "$here/keep.sh" "${file%/*}/openmp" && printf '%s\n' "$flags" | sh "$here/keep.sh" "$file"
