#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes a header with the revision of the sources and the compiler of the kernels, if one of them has changed.
#
#   facts.sh HEADER COMPILER...
header=$1
shift
revision=$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
compiler=$("$@" --version 2>/dev/null |
    awk '/release|HIP version/ { name = name $0 "; " } /clang version|[(]GCC[)]|^(g|c)[+][+]/ { name = name $0; exit }
         END { sub(/; $/, "", name); print name ? name : "unknown" }')
printf '#define REVISION "%s"\n#define COMPILER "%s"\n' "$revision" "$compiler" | sh tools/build/keep.sh "$header"
