#!/bin/sh
# SPDX-License-Identifier: MIT
# Finds a vendor's compiler and the folder of its SDK. Prints both, FOLDER COMPILER; "-" for a folder that is not
# found, nothing without a compiler.
#
#   find_sdk.sh hipcc include/hip/hip_runtime_api.h /opt/rocm "$HIPCC" "$ROCM_PATH"
#
# The arguments: the compiler's name, a header of the SDK, the usual folder; then what the user has set, or nothing.
# The compiler: what is set, else that of the folder that is set, else the first in PATH, else that of the usual folder.
# The folder: what is set, else the one that has the compiler and the header, as named or behind a link.
name=$1 header=$2 usual=$3 compiler=$4 folder=$5

for place in "${folder:-/nowhere}/bin/$name" "$(command -v "$name")" "$usual/bin/$name"; do
    [ -n "$compiler" ] || [ ! -x "$place" ] || compiler=$place
done
program=$(command -v "${compiler##* }") || exit 0 # the last word: CC="ccache gcc"

set -- "$folder" "${program%/bin/*}" "$(readlink -f "$program" | sed 's|/bin/[^/]*$||')" "$usual" /usr
for place; do
    if [ -n "$place" ] && [ -f "$place/$header" ]; then
        echo "$place $compiler"
        exit
    fi
done
echo "- $compiler"
