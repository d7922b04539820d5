#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds in FOLDER what tools/measure/results_on_gpu.py measures: programs, libreduction, exercises, and explain's counts.
#
#   tools/measure/results_for_gpu.sh GPU FOLDER [CUB]
#
#   CUB   a checkout of NVIDIA/cccl, to measure its CUB next to the toolkit's
#
# Takes half an hour on two cores; rebuilds only what is older than its source. Packs it into FOLDER/measured.tar.xz.
[ $# -ge 2 ] || { sed -n '3,/^$/s/^# \{0,1\}//p' "$0" | sed '/^\[/,$d' >&2; exit 2; }
cd "$(dirname "$0")/../.." || exit 3
gpu=$1 out=$2 cub=$3
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 3
build() { ${MAKE:-make} -s -j"${JOBS:-$(nproc)}" GPU="$gpu" "$@" || exit 1; }

build OUT="$out" all "$out/build/$gpu/bin/facts" library library-speed
if [ -n "$cub" ]; then
    version=$(awk '$2 == "CUB_VERSION" { print int($3 / 100000) int($3 / 100 % 1000); exit }' "$cub/cub/cub/version.cuh")
    build OUT="$out/newest/build" NVCCFLAGS="-I$cub/cub -I$cub/thrust -I$cub/libcudacxx/include" reduction_prim library-speed
    cp -L "$out/newest/build/reduction_prim/reduction_prim" "$out/newest/prim$version" &&
        cp -L "$out/newest/build/build/$gpu/library/library-speed" "$out/newest/library-speed$version" || exit 1
fi
python3 tools/measure/bars.py build "$gpu" "$out/bars" || exit 1
python3 tools/measure/explain_on_gpu.py count "$out" "$gpu" || exit 1
WRONG=10 sh tools/measure/exercises_for_gpu.sh "$gpu" "$out" || exit 1

# ---- what goes to the machine
pack=$out/pack
rm -rf "$pack" && mkdir -p "$pack/build/$gpu/bin" "$pack/build/$gpu/library" "$pack/bars" "$pack/newest" || exit 3
put() { # FILE TO: stripped, where it is a program
    mkdir -p "$(dirname "$pack/$2")" && cp -L "$1" "$pack/$2" || exit 3
    strip "$pack/$2" 2>/dev/null
}
for name in bin/run bin/device bin/facts library/libreduction.so library/library-speed; do
    put "$out/build/$gpu/$name" "build/$gpu/$name"
done
cd "$out" || exit 3
for file in reduction_*/reduction_* bars/reduction_*/reduction_* bars/[0-9]*_solution bars/[0-9]*_fast newest/*[0-9]; do
    case $file in *hello | *multi_gpu) continue ;; esac
    [ ! -f "$file" ] || [ ! -x "$file" ] || put "$file" "$file"
done
for file in counted.txt exercises.tar.gz; do
    [ ! -f "$file" ] || cp "$file" "$pack/" || exit 3
done
tar -C "$pack" -c . | xz -1 >"$out/measured.tar.xz" && rm -rf "$pack" && du -h "$out/measured.tar.xz"
