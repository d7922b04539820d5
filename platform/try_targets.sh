#!/bin/sh
# SPDX-License-Identifier: MIT
# Complains in one line if the kernel compiler cannot compile for the targets.
#
#   try_targets.sh FOLDER TARGETS COMPILER FLAG...
file=$1/nothing targets=$2
shift 2
echo >"$file.hip"
said=$("$@" -c "$file.hip" -o "$file.o" 2>&1)
status=$?
rm -f "$file.hip" "$file.o"
[ $status -eq 0 ] || {
    why=$(echo "$said" | sed -nE '/(error|fatal) *:/{ s/^.*(error|fatal) *: *//; s/;.*//; p; }' | head -n 1)
    first=$(while read -r target release; do
        case " $targets $why " in *" $target "*[\ \']"$target"[\ \']*) echo " (known from ROCm $release on)" ;; esac
    done <"$(dirname "$0")/amd/targets.txt")
    echo "GPU=\"$targets\" does not compile: ${why:-$said}$first; name other targets, or set HIPCC or NVCC to a compiler that" \
        'knows them' >&2
    exit 1
}
