#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a formatter on all C and HIP files: format.sh clang-format -i
find . -name build -path "*/build" ! -path ./tests/build ! -path ./tools/build -prune -o \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.hip' \) -type f -print | sort >"${TMPDIR:-/tmp}/format.$$"
trap 'rm -f "${TMPDIR:-/tmp}/format.$$"' EXIT
xargs "$@" <"${TMPDIR:-/tmp}/format.$$" || exit
echo "clang-format: $(wc -l <"${TMPDIR:-/tmp}/format.$$") files are formatted"
