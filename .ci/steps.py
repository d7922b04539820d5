#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Continuous integration: what can be checked without a GPU, in less than 30 minutes on 2 cores. OUT=dir builds elsewhere.
Prints one line for each step, the log of a step that failed, and at the end what was left out and why, what was skipped, and
"N passed, N failed"."""
from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import which

os.chdir(Path(__file__).resolve().parents[1])
os.environ["WERROR"] = "1"
OUT = os.environ.setdefault("OUT", ".")
if OUT == ".":  # in a variant's folder, OUT=. would mean that folder
    del os.environ["OUT"]
JOBS = f"-j{os.cpu_count()}"
NOISE = re.compile(r"  [A-Z]+ +[^ ]+$| *CHECK .* ok  |make\[")  # what was built does not matter where a step failed
WORTH = re.compile(r" *(CHECK|SKIP|ok) |check ")
begin, passed, failed, skipped, left_out = time.monotonic(), 0, 0, [], []


def step(name: str, command: str) -> None:
    global passed, failed
    start = time.monotonic()
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    word = {0: "ok", 77: "skip"}.get(done.returncode, "FAILED")
    passed, failed = passed + (word == "ok"), failed + (word == "FAILED")
    skipped.extend([name] if word == "skip" else [])
    print(f"{word:6} {time.monotonic() - start:4.0f} s  {name}", flush=True)
    for line in done.stdout.splitlines():
        if not NOISE.match(line) if word == "FAILED" else WORTH.match(line):
            print("    " + line, flush=True)


step("install-deps.sh", "./install-deps.sh develop")
formatter = subprocess.run("clang-format --version", shell=True, capture_output=True, text=True, check=False).stdout.strip()
if "version 14." in formatter:
    step("make format-check", "make format-check")
else:
    left_out.append(f"the format of the sources, which is that of clang-format 14; here: {formatter or 'none'}")
step("shellcheck on every script", "python3 tools/build/lint.py scripts")
step("clang-tidy on C", "python3 tools/build/lint.py c")
step("version, licenses", "python3 tools/build/lint.py texts")
subprocess.run(["make", "clean"], stdout=subprocess.DEVNULL, check=False)
step("make GPU=cpu, from clean", f"make {JOBS} GPU=cpu")
step("make check", f"make {JOBS} check GPU=cpu")
with tempfile.TemporaryDirectory() as work:
    step("make bench, make plot", f"make {JOBS} GPU=cpu bench SIZES=1K,16K VARIANTS=striding,shfl,prim TIME=5 CSV={work}/bench.csv && "
         f"make plot CSV={work}/bench.csv PLOTS={work}/plots && ls {work}/plots/*.svg")
if which("clang++"):  # what it warns of does not depend on optimization
    step("make with clang", f"make {JOBS} GPU=cpu CC=clang CXX=clang++ CFLAGS=-O0 CXXFLAGS=-O0 all")
else:
    left_out.append("clang: not found; ./install-deps.sh develop")
if which(os.environ.get("HIPCC") or "hipcc") or which(os.environ.get("ROCM_PATH", "/opt/rocm") + "/bin/hipcc"):
    step("make check-amd, gfx90a", f"make {JOBS} check-amd TARGETS=gfx90a")
    # gfx9 has no v_permlanex16, which hipcc 5 may move to where its lanes are off (codegen.txt, masked).
    for variant in "head_flags", "reproducible":
        step(f"machine code of {variant} for gfx1030", f"make GPU=gfx1030 V={variant} EXPECT=1 codegen")
    left_out.append("AMD's other targets: make check-amd has all that hipcc knows")
else:
    left_out.append("AMD: hipcc not found; ./install-deps.sh amd")
nvcc = which("nvcc") or which("/usr/local/cuda/bin/nvcc")
if nvcc:  # -O1 is for the host alone, and takes 4/5 of the time; cuobjdump is not part of every CUDA
    step("make GPU=sm_90", f"make {JOBS} GPU=sm_90 NVCCFLAGS=-O1 all")
    step("machine code for sm_90", "for v in single_pass shfl two_kernels_unroll striding segmented; do python3 tools/code/codegen.py "
         f"--expect nvidia {nvcc} $v {OUT}/build/sm_90/reduction_$v/reduction_$v.o sm_90 || [ $? -eq 77 ] || exit 1; done")
else:
    left_out.append("NVIDIA: nvcc not found")
step("the container image for the CPU", "sh tests/build/image.sh")
step("the Debian package of nogpu, installed", "sh nogpu/packages/debian.sh")
step("a newcomer on trixie", "sh tests/systems/bare.sh trixie 'check SUITES=run,options,verify'")
step("a newcomer on sid, first half", "sh tests/systems/bare.sh sid ''")
left_out += [
    "newcomers elsewhere, other compilers: tests/systems; clang's analysis across functions: python3 tools/build/lint.py deep",
    "wrong versions of the variants: make mutants; what make check leaves out (tests/README.md): make check-all, hours",
    "all ROCm of Debian, all targets: make rocm-matrix; tests for NVIDIA: make GPU=sm_90 check-build; GPUs: nothing was run on one"]

for what in left_out:
    print(f"left out: {what}")
if skipped:
    print(f"{len(skipped)} skipped: {'; '.join(skipped)}")
minutes, seconds = divmod(round(time.monotonic() - begin), 60)
print(f"took {minutes} min {seconds} s\n{passed} passed, {failed} failed")
sys.exit(failed != 0)
