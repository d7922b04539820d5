#!/bin/sh
# SPDX-License-Identifier: MIT
# Finds a vendor's compiler and its SDK's folder. Prints FOLDER COMPILER, with "-" if the folder is not found, or
# nothing if the compiler is not found.
#
#   find_sdk.sh hipcc include/hip/hip_runtime_api.h /opt/rocm "$HIPCC" "$ROCM_PATH"
#
# Arguments: the compiler's name, a header of the SDK, the usual folder; then the user's settings, or nothing.
# Compiler: the user's, or the one in the user's folder, or the first in PATH, or the one in the usual folder.
# Folder: the user's, or the one that has the compiler and the header, links resolved if need be.
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
