#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the revision of the sources and the compiler of the kernels, a line each, if one has changed.
#
#   facts.sh FILE COMPILER...
file=$1
shift
revision=$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
compiler=$("$@" --version 2>/dev/null |
    awk '/release|HIP version/ { name = name $0 "; " } /clang version|[(]GCC[)]|^(g|c)[+][+]/ { name = name $0; exit }
         END { sub(/; $/, "", name); print name ? name : "unknown" }')
printf '%s\n%s\n' "$revision" "$compiler" | sh tools/build/keep.sh "$file"
