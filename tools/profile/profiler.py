#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the vendor's profiler on one variant, with the counters for its lesson (counters.txt), and explains them in
words. NVIDIA: ncu. AMD: rocprofv3, or else rocprof. `make profile` runs it.

One run for each counter, so that a counter unknown to this profiler or GPU does not affect the others."""
from __future__ import annotations

import argparse
import csv
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from lib.script import NOT_HERE, Options, fail, find_program, say

HARNESS = re.compile(r"fill_(float|double|int|long)|read_(few|many)|[fF]illBuffer")


def find_profiler(platform: str) -> Path:
    if platform == "nvidia":
        found = find_program("ncu", Path(os.environ.get("CUDA_HOME") or "/usr/local/cuda", "bin"))
        missing = "ncu not found: install Nsight Compute from the CUDA toolkit (package nsight-compute), or module load cuda"
    elif platform == "amd":
        rocm = Path(os.environ.get("ROCM_PATH") or "/opt/rocm", "bin")
        found = find_program("rocprofv3", rocm) or find_program("rocprof", rocm)
        missing = ("rocprofv3 not found: install it from ROCm (package rocprofiler-sdk, before ROCm 6.2 rocprofiler), or "
                   "module load rocm")
    else:
        fail("the CPU platform has no profiler: name a GPU, make profile V=shfl GPU=gfx90a or GPU=sm_90")
    return Path(found or fail(missing, NOT_HERE))


def counters_for(platform: str, variant: str) -> list[list[str]]:
    """Counter, scale, unit and meaning from the lines of counters.txt for this variant."""
    lines = []
    for line in (HERE / "counters.txt").read_text().splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 6 and fields[0] == platform and {"*", variant} & set(fields[4].split()):
            lines.append(fields[1:4] + fields[5:])
    return lines


def measure(profiler: Path, counter: str, program: list[str], work: Path) -> tuple[str, str]:
    """The profiler's CSV ("" if it failed) and its messages."""
    def run(*command: str | Path) -> subprocess.CompletedProcess:
        return subprocess.run([*command, *program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace")

    if profiler.name == "ncu":
        ran = run(profiler, "--clock-control", "none", "--csv", "--print-units", "base", "--metrics", counter)
        return ran.stdout, ran.stderr
    if profiler.name == "rocprofv3":
        out = work / "out"
        shutil.rmtree(out, ignore_errors=True)
        ran = run(profiler, "--pmc", counter, "--output-format", "csv", "-d", out, "-o", "out", "--")
        text = "".join(path.read_text() for path in sorted(out.rglob("*counter_collection.csv"))) if not ran.returncode else ""
        return text, ran.stdout + ran.stderr
    out = work / "out.csv"  # rocprof refuses a file with another ending
    if out.exists():
        out.unlink()
    (work / "input.txt").write_text(f"pmc: {counter}\n")
    ran = run(profiler, "-i", work / "input.txt", "-o", out)
    return out.read_text() if not ran.returncode and out.exists() else "", ran.stdout + ran.stderr


def short(name: str) -> str:
    """double_sum::reduction_shfl::reduce_blocks(const double *, ...) and
    _ZN10double_sum14reduction_shfl13reduce_blocksE... as reduce_blocks."""
    name = re.sub(r" \[clone .*|\.kd$", "", name)
    mangled = re.match(r"_ZN\d+[a-z]+_[a-z]+(?:\d+reduction_[a-z_]+)?(\d+)(.*)", name)
    if mangled:
        return mangled[2][:int(mangled[1])]
    return re.sub(r".*::", "", re.sub(r"[(<].*", "", re.sub("^void ", "", name)))


def first_launches(text: str, counter: str) -> dict[str, tuple[float, int]]:
    """For each kernel of the variant, the value of its first launch, which has the most work, and the number of launches."""
    lines = text.splitlines()
    head = next((i for i, line in enumerate(lines) if re.search(r'"?Kernel[ _]?Name"?,', line)), len(lines))
    found: dict[str, tuple[float, int]] = {}
    for row in csv.DictReader(io.StringIO("\n".join(line for line in lines[head:] if not line.startswith("==")))):
        name = row.get("Kernel Name") or row.get("Kernel_Name") or row.get("KernelName") or ""
        if row.get("Metric Name", counter) != counter or row.get("Counter_Name", counter) != counter:
            continue
        value = row.get("Metric Value") or row.get("Counter_Value") or row.get(counter) or ""
        value = value.replace(",", "")  # thousands separators
        if not name or HARNESS.search(name) or not re.match(r"-?[0-9.]", value):
            continue
        first, launches = found.get(short(name), (float(value), 0))
        found[short(name)] = first, launches + 1
    return found


def main() -> None:
    options = Options(__doc__)
    options.add_argument("platform", choices=["nvidia", "amd", "cpu"])
    options.add_argument("variant")
    options.add_argument("program")
    options.add_argument("options", nargs=argparse.REMAINDER, help="for the program: -n 16M --type=float")
    given = options.parse_args()
    variant = re.sub("^reduction_", "", given.variant)
    profiler = find_profiler(given.platform)
    if not os.access(given.program, os.X_OK):
        fail(f"{given.program} not found: make reduction_{variant}")

    # Each launch twice, for the two clocks. --ceiling avoids measuring it.
    program = [given.program, "--iterations=1", "--warmup=0", "--ceiling=1", "--format=csv", *given.options]
    say(f"# {' '.join(program)} with {profiler.name}")
    alone = subprocess.run(program, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if alone.returncode:
        sys.stderr.write(alone.stderr)
        sys.exit(alone.returncode)

    lines: dict[str, list[str]] = {}  # of each kernel, in the order of their launches
    with tempfile.TemporaryDirectory() as work:
        for counter, scale, unit, words in counters_for(given.platform, variant):
            text, errors = measure(profiler, counter, program, Path(work))
            if "ERR_NVGPUCTRPERM" in text + errors:
                fail("the driver lets only administrators read counters: ask for the module option "
                     "NVreg_RestrictProfilingToAdminUsers=0")
            values = first_launches(text, counter)
            if not values:
                reason = ([line for line in errors.splitlines() if line.strip()] or [""])[-1]
                say(f"# {counter}: not known to this profiler on this GPU ({reason})")
            for kernel, (value, launches) in values.items():
                head = f"{kernel}, the first of {launches} launches in two runs"
                lines.setdefault(head, []).append(f"  {value * float(scale):12.4g} {unit:<9}  {words}")
    if not lines:
        fail("no counter could be read; the lines above say why")
    for head, counted in lines.items():
        say("\n".join([head, *counted]))


if __name__ == "__main__":
    main()
