#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares explain's counts with a GPU's, for the kernel of each variant that does most:

    explain_on_gpu.py count FOLDER      here: builds the traced programs, writes FOLDER/counted.txt
    explain_on_gpu.py compare FOLDER    there: the same kernels under ncu, prints results/MACHINE/explain/explain.txt"""
from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from built import compared
from lib.script import TOP, fail, say

# As explain's JSON and ncu name them.
COUNTS = [(f"global_{kind}_{what}", f"l1tex__t_{what}_pipe_lsu_mem_global_op_{short}.sum")
          for kind, short in (("load", "ld"), ("store", "st")) for what in ("requests", "sectors")]
COUNTS += [(f"shared_{kind}_{what}", f"l1tex__data_{name}_mem_shared_op_{short}.sum")
           for kind, short in (("load", "ld"), ("store", "st"))
           for what, name in (("passes", "pipe_lsu_wavefronts"), ("conflicts", "bank_conflicts_pipe_lsu"))]
LEFT_OUT = "rows", "prim"  # rows depends on the number of multiprocessors; prim's kernels are the vendor's


def words_of(program: Path, variant: str, kind: str) -> list[str | Path]:
    fills = (variant in ("cooperative", "single_pass", "reproducible") or  # a grid that follows the device
             "grid_to_fill(" in (TOP / f"reduction_{variant}/{variant}.hip").read_text())
    return [program, f"--size={102400 if variant == 'softmax' else 100003}", f"--type={kind}", "--iterations=1",
            "--warmup=0", "--ceiling=1", "--quiet", *(["--grid=64", "--block=256"] if fills else [])]


def count(folder: Path) -> None:
    out = folder.resolve() / "traced"
    with open(folder / "counted.txt", "w", encoding="utf-8") as text:
        for kind in "float", "double":
            subprocess.run([os.environ.get("MAKE", "make"), "-s", f"-j{os.cpu_count()}", "GPU=cpu", f"OUT={out}", "TRACE=1",
                            f"TYPE={kind}", "counted"], cwd=TOP, check=True, stdout=sys.stderr)
            for variant in compared():
                programs = sorted(out.glob(f"build/*/instances/{kind}_sum/reduction_{variant}"))
                if variant in LEFT_OUT or not programs:
                    continue
                found = out / "counted.json"
                subprocess.run(words_of(programs[0], variant, kind), check=True, stdout=subprocess.DEVNULL, env={
                    **os.environ, "HIP_CPU_TRACE": "explain", "HIP_CPU_WARP_SIZE": "32", "HIP_CPU_WORKERS": "64",
                    "HIP_CPU_EXPLAIN": f"json,to:{found}"})
                kernel = max(json.loads(found.read_text()), key=lambda one: one["instructions"])
                print(variant, kind, kernel["kernel"], *(kernel[name] for name, _ in COUNTS), file=text, flush=True)


def compare(folder: Path) -> None:
    equal = all_of_them = 0
    say("# The kernel that does most, n 100003 (softmax 102400), grid 64 and block 256 where the grid follows the device:\n"
        "# requests and 32-byte sectors of global memory, loads, then stores; passes of shared memory and how many of them\n"
        "# are bank conflicts, loads, then stores. Counted by the traced programs | by ncu. ! where they differ.")
    for line in (folder / "counted.txt").read_text().splitlines():
        variant, kind, kernel, *counted = line.split()
        said = subprocess.run(["ncu", "--clock-control=none", "--csv", "--print-units=base", "--kernel-name", kernel,
                               "--launch-count=1", "--metrics", ",".join(name for _, name in COUNTS),
                               *words_of(folder / f"reduction_{variant}/reduction_{variant}", variant, kind)],
                              stdout=subprocess.PIPE, text=True).stdout.splitlines()
        rows = csv.DictReader(io.StringIO("\n".join(line for line in said if line.startswith('"'))))
        measured = {row["Metric Name"]: row["Metric Value"].replace(",", "") for row in rows}
        pairs = list(zip(counted, (measured.get(name, "?") for _, name in COUNTS)))
        equal += sum(a == b for a, b in pairs)
        all_of_them += len(pairs)
        say(f"{variant:19} {kind:6} {' '.join(a + '|' + b + '!' * (a != b) for a, b in pairs)}")
    say(f"# {equal} of {all_of_them} counts are equal")


def main() -> None:
    steps = {"count": count, "compare": compare}
    if len(sys.argv) != 3 or sys.argv[1] not in steps:
        fail(__doc__ or "")
    steps[sys.argv[1]](Path(sys.argv[2]))


if __name__ == "__main__":
    main()
