#!/bin/sh
# Prints make help: every target with a comment "## ..." in these makefiles, and the variables they take.
awk '/^[a-z-]+:.*## / {
    target = $0
    sub(/:.*/, "", target)
    sub(/.*## /, "")
    printf "  make %-12s %s\n", target, $0
}' "$@"
cat <<'END'

Words, on the command line or in the environment:
  GPU=auto          auto, cpu, gfx90a (AMD), sm_90 (NVIDIA); several: GPU="gfx90a gfx942"
  VARIANT=shfl,prim only these; V=shfl is the same
  SIZE= TYPE= OP=   elements (K M G are powers of two); float double int long; sum min max
  OUT=DIR           build there
  LAUNCH='srun -n1' starts every program of run, bench and check
  CC CXX HIPCC NVCC CFLAGS ROCM_PATH CUDA_HOME   compilers, as environment modules set them
  SAN=address,undefined   sanitizers; WERROR=1: warnings are errors; V=1: show the commands
make uses all cores unless -j says otherwise.
END
