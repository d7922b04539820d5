#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints a line for each goal of these makefiles that has a comment "## ..."; with --words first, the variables too.
#
#   help.sh [--words] MAKEFILE...
words=
[ "$1" != --words ] || { words=yes && shift; }
sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1 \2/p' "$@" | while read -r goal meaning; do
    printf '  make %-12s %s\n' "$goal" "$meaning"
done
[ -n "$words" ] || exit 0
cat <<'END'

Variables, on the command line or in the environment; config.mk has their defaults:
  GPU=auto          auto, cpu, gfx90a (AMD), sm_90 (NVIDIA); several: GPU="gfx90a gfx942"
  VARIANT=shfl,prim only these; V=shfl is the same
  SIZE= TYPE= OP=   elements (K M G are powers of two); float double int long; sum min max
  OUT=DIR           build there
  LAUNCH='srun -n1' starts every program of run, bench and check
  CC CXX HIPCC NVCC CFLAGS ROCM_PATH CUDA_HOME   compilers, as environment modules set them
  SAN=address,undefined   sanitizers; WERROR=1: warnings are errors; V=1: show the commands
make uses all cores unless -j says otherwise.
END
